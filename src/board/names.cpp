#include "board/names.hpp"

#include "board/address.hpp"
#include "board/ink.hpp"

namespace attn {

std::string Names::of(const Step& step) const {
  return glyphs(page_.short_name(step.name), ascii_);
}

std::string Names::of(const Step& step, const Index& index) const {
  const std::string places = address(step, index).substr(step.name.size());
  return with_short_words(glyphs(page_.short_name(step.name) + places, ascii_));
}

std::string Names::of(const Operand& operand) const {
  return of(*operand.step, operand.index);
}

std::string Names::of_row(const Operand& operand, std::size_t axis) const {
  const Step& step = *operand.step;
  const std::size_t rank = operand.index.size();
  std::string places;
  for (std::size_t k = 0; k < axis; ++k) {
    const bool labelled = k + 2 == rank;
    if (k > 0) places += ", ";
    places += labelled ? place(step.rows, operand.index[k]) : std::to_string(operand.index[k]);
  }
  if (places.empty()) return of(step);
  return with_short_words(glyphs(page_.short_name(step.name) + "[" + places + "]", ascii_));
}

}  // namespace attn
