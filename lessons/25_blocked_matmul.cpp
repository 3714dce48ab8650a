// Lesson 25: the blocked matrix product
//
// Question   One product, seven ways: why is one so much faster than another?
// Equation   C[i,j] = sum of A[i,k] B[k,j] over k                          Goto and van de Geijn 2008
// Builds on  05 (scores)
// Ignores    --mask: scores are made before a mask comes in

#include "support/lesson.hpp"
#include "support/record/counted_accesses.hpp"
#include "support/record/measured_products.hpp"
#include "support/words/blocked_words.hpp"
#include "support/world/one_head.hpp"

namespace attn {

void lesson(Board& board, const Options& options) {
  const std::string ways = "lessons/support/record/five_products.hpp";
  const OneHead head = one_head(options);
  const Tensor& Q = head.Q;  // [seq_len, head_dim]
  const Tensor& K = head.K;  // [seq_len, head_dim]
  record_until(board, head, Until::scores);

  board.title("The blocked matrix product");
  board.say("One product, seven ways: why is one so much faster than another?");

  // 1. How much there is to do does not depend on the way.
  board.part("One product, counted", "Q, K → scores");
  board.say(
      "Nearly all the work of attention is in products of matrices. Here is the first, the scores of lesson 05. Depth "
      "is how many products a score adds up, one for each channel:");
  board.formula("FLOP = 2 · rows · columns · depth", "a product and a sum each");
  board.notice("{s}", {{"s", what_scores_take(Q, K)}});

  // 2. A processor waits for numbers that are far away.
  board.part("Where a number waits", "memory → cache → register");
  board.say(
      "A processor computes in registers, a few dozen numbers. To fetch another from memory takes as long as some "
      "hundred products. So a cache close by keeps copies, and with a number come its neighbours: a line. If a line is "
      "not there, that is a miss, and it is fetched. Each line belongs to one set, which has places for a few. The "
      "first cache often has 64 sets of 8 or 12 places for 16 floats each; another behind it is larger and slower. "
      "Here is a "
      "small one, {sets} sets of {places} places for {line} numbers each:",
      {{"sets", small_cache.sets}, {"places", small_cache.places}, {"line", small_cache.line}});
  board.code({"access"}, "lessons/support/record/cache_simulator.cpp");

  // 3. The order of the loops decides whether a line's other numbers are used while it is there.
  record_accesses(board);
  record_first(board, Way::ijk, 8);
  record_first(board, Way::ikj, 8);

  board.part("Along rows, not down columns", "1 ijk, 2 ikj");
  board.say(
      "Scores of {n} words, {n} channels: A = Q from address 0 on, row after row, B = Kᵀ from {b}, C from {c}. Way 1:",
      {{"n", small_size}, {"b", first_address(Region::B)}, {"c", first_address(Region::C)}});
  board.code({"ijk"}, ways);
  board.table({{"ijk.first"}}, {.names = first_names(Way::ijk, 8)});
  board.by_hand("ijk.misses", {4});
  board.say("Way 2, the two inner loops change places:");
  board.table({{"ikj.first"}}, {.names = first_names(Way::ikj, 8)});
  board.notice("{s}", {{"s", what_the_order_does(board.trace())}});

  // 4. What was fetched is used for as much as possible before it goes.
  for (const Way way : {Way::ijk, Way::ikj, Way::blocked}) record_fetched(board, way, 1);

  board.part("Use it again before it goes", "3 blocked, 4 tile, 5 packed");
  board.say(
      "Way 3 is way 2 on a block of B, {n} · {n}, then on the next. Dark: numbers of B whose read misses, for row 1 of "
      "A. Blank: found in the cache. A neighbour on its line was read before, or it is still there from row 0:",
      {{"n", small_block}});
  board.panels({{"ijk.B", "1 ijk"}, {"ikj.B", "2 ikj"}, {"blocked.B", "3 blocked"}}, {.top = 1.0});
  board.say(
      "Way 4 keeps a tile of C, {rows} · {columns} sums, in registers for a whole block. Way 5 first copies the block "
      "into one piece (counted in B):",
      {{"rows", small_tile_rows}, {"columns", small_tile_columns}});
  board.table({{"accesses", "accesses"}, {"misses", "misses"}});
  board.notice("{s}", {{"s", what_a_block_does(board.trace())}});
  board.notice("{s}", {{"s", what_a_tile_does(board.trace())}});
  board.notice("{s}", {{"s", what_a_copy_does(board.trace())}});

  // 5. The same ways against the clock, and the two that come from src/fast.
  board.part("Against the clock", "1 ijk ... 6 vectors, 7 threaded");
  board.say(
      "Ways 1 to 5 take one number at a time (the compiler may use no vectors there). Way 6 is way 5 with vectors: an "
      "instruction takes 4, 8 or 16 numbers, as "
      "the processor can. Its tile, for each k, with b_k and all sums in registers:");
  board.code({"vectors"}, "src/fast/tile.hpp");
  board.say(
      "Way 7 cuts C in pieces, one for each thread. No number has two writers, so none waits for another. What other "
      "pages call compute is the choice: naive is way 1 with a sum in double; --matmul blocked is way 6, with "
      "--threads 2 way 7.");
  board.notice("{s}", {{"s", whether_ways_agree(Q, K)}});
  if (board.shows_times()) {
    const MeasuredProducts measured = measure_products(options.compute.threads > 1 ? options.compute.threads : 2);
    board.measured(measured.speeds);
    board.notice("{s}", {{"s", what_was_measured(measured)}});
    for (const std::string& told : {why_vectors_gain_more(measured), which_were_slower(measured)}) {
      if (!told.empty()) board.notice("{s}", {{"s", told}});
    }
  } else {
    board.measured({});
  }

  board.ask(
      "If a way is hardly faster than the one before, was it no use?",
      "It saves what the time did not go into yet. One number at a time is so slow that rows come in time; vectors "
      "would wait.");
  board.pytorch({"import timeit, torch", "A, B = torch.randn(2, 384, 384)",
                 "s = timeit.timeit(lambda: A @ B, number=99) / 99    # seconds",
                 "print(2 * 384 ** 3 / s / 1e9, \"GFLOP/s\")"});
  board.experiment("--text \"The dog barked very loudly.\"", "How many FLOP?");
  board.experiment("--weights torch --d-model 64 --heads 1", "And with more channels?");
  board.experiment("--timing on --threads 4", "Is way 7 faster now?");
  board.experiment_why("ikj.misses", {2}, "Is its line there?");
}

}  // namespace attn
