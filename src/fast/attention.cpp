#include "fast/attention.hpp"

#include "fast/pool.hpp"
#include "fast/workspace.hpp"

#include <algorithm>

namespace attn::fast {

void attend(const AttentionHead* heads, std::size_t count, std::size_t threads, const Kernels& kernels) {
  const std::size_t block = kernels.query_block;
  std::size_t blocks = 0;
  for (const AttentionHead* head = heads; head != heads + count; ++head) {
    blocks = std::max(blocks, (head->seq_len_q + block - 1) / block);
  }
  // An item is a block of queries of one head. The last queries of a causal head see the most keys. They come first, so
  // that no thread is left with a long item at the end.
  //> items
  for_each_item(blocks * count, threads, [&](std::size_t item) {
    const AttentionHead& head = heads[item % count];
    const std::size_t first_query = (blocks - 1 - item / count) * block;
    if (first_query >= head.seq_len_q) return;
    kernels.attend(head, first_query, workspace(kernels.attention_size(head)));
  });
  //< items
}

}  // namespace attn::fast
