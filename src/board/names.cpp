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

}  // namespace attn
