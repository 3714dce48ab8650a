#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace attn {

/// How a table is drawn. The numbers are those of the step; this only chooses among them.
struct Look {
  std::vector<std::size_t> columns = {};  // show these columns, in this order; empty: all
  bool shaded = false;                    // who looks at whom: each cell gets a bar as high as its share of the largest
  double top = 0.0;                       // what a full bar stands for; 0: 1 for weights, else the table's largest
  bool row_sums = false;                  // one more column: what each row adds up to
  bool numbered = false;                  // the index of each column under its name
  std::vector<std::string> names = {};    // what stands over each column, by its index, instead of its label
};

/// A step in a table; `heading` stands over its columns where several steps stand side by side.
struct TableEntry {
  std::string step;
  std::string heading = {};
  std::vector<std::size_t> columns = {};  // as in Look, for this entry only
  std::vector<std::size_t> matrix = {};   // of a step of three axes or more: which matrix, {batch, head}
};

/// How panels of squares are drawn.
struct PanelLook {
  std::size_t cell = 2;   // columns per square: 1 for wide matrices
  double top = 0.0;       // what a full square stands for; 0: each panel's largest
  bool row_sums = false;  // the sum of each row beside it
};

}  // namespace attn
