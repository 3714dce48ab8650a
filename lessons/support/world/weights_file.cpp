#include "support/world/weights_file.hpp"

#include "attention/multi_head.hpp"
#include "support/program/quoted.hpp"
#include "support/world/crafted_world.hpp"
#include "text/nearest.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

namespace attn {

namespace {

constexpr std::size_t largest_file = std::size_t{1} << 28U;  // bytes; the largest d_model fits

struct NamedMatrix {
  const char* name;
  Tensor* value;
  std::size_t line = 0;  // where it stands; 0: not met yet
};

/// The words of a line before its comment; of a longer line than any row can be, one word more than a row can have.
std::vector<std::string_view> words_of(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::vector<std::string_view> words;
  constexpr std::string_view blanks = " \t\r";
  for (std::size_t begin = line.find_first_not_of(blanks);
       begin != std::string_view::npos && words.size() <= largest_d_model;
       begin = line.find_first_not_of(blanks, begin)) {
    const std::size_t end = std::min(line.find_first_of(blanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

std::optional<std::size_t> whole_number(std::string_view word) {
  std::size_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [stopped, error] = std::from_chars(word.data(), end, number);
  return error == std::errc() && stopped == end ? std::optional(number) : std::nullopt;
}

/// Reads a weights file from its first line to its last.
class Reader {
 public:
  Reader(const std::string& file, const std::string& text) : file_(quoted(file)), text_(text) {}

  World read() {
    if (text_.empty())
      throw std::invalid_argument(fmt::format("{}: the file is empty: heads, {} are needed", file_, all_names()));
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
    if (names_line_ != 0) take_names_of_crafted_world(world_);
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

  [[noreturn]] void fail(const std::string& what) const { fail_in(number_, what); }
  [[noreturn]] void fail_in(std::size_t line, const std::string& what) const {
    throw std::invalid_argument(fmt::format("{}, line {}: {}", file_, line, what));
  }

  void read_names(const std::vector<std::string_view>& words) {
    if (words.size() != 2 || words[1] != "crafted") fail("\"names crafted\" is the only line of this kind");
    names_line_ = number_;
  }

  void read_heads(const std::vector<std::string_view>& words) {
    const auto heads = words.size() == 2 ? whole_number(words[1]) : std::nullopt;
    if (!heads || *heads == 0 || *heads > largest_d_model)
      fail("heads needs one whole number from 1 on, as in \"heads 4\"");
    if (world_.num_heads != 0)
      fail(fmt::format("heads is given twice: line {} says {}", heads_line_, world_.num_heads));
    world_.num_heads = *heads;
    heads_line_ = number_;
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
    const auto rows = words.size() == 3 ? whole_number(words[1]) : std::nullopt;
    const auto columns = words.size() == 3 ? whole_number(words[2]) : std::nullopt;
    if (!rows || !columns || *rows == 0 || *columns == 0 || *rows > largest_d_model || *columns > largest_d_model) {
      fail(fmt::format("{} needs its rows and columns, two whole numbers from 1 to {}, as in \"{} 16 16\"",
                       matrix->name, largest_d_model, matrix->name));
    }
    if (matrix->line != 0)
      fail(fmt::format("{} is given twice: it stands in line {} already", matrix->name, matrix->line));
    matrix->line = number_;
    *matrix->value = Tensor({*rows, *columns}, read_rows(matrix->name, *rows, *columns));
  }

  std::vector<float> read_rows(const char* name, std::size_t rows, std::size_t columns) {
    std::vector<float> values;
    for (std::size_t i = 0; i < rows;) {
      if (!next_line()) fail(fmt::format("the file ends after {} of the {} rows of {}", i, rows, name));
      const std::vector<std::string_view> words = words_of(line_);
      if (words.empty()) continue;
      if (words.size() != columns) {
        const std::string count = words.size() > largest_d_model ? fmt::format("more than {}", largest_d_model)
                                                                 : fmt::format("{}", words.size());
        fail(fmt::format("row {} of {} needs {} numbers, this line has {}", i, name, columns, count));
      }
      for (const std::string_view word : words) values.push_back(read_number(word, name, i));
      ++i;
    }
    return values;
  }

  float read_number(std::string_view word, const char* name, std::size_t row) const {
    // A plus is no part of a number for from_chars.
    const bool plus = word.size() > 1 && word[0] == '+' && word[1] != '-';
    const std::string_view digits = word.substr(plus ? 1 : 0);
    float number = 0.0F;
    const char* const end = digits.data() + digits.size();
    const auto [stopped, error] = std::from_chars(digits.data(), end, number);
    if (stopped != end || error == std::errc::invalid_argument)
      fail(fmt::format("row {} of {} needs numbers, and {} is none", row, name, quoted(word)));
    if (error != std::errc())
      fail(fmt::format("row {} of {} needs numbers that a float holds, and {} is too large or too small", row, name,
                       quoted(word)));
    if (!std::isfinite(number))
      fail(fmt::format("row {} of {} needs finite numbers, and {} is none", row, name, quoted(word)));
    return number;
  }

  void check_whole() {
    for (const NamedMatrix& matrix : matrices_) {
      if (matrix.line == 0)
        fail(fmt::format("the file ends without {}: all of {} are needed", matrix.name, all_names()));
    }
    if (heads_line_ == 0) fail("the file ends without saying how many heads there are: a line \"heads 4\" is needed");
    const std::size_t d_model = world_.weights.W_Q.dim(1);
    for (const NamedMatrix& matrix : matrices_) {
      const bool table = matrix.value == &world_.embedding_table;
      const bool bias = matrix.value == &world_.weights.b_O;
      const Shape shape = {table ? vocabulary_size : bias ? 1 : d_model, d_model};
      if (matrix.value->shape() == shape) continue;
      fail_in(matrix.line,
              fmt::format("{} is {}, but must be {}: d_model is {}, the columns of W_Q in line {}", matrix.name,
                          to_string(matrix.value->shape()), to_string(shape), d_model, line_of(world_.weights.W_Q)));
    }
    try {
      check_num_heads(d_model, world_.num_heads);
    } catch (const std::invalid_argument& error) {
      fail_in(heads_line_, error.what());
    }
    if (names_line_ != 0 && (d_model != 16 || world_.num_heads != 4))
      fail_in(names_line_, "the crafted names are for d_model 16 and 4 heads: take out the line \"names crafted\"");
    world_.d_model = d_model;
    world_.weights.b_O = Tensor({d_model}, world_.weights.b_O.values());
  }

  [[nodiscard]] std::size_t line_of(const Tensor& value) const {
    for (const NamedMatrix& matrix : matrices_) {
      if (matrix.value == &value) return matrix.line;
    }
    return 0;
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
  std::size_t names_line_ = 0;  // where these lines stand; 0: not met yet
  std::size_t heads_line_ = 0;
  std::vector<NamedMatrix> matrices_ = {{"embedding_table", &world_.embedding_table},
                                        {"W_Q", &world_.weights.W_Q},
                                        {"W_K", &world_.weights.W_K},
                                        {"W_V", &world_.weights.W_V},
                                        {"W_O", &world_.weights.W_O},
                                        {"b_O", &world_.weights.b_O}};
};

std::string read_file(const std::string& file) {
  errno = 0;
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
    const char* const reason = std::strerror(errno);
    const std::string meant = nearest(file, {"crafted", "torch"});
    const bool likely = edit_distance(file, meant) <= 3;
    throw std::invalid_argument(
        fmt::format("--weights takes crafted, torch or a file, and {} cannot be read{}", quoted(file),
                    likely ? fmt::format(": did you mean {}?", meant) : fmt::format(": {}", reason)));
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
