#include "lessons/printed_page.hpp"

#include "text/unicode.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace {

using Json = nlohmann::json;

constexpr std::size_t margin = 10;

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

/// The length of the number that starts at `at`, 0 when there is none. No sign.
std::size_t number_length(const std::string& text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end == at) return 0;
  if (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1])) {
    ++end;
    while (end < text.size() && is_digit(text[end])) ++end;
  }
  const bool exponent = end + 2 < text.size() && text[end] == 'e' && (text[end + 1] == '+' || text[end + 1] == '-');
  if (exponent && is_digit(text[end + 2])) {
    end += 2;
    while (end < text.size() && is_digit(text[end])) ++end;
  }
  return end - at;
}

Number read_number(const std::string& digits) {
  const std::size_t point = digits.find('.');
  const std::size_t power = std::min(digits.find('e'), digits.size());
  return {.value = std::stod(digits),
          .decimals = point == std::string::npos ? 0 : power - point - 1,
          .exponent = power == digits.size() ? 0 : std::stoi(digits.substr(power + 1))};
}

/// Works out a calculation from left to right, products before sums. `find` reads an operand that is no number.
class Calculation {
 public:
  using Find = std::optional<std::pair<double, std::size_t>> (*)(const void*, const std::string&, std::size_t);

  Calculation(const std::string& text, Find find, const void* finder) : text_(text), find_(find), finder_(finder) {}

  std::optional<double> result() {
    const double value = sum();
    blanks();
    return fine_ && at_ == text_.size() ? std::optional(value) : std::nullopt;
  }
  std::vector<Number> numbers;

  /// Changes the k-th number by `amount`, to see what hangs on it.
  void nudge(std::size_t k, double amount) {
    nudged_ = k;
    amount_ = amount;
  }

 private:
  void blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(const std::string& sign) {
    blanks();
    if (text_.compare(at_, sign.size(), sign) != 0) return false;
    at_ += sign.size();
    return true;
  }
  double sum() {
    double value = product();
    while (fine_) {
      if (take("+ ")) {
        value += product();
      } else if (take("- ")) {
        value -= product();
      } else {
        break;
      }
    }
    return value;
  }
  double product() {
    double value = power();
    while (fine_) {
      if (take("· ")) {
        value *= power();
      } else if (take("/")) {
        value /= power();
      } else {
        break;
      }
    }
    return value;
  }
  double power() {
    const double base = operand();
    return take("^") ? std::pow(base, operand()) : base;
  }
  double in_brackets() {
    const double value = sum();
    fine_ = fine_ && take(")");
    return value;
  }
  double operand() {
    blanks();
    if (take("-")) {
      const std::size_t before = numbers.size();
      const double value = -operand();
      if (numbers.size() > before) numbers[before].value = -numbers[before].value;
      return value;
    }
    if (take("sin(")) return std::sin(in_brackets());
    if (take("cos(")) return std::cos(in_brackets());
    if (take("tanh(")) return std::tanh(in_brackets());
    if (take("sqrt(")) return std::sqrt(in_brackets());
    if (take("max(")) {
      const double value = sum();
      fine_ = fine_ && take(", ");
      return std::max(value, in_brackets());
    }
    if (take("|")) {
      const double value = sum();
      fine_ = fine_ && take("|");
      return std::abs(value);
    }
    if (take("e^")) return std::exp(operand());
    if (take("(")) return in_brackets();
    if (find_ != nullptr) {
      if (const auto found = find_(finder_, text_, at_)) {
        at_ = found->second;
        return found->first;
      }
    }
    for (const char* const name : {"inf", "nan"}) {
      if (!take(name)) continue;
      numbers.push_back(*as_number(name));
      return numbers.back().value;
    }
    const std::size_t length = number_length(text_, at_);
    if (length == 0) {
      fine_ = false;
      return 0.0;
    }
    numbers.push_back(read_number(text_.substr(at_, length)));
    at_ += length;
    return numbers.back().value + (numbers.size() - 1 == nudged_ ? amount_ : 0.0);
  }

  const std::string& text_;
  Find find_;
  const void* finder_;
  std::size_t at_ = 0;
  bool fine_ = true;
  std::size_t nudged_ = static_cast<std::size_t>(-1);
  double amount_ = 0.0;
};

double number_of(const Json& json) {
  if (json.is_number()) return static_cast<double>(json.get<float>());
  const auto text = json.get<std::string>();
  const double infinity = std::numeric_limits<double>::infinity();
  return text == "nan" ? std::numeric_limits<double>::quiet_NaN() : text == "inf" ? infinity : -infinity;
}

