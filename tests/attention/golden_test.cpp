// Every reference case of PyTorch for this folder's functions. A new file in one of these folders is picked up by
// itself.

#include "attention/embedding.hpp"
#include "attention/mask.hpp"
#include "attention/multi_head.hpp"
#include "attention/positions.hpp"
#include "attention/scaled_dot_product.hpp"
#include "catch.hpp"
#include "check_close.hpp"
#include "golden/golden_cases.hpp"
#include "tensor/rearrange.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

using namespace attn;

namespace {

/// What we compute for the outputs of a case, under the names that the case gives them.
using Outputs = std::map<std::string, Tensor>;

Mask mask_of(const CaseFile& reference) {
  Mask mask = no_mask();
  if (reference.has_input("mask")) mask = keep_where(reference.input("mask"));
  if (reference.has_input("bias")) mask.bias = reference.input("bias");
  return mask;
}

std::size_t size_of(const CaseFile& reference, const std::string& attribute) {
  return static_cast<std::size_t>(reference.integer(attribute, 0));
}

Outputs scaled_dot_product(const CaseFile& reference, const Compute& how) {
  const AttentionSteps steps = scaled_dot_product_attention(reference.input("Q"), reference.input("K"),
                                                            reference.input("V"), mask_of(reference), how);
  return {{"scores", steps.scaled}, {"weights", steps.weights}, {"output", steps.context}};
}

Outputs multi_head(const CaseFile& reference, const Compute& how) {
  const MultiHeadAttention module(size_of(reference, "num_heads"), {.W_Q = reference.input("query_linear.weight"),
                                                                    .W_K = reference.input("key_linear.weight"),
                                                                    .W_V = reference.input("value_linear.weight"),
                                                                    .W_O = reference.input("output_linear.weight"),
                                                                    .b_O = reference.input("output_linear.bias")});
  const MultiHeadSteps steps = module.forward(reference.input("query"), reference.input("key"),
                                              reference.input("value"), mask_of(reference), how);
  return {{"attention_weights", steps.heads.weights}, {"output", steps.output}};
}

Outputs sinusoidal(const CaseFile& reference) {
  std::vector<Tensor> rows;
  for (const float pos : reference.input("positions").values()) {
    rows.push_back(sinusoidal_positions(1, size_of(reference, "d_model"), static_cast<std::size_t>(pos)));
  }
  return {{"encoding", concat(rows, 0)}};
}

Outputs compute(const CaseFile& reference, const Compute& how) {
  if (reference.op == "ScaledDotProductAttention") return scaled_dot_product(reference, how);
  if (reference.op == "MultiHeadAttentionModule") return multi_head(reference, how);
  if (reference.op == "SinusoidalPositions") return sinusoidal(reference);
  if (reference.op == "Embedding") {
    return {{"output", gather(reference.input("weight"), reference.input("ids"))}};
  }
  FAIL("no function for the operator " << reference.op);
  return {};
}

}  // namespace

TEST_CASE("every reference case gives every number that PyTorch gives, naive and blocked", "[golden]") {
  const std::string folder = GENERATE("torch/sdpa", "torch/mha_module", "torch/positions");
  const auto kind = GENERATE(Matmul::naive, Matmul::blocked);
  for (const std::string& path : golden_cases(folder)) {
    const CaseFile reference = read_case(path);
    // A Tensor is float: a case computed in double is held to 1e-5, absolute and relative.
    INFO(path << (reference.has_float64 ? ", computed in double, held to 1e-5" : ""));

    const Outputs ours = compute(reference, {.kind = kind, .threads = 2});
    for (const auto& [name, expected] : reference.outputs) {
      INFO(name);
      REQUIRE(ours.count(name) == 1);
      check_close(ours.at(name), expected, reference.tolerance);
    }
  }
}

TEST_CASE("as many reference cases are there as were taken over", "[golden]") {
  CHECK(golden_cases("torch/sdpa").size() >= 12);
  CHECK(golden_cases("torch/mha_module").size() >= 12);
  CHECK(golden_cases("torch/positions").size() >= 6);
}
