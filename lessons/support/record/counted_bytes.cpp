#include "support/record/counted_bytes.hpp"

#include "fast/attention.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/rearrange.hpp"

#include <fmt/core.h>

#include <string>
#include <vector>

namespace attn {

namespace {

const Tensor& value(const Board& board, const char* name) {
  return board.trace().step(name).value;
}

}  // namespace

std::size_t fused_query_block() {
  return fast::best_kernels().query_block;
}

std::size_t fused_key_block() {
  // Of the workspace, what no head_dim explains is a block of scores.
  return fast::best_kernels().attention_size({}) / fused_query_block();
}

std::size_t fused_workspace(std::size_t head_dim) {
  fast::AttentionHead head;
  head.head_dim = head_dim;
  head.value_dim = head_dim;
  return sizeof(float) * fast::best_kernels().attention_size(head);
}

Bytes counted_bytes(std::size_t seq_len) {
  constexpr std::size_t number = sizeof(float);
  const std::size_t scores = seq_len * seq_len;         // numbers of a table of scores
  const std::size_t rows = seq_len * counted_head_dim;  // numbers of Q, of K, of V, of the context
  const std::size_t blocks = (seq_len + fused_query_block() - 1) / fused_query_block();
  return {.held_plain = number * 2 * scores,
          .held_fused = fused_workspace(counted_head_dim),
          .moved_plain = number * (4 * scores + 4 * rows),
          .moved_fused = number * 2 * rows * (1 + blocks)};
}

void record_bytes(Board& board, std::size_t seq_len) {
  const std::vector<std::size_t> lengths = {seq_len, 1024, 8192, longest_counted};
  std::vector<std::string> labels;
  std::vector<float> n;
  std::vector<float> reads;  // of Q, and of K and V for each block of queries
  for (const std::size_t length : lengths) {
    labels.push_back(fmt::format("{} {}", length, length == 1 ? "word" : "words"));
    n.push_back(static_cast<float>(length));
    reads.push_back(static_cast<float>(1 + (length + fused_query_block() - 1) / fused_query_block()));
  }
  const auto given_column = [&](const char* name, const std::vector<float>& values) {
    board.record(name, Tensor({values.size(), 1}, values), given().with_rows(labels));
  };
  const auto scaled = [&](const char* name, const char* of, float factor) {
    board.record(name, scale(value(board, of), factor), scale(of, factor));
  };
  // In 1024 words and 1024 * 1024 bytes: MiB, so that no number gets too long to read.
  given_column("bytes.n", n);
  given_column("bytes.reads", reads);
  given_column("bytes.workspace", std::vector<float>(n.size(), static_cast<float>(fused_workspace(counted_head_dim)) /
                                                                   (1024.0F * 1024.0F)));
  board.record("bytes.head_dim", Tensor({1}, static_cast<float>(counted_head_dim)), given());
  board.record("bytes.kibi", Tensor({1}, 1024.0F), given());
  board.record("bytes.k", divide(value(board, "bytes.n"), value(board, "bytes.kibi")), divide("bytes.n", "bytes.kibi"));
  board.record("bytes.d", divide(value(board, "bytes.head_dim"), value(board, "bytes.kibi")),
               divide("bytes.head_dim", "bytes.kibi"));

  // A table of scores, and one of Q, K, V or the context, in numbers.
  board.record("bytes.scores", multiply(value(board, "bytes.k"), value(board, "bytes.k")),
               multiply("bytes.k", "bytes.k"));
  board.record("bytes.rows", multiply(value(board, "bytes.k"), value(board, "bytes.d")),
               multiply("bytes.k", "bytes.d"));
  board.record("bytes.both", add(value(board, "bytes.scores"), value(board, "bytes.rows")),
               add("bytes.scores", "bytes.rows"));
  board.record("bytes.rows_read", multiply(value(board, "bytes.rows"), value(board, "bytes.reads")),
               multiply("bytes.rows", "bytes.reads"));
  scaled("bytes.held_plain", "bytes.scores", 2.0F * 4.0F);
  scaled("bytes.moved_plain", "bytes.both", 4.0F * 4.0F);
  scaled("bytes.moved_fused", "bytes.rows_read", 2.0F * 4.0F);

  const auto record_pair = [&](const char* name, const char* plain, const char* fused) {
    board.record(name, concat({value(board, plain), value(board, fused)}, 1),
                 concat(std::vector<std::string>{plain, fused}, 1).with_columns({"plain", "fused"}));
  };
  record_pair("held", "bytes.held_plain", "bytes.workspace");
  record_pair("moved", "bytes.moved_plain", "bytes.moved_fused");
}

}  // namespace attn