/// How an address writes a label that is no index.
std::string written_label(const std::string& label) {
  const std::string shown = attn::visible(label);  // a control character has a picture on the page
  if (label.find_first_of(",[]# \"") == std::string::npos) return shown;
  std::string written = "\"";
  for (const char letter : shown) written += (letter == '"' || letter == '\\' ? "\\" : "") + std::string(1, letter);
  return written + '"';
}

bool is_index(const std::string& label) {
  return std::all_of(label.begin(), label.end(), is_digit);
}

/// How an address writes place i of an axis.
std::string place_of(const std::vector<std::string>& labels, std::size_t i) {
  const std::string& label = labels[i];
  if (is_index(label)) return label == std::to_string(i) ? label : fmt::format("#{}", i);
  const auto number = 1 + std::count(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(i), label);
  return number == 1 ? written_label(label) : fmt::format("{}#{}", written_label(label), number);
}

/// The place whose written form, followed by `after`, stands at `at`.
std::optional<std::pair<std::size_t, std::size_t>> place_at(const std::vector<std::string>& labels,
                                                            const std::string& text, std::size_t at,
                                                            const std::string& after) {
  // Most often an index.
  const std::size_t digits = text.find_first_not_of("0123456789", at) - at;
  if (digits > 0 && digits < 7 && text.compare(at + digits, after.size(), after) == 0) {
    const std::size_t i = std::stoul(text.substr(at, digits));
    if (i < labels.size() && labels[i] == text.substr(at, digits)) return {{i, at + digits + after.size()}};
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::string label = written_label(labels[i]);
    if (!is_index(labels[i]) && text.compare(at, label.size(), label) != 0) continue;
    const std::string written = place_of(labels, i) + after;
    if (text.compare(at, written.size(), written) == 0) return {{i, at + written.size()}};
  }
  // A label that is too long for the line is cut short: "Donaudampf...".
  const std::string cut = "..." + after;
  const std::size_t end = text.find(cut, at);
  if (end == std::string::npos || end == at) return std::nullopt;
  const std::string begun = text.substr(at, end - at);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i].size() > begun.size() && labels[i].starts_with(begun)) return {{i, end + cut.size()}};
  }
  return std::nullopt;
}

}  // namespace

double Number::half_unit() const {
  return 0.5 * std::pow(10.0, exponent - static_cast<double>(decimals));
}

bool Number::rounds(double meant) const {
  if (!std::isfinite(value)) return std::isnan(value) ? std::isnan(meant) : meant == value;
  return std::abs(meant - value) <= half_unit() * (1.0 + 1e-6) + 1e-12 * std::abs(meant);
}

std::optional<Number> as_number(const std::string& word) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (word == "nan") return Number{.value = std::numeric_limits<double>::quiet_NaN()};
  if (word == "inf") return Number{.value = infinity};
  if (word == "-inf") return Number{.value = -infinity};
  const std::size_t start = !word.empty() && word[0] == '-' ? 1 : 0;
  if (word.size() == start || number_length(word, start) != word.size() - start) return std::nullopt;
  return read_number(word);
}

