#include "support/weights_file.hpp"

#include "attention/multi_head.hpp"
#include "support/crafted_world.hpp"
#include "support/quoted.hpp"
#include "text/nearest.hpp"

#include <fmt/core.h>

#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace attn {

namespace {

constexpr std::size_t largest_file = std::size_t{1} << 28U;  // bytes; the largest d_model fits

struct NamedMatrix {
  const char* name;
  Tensor* value;
  bool read = false;
};

std::vector<std::string_view> words_of(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::vector<std::string_view> words;
  constexpr std::string_view blanks = " \t\r";
  for (std::size_t begin = line.find_first_not_of(blanks); begin != std::string_view::npos;
       begin = line.find_first_not_of(blanks, begin)) {
    const std::size_t end = std::min(line.find_first_of(blanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

template <typename Number>
std::optional<Number> parsed(std::string_view word) {
  Number number{};
  const char* const end = word.data() + word.size();
  const auto [stopped, error] = std::from_chars(word.data(), end, number);
  return error == std::errc() && stopped == end ? std::optional(number) : std::nullopt;
}

/// Reads a weights file from its first line to its last.
class Reader {
 public:
  Reader(const std::string& file, const std::string& text) : file_(quoted(file)), text_(text) {}

  World read() {
    while (next_line()) {
      const std::vector<std::string_view> words = words_of(line_);
      if (words.empty()) continue;
      if (words[0] == "names") {
        read_names(words);
      } else if (words[0] == "heads") {
        read_heads(words);
      } else {
        read_matrix(words);
      }
    }
    check_whole();
    if (named_) take_names_of_crafted_world(world_);
    return std::move(world_);
  }

 private:
  bool next_line() {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    line_ = std::string_view(text_).substr(at_, end - at_);
    at_ = end + 1;
    ++number_;
    return true;
  }

  [[noreturn]] void fail(const std::string& what) const {
    const std::string line = number_ > 0 ? fmt::format(", line {}", number_) : "";  // a file may have none
    throw std::invalid_argument(fmt::format("{}{}: {}", file_, line, what));
  }

  void read_names(const std::vector<std::string_view>& words) {
    if (words.size() != 2 || words[1] != "crafted") fail("\"names crafted\" is the only line of this kind");
    named_ = true;
  }

  void read_heads(const std::vector<std::string_view>& words) {
    const auto heads = words.size() == 2 ? parsed<std::size_t>(words[1]) : std::nullopt;
    if (!heads || *heads == 0 || *heads > largest_d_model)
      fail("heads needs one whole number from 1 on, as in \"heads 4\"");
    if (world_.num_heads != 0) fail(fmt::format("heads is given twice: it was {}", world_.num_heads));
    world_.num_heads = *heads;
  }

  void read_matrix(const std::vector<std::string_view>& words) {
    NamedMatrix* matrix = nullptr;
    std::vector<std::string> names = {"names", "heads"};
    for (NamedMatrix& candidate : matrices_) {
      names.emplace_back(candidate.name);
      if (words[0] == candidate.name) matrix = &candidate;
    }
    if (matrix == nullptr) {
      fail(fmt::format("expected the name of a matrix, not {}: did you mean {}?", quoted(words[0]),
                       nearest(words[0], names)));
    }
    const auto rows = words.size() == 3 ? parsed<std::size_t>(words[1]) : std::nullopt;
    const auto columns = words.size() == 3 ? parsed<std::size_t>(words[2]) : std::nullopt;
    if (!rows || !columns || *rows == 0 || *columns == 0 || *rows > largest_d_model || *columns > largest_d_model) {
      fail(fmt::format("{} needs its rows and columns, two whole numbers from 1 to {}, as in \"{} 16 16\"",
                       matrix->name, largest_d_model, matrix->name));
    }
    if (matrix->read) fail(fmt::format("{} is given twice", matrix->name));
    matrix->read = true;
    *matrix->value = Tensor({*rows, *columns}, read_rows(matrix->name, *rows, *columns));
  }

  std::vector<float> read_rows(const char* name, std::size_t rows, std::size_t columns) {
    std::vector<float> values;
    for (std::size_t i = 0; i < rows;) {
      if (!next_line()) fail(fmt::format("the file ends after {} of the {} rows of {}", i, rows, name));
      const std::vector<std::string_view> words = words_of(line_);
      if (words.empty()) continue;
      if (words.size() != columns) {
        fail(fmt::format("row {} of {} needs {} numbers, this line has {}", i, name, columns, words.size()));
      }
      for (const std::string_view word : words) {
        const auto value = parsed<float>(word);
        if (!value)
          fail(fmt::format("row {} of {} needs numbers that a float can hold, and {} is none", i, name, quoted(word)));
        values.push_back(*value);
      }
      ++i;
    }
    return values;
  }

  void check_whole() {
    for (const NamedMatrix& matrix : matrices_) {
      if (!matrix.read) fail(fmt::format("the file has no {}: all of {} are needed", matrix.name, all_names()));
    }
    const std::size_t d_model = world_.weights.W_Q.dim(1);
    const auto require = [&](const char* name, const Tensor& value, const Shape& shape) {
      if (value.shape() == shape) return;
      throw std::invalid_argument(fmt::format("{}: {} is {}, but must be {}: d_model is {}, the columns of W_Q", file_,
                                              name, to_string(value.shape()), to_string(shape), d_model));
    };
    require("embedding_table", world_.embedding_table, {vocabulary_size, d_model});
    require("W_Q", world_.weights.W_Q, {d_model, d_model});
    require("W_K", world_.weights.W_K, {d_model, d_model});
    require("W_V", world_.weights.W_V, {d_model, d_model});
    require("W_O", world_.weights.W_O, {d_model, d_model});
    require("b_O", world_.weights.b_O, {1, d_model});
    if (world_.num_heads == 0) fail("the file does not say how many heads there are: a line \"heads 4\" is needed");
    try {
      check_num_heads(d_model, world_.num_heads);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("{}: {}", file_, error.what()));
    }
    if (named_ && (d_model != 16 || world_.num_heads != 4)) {
      throw std::invalid_argument(fmt::format(
          "{}: the crafted names are for d_model 16 and 4 heads: take out the line \"names crafted\"", file_));
    }
    world_.d_model = d_model;
    world_.weights.b_O = Tensor({d_model}, world_.weights.b_O.values());
  }

  [[nodiscard]] std::string all_names() const {
    std::string names;
    for (const NamedMatrix& matrix : matrices_) names += fmt::format("{}{}", names.empty() ? "" : ", ", matrix.name);
    return names;
  }

  std::string file_;
  const std::string& text_;
  std::size_t at_ = 0;
  std::size_t number_ = 0;
  std::string_view line_;
  World world_;
  bool named_ = false;
  std::vector<NamedMatrix> matrices_ = {{"embedding_table", &world_.embedding_table},
                                        {"W_Q", &world_.weights.W_Q},
                                        {"W_K", &world_.weights.W_K},
                                        {"W_V", &world_.weights.W_V},
                                        {"W_O", &world_.weights.W_O},
                                        {"b_O", &world_.weights.b_O}};
};

std::string read_file(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text;
  if (stream) {
    std::vector<char> block(1U << 16U);
    while (stream.read(block.data(), static_cast<std::streamsize>(block.size())) || stream.gcount() > 0) {
      text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
      if (text.size() > largest_file) {
        throw std::invalid_argument(fmt::format("{} holds more than {} bytes: that is no weights file of this program",
                                                quoted(file), largest_file));
      }
    }
  }
  if (!stream.eof()) {
    const std::string meant = nearest(file, {"crafted", "torch"});
    throw std::invalid_argument(fmt::format(
        "--weights takes crafted, torch or a file, and {} cannot be read: did you mean {}?", quoted(file), meant));
  }
  return text;
}

void append_matrix(std::string& text, const char* name, const Tensor& value, const std::vector<std::string>& comments) {
  const std::size_t columns = value.dim(-1);
  const std::size_t rows = value.size() / columns;
  text += fmt::format("\n{} {} {}\n", name, rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      text += fmt::format("{}{}", j == 0 ? "" : " ", value.values()[i * columns + j]);
    }
    text += comments.empty() ? "\n" : fmt::format("  # {}\n", comments[i]);
  }
}

/// What each row of a weight makes, for the reader: "head 2: noun".
std::vector<std::string> row_comments(const World& world, const std::vector<std::string>& names) {
  std::vector<std::string> comments;
  const std::size_t head_dim = world.d_model / world.num_heads;
  for (std::size_t row = 0; row < world.d_model; ++row) {
    const std::string head = fmt::format("head {}", row / head_dim + 1);
    comments.push_back(names.empty() ? head : fmt::format("{}: {}", head, names[row]));
  }
  return comments;
}

}  // namespace

World file_world(const std::string& file) {
  std::string text = read_file(file);
  const std::string byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return Reader(file, text).read();
}

std::string weights_text(const World& world) {
  std::string text =
      "# Weights for \"Attention, step by step\". A matrix is its name, its rows and columns, and then its rows, one "
      "line\n"
      "# each. What stands after a # is a comment. Change a number, save the file, and run:\n"
      "#   lessons/run --weights THIS-FILE\n\n";
  if (world.crafted()) text += "names crafted\n";
  text += fmt::format("heads {}\n", world.num_heads);
  append_matrix(text, "W_Q", world.weights.W_Q, row_comments(world, world.query_names));
  append_matrix(text, "W_K", world.weights.W_K, row_comments(world, world.key_names));
  append_matrix(text, "W_V", world.weights.W_V, row_comments(world, world.value_names));
  append_matrix(text, "W_O", world.weights.W_O, world.channel_names);
  append_matrix(text, "b_O", world.weights.b_O, {});
  std::vector<std::string> words = row_labels(world.encoding);
  // A newline in a word would end its comment.
  for (std::string& word : words) word = quoted(word);
  append_matrix(text, "embedding_table", world.embedding_table, words);
  return text;
}

}  // namespace attn
