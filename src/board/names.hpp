#pragma once

#include "board/arithmetic.hpp"
#include "board/page.hpp"
#include "board/trace.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>

namespace attn {

/// Names of steps and numbers as the page writes them, in the characters that it may use.
class Names {
 public:
  Names(const Page& page, bool ascii) : page_(page), ascii_(ascii) {}

  [[nodiscard]] std::string of(const Step& step) const;
  /// Cut where no line has room for it.
  [[nodiscard]] std::string of(const Step& step, const Index& index) const;
  [[nodiscard]] std::string of(const Operand& operand) const;
  /// The row that a number stands in, all axes from `axis` on: "x[sat]"; where that is everything, "x".
  [[nodiscard]] std::string of_row(const Operand& operand, std::size_t axis) const;

 private:
  const Page& page_;
  bool ascii_;
};

}  // namespace attn
