#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

class CommandLine;

/// What changes only the looks of a page, and questions to it.
struct PageOptions {
  enum class Face { text, json };
  enum class Color { automatic, always, never };

  std::size_t precision = 3;  // decimals in tables, 1 to 9
  Face face = Face::text;
  std::string out;  // empty: standard output
  Color color = Color::automatic;
  bool ascii = false;
  std::size_t width = 0;  // columns, 60 to 500; 0: the terminal's, 80 in a pipe or a file
  bool pause = false;

  std::vector<std::string> explain;  // addresses of numbers; not empty: how they came about, instead of the page
  std::size_t depth = all_levels;    // levels down

  static constexpr std::size_t all_levels = static_cast<std::size_t>(-1);
};

/// The rows of the command line for them.
void add_page_options(CommandLine& line, PageOptions& options);

/// Throws std::invalid_argument for options that contradict each other.
void check_page_options(const PageOptions& options);

}  // namespace attn
