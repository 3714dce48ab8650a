#include "board/cache_arithmetic.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <set>

namespace attn {

namespace {

std::size_t whole_attribute(const Working& working, const char* name) {
  return static_cast<std::size_t>(working.step->origin.attribute(name));
}

}  // namespace

void accessed(Working& working, const Inputs& in) {
  working.form = Working::Form::access;
  working.terms = {{.factors = {operand(*in[0], working.index)}, .label = {}}};
  const std::size_t sets = whole_attribute(working, "sets");
  const auto line_at = [&](std::size_t k) {
    return static_cast<std::size_t>(in[0]->value(k)) / whole_attribute(working, "line");
  };
  const std::size_t line = line_at(working.index[0]);
  std::set<std::size_t> others;
  for (std::size_t k = working.index[0]; k-- > 0;) {
    const std::size_t other = line_at(k);
    if (other == line) {
      working.besides = {operand(*in[0], {k})};
      break;
    }
    if (other % sets == line % sets) others.insert(other);
  }
  working.chosen = others.size();
}

double miss_value(const Working& working) {
  return working.besides.empty() || working.chosen >= whole_attribute(working, "places") ? 1.0 : 0.0;
}

std::string access_line(const Working& working, const Names& names) {
  const std::size_t size = whole_attribute(working, "line");
  const std::size_t places = whole_attribute(working, "places");
  const std::size_t line = static_cast<std::size_t>(working.terms[0].value()) / size;
  const std::string miss =
      fmt::format("{} = {}, because line {} (addresses {} to {})", names.of(*working.step, working.index),
                  working.value, line, line * size, line * size + size - 1);
  if (working.besides.empty()) return miss + " is used for the first time";
  return fmt::format("{} was used at {}, then {} other {} of its set, which holds {}", miss,
                     working.besides[0].index[0], working.chosen, working.chosen == 1 ? "line" : "lines", places);
}

}  // namespace attn
