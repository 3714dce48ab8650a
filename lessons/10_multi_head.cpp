// Lesson 10: several heads
//
// Question   How can one word look for several things at the same time?
// Equation   head_h = Attention(Q_h, K_h, V_h)                         Vaswani et al. 2017, 3.2.2
// Builds on  04 to 09 (one head)

#include "board/ink.hpp"
#include "support/lesson.hpp"
#include "support/record/places.hpp"
#include "support/words/heads_in_words.hpp"
#include "support/world/all_heads.hpp"

namespace attn {

void lesson(Board& board, const Options& asked) {
  Options options = asked;
  if (!options.text_given) options.text = "The quick brown fox jumps over the lazy dog.";
  board.option("text", options.text);
  const AllHeads all = all_heads(options);
  const OneHead& one = all.followed;
  const World& world = one.world;
  const Compute& compute = options.compute;  // how products are computed: lesson 25
  const std::size_t num_heads = all.num_heads;
  const std::size_t head_dim = all.head_dim;
  const std::size_t begin = all.begin(one.head);
  const std::size_t end = all.end(one.head);
  record_Q_K_V(board, all);
  record_heads(board, all);

  board.title("Several heads");
  board.map("Q");
  board.say("How can one word look for several things at the same time?");
  board.say("Take this one: {text}", {{"text", shortened(options.text, 250, options.ascii)}});
  board.say("Lessons 04 to 09 followed one head: one set of shares for each word, which adds up to 1. In it {looks}",
            {{"looks", where_it_looks(world, one.steps.weights, one.i)}});
  for (const std::string& remark : remarks_on_text(world)) board.notice("{remark}", {{"remark", remark}});

  // 1. Q has columns for every head; a head takes those that are its own.
  const Tensor Q = linear(one.X, world.weights.W_Q, compute);  // [seq_len, d_model]

  board.part("One head of several", "X → [Q, K, V] → heads");
  board.say(
      "Whoever looks for more needs more rows of shares: more heads. Ours was head {head} of {heads}, {rows} of W_Q. "
      "All rows make all columns of Q, {head_dim} for each head. So it is with K and V.",
      {{"head", one.head}, {"heads", num_heads}, {"rows", span("row", begin, end)}, {"head_dim", head_dim}});
  board.formula("Q = X W_Qᵀ;  Q_h = its columns from (h - 1) · head_dim on", "3.2.2");
  board.shapes("Q");
  board.code({"Q"});
  board.panels(of_first_heads(all, "Q", pictured_columns));
  board.by_hand(all.prefix(one.head) + "Q", {one.i, 0});
  board.notice(
      "Cutting computes nothing. Of Q, {columns} are the Q of lesson 04: largest difference {difference}.{shown}",
      {{"columns", span("column", begin, end)},
       {"difference", difference_of(slice(Q, 1, begin, end), one.Q)},
       {"shown", what_of_heads_is_shown(all, pictured_heads)}});

  // 2. The cut as an index map: numbers that are their own places, of three words, for two heads of two.
  const Tensor numbers = places({3, 4});
  const Tensor by_word = reshape(numbers, {3, 2, 2});  // cut each word's row in two
  const Tensor split = permute(by_word, {1, 0, 2});    // then the heads in front
  const Tensor wrong = reshape(numbers, {2, 3, 2});    // the same shape, in one step

  board.part("Where each number goes", "Q → [split] → heads");
  board.say(
      "To run all heads at once, they stand in front: [heads, words, columns]. Where does each number go? Let it be "
      "its own place: three words a, b, c with four numbers each, cut for two heads.");
  board.formula("split[h, i, d] = numbers[i, h · head_dim + d],  h from 0", "3.2.2");
  board.code({"by_word", "split", "wrong"});
  show_split(board, numbers, split, wrong);
  board.by_hand("split", {1, 0, 0});
  board.by_hand("wrong", {1, 0, 0});
  board.notice("{sentence}", {{"sentence", what_reshape_misplaces(split, wrong, Q.shape(), num_heads)}});

  // 3. Each head does with its own columns what lessons 05 to 09 did, all heads at once.
  const Tensor Q_heads = split_heads(Q, num_heads);      // [num_heads, seq_len, head_dim]
  const Tensor K_heads = split_heads(all.K, num_heads);  // [num_heads, seq_len, head_dim]
  const Tensor V_heads = split_heads(all.V, num_heads);  // [num_heads, seq_len, head_dim]
  const Tensor weights = scaled_dot_product_attention(Q_heads, K_heads, V_heads, keep_where(one.mask), compute).weights;

  board.part("Each head looks in its own way", "heads → [weights]");
  board.say(
      "Each head goes the way of lessons 05 to 09 with its own Q, K and V. None knows of another, and one mask serves "
      "them all. Who looks at whom:");
  board.formula("head_h = softmax(Q_h K_hᵀ / √head_dim) V_h", "Vaswani et al. 2017, 3.2.2");
  board.code({"Q_heads", "K_heads", "V_heads", "weights"});
  show_weights_of_heads(board, all);
  board.notice(
      "{word} looks most {looks}. One head at a time or all at once: largest difference {difference}.",
      {{"word", one.word}, {"looks", looks_most_at(all)}, {"difference", difference_of(weights, stack(all.weights))}});

  // 4. Every head reads whole rows of X. To cut X itself, before W_Q, is another thing.
  const Tensor X_part = slice(one.X, 1, begin, end);      // [seq_len, head_dim]
  const Tensor W_part = slice(one.W_Q, 1, begin, end);    // [head_dim, head_dim]
  const Tensor Q_part = linear(X_part, W_part, compute);  // [seq_len, head_dim]

  board.part("Cut Q, not X", "X → Q → heads");
  board.say("Why not cut X first? Then head {head} would read {channels} of X, and no others.",
            {{"head", one.head}, {"channels", span("channel", begin, end)}});
  board.code({"X_part", "W_part", "Q_part"});
  board.record("X_part", X_part, slice("X", 1, begin, end));
  board.record("W_Q_head", one.W_Q, slice("W_Q", 0, begin, end));
  board.record("W_part", W_part, slice("W_Q_head", 1, begin, end));
  board.record("Q_part", Q_part, linear("X_part", "W_part"));
  const std::size_t d = largest_of(one.Q, one.i, first_columns(head_dim));
  board.by_hand("Q", {one.i, begin + d});
  board.notice("Had X been cut, this number would be {part}; largest difference in Q: {difference}.",
               {{"part", Q_part(one.i, d)}, {"difference", difference_of(Q_part, one.Q)}});
  board.notice("{sentence}", {{"sentence", what_heads_cost(world)}});

  board.ask(
      "Several sentences at once, a batch, bring a mask [batch, n, n]; the scores are [batch, heads, n, n]. What goes "
      "wrong?",
      "Shapes meet from the right, so the mask's batch meets the heads. Where the two counts are equal it runs, "
      "and hides the wrong words. The mask needs an axis for the heads: [batch, 1, n, n].");
  board.pytorch({"import torch", "numbers = torch.arange(12).view(3, 4)                # three words",
                 "print(numbers.view(3, 2, 2).transpose(0, 1))         # split",
                 "print(numbers.view(2, 3, 2))                         # wrong"});
  board.experiment("--positions none", "Whom else does head 1 find now?");
  if (num_heads >= 3) board.experiment("--head 3", "What is left of head 3 when X is cut?");
  board.experiment("--mask causal", "Which heads lose what they look for?");
  if (world.d_model % 8 == 0 && asked.head <= 8)
    board.experiment("--weights torch --heads 8", "How many numbers are misplaced?");
}

}  // namespace attn
