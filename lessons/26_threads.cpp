// Lesson 26: threads
//
// Question   How do several threads share one computation, and how much faster is it?
// Equation   speedup = 1 / (s + (1 - s) / p)                                 Amdahl 1967
// Builds on  05 (scores), 10 (several heads)
// Ignores    --mask: nothing that it cuts or times is masked
// Ignores    --positions: it shows no number that hangs on a place

#include "attention/kinds/fused_attention.hpp"
#include "support/lesson.hpp"
#include "support/record/counted_bytes.hpp"
#include "support/record/false_sharing.hpp"
#include "support/record/measured_threads.hpp"
#include "support/record/thread_records.hpp"
#include "support/words/thread_words.hpp"
#include "support/world/all_heads.hpp"
#include "tensor/random.hpp"

namespace attn {

void lesson(Board& board, const Options& options) {
  const AllHeads all = all_heads(options);
  record_Q_K_V(board, all);

  board.title("Threads");
  board.map("scores");
  board.say("How do several threads share one computation, and how much faster is it?");

  // 1. The result is cut, not the sums: each number belongs to one thread.
  record_pieces(board, "two", {.rows = 10, .columns = 8}, 2);
  record_pieces(board, "three", {.rows = 10, .columns = 8}, 3);
  record_pieces(board, "wide", {.rows = 3, .columns = 26}, 3);

  board.part("Who computes which cell", "C = A B → a piece of C for each thread");
  board.say(
      "A thread is a run through the program beside others, on another core. All threads may read A and B at once. But "
      "of two that add into one cell at once, one may lose its sum. So C is cut along its longer side (a large C "
      "rather between columns: each thread then packs only its part of B), in whole tiles. A tile is a small part of C "
      "whose sums the kernel keeps in registers (lesson 25):");
  board.code({"piece"}, "src/fast/matmul.cpp");
  board.say("With tiles of 2 rows and 4 columns, so that they can be drawn, thread 1 is light, the last dark:");
  board.panels({{"two", "two threads"}, {"three", "three threads"}}, {.top = 3.0});
  board.panels({{"wide", "a wide C, three threads"}});
  board.notice("{s}", {{"s", who_writes(board.trace(), {"two", "three", "wide"})}});

  // 2. A piece begins at a whole tile, so no sum is added up in another order.
  Random random(options.seed);
  const Tensor a = random.uniform({200, 64}, -1.0F, 1.0F);  // large enough to be shared out
  const Tensor b = random.uniform({64, 150}, -1.0F, 1.0F);
  const auto on = [](std::size_t threads) { return Compute{.kind = Matmul::blocked, .threads = threads}; };
  const Tensor one = matmul(a, b, on(1));    // [200, 150]
  const Tensor two = matmul(a, b, on(2));    // [200, 150]
  const Tensor three = matmul(a, b, on(3));  // [200, 150]

  board.part("The same bits", "A [200, 64], B [64, 150] → C [200, 150]");
  board.say(
      "Float sums depend on their order. Each number of C is added up by one thread, in the same order as ever, since "
      "each piece begins at a whole tile:");
  board.code({"one", "two", "three"});
  board.notice("Largest difference from one thread: {s}.", {{"s", how_equal(one, two, three)}});

  // 3. A head reads its own columns of Q, K and V and writes its own of the context.
  const Tensor Q = split_heads(all.Q, all.num_heads);  // [num_heads, seq_len, head_dim]
  const Tensor K = split_heads(all.K, all.num_heads);  // [num_heads, seq_len, head_dim]
  const Tensor V = split_heads(all.V, all.num_heads);  // [num_heads, seq_len, head_dim]
  const auto context = [&](std::size_t threads) { return fused_attention(Q, K, V, {.threads = threads}); };
  record_rounds(board, all.num_heads);

  board.part("Heads in parallel", "Q, K, V of each head → its context");
  board.say(
      "Heads meet at concat only, so each is an item of work, for {block} queries at a time. A thread that is done "
      "takes the next item; which one gets which is left open, and changes no result:",
      {{"block", fused_query_block()}});
  board.code({"items"}, "src/fast/attention.cpp");
  board.say("{text} The busiest thread then computes so many heads one after the other, and all together gain so much:",
            {{"text", what_the_items_are(all.num_heads)}});
  board.table({{"rounds"}});
  board.notice("{s}", {{"s", what_rounds_say(board.trace())}});
  board.notice("Largest difference in the contexts of all heads: {s}.",
               {{"s", how_equal(context(1), context(2), context(3))}});

  // 4. What one thread does alone is never shorter.
  record_amdahl(board);
  board.part("Amdahl's law", "s, p → time → speedup");
  board.say("A share s of the time is one thread's alone, and the rest is shared by p threads:");
  board.formula("speedup = 1 / (s + (1 - s) / p)", "Amdahl 1967");
  board.table({{"speedup"}});
  board.by_hand("each", {1, 2});
  board.by_hand("time", {1, 2});
  board.by_hand("speedup", {1, 2});
  board.notice("{s}", {{"s", what_amdahl_says(board.trace())}});
  show_measured_shares(board);

  // 5. Two cells of two threads may still lie on one line of memory.
  record_lines(board);
  board.part("False sharing", "bytes from the first counter / 64 → cache line");
  board.say(
      "A core's cache holds lines of {bytes} bytes, and only one core at a time may write into a line. Four threads "
      "count, each in a double (8 bytes) of its own, near each other or a line apart. The whole part tells the cache "
      "line:",
      {{"bytes", bytes_of_line}});
  board.table({{"lines"}});
  board.by_hand("lines", {0, 3});
  board.by_hand("lines", {1, 3});
  board.notice("{s} No cell is shared, but a line is: it travels from core to core at each addition.",
               {{"s", what_lines_say()}});
  show_measured_sharing(board);

  board.ask(
      "Why do two threads of a product seldom write into the same line?",
      "Pieces are whole tiles: they meet at one edge only, and a tile's sums stay in registers until each cell is "
      "written, once for each block of the depth and not for each product. And the page of lesson 20, with two "
      "threads? No other: threads change no bit, and blocked at most the last digits of a few numbers, as its sums are "
      "floats, not doubles.");
  board.pytorch({"import torch", "s = torch.tensor([[0.5], [0.1], [0.02]])",
                 "p = torch.tensor([1., 2., 4., 16., 256.])", "print(1 / (s + (1 - s) / p))"});
  board.experiment("--weights torch --d-model 24 --heads 6", "How many threads can help?");
  board.experiment("lessons/run 20 --matmul blocked --threads 2", "Is the page another?");
  board.experiment_why("speedup", {1, 2}, "What is it made of?");
}

}  // namespace attn
