#pragma once

#include <string>
#include <vector>

namespace attn::bench {

/// What every bench starts with. A build that is not optimised ends the program, and so does an argument other than
/// `--quick`, unless there are `others`. Returns whether `--quick` was given.
[[nodiscard]] bool start_bench(int argc, char** argv, std::vector<std::string>* others = nullptr);

/// Prints on what machine, with which of our levels and by what build all that follows is measured.
void print_setting();

/// Whether a goal is met, or by how much it is missed.
void print_goal(const std::string& what, double measured, double at_least);
/// A goal whose rival is not here.
void print_unknown_goal(const std::string& what, double at_least);

}  // namespace attn::bench