std::vector<Word> words_of(const std::string& line) {
  static const std::vector<std::string> bars = {"▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::vector<Word> words;
  std::size_t column = 0;
  bool open = false;
  for (const std::string_view grapheme : attn::graphemes(line)) {
    const std::size_t width = attn::display_width(grapheme);
    const bool ends = grapheme == " " || std::find(bars.begin(), bars.end(), grapheme) != bars.end();
    if (!ends && !open) words.push_back({.text = "", .begin = column, .end = column});
    open = !ends;
    column += width;
    if (open) {
      words.back().text += grapheme;
      words.back().end = column;
    }
  }
  return words;
}

std::vector<std::string> split(const std::string& text, const std::string& joint) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find(joint, begin)) != std::string::npos; begin = end + joint.size()) {
    parts.push_back(text.substr(begin, end - begin));
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

void append_words(std::string& text, const std::string& words) {
  if (!text.empty()) text += ' ';
  text += words;
}

std::string Block::joined() const {
  std::string text;
  for (const std::string& line : lines) {
    const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
    append_words(text, line.substr(start));
  }
  return text;
}

std::vector<Block> blocks_of(const std::string& page) {
  std::vector<Block> blocks;
  bool open = false;
  for (std::size_t begin = 0; begin < page.size();) {
    const std::size_t end = std::min(page.find('\n', begin), page.size());
    const std::string line = page.substr(begin, end - begin);
    begin = end + 1;
    if (line.empty()) {
      open = false;
      continue;
    }
    const std::string left = line.substr(0, margin);
    const std::size_t first = left.find_first_not_of(' ');
    const bool labelled = first != std::string::npos;
    if (labelled || !open) {
      blocks.emplace_back();
      if (labelled) blocks.back().label = left.substr(first, left.find_last_not_of(' ') - first + 1);
    }
    open = true;
    blocks.back().lines.push_back(line.size() > margin ? line.substr(margin) : "");
  }
  return blocks;
}

std::optional<double> evaluated(const std::string& expression) {
  return Calculation(expression, nullptr, nullptr).result();
}

std::vector<Number> numbers_in(const std::string& expression) {
  Calculation calculation(expression, nullptr, nullptr);
  calculation.result();
  return calculation.numbers;
}

double slack_of_printed(const std::string& expression) {
  const std::optional<double> value = evaluated(expression);
  const std::vector<Number> numbers = numbers_in(expression);
  double slack = 0.0;
  for (std::size_t k = 0; k < numbers.size() && value; ++k) {
    if (numbers[k].decimals == 0) continue;  // a whole number is meant as it stands
    Calculation nudged(expression, nullptr, nullptr);
    nudged.nudge(k, numbers[k].half_unit());
    slack += std::abs(*nudged.result() - *value);
  }
  return slack;
}

TraceOfPage::TraceOfPage(const std::string& json_text, Names names) {
  const Json trace = Json::parse(json_text);
  for (const Json& json : trace["steps"]) {
    TraceStep step{.name = json["name"],
                   .op = json["op"],
                   .inputs = json["inputs"],
                   .attributes = json["attributes"],
                   .rows = json["rows"],
                   .columns = json["columns"],
                   .shape = json["shape"],
                   .values = {}};
    for (const Json& value : json["values"]) step.values.push_back(number_of(value));
    steps_[step.name] = std::move(step);
  }
  crafted_ = trace["options"]["weights"] == "crafted";
  if (names == Names::followed && trace["options"]["heads"] != 1)
    head_ = fmt::format("head{}.", trace["options"]["head"].get<int>());
}

const TraceStep& TraceOfPage::step(const std::string& name) const {
  const auto found = steps_.find(name);
  if (found == steps_.end()) throw std::invalid_argument("the trace has no step " + name);
  return found->second;
}

const TraceStep& TraceOfPage::on_page(const std::string& name) const {
  return has(head_ + name) ? step(head_ + name) : step(name);
}

std::optional<std::pair<Place, std::size_t>> TraceOfPage::address(const std::string& text, std::size_t at) const {
  std::size_t end = at;
  while (end < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_' || text[end] == '.'))
    ++end;
  const std::string name = text.substr(at, end - at);
  const bool has_places = end < text.size() && text[end] == '[';
  for (const std::string& candidate : {head_ + name, name}) {
    if (!has(candidate)) continue;
    const TraceStep& found = step(candidate);
    const std::size_t rank = found.shape.size();
    if (rank == 0 && !has_places) return {{{&found, 0, 0}, end}};
    if (rank == 0 || !has_places) continue;
    // The last two axes have labels (of one axis: the rows); those before count the matrices.
    std::size_t flat = 0;
    std::size_t next = end + 1;
    bool fits = true;
    for (std::size_t axis = 0; axis < rank && fits; ++axis) {
      const std::string after = axis + 1 == rank ? "]" : ", ";
      std::vector<std::string> indices;
      for (std::size_t i = 0; axis + 2 < rank && i < found.shape[axis]; ++i) indices.push_back(std::to_string(i));
      const bool is_row = axis + 2 == rank || rank == 1;
      const auto place = place_at(axis + 2 < rank ? indices : is_row ? found.rows : found.columns, text, next, after);
      fits = place.has_value();
      if (!fits) continue;
      flat = flat * found.shape[axis] + place->first;
      next = place->second;
    }
    if (fits) return {{{&found, flat / found.column_count(), flat % found.column_count()}, next}};
  }
  return std::nullopt;
}

std::optional<std::pair<double, std::vector<double>>> TraceOfPage::worked_out(const std::string& expression) const {
  struct Finder {
    const TraceOfPage* trace;
    mutable std::vector<double> values;
  } finder{this, {}};
  const auto find = [](const void* from, const std::string& text,
                       std::size_t at) -> std::optional<std::pair<double, std::size_t>> {
    const auto* self = static_cast<const Finder*>(from);
    const auto found = self->trace->address(text, at);
    if (!found) return std::nullopt;
    self->values.push_back(found->first.value());
    return {{found->first.value(), found->second}};
  };
  const auto value = Calculation(expression, find, &finder).result();
  if (!value) return std::nullopt;
  return {{*value, finder.values}};
}
