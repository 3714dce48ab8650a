#pragma once

#include <string>
#include <vector>

namespace attn {

/// Throws std::invalid_argument unless standard input and output are a terminal.
void require_terminal_for_pause();

/// Shows the parts of a page one at a time: any key goes on, b goes back, q ends.
/// The terminal is as it was afterwards, also after a signal. The end of input ends the reading, quietly.
/// Needs a terminal, as above.
void read_part_by_part(const std::vector<std::string>& parts);

}  // namespace attn
