#include "support/record/thread_records.hpp"

#include "fast/matmul.hpp"
#include "support/record/false_sharing.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/rearrange.hpp"

#include <fmt/core.h>

#include <string>
#include <vector>

namespace attn {

namespace {

const Tensor& value(const Board& board, const std::string& name) {
  return board.trace().step(name).value;
}

/// "2 threads".
std::string threads_text(std::size_t threads) {
  return fmt::format("{} {}", threads, threads == 1 ? "thread" : "threads");
}

}  // namespace

void record_pieces(Board& board, const std::string& name, const DrawnProduct& product, std::size_t threads) {
  std::string owners;  // the steps up to this thread
  std::string writes;
  for (std::size_t thread = 1; thread <= threads; ++thread) {
    const fast::Piece piece =
        fast::piece_of(product.rows, product.columns, product.tile_rows, product.tile_columns, thread - 1, threads);
    Tensor cells({product.rows, product.columns});
    for (std::size_t i = piece.first_row; i < piece.first_row + piece.rows; ++i) {
      for (std::size_t j = piece.first_column; j < piece.first_column + piece.columns; ++j) cells(i, j) = 1.0F;
    }
    const std::string own = fmt::format("{}.thread{}", name, thread);
    const auto number = static_cast<float>(thread);
    board.record(own, cells, given());
    board.record(own + "_number", scale(cells, number), scale(own, number));
    if (thread == 1) {
      owners = own + "_number";
      writes = own;
      continue;
    }
    const bool last = thread == threads;
    const std::string owners_now = last ? name : own + "_owners";
    const std::string writes_now = last ? name + ".writes" : own + "_writes";
    board.record(owners_now, add(value(board, owners), value(board, own + "_number")), add(owners, own + "_number"));
    board.record(writes_now, add(value(board, writes), cells), add(writes, own));
    owners = owners_now;
    writes = writes_now;
  }
}

void record_rounds(Board& board, std::size_t num_heads) {
  std::vector<float> rounds;
  std::vector<std::string> columns;
  for (const std::size_t threads : {1U, 2U, 3U, 4U, 8U}) {
    rounds.push_back(static_cast<float>((num_heads + threads - 1) / threads));
    columns.push_back(threads_text(threads));
  }
  const std::size_t count = rounds.size();
  board.record("heads.all", Tensor({1}, static_cast<float>(num_heads)), given());
  board.record("heads.rounds", Tensor({1, count}, rounds), given().with_columns(columns));
  board.record("heads.speedup", divide(value(board, "heads.all"), value(board, "heads.rounds")),
               divide("heads.all", "heads.rounds"));
  board.record("rounds", concat({value(board, "heads.rounds"), value(board, "heads.speedup")}, 0),
               concat(std::vector<std::string>{"heads.rounds", "heads.speedup"}, 0)
                   .with_rows({"heads", "gain"})
                   .with_columns(columns));
}

void record_amdahl(Board& board) {
  board.record("one", Tensor({1}, 1.0F), given());
  board.record("s", Tensor({3, 1}, std::vector<float>{0.5F, 0.1F, 0.02F}),
               given().with_rows({"s=0.5", "s=0.1", "s=0.02"}));
  board.record("p", Tensor({1, 5}, std::vector<float>{1.0F, 2.0F, 4.0F, 16.0F, 256.0F}),
               given().with_columns({"p=1", "p=2", "p=4", "p=16", "p=256"}));
  board.record("shared", subtract(value(board, "one"), value(board, "s")), subtract("one", "s"));
  board.record("each", divide(value(board, "shared"), value(board, "p")), divide("shared", "p"));
  board.record("time", add(value(board, "s"), value(board, "each")), add("s", "each"));
  board.record("speedup", divide(value(board, "one"), value(board, "time")), divide("one", "time"));
}

void record_lines(Board& board) {
  std::vector<float> bytes;
  for (const std::size_t apart : {std::size_t{1}, doubles_of_line}) {
    for (std::size_t thread = 0; thread < 4; ++thread) {
      bytes.push_back(static_cast<float>(thread * apart * sizeof(double)));
    }
  }
  constexpr float line = 1.0F / static_cast<float>(bytes_of_line);
  board.record("bytes", Tensor({2, 4}, bytes),
               given().with_rows({"near", "apart"}).with_columns({"thread1", "thread2", "thread3", "thread4"}));
  board.record("lines", scale(value(board, "bytes"), line), scale("bytes", line));
}

}  // namespace attn
