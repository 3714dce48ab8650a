#include "fast/attention.hpp"

#include "catch.hpp"
#include "fast/reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

namespace attn::fast {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

void check_context(RandomHead& random, const Kernels& kernels, std::size_t threads = 1) {
  std::fill(random.context.begin(), random.context.end(), -77.0F);
  attend(&random.head, 1, threads, kernels);
  const std::string difference = difference_from(expected_context(random.head), random.head);
  CAPTURE(kernels.level, difference);
  CHECK(difference.empty());
}

/// A row of the bias with gaps hides keys as a 0/1 mask does.
void hide_some_keys(RandomHead& random, Engine& engine) {
  for (float& bias : random.bias) bias = engine() % 3 == 0 ? -infinity : bias;
  random.head.bias = {random.bias.data(), random.head.seq_len_kv, 1};
}

}  // namespace

TEST_CASE("fused attention is the blackboard's, at lengths around every edge, on every level", "[fast][attention]") {
  const Kernels& kernels = *GENERATE(from_range(kernels_here()));
  Engine engine(1);
  for (const std::size_t seq_len_q : {1U, 2U, 3U, 15U, 16U, 17U, 64U, 65U, 127U, 128U, 129U}) {
    for (const std::size_t seq_len_kv : {1U, 2U, 7U, 16U, 33U, 191U, 192U, 193U, 200U}) {
      RandomHead random(engine, seq_len_q, seq_len_kv, 1 + engine() % 9, 1 + engine() % 9);
      check_context(random, kernels);
      random.head.last_visible = 0;  // causal
      check_context(random, kernels);
    }
  }
}

TEST_CASE("fused attention is the blackboard's for every combination of its options", "[fast][attention]") {
  const Kernels& kernels = *GENERATE(from_range(kernels_here()));
  Engine engine(2);
  for (int round = 0; round < 200; ++round) {
    RandomHead random(engine, whole_number(engine, 1, 270), whole_number(engine, 1, 420), whole_number(engine, 1, 70),
                      whole_number(engine, 1, 70));
    if (engine() % 3 == 0) hide_some_keys(random, engine);
    if (engine() % 3 == 0) random.head.soft_cap = 0.1F + 3.0F * static_cast<float>(engine() % 100) / 100.0F;
    if (engine() % 2 == 0) random.head.last_visible = static_cast<std::ptrdiff_t>(engine() % 300) - 100;
    if (engine() % 3 == 0) random.head.first_visible = static_cast<std::ptrdiff_t>(engine() % 300) - 250;
    if (engine() % 4 == 0) random.head.scale *= -1.0F;
    if (engine() % 7 == 0) random.head.scale = 0.0F;
    if (engine() % 2 == 0) random.head.empty_row = random.empty_row.data();
    check_context(random, kernels, 1 + engine() % 3);
  }
}

TEST_CASE("a key padding mask is one row of bias for all queries", "[fast][attention]") {
  Engine engine(3);
  RandomHead random(engine, 50, 260, 8, 8);
  for (std::size_t j = 200; j < 260; ++j) random.bias[j] = -infinity;
  random.head.bias = {random.bias.data(), 0, 1};
  check_context(random, best_kernels());
}

TEST_CASE("a query that sees no key gets NaN, or the row that was given for it", "[fast][attention]") {
  const Kernels& kernels = *GENERATE(from_range(kernels_here()));
  Engine engine(4);
  RandomHead random(engine, 40, 30, 5, 7);
  random.head.last_visible = -3;  // the first three queries see nothing
  check_context(random, kernels);
  CHECK(std::isnan(random.context[0]));
  random.head.empty_row = random.empty_row.data();
  check_context(random, kernels);
  CHECK(random.context[0] == 0.5F);

  RandomHead nothing(engine, 3, 0, 5, 7);  // no keys at all
  attend(&nothing.head, 1, 1, kernels);
  CHECK(std::isnan(nothing.context[20]));
  nothing.head.empty_row = nothing.empty_row.data();
  attend(&nothing.head, 1, 1, kernels);
  CHECK(nothing.context[20] == 0.5F);
  RandomHead nobody(engine, 0, 4, 5, 7);  // no queries
  attend(&nobody.head, 1, 2, kernels);
}

