#include "tensor/random.hpp"

#include "catch.hpp"
#include "check_close.hpp"
#include "golden/golden_cases.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace attn {

namespace {

constexpr Tolerance exact{};
// PyTorch's vector kernel approximates logarithm, sine and cosine; a few units in the last place of numbers up to 5.
constexpr Tolerance normal_tolerance{.atol = 5e-7, .rtol = 0.0};

std::uint64_t seed_of(const CaseFile& reference) {
  return std::stoull(reference.attrs.at("seed"));
}

}  // namespace

TEST_CASE("uniform numbers are PyTorch's, bit for bit, for every seed", "[random][golden]") {
  const std::string seed = GENERATE("0", "1", "42", "4294967301", "18446744073709551615");
  const CaseFile reference = read_case(golden_path("random/uniform_seed_" + seed + ".case"));
  INFO(reference.name);
  struct Range {
    const char* name;
    float from;
    float to;
  };
  for (const Range& range : {Range{"unit", 0.0F, 1.0F}, Range{"wide", -3.0F, 5.0F}, Range{"tenth", -0.1F, 0.1F},
                             Range{"above", 0.3F, 0.7F}}) {
    Random random(seed_of(reference));
    check_close(random.uniform({37}, range.from, range.to), reference.output(range.name), exact);
  }
}

TEST_CASE("normal numbers are PyTorch's in all three ways of drawing them", "[random][golden]") {
  // Below 16 one by one; 16, 32, 48 in whole blocks; the others with the last block drawn anew.
  const std::string seed = GENERATE("0", "1", "42", "4294967301", "18446744073709551615");
  const CaseFile reference = read_case(golden_path("random/normal_seed_" + seed + ".case"));
  for (const std::size_t n : {1U, 2U, 5U, 15U, 16U, 17U, 31U, 32U, 48U, 100U}) {
    INFO(reference.name << ", " << n << " numbers");
    Random random(seed_of(reference));
    check_close(random.normal({n}), reference.output(fmt::format("n{}", n)), normal_tolerance);
  }
}

TEST_CASE("the spare normal number waits through other draws for the next short one", "[random][golden]") {
  const CaseFile reference = read_case(golden_path("random/one_after_another.case"));
  Random random(seed_of(reference));
  check_close(random.normal({3}), reference.output("randn3"), normal_tolerance);
  check_close(random.uniform({2}, 0.0F, 1.0F), reference.output("rand2"), exact);
  check_close(random.normal({16}), reference.output("randn16"), normal_tolerance);
  check_close(random.normal({4}), reference.output("randn4"), normal_tolerance);
  check_close(random.normal({21}), reference.output("randn21"), normal_tolerance);
  check_close(random.normal({2}), reference.output("randn2"), normal_tolerance);
  check_close(random.normal({1}), reference.output("randn1"), normal_tolerance);
  check_close(random.uniform({3}, 0.0F, 1.0F), reference.output("rand3"), exact);
}

TEST_CASE("a linear layer starts with PyTorch's weight and bias, bit for bit", "[random][golden]") {
  struct Size {
    std::size_t in;
    std::size_t out;
  };
  const Size size = GENERATE(Size{1, 3}, Size{3, 5}, Size{10, 7}, Size{64, 2});
  const CaseFile reference =
      read_case(golden_path("random/linear_" + std::to_string(size.in) + "_to_" + std::to_string(size.out) + ".case"));
  INFO(reference.name);
  Random random(seed_of(reference));
  check_close(linear_weight(random, size.in, size.out), reference.output("weight"), exact);
  check_close(linear_bias(random, size.in, size.out), reference.output("bias"), exact);
}

