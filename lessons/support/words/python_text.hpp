#pragma once

#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// How words and numbers are written in Python, in lines that fit a page.

/// "[1, 2, 3]": items joined, with a line break inside the brackets where a line would get too long. `column` is where
/// the list begins in its line.
[[nodiscard]] std::string python_list(const std::vector<std::string>& items, std::size_t column);

/// A word as Python writes it. What this page cannot show as it is becomes an escape.
[[nodiscard]] std::string python_string(const std::string& word, bool ascii);

/// The lines of a text, without blanks at their ends.
[[nodiscard]] std::vector<std::string> split_lines(const std::string& text);

/// Rows, columns and values of the entries that are not 0: "[rows], [columns]" and the values.
struct Sparse {
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<std::string> values;
  bool all_one = true;
};

/// Of these rows of a table; the lines call them by their order here, or (`by_id`) by their own number.
[[nodiscard]] Sparse sparse(const Tensor& table, const std::vector<std::size_t>& rows, bool by_id = false);

/// "X[[0, 1], [13, 8]] += 1": adds or sets the entries that are not 0.
[[nodiscard]] std::string set_entries(const std::string& name, const Sparse& entries, const std::string& assignment);

}  // namespace attn
