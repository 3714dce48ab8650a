#pragma once

#include "support/program/page_options.hpp"
#include "tensor/tensor.hpp"

#include <string>
#include <vector>

namespace attn {

/// What `attend` understands on its command line.
struct AttendOptions : PageOptions {
  enum class Action { show, compare, help, version };
  Action action = Action::show;
  std::vector<std::string> files;
  Index matrix;       // of a batch: which matrix the page shows
  std::string write;  // where to write the case with our outputs; empty: nowhere
};

/// Reads the arguments that follow the program's name.
/// Throws std::invalid_argument, one clear line, for anything unknown, missing, out of bounds or contradictory.
[[nodiscard]] AttendOptions parse_attend_options(const std::vector<std::string>& arguments);

/// All there is to know, for --help.
[[nodiscard]] std::string attend_help();

}  // namespace attn
