#include "board/names.hpp"

#include "board/address.hpp"
#include "board/ink.hpp"

namespace attn {

std::string Names::of(const Step& step) const {
  return glyphs(page_.short_name(step.name), ascii_);
}

std::string Names::of(const Step& step, const Index& index) const {
  Step named;
  named.name = page_.short_name(step.name);
  named.rows = step.rows;
  named.columns = step.columns;
  return with_short_words(glyphs(address(named, index), ascii_));
}

std::string Names::of(const Operand& operand) const {
  return of(*operand.step, operand.index);
}

}  // namespace attn
