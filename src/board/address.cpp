#include "board/address.hpp"

#include "board/ink.hpp"
#include "text/nearest.hpp"
#include "text/unicode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace attn {

namespace {

std::string quoted(const std::string& label) {
  std::string written = "\"";
  for (const char c : label) {
    if (c == '"' || c == '\\') written += '\\';
    written += c;
  }
  return written + "\"";
}

/// As an error may show it: on one line, with nothing that a terminal would obey, and not much too long.
std::string shown(const std::string& typed) {
  return with_short_words(visible(quoted(typed)));
}

}  // namespace

std::string place(const std::vector<std::string>& labels, std::size_t i) {
  const std::string& label = labels[i];
  const auto earlier = std::count(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(i), label);
  if (label == std::to_string(i) && earlier == 0) return label;
  if (label.find_first_not_of("0123456789") == std::string::npos) return fmt::format("#{}", i);
  std::string written = label.find_first_of(",[]# \"") == std::string::npos ? label : quoted(label);
  if (earlier > 0) written += fmt::format("#{}", earlier + 1);
  return written;
}

std::string address(const Step& step, const Index& index) {
  if (index.empty()) return step.name;
  std::string places;
  for (std::size_t axis = 0; axis < index.size(); ++axis) {
    const std::size_t from_end = index.size() - 1 - axis;
    std::string written = std::to_string(index[axis]);
    if (from_end == 0 && index.size() > 1) written = place(step.columns, index[axis]);
    if (from_end == 1 || index.size() == 1) written = place(step.rows, index[axis]);
    places += (axis == 0 ? "" : ", ") + written;
  }
  return fmt::format("{}[{}]", step.name, places);
}

namespace {

/// One place of an address as it was typed: a label or a number, and which match is meant.
struct TypedPlace {
  std::string label;
  bool in_quotes = false;
  std::optional<std::size_t> number;  // after a #
};

struct TypedAddress {
  std::string step;
  std::vector<TypedPlace> places;
};

std::optional<std::size_t> whole_number(std::string_view digits) {
  std::size_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, number);
  return error == std::errc() && stopped == end && !digits.empty() ? std::optional(number) : std::nullopt;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// Reads an address from left to right.
class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  TypedAddress read() {
    TypedAddress typed;
    const std::size_t bracket = text_.find('[');
    typed.step = trimmed(std::string_view(text_).substr(0, bracket));
    if (typed.step.empty()) fail("it must begin with the name of a step");
    if (bracket == std::string::npos) return typed;
    at_ = bracket;
    do {
      ++at_;  // over [ or ,
      typed.places.push_back(read_place());
    } while (at_ < text_.size() && text_[at_] == ',');
    if (at_ >= text_.size() || text_[at_] != ']') fail("it must end with ]");
    if (!trimmed(std::string_view(text_).substr(at_ + 1)).empty()) fail("nothing may stand after ]");
    return typed;
  }

 private:
  [[noreturn]] void fail(const char* why) const {
    throw std::invalid_argument(fmt::format("{} is no address: {}, as in scores[sat,cat]", shown(text_), why));
  }

  TypedPlace read_place() {
    TypedPlace typed;
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (at_ < text_.size() && text_[at_] == '"') {
      typed.in_quotes = true;
      for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
        if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
        typed.label += text_[at_];
      }
      if (at_ >= text_.size()) fail("a quote is not closed");
      ++at_;
    }
    const std::size_t end = std::min(text_.find_first_of(",]", at_), text_.size());
    std::string_view rest = trimmed(std::string_view(text_).substr(at_, end - at_));
    at_ = end;
    const std::size_t hash = rest.find('#');
    if (hash != std::string_view::npos) {
      typed.number = whole_number(rest.substr(hash + 1));
      if (!typed.number) fail("# needs a number after it");
      rest = rest.substr(0, hash);
    }
    if (typed.in_quotes && !rest.empty()) fail("a comma or ] must follow a quote");
    if (!typed.in_quotes) typed.label = rest;
    if (typed.label.empty() && !typed.in_quotes && !typed.number) fail("a place is empty");
    return typed;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

const Step& find_step(const Trace& trace, const std::string& prefix, const std::string& name) {
  std::vector<std::string> names;
  for (const Step& step : trace.steps()) names.push_back(step.name);
  for (const std::string& wanted : {name, prefix + name}) {
    if (trace.has(wanted)) return trace.step(wanted);
  }
  for (const std::string& wanted : {name, prefix + name}) {
    for (const Step& step : trace.steps()) {
      if (lower_case(step.name) == lower_case(wanted)) return step;
    }
  }
  std::vector<std::string> short_names = names;
  for (std::string& candidate : short_names) {
    if (!prefix.empty() && candidate.starts_with(prefix)) candidate.erase(0, prefix.size());
  }
  throw std::invalid_argument(
      fmt::format("there is no step {} on this page: did you mean {}?", shown(name), nearest(name, short_names)));
}

/// The places whose label is spelled so; where none is, those that a page shows so, escapes and all; else those that
/// differ in case alone.
std::vector<std::size_t> matches(const std::vector<std::string>& labels, const std::string& wanted) {
  const auto places_where = [&labels](const auto& is_meant) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (is_meant(labels[i])) found.push_back(i);
    }
    return found;
  };
  std::vector<std::size_t> found = places_where([&](const std::string& label) { return label == wanted; });
  if (found.empty()) found = places_where([&](const std::string& label) { return visible(label) == wanted; });
  const std::string small = lower_case(wanted);
  if (found.empty()) found = places_where([&](const std::string& label) { return lower_case(label) == small; });
  return found;
}

