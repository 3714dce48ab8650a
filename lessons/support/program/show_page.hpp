#pragma once

#include "support/program/page_options.hpp"

#include <functional>
#include <string>
#include <vector>

namespace attn {

class Board;

/// Shows what was written on the board, in the face and to the place that the options say.
void show_page(const Board& board, const PageOptions& options);

/// What a program's exit status says.
enum class ExitStatus { done = 0, failed = 1, bad_options = 2 };

/// The main of a program: runs it, and turns an exception into one line on standard error and an exit status.
/// std::invalid_argument means that the arguments, or a file that they name, were bad. For anything else, such as a
/// full disk, the status is `otherwise`.
int run_program(const std::string& name, const std::function<ExitStatus()>& program,
                ExitStatus otherwise = ExitStatus::failed) noexcept;

}  // namespace attn
