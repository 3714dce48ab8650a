#include "support/record/counted_bytes.hpp"

#include "catch.hpp"
#include "fast/attention.hpp"

#include <algorithm>

using namespace attn;

TEST_CASE("what the kernel holds and how it cuts is the same on every level of the processor", "[bytes]") {
  for (const fast::Kernels* kernels : fast::kernels_here()) {
    CAPTURE(kernels->level);
    CHECK(kernels->query_block == fused_query_block());
    fast::AttentionHead head;
    head.head_dim = head.value_dim = 64;
    CHECK(sizeof(float) * kernels->attention_size(head) == fused_workspace(64));
  }
  CHECK(fused_query_block() == 64);
  CHECK(fused_key_block() == 128);
  CHECK(fused_workspace(64) == 4 * 64 * (64 + 128 + 64));  // queries, a block of scores, what is collected
}

TEST_CASE("bytes by the formulas are those counted block by block", "[bytes]") {
  for (const std::size_t n : {1U, 7U, 127U, 128U, 129U, 1000U}) {
    CAPTURE(n);
    std::size_t moved = 0;
    for (std::size_t i = 0; i < n; i += fused_query_block()) {
      moved += 2 * std::min(fused_query_block(), n - i) * counted_head_dim;  // queries, contexts
      for (std::size_t j = 0; j < n; j += fused_key_block()) {
        moved += 2 * std::min(fused_key_block(), n - j) * counted_head_dim;  // keys, values
      }
    }
    const Bytes bytes = counted_bytes(n);
    CHECK(bytes.moved_fused == 4 * moved);
    CHECK(bytes.held_plain == 2 * 4 * n * n);
    CHECK(bytes.moved_plain == 4 * (4 * n * n + 4 * n * 64));
  }
}