TEST_CASE("the lessons' weights, drawn in their order, are PyTorch's", "[random][golden]") {
  const std::string which = GENERATE("seed_0_d_model_16", "seed_7_d_model_16", "seed_0_d_model_512");
  const CaseFile reference = read_case(golden_path("random/lesson_weights_" + which + ".case"));
  const auto d_model = static_cast<std::size_t>(reference.integer("d_model", 0));
  Random random(seed_of(reference));

  const auto check_table = [&](const std::string& name, const Tensor& table, Tolerance tolerance) {
    INFO(reference.name << ", " << name);
    if (reference.has_output(name)) check_close(table, reference.output(name), tolerance);
    const std::size_t rows = table.dim(0);
    if (reference.has_output(name + ".first_rows")) {
      const Tensor& first = reference.output(name + ".first_rows");
      check_close(slice(slice(table, 0, 0, first.dim(0)), 1, 0, first.dim(1)), first, tolerance);
      const Tensor& last = reference.output(name + ".last_rows");
      check_close(slice(slice(table, 0, rows - last.dim(0), rows), 1, d_model - last.dim(1), d_model), last, tolerance);
    }
    // The reference sums in double; ours are rounded to float at the end.
    check_close(sum(table, 1), reference.output(name + ".row_sums"), {.atol = 1e-5, .rtol = 1e-5});
  };
  check_table("embedding_table", embedding_weight(random, 256, d_model), normal_tolerance);
  check_table("W_Q", linear_weight(random, d_model, d_model), exact);
  check_table("W_K", linear_weight(random, d_model, d_model), exact);
  check_table("W_V", linear_weight(random, d_model, d_model), exact);
  check_table("W_O", linear_weight(random, d_model, d_model), exact);
  check_close(linear_bias(random, d_model, d_model), reference.output("b_O"), exact);
}

TEST_CASE("only the low 32 bits of a seed count, and other seeds give other numbers", "[random]") {
  const Tensor five = Random(5).uniform({7}, 0.0F, 1.0F);
  check_close(Random((std::uint64_t{1} << 32U) + 5).uniform({7}, 0.0F, 1.0F), five, exact);
  CHECK(Random(6).uniform({7}, 0.0F, 1.0F).values() != five.values());
}

TEST_CASE("a shape only arranges the numbers, and an empty one draws none", "[random]") {
  Random one(3);
  Random other(3);
  CHECK(one.normal({2, 3, 5}).values() == other.normal({30}).values());
  CHECK(one.normal({0, 4}).size() == 0);
  CHECK(one.uniform({0}, 0.0F, 1.0F).size() == 0);
  CHECK(one.normal({3}).values() == other.normal({3}).values());
}

TEST_CASE("many normal numbers have mean 0 and variance 1", "[random]") {
  const Tensor x = Random(11).normal({100000});
  double total = 0.0;
  double squares = 0.0;
  for (const float v : x.values()) {
    REQUIRE(std::isfinite(v));
    total += static_cast<double>(v);
    squares += static_cast<double>(v) * static_cast<double>(v);
  }
  // Standard errors for 100000 numbers: 0.0032 and 0.0045; five of them.
  CHECK_THAT(total / 100000.0, WithinAbs(0.0, 0.016));
  CHECK_THAT(squares / 100000.0, WithinAbs(1.0, 0.023));
}

TEST_CASE("uniform numbers stay within their range", "[random]") {
  const Tensor x = Random(12).uniform({100000}, -2.0F, 3.0F);
  for (const float v : x.values()) REQUIRE((v >= -2.0F && v <= 3.0F));
  check_close(Random(12).uniform({3}, 1.5F, 1.5F), Tensor({3}, 1.5F), exact);
}

TEST_CASE("uniform refuses what is no range", "[random]") {
  Random random(0);
  CHECK_THROWS_WITH(random.uniform({2}, 1.0F, -1.0F), ContainsSubstring("uniform: from (1) to (-1) is no range"));
  CHECK_THROWS_AS(random.uniform({2}, 0.0F, std::numeric_limits<float>::infinity()), std::invalid_argument);
  CHECK_THROWS_AS(random.uniform({2}, std::numeric_limits<float>::quiet_NaN(), 1.0F), std::invalid_argument);
}

TEST_CASE("a linear layer of no inputs has an empty weight and a bias of zeros", "[random]") {
  Random random(0);
  CHECK(linear_weight(random, 0, 3).shape() == Shape{3, 0});
  check_close(linear_bias(random, 0, 3), Tensor({3}, 0.0F), exact);
}

}  // namespace attn
