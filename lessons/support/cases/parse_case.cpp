#include "support/cases/case_file.hpp"

#include "attention/kinds/softmax_precision.hpp"
#include "support/cases/case_numbers.hpp"
#include "support/cases/case_words.hpp"
#include "support/program/quoted.hpp"
#include "text/unicode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

// From text to a case.

namespace attn {

namespace {

constexpr std::size_t most_axes = 8;
constexpr std::size_t longest_name = 200;                       // bytes of a name or an attribute
constexpr std::size_t most_entries = 1000;                      // tensors and attributes: each takes memory, even empty
constexpr std::int64_t largest_whole = std::int64_t{1} << 24U;  // a float holds every whole number up to it
constexpr std::array<std::string_view, 9> keywords = {"case",  "op",     "source", "attr", "tolerance",
                                                      "input", "hashed", "output", "end"};
constexpr double float_max = std::numeric_limits<float>::max();  // 3.4e38

/// A case, word by word.
class Reader {
 public:
  Reader(std::string_view text, const std::string& where) : words_(text), where_(where) {}

  CaseFile read() {
    for (;;) {
      const std::string_view keyword = next("a keyword such as input, or end");
      if (keyword == "end") break;
      read_entry(keyword);
    }
    if (result_.name.empty()) refuse("the case has no name", "a line such as: case mine");
    if (result_.op.empty()) refuse("the case names no operator", "a line such as: op ScaledDotProductAttention");
    const std::string_view more = next_or_end();
    if (!more.empty()) fail("there is more after end", more, "end to come last");
    result_.comments = words_.comments();
    result_.tolerance = result_.stated_tolerance;
    if (result_.has_float64) {
      result_.tolerance.atol = std::max(result_.tolerance.atol, 1e-5);
      result_.tolerance.rtol = std::max(result_.tolerance.rtol, 1e-5);
    }
    return std::move(result_);
  }

 private:
  void read_entry(std::string_view keyword) {
    const std::string complete = std::exchange(complete_, "");
    if (++entries_ > most_entries) {
      fail("the case is too long", keyword, fmt::format("at most {} tensors and attributes", most_entries));
    }
    if (keyword == "case") {
      once(result_.name, "case", "the name of the case");
    } else if (keyword == "op") {
      once(result_.op, "op", "the name of an operator");
    } else if (keyword == "source") {
      once(result_.source, "source", "one word: where the outputs are from");
    } else if (keyword == "attr") {
      std::string name = plain_word("the name of an attribute");
      if (result_.attrs.count(name) > 0) fail("the attribute is there twice", name, "each name once");
      result_.attr_order.push_back(name);
      result_.attrs[name] = plain_word("the value of an attribute");
    } else if (keyword == "tolerance") {
      if (std::exchange(has_tolerance_, true)) fail("there is a second one", keyword, "one tolerance");
      result_.stated_tolerance.atol = tolerance();
      result_.stated_tolerance.rtol = tolerance();
    } else if (keyword == "input" || keyword == "output" || keyword == "hashed") {
      read_tensor(keyword);
    } else {
      double number = 0.0;
      if (!complete.empty() && parse_number(keyword, number) != std::errc::invalid_argument) {
        fail(complete + " already", keyword, "a keyword such as input, or end");
      }
      fail("the keyword is not known", keyword, "case, op, source, attr, tolerance, input, hashed, output or end");
    }
  }

  /// "FILE:LINE: what is wrong: found WORD, expected ..."
  [[noreturn]] void fail(std::string_view what, std::string_view found, std::string_view expected) const {
    throw std::invalid_argument(fmt::format("{}:{}: {}: found {}, expected {}", where_, words_.line(), what,
                                            found.empty() ? std::string("the end of the file") : quoted(found),
                                            expected));
  }

  [[noreturn]] void refuse(const char* what, const char* expected) const {
    throw std::invalid_argument(fmt::format("{}:{}: {}: expected {}", where_, words_.line(), what, expected));
  }

