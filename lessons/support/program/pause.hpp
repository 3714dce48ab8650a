#pragma once

#include <functional>
#include <string>
#include <vector>

namespace attn {

/// Throws std::invalid_argument unless standard input and output are a terminal.
void require_terminal_for_pause();

/// Shows the parts of a page, as `draw` makes them, one at a time: any key goes on, b goes back, q ends. They are drawn
/// anew when the terminal has got another width. The terminal is as it was afterwards, also after a signal. The end of
/// input ends the reading, quietly. Needs a terminal, as above.
void read_part_by_part(const std::function<std::vector<std::string>()>& draw);

}  // namespace attn
