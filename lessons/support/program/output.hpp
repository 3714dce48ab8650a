#pragma once

#include <cstddef>
#include <string>

namespace attn {

/// Writes the whole page to `file`, or to standard output when `file` is empty.
///
/// A regular file is replaced in one step: the page is written beside it and renamed, so that a reader finds the old
/// page or the new one and never half of one. Its mode stays, and a link is followed. Where its folder does not let it
/// be replaced it is written over. A device or a pipe is written to directly, and so is a descriptor, whatever it leads
/// to: /dev/stdout, /dev/fd/3.
///
/// Throws std::runtime_error, naming the place and the cause, when the page did not arrive: a full disk, a closed pipe;
/// and what require_place_for_page throws.
void write_page(const std::string& page, const std::string& file);

/// Throws std::invalid_argument, naming the place and the cause, when no page can be written to `file`: a folder that
/// is not there, or not to be written in when the file is new; a name that is a folder's; a file that is read-only.
/// Writes nothing itself.
void require_place_for_page(const std::string& file);

/// The same for the weights that --save-weights writes to a file.
void write_weights(const std::string& weights, const std::string& file);
void require_place_for_weights(const std::string& file);

/// The same for the case that attend's --write writes to a file.
void write_case(const std::string& text, const std::string& file);
void require_place_for_case(const std::string& file);

/// Without this a closed pipe or a file size limit ends the program without a word. After it, write_page throws.
void report_write_errors_instead_of_dying();

/// Standard output is a terminal.
[[nodiscard]] bool stdout_is_terminal();

/// Columns of the terminal that standard output is; 0 when it is none or does not know.
[[nodiscard]] std::size_t terminal_columns();

/// A terminal that understands colours is asked for them: NO_COLOR is unset or empty, TERM says more than dumb.
[[nodiscard]] bool terminal_wants_color();

}  // namespace attn