  std::string_view next_or_end() {
    const std::string_view word = words_.next();
    if (words_.has_too_many_comments()) {
      fail("there are too many comments", "#", fmt::format("at most {} lines of them", CaseWords::most_comments));
    }
    return word;
  }

  std::string_view next(const char* expected) {
    const std::string_view word = next_or_end();
    if (filling_ != nullptr && (word.empty() || std::find(keywords.begin(), keywords.end(), word) != keywords.end())) {
      fail(fmt::format("the {} {} has {} of its {} values", role(*filling_), filling_->name, there_, count_), word,
           "a number");
    }
    if (word.empty()) fail("the file ends too soon", word, expected);
    return word;
  }

  [[nodiscard]] static const char* role(const CaseTensor& tensor) { return tensor.is_output ? "output" : "input"; }

  /// A word that a page and a message can show as it is.
  std::string plain_word(const char* expected) {
    const std::string_view word = next(expected);
    if (word.size() > longest_name) fail("the word is too long", word, fmt::format("{} bytes or less", longest_name));
    std::string seen;
    try {
      seen = visible(word);
    } catch (const std::invalid_argument&) {
      fail("the word is no readable UTF-8", word, expected);
    }
    if (seen != word) fail("there are characters that cannot be seen", word, expected);
    return seen;
  }

  void once(std::string& to, const char* keyword, const char* expected) {
    if (!to.empty()) fail("there is a second one", keyword, "each of case, op and source once");
    to = plain_word(expected);
  }

  template <typename Number>
  Number whole(const char* what, Number smallest, Number largest) {
    const std::string expected = fmt::format("a whole number from {} to {}", smallest, largest);
    const std::string_view word = next(expected.c_str());
    Number value{};
    if (parse_number(word, value) != std::errc() || value < smallest || value > largest) fail(what, word, expected);
    return value;
  }

  /// A decimal number; inf, -inf and nan too.
  double decimal(const char* what, std::string_view word) const {
    constexpr const char* expected = "a number such as 0.5, -3, 1e-6, inf, -inf or nan";
    double value = 0.0;
    const std::errc error = parse_number(word, value);
    if (error == std::errc::result_out_of_range) fail(what, word, "a number that its type can hold");
    if (error != std::errc()) fail(what, word, expected);
    if (!std::isfinite(value) && word != "inf" && word != "-inf" && word != "nan") fail(what, word, expected);
    return value;
  }

  double tolerance() {
    const std::string_view word = next("a tolerance");
    const double value = decimal("the tolerance is no number", word);
    if (!(value >= 0.0) || std::isinf(value)) fail("the tolerance is no size", word, "a finite number of 0 or more");
    return value;
  }

  /// One value of a tensor, as a float.
  float value_of(const CaseTensor& tensor) {
    if (tensor.type == "bool") return static_cast<float>(whole<int>("no bool", 0, 1));
    if (tensor.type == "uint8") return static_cast<float>(whole<int>("no uint8", 0, 255));
    if (tensor.type == "int32" || tensor.type == "int64") {
      return static_cast<float>(
          whole<std::int64_t>("no whole number that a float holds exactly", -largest_whole, largest_whole));
    }
    const std::string_view word = next("a value");
    if (tensor.type == "float32") {
      float value = 0.0F;
      // Straight to float: by way of double it would be rounded twice.
      if (parse_number(word, value) == std::errc() && std::isfinite(value)) return value;
      const double special = decimal("no float32", word);
      const bool too_large = std::isfinite(special) && std::abs(special) > 1.0;  // too small is 0
      if (too_large) fail("no float32", word, "a number that its type can hold");
      return static_cast<float>(special);
    }
    const double value = decimal(tensor.type == "float16" ? "no float16" : "no float64", word);
    if (tensor.type == "float16") {
      const double half = rounded_to(Precision::float16, value);
      if (std::isinf(half) && std::isfinite(value)) fail("no float16", word, "a number from -65504 to 65504");
      return static_cast<float>(half);
    }
    if (std::isfinite(value) && std::abs(value) > float_max) {
      // Our result would be infinite there; an input that is would make it another computation.
      if (!tensor.is_output) fail("the input is too large for a float", word, "a number from -3.4e38 to 3.4e38");
      return value < 0.0 ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
    }
    return static_cast<float>(value);
  }

