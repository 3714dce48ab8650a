#include "support/cases/operators/record_moves.hpp"

#include "attention/kinds/grouped_heads.hpp"
#include "board/origin.hpp"
#include "tensor/rearrange.hpp"

#include <vector>

namespace attn {

std::string record_repeated_heads(CaseSteps& steps, const std::string& name, const Tensor& x, std::size_t num_heads) {
  if (x.rank() != 4 || x.dim(1) == num_heads || x.dim(1) == 0 || num_heads % x.dim(1) != 0) return name;
  const std::size_t group = num_heads / x.dim(1);
  std::string repeated = name + "_repeated";
  steps.step(repeated, repeat_heads(x, num_heads), repeat_heads(name, group),
             "Each of these heads serves {group} query heads, so it stands there {group} times.", {{"group", group}});
  return repeated;
}

std::string record_repeated(CaseSteps& steps, const std::string& name, const Tensor& x, std::size_t count) {
  Shape shape = x.shape();
  shape.insert(shape.begin(), 1);
  const Tensor one = reshape(x, shape);
  steps.moved(name + "_once", one, reshape(name));
  std::string repeated = name + "_repeated";
  steps.moved(repeated, concat(std::vector<Tensor>(count, one), 0),
              concat(std::vector<std::string>(count, name + "_once"), 0));
  return repeated;
}

}  // namespace attn
