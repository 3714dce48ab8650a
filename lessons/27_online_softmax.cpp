// Lesson 27: the online softmax
//
// Question   Must a row of scores be whole before it can be shared out?
// Equation   total' = total e^(largest - largest') + Σ e^(score - largest')     Milakov and Gimelshein 2018, algorithm
// 3 Builds on  07 (softmax), 09 (weighted sum)

#include "attention/kinds/fused_attention.hpp"
#include "attention/kinds/online_softmax.hpp"
#include "support/lesson.hpp"
#include "support/record/counted_bytes.hpp"
#include "support/record/measured_attention.hpp"
#include "support/record/online_steps.hpp"
#include "support/words/online_words.hpp"
#include "support/world/one_head.hpp"

namespace attn {

void lesson(Board& board, const Options& typed) {
  Options options = typed;
  if (options.head == 0) options.head = std::min<std::size_t>(3, options.num_heads);  // its largest score comes late
  const OneHead head = one_head(options);
  const Tensor& Q = head.Q;  // [seq_len, head_dim]
  const Tensor& K = head.K;  // [seq_len, head_dim]
  const Tensor& V = head.V;  // [seq_len, head_dim]
  const std::size_t seq_len = Q.dim(0);
  const Compute& compute = options.compute;  // how products are computed: lesson 25
  const std::size_t i = head.i;              // the word that the page follows
  record_until(board, head, Until::context);

  board.title("The online softmax");
  board.map("weights");
  board.say("Must a row of scores be whole before it can be shared out?");

  // 1. Three numbers and a row go from block to block; the scores are forgotten.
  const Tensor row = slice(head.steps.masked, 0, i, i + 1);  // [1, seq_len]
  const std::size_t keys = keys_of_block(seq_len);
  OnlineSoftmax seen = nothing_seen(1, head.head_dim);
  record_start(board, i, seen);
  for (std::size_t j = 0; j < seq_len; j += keys) {
    const std::size_t end = std::min(j + keys, seq_len);
    const OnlineBlock block = take_block(seen, slice(row, 1, j, end), slice(V, 0, j, end));
    record_block(board, j, end, block);
    seen = block.after;
  }
  const Tensor online = divide(seen.collected, seen.total);  // [1, head_dim]
  record_result(board, i, online);

  board.part("One row, block by block", "masked, V → largest, total, collected");
  board.say(
      "In lesson 07 softmax looked for a row's largest score first, so the whole row had to be there. Now a block of "
      "it comes, is used, and is forgotten. {row}",
      {{"row", how_the_row_comes(head)}});
  board.table({{"row"}});
  board.say(
      "Kept are the largest score so far (max; own is the block's), the total of all e^(score - largest), and the "
      "values collected with these powers: -inf, 0 and 0 at first. When the largest grows, what was there is rescaled, "
      "by e^(largest - largest'):");
  board.formula("total' = total · factor + Σ e^(score - largest')", "Milakov 2018, alg. 3");
  board.code({"block"}, "src/attention/kinds/online_softmax.cpp");
  board.table({{"state"}}, {.columns = columns_of_state(head)});
  by_hand_of_blocks(board);
  board.notice("{s}", {{"s", what_blocks_do(board.trace())}});

  // 2. The division waits for the last block.
  board.part("The same as all at once", "collected, total → context");
  board.say("With the last block, the context is collected / total.");
  show_rows(board, "both", {"online", "whole"}, {"in blocks", "all at once"}, 0, {.columns = head.columns});
  board.by_hand("online", {0, largest_of(online, 0, head.columns)});
  board.notice("{s}", {{"s", how_blocks_agree(head)}});

  // 3. Where the largest begins.
  board.part("Why it begins at -inf", "another row → another start");
  board.say("{at_0} {hidden}", {{"at_0", what_a_start_at_0_does(board.trace(), keys)},
                                {"hidden", what_a_hidden_start_does(board.trace(), keys, compute)}});

  // 4. The kernel does this for many queries at a time.
  FusedOptions fused_options = {.threads = compute.threads};
  if (options.mask == Options::MaskKind::causal) fused_options.right = 0;  // no key after the query's own
  const Tensor fused = fused_attention(Q, K, V, fused_options);            // [seq_len, head_dim]

  board.part("The fused kernel", "Q, K, V → context");
  board.say(
      "src/fast takes in {keys} keys at a time, for {queries} queries: scores, softmax and the product with V are one "
      "loop, fused attention, known as FlashAttention. Its rescaling, with several queries in a Vector and unit = "
      "log2 e, so that 2^(x · unit) is e^x:",
      {{"queries", fused_query_block()}, {"keys", fused_key_block()}});
  board.code({"online"}, "src/fast/attention_kernel.hpp");
  board.notice("fused_attention(Q, K, V) differs from softmax(masked) V by {bound}.",
               {{"bound", how_near(fused, head.steps.context)}});

  // 5. What that saves is memory, and the way to it.
  record_bytes(board, seq_len);
  board.part("What is held, what is moved", "counted for one head of 64, in MiB");
  board.say(
      "Plainly, scores and weights are written and read as tables. The kernel's stay in the processor's cache, but it "
      "reads K and V again for each block of queries. n words, d = {d}, 4 bytes a number:",
      {{"d", counted_head_dim}});
  board.formula("plain: 4 · 2 n² held, 4 · (4 n² + 4 n d) moved", "");
  board.formula("fused: 4 · 2 n d · (1 + blocks of queries) moved", "");
  board.table({{"held", "held"}, {"moved", "moved"}});
  board.notice("{s}", {{"s", what_is_held(seq_len)}});
  board.notice("{s}", {{"s", what_is_moved()}});

  // 6. And time.
  board.part("How fast", "8 heads of 64, plain and fused");
  board.say(
      "Both products take 4 n² · 64 operations a head. That number is divided by the seconds that attention takes in "
      "all.");
  measure_attention(board, {512, 1024}, compute.threads);

  board.ask("Why is collected not divided by total in every block?",
            "The next block would have to take the division back: its total is another. Once, at the end, is enough.");
  board.pytorch(pytorch_lines_of_blocks(head, options));
  board.experiment("--mask causal", "What does a block do that is hidden?");
  board.experiment("--head 2", "In which block is its largest score?");
  board.experiment_why("online", {0, 0}, "How far back does it go?");
}

}  // namespace attn