  Shape shape() {
    Shape sizes(whole<std::size_t>("the rank is not one that is read", 0, most_axes));
    std::size_t count = 1;
    std::size_t places = 1;  // along the axes that are not empty: an operator visits these, and what it makes of them
    for (std::size_t& size : sizes) {
      size = whole<std::size_t>("the size is not one that is read", 0, most_case_numbers);
      count = std::min(count * size, most_case_numbers + 1);  // both are small enough to multiply
      places = std::min(places * std::max<std::size_t>(size, 1), most_case_numbers + 1);
    }
    numbers_ += count;
    if (places > most_case_numbers && count == 0) {
      fail("the axes are too long", to_string(sizes),
           fmt::format("at most {} places along the axes that are not empty", most_case_numbers));
    }
    if (numbers_ > most_case_numbers) {
      fail("the case is too large", to_string(sizes), fmt::format("at most {} numbers in all", most_case_numbers));
    }
    return sizes;
  }

  void read_tensor(std::string_view keyword) {
    CaseTensor tensor{.name = plain_word("the name of a tensor"), .is_output = keyword == "output"};
    std::map<std::string, Tensor>& tensors = tensor.is_output ? result_.outputs : result_.inputs;
    if (tensors.count(tensor.name) > 0) fail("the name is there twice", tensor.name, "each name once");

    constexpr std::array<std::string_view, 7> known = {"float32", "float64", "float16", "int64",
                                                       "int32",   "uint8",   "bool"};
    const std::string_view type = next("a type such as float32");
    if (std::find(known.begin(), known.end(), type) == known.end()) {
      fail("the type is not known", type, "float32, float64, float16, int64, int32, uint8 or bool");
    }
    tensor.type = type;
    if (type == "float64") result_.has_float64 = true;

    Shape sizes = shape();
    const std::size_t count = element_count(sizes);
    std::vector<float> values;  // one by one: a size that lies ends at the end of the file, and takes no memory before
    if (keyword == "hashed") {
      read_formula(tensor);
      values.reserve(count);
      for (std::size_t i = 0; i < count; ++i) {
        values.push_back(hashed_number(tensor.formula->seed, i, tensor.formula->amplitude));
      }
    } else {
      filling_ = &tensor;
      count_ = count;
      for (there_ = 0; there_ < count_; ++there_) values.push_back(value_of(tensor));
      filling_ = nullptr;
      complete_ = fmt::format("the {} {} has {}", role(tensor), tensor.name,
                              count == 1 ? "its one value" : fmt::format("all its {} values", count));
    }
    tensors.emplace(tensor.name, Tensor(std::move(sizes), std::move(values)));
    result_.declared.push_back(std::move(tensor));
  }

  void read_formula(CaseTensor& tensor) {
    if (!tensor.type.starts_with("float")) fail("a formula gives fractions", tensor.type, "float32");
    CaseTensor::Formula formula;
    formula.seed = whole<std::uint64_t>("no seed", 0, std::numeric_limits<std::uint64_t>::max());
    const std::string_view word = next("an amplitude");
    formula.amplitude = decimal("no amplitude", word);
    if (!(std::abs(formula.amplitude) <= float_max)) fail("no amplitude", word, "a number from -3.4e38 to 3.4e38");
    tensor.formula = formula;
  }

  CaseWords words_;
  const std::string& where_;
  CaseFile result_;
  std::size_t numbers_ = 0;
  std::size_t entries_ = 0;
  bool has_tolerance_ = false;
  const CaseTensor* filling_ = nullptr;  // the tensor whose values are being read
  std::size_t there_ = 0;                // how many of them are
  std::size_t count_ = 0;                // of how many
  std::string complete_;                 // "the input x has all its 6 values", where that was the entry before
};

}  // namespace

CaseFile parse_case(std::string_view text, const std::string& where) {
  return Reader(text, where).read();
}

}  // namespace attn