TEST_CASE("fused attention survives a first block of keys that is wholly hidden", "[fast][attention]") {
  const Kernels& kernels = *GENERATE(from_range(kernels_here()));
  Engine engine(5);
  RandomHead random(engine, 20, 600, 6, 6);
  for (std::size_t i = 0; i < 20; ++i)
    std::fill_n(random.bias.begin() + static_cast<std::ptrdiff_t>(i * 600), 400, -infinity);
  random.head.bias = {random.bias.data(), 600, 1};
  check_context(random, kernels);
}

TEST_CASE("huge scores: equal ones share alike, and the largest takes all", "[fast][attention]") {
  const Kernels& kernels = *GENERATE(from_range(kernels_here()));
  Engine engine(6);
  for (const float size : {1e30F, -1e30F, -3e38F, 3e38F, 1e-30F}) {
    RandomHead random(engine, 5, 400, 1, 3);
    std::fill(random.query.begin(), random.query.end(), 1.0F);
    std::fill(random.key.begin(), random.key.end(), size);
    random.head.scale = 1.0F;
    CAPTURE(size);
    check_context(random, kernels);
    random.head.scale = 0.125F;
    random.key[333] = size < 0.0F ? size / 2 : size;
    check_context(random, kernels);
  }
}

TEST_CASE("when all visible scores are far below 0, hidden ones count as nothing all the same", "[fast][attention]") {
  const Kernels& kernels = *GENERATE(from_range(kernels_here()));
  Engine engine(7);
  RandomHead random(engine, 200, 200, 4, 4);
  // Quarters, so that sums of some hundred are exact.
  for (float& number : random.query) number = 20.0F + std::round(std::abs(number)) / 4.0F;
  for (float& number : random.key) number = -20.0F - std::round(std::abs(number)) / 4.0F;
  random.head.last_visible = 0;
  check_context(random, kernels);
}

TEST_CASE("a NaN in a key that is seen makes its queries NaN, and one in a hidden key does not", "[fast][attention]") {
  const Kernels& kernels = *GENERATE(from_range(kernels_here()));
  Engine engine(8);
  RandomHead random(engine, 10, 20, 4, 4);
  random.key[6 * 4] = nan;
  random.head.last_visible = 0;  // queries 0 to 5 do not see key 6
  check_context(random, kernels);
  CHECK(!std::isnan(random.context[5 * 4]));
  CHECK(std::isnan(random.context[6 * 4]));
  random.head.last_visible = 100;
  std::fill(random.bias.begin(), random.bias.end(), 0.0F);
  for (std::size_t i = 0; i < 10; ++i) random.bias[i * 20 + 6] = -infinity;
  random.head.bias = {random.bias.data(), 20, 1};
  check_context(random, kernels);
}

TEST_CASE("values of keys that are skipped in whole blocks are never read", "[fast][attention]") {
  Engine engine(9);
  RandomHead random(engine, 100, 600, 4, 4);
  random.head.last_visible = 0;
  std::fill(random.value.begin() + 192 * 4, random.value.end(), nan);
  check_context(random, best_kernels());
}

TEST_CASE("an infinite score makes its query NaN, as subtracting infinity from itself does", "[fast][attention]") {
  Engine engine(10);
  RandomHead random(engine, 3, 5, 1, 2);
  random.query[1] = infinity;
  random.key[2] = 1.0F;
  check_context(random, best_kernels());
  CHECK(std::isnan(random.context[2]));
  CHECK(!std::isnan(random.context[0]));
}

TEST_CASE("heads may be many, of different sizes, and share keys; threads change no bit", "[fast][attention]") {
  Engine engine(11);
  std::vector<std::unique_ptr<RandomHead>> owners;
  std::vector<AttentionHead> heads;
  for (std::size_t h = 0; h < 6; ++h) {
    owners.push_back(std::make_unique<RandomHead>(engine, 100 + 60 * h, 250, 16, 8));
    owners.back()->head.last_visible = h % 2 == 0 ? 0 : 1000;
    owners.back()->head.key = owners[h / 3 * 3]->head.key;  // grouped: three query heads to one key head
    heads.push_back(owners.back()->head);
  }
  attend(heads.data(), heads.size(), 1);
  std::vector<std::vector<float>> alone;
  for (const auto& owner : owners) {
    CHECK(difference_from(expected_context(owner->head), owner->head).empty());
    alone.push_back(owner->context);
  }
  for (std::size_t threads = 2; threads <= 8; ++threads) {
    attend(heads.data(), heads.size(), threads);
    for (std::size_t h = 0; h < 6; ++h) CHECK(owners[h]->context == alone[h]);
  }
}

}  // namespace attn::fast
