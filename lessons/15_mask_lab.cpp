// Lesson 15: mask laboratory
//
// Question   How many ways are there to write one mask, and to get it wrong?
// Equation   masked = scaled + M, M = 0 where a key is kept, -inf where it is hidden     Vaswani et al. 2017, 3.2.3
// Builds on  08 (mask)
// Ignores    --mask: it is about the causal mask in any case

#include "attention/kinds/empty_rows.hpp"
#include "attention/kinds/masks.hpp"
#include "support/lesson.hpp"
#include "support/record/mask_lab.hpp"
#include "support/words/heads_in_words.hpp"
#include "support/words/mask_lab_words.hpp"
#include "support/world/one_head.hpp"

namespace attn {

void lesson(Board& board, const Options& typed) {
  Options options = typed;
  if (!options.text_given) options.text = "The dog barked.";
  options.mask = Options::MaskKind::causal;  // what this lesson is about, whatever --mask says
  board.option("text", options.text);
  board.option("mask", "causal");
  const OneHead head = one_head(options);
  const Tensor& scaled = head.steps.scaled;  // [seq_len, seq_len]
  const Tensor& keep = head.mask;            // [seq_len, seq_len], causal
  const std::size_t seq_len = scaled.dim(0);
  const Compute& compute = options.compute;  // how products are computed: lesson 25
  const std::size_t i = most_tempted_row(scaled);
  record_until(board, head, Until::weights);

  board.title("Mask laboratory");
  board.map("masked");
  board.say("How many ways are there to write one mask, and to get it wrong?");

  // 1. One rule in three notations.
  const Tensor hide = hidden_keys(keep_where(keep));            // 1 hides
  const Tensor to_add = additive_mask(keep);                    // 0, or -inf
  const Tensor by_hide = apply_mask(scaled, hide_where(hide));  // [seq_len, seq_len]
  const Tensor by_adding = apply_mask(scaled, added(to_add));   // [seq_len, seq_len]
  record_notations(board);

  board.part("One rule, three notations", "scaled, a mask → [masked]");
  board.say(
      "Each word sees itself and what came before. Libraries write that in three ways. The row of {word} in {head}:",
      {{"word", name_of(head.world, i)}, {"head", followed_head(head)}});
  board.formula("masked = scaled + M,  M = 0 or -inf", "Vaswani et al. 2017, 3.2.3");
  board.code({"hide", "to_add", "by_hide", "by_adding"});
  show_notations(board, i);
  board.by_hand("by_adding", {i, seq_len - 1});
  board.notice("{s}", {{"s", what_notations_give(by_hide, by_adding, head.steps.masked)}});

  // 2. The right mask, read in the wrong way. Every shape fits, and nobody complains.
  const Tensor swapped = softmax(mask_fill(scaled, hide), -1, compute);   // mask_fill keeps where 1 is
  const Tensor ones_added = softmax(add(scaled, keep), -1, compute);      // adds 1 to what is kept
  const Tensor flipped = softmax(subtract(scaled, to_add), -1, compute);  // -(-inf) is +inf
  record_wrong_readings(board, compute);

  board.part("Read the wrong way", "scaled, the same mask → weights");
  board.say("The same mask, taken for another notation. The row of {word}:", {{"word", name_of(head.world, i)}});
  board.code({"swapped", "ones_added", "flipped"});
  show_rows(board, "readings", {"weights", "swapped", "ones_added", "flipped"},
            {"right", "1 and 0 swapped", "1 and 0 added", "M subtracted"}, i, {.row_sums = true});
  board.notice("{s}", {{"s", what_wrong_readings_do(head.world, board.trace(), i)}});

  // 3. Two masks at once: hidden by either is hidden.
  const std::size_t real = seq_len > 1 ? seq_len - 1 : 1;                       // let the last word be padding
  const Tensor padding = reshape(padding_mask({real}, seq_len), {1, seq_len});  // one row, for every query
  const Tensor both = multiply(keep, padding);                                  // 1 where both keep
  const Tensor both_to_add = add(to_add, additive_mask(padding));               // -inf - inf is -inf
  record_two_masks(board, padding);

  board.part("Two masks at once", "mask, padding → both");
  board.say("{padding} A key is kept when both masks keep it, hidden when one or both hide it:",
            {{"padding", what_is_padding(real, seq_len)}});
  board.formula("1 keeps: a · b   1 hides: a + b - a · b   added: a + b", "De Morgan");
  board.shapes("both");
  board.code({"both", "both_to_add"});
  board.panels({{"mask", "causal"}, {"both", "both"}, {"too_open", "if a · b hides"}},
               {.cell = 1, .top = 1.0, .row_sums = true});
  board.notice("{s} 1 keeps or added, the scores are the same: largest difference {d}.",
               {{"s", what_two_masks_hide(board.trace())},
                {"d", difference_of(apply_mask(scaled, added(both_to_add)), mask_fill(scaled, both))}});

  // 4. One off, and the first word has nobody.
  const Tensor strict = causal_mask({.seq_len_q = seq_len, .seq_len_kv = seq_len, .offset = -1});  // j < i
  const Tensor past = mask_fill(scaled, strict);                                                   // row 0: all -inf
  const Tensor as_nan = softmax(past, -1, compute);                                                // 0 / 0
  const Tensor as_zeros = fill_empty_rows(as_nan, past, EmptyRows::zeros);
  const Tensor as_uniform = fill_empty_rows(as_nan, past, EmptyRows::uniform);
  record_empty_row(board, strict, as_zeros, as_uniform, compute);

  board.part("One off: an empty row", "j < i for j ≤ i → weights, context");
  board.say(
      "Write < for ≤, and the first word may look at nobody. For its weights there are three conventions, and so for "
      "what it collects:");
  board.code({"strict", "as_nan"});
  board.table({{"nobody", "weights"}, {"takes", "context", head.columns}});
  board.by_hand("as_nan", {0, 0});
  board.notice("{s}", {{"s", what_an_empty_row_collects(head.world, board.trace())}});

  // 5. A large negative number is finite, and what is finite can be outweighed, cancelled or doubled.
  const Tensor strict_hide = hidden_keys(keep_where(strict));  // [seq_len, seq_len]
  const Tensor sunk = add(scaled, scale(strict_hide, -1e9F));  // [seq_len, seq_len]
  const Tensor habit = softmax(sunk, -1, compute);             // [seq_len, seq_len]

  board.part("A large number is not minus infinity", "scaled + a stand-in → weights");
  board.say("Many add a large negative number instead. The first word again:");
  board.code({"sunk", "habit"});
  show_empty_row_by_stand_in(board, compute);
  board.by_hand("sunk", {0, 0});
  board.notice("{s}", {{"s", what_stand_ins_do_to_an_empty_row(board.trace())}});
  if (seq_len > 1) {
    board.say("Back to j ≤ i, and growing scores. {word} gives to hidden words:", {{"word", name_of(head.world, i)}});
    show_growing_scores(board, i, compute);
    board.notice("{s}", {{"s", what_stand_ins_let_through(board.trace())}});
  }

  board.ask("Padding in front, and a causal mask: who may look at nobody?",
            "The padding in front: it sees only padding. Choose zeros for its rows, or never read them: nan times a "
            "weight of 0 is nan.");
  board.pytorch(pytorch_lines_of_notations(head, options));
  board.experiment("--text \"the cat sat.\"", "Which row is it?");
  board.experiment("--text cat", "What is hidden?");
  board.experiment(another_head(head), "Which row is it now?");
  board.experiment_why("sunk", {0, 0}, "Why so?");
}

}  // namespace attn
