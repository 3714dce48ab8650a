#pragma once

#include "board/look.hpp"
#include "board/measurement.hpp"
#include "board/value.hpp"
#include "tensor/tensor.hpp"

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace attn {

// What a lesson wrote, block by block, before any face has drawn it.

struct Title {
  Sentence text;
  std::string subtitle;
};
struct Map {
  std::string stage;  // where we are: "scores"; empty: at the start, nothing walked yet
};
struct Part {
  std::string heading;
  std::string way;  // "Q, K → [scores] → scaled"
};
struct Say {
  Sentence text;
};
struct Formula {
  std::string text;
  std::string source;  // "Vaswani 2017, eq. 1"
};
struct Shapes {
  std::string step;
};
struct Code {
  std::vector<std::string> lines;
  std::string file;
};
struct Table {
  std::vector<TableEntry> entries;  // side by side
  Look look;
};
struct Arcs {
  std::string step;  // weights
  std::size_t row = 0;
  Look look;  // of the table of the same step that comes next: the arcs end over its columns
};
struct Panels {
  std::vector<TableEntry> entries;  // side by side, as squares without digits; `heading` is the caption
  PanelLook look;
};
struct Bars {
  std::string step;
  std::size_t row = 0;
};
struct Measured {
  Measurements numbers;
  bool shown = true;  // else a line says that they are left out
};
struct Product {
  std::string step;  // of op matmul_transposed or matmul
};
struct Links {
  std::string top_name;
  std::vector<std::string> top;
  std::string bottom_name;
  std::vector<std::string> bottom;
  bool shifted = false;  // top i is linked to what stands one further at the bottom
};
struct ByHand {
  std::string step;
  Index index;
};
struct Explanation {
  std::string step;
  Index index;
  std::size_t depth = 0;
};
struct Notice {
  Sentence text;
};
struct Aside {
  Sentence text;
};
struct Ask {
  Sentence question;
  Sentence answer;
};
struct PyTorch {
  std::vector<std::string> lines;
};
struct Experiment {
  std::string command;
  std::string question;
};

using Block = std::variant<Title, Map, Part, Say, Formula, Shapes, Code, Table, Arcs, Panels, Bars, Measured, Product,
                           Links, ByHand, Explanation, Notice, Aside, Ask, PyTorch, Experiment>;

struct Page {
  std::vector<Block> blocks;
  bool dense = false;  // closely set
  // The steps of the head that the page follows are called head2.scores in the trace and scores on the page.
  std::string followed_prefix;

  /// A step's name as the page writes it.
  [[nodiscard]] std::string short_name(const std::string& step) const {
    return !followed_prefix.empty() && step.starts_with(followed_prefix) ? step.substr(followed_prefix.size()) : step;
  }
};

}  // namespace attn