/// "the, cat, sat, the#2", or "0 to 15": what may stand in an address.
std::string listed(const std::vector<std::string>& labels) {
  constexpr std::size_t most = 12;
  bool numbers = true;
  for (std::size_t i = 0; i < labels.size(); ++i) numbers = numbers && labels[i] == std::to_string(i);
  if (numbers) return fmt::format("0 to {}", labels.size() - 1);
  std::string list;
  for (std::size_t i = 0; i < std::min(labels.size(), most); ++i) {
    list += (i == 0 ? "" : ", ") + with_short_words(visible(place(labels, i)));
  }
  return labels.size() > most ? fmt::format("{} and {} more", list, labels.size() - most) : list;
}

std::size_t find_place(const Step& step, const std::vector<std::string>& labels, const TypedPlace& typed) {
  const auto require_index = [&](std::size_t index) {
    if (index < labels.size()) return index;
    throw std::invalid_argument(fmt::format("there is no place {} in {}, which is {}: places are counted from 0", index,
                                            step.name, to_string(step.value.shape())));
  };
  if (typed.label.empty() && !typed.in_quotes) return require_index(*typed.number);

  const std::vector<std::size_t> found = matches(labels, typed.label);
  const std::size_t which = typed.number.value_or(1);
  if (which >= 1 && which <= found.size()) return found[which - 1];
  if (!found.empty()) {
    throw std::invalid_argument(fmt::format("{} has {} {}, counted from 1: there is no {}#{}", step.name, found.size(),
                                            shown(typed.label), with_short_words(visible(typed.label)), which));
  }
  const std::optional<std::size_t> index = whole_number(typed.label);
  if (index && !typed.in_quotes && !typed.number) return require_index(*index);
  const std::optional<std::string> meant = near_one(typed.label, labels);
  const std::string hint = meant ? fmt::format(": did you mean {}?", with_short_words(visible(*meant)))
                                 : fmt::format("; it has: {}", listed(labels));
  throw std::invalid_argument(fmt::format("{} has no label {}{}", step.name, shown(typed.label), hint));
}

}  // namespace

Cell find_cell(const Trace& trace, const std::string& prefix, const std::string& text) {
  require_utf8(text);
  const TypedAddress typed = Reader(text).read();
  const Step& step = find_step(trace, prefix, typed.step);
  const std::size_t rank = step.value.rank();
  if (typed.places.size() != rank || step.value.size() == 0) {
    const std::string example = step.value.size() == 0 ? "it has no numbers" : address(step, Index(rank, 0));
    throw std::invalid_argument(fmt::format("{} is {}, so its numbers have {} places: {}", step.name,
                                            to_string(step.value.shape()), rank, example));
  }
  Cell cell{.step = &step, .index = {}};
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::size_t from_end = rank - 1 - axis;
    std::vector<std::string> labels(step.value.shape()[axis]);
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = std::to_string(i);
    if (from_end == 0 && rank > 1) labels = step.columns;
    if (from_end == 1 || rank == 1) labels = step.rows;
    cell.index.push_back(find_place(step, labels, typed.places[axis]));
  }
  return cell;
}

}  // namespace attn
