// Lesson 08: mask
//
// Question   How do we keep a word from seeing what comes after it?
// Equation   masked[i, j] = scaled[i, j] where j <= i, else -inf          Vaswani et al. 2017, 3.2.3
// Builds on  07 (softmax)
// Ignores    --mask: it is about the causal mask in any case

#include "support/lesson.hpp"
#include "support/record/leak_probe.hpp"
#include "support/words/mask_words.hpp"
#include "support/world/one_head.hpp"

namespace attn {

void lesson(Board& board, const Options& typed) {
  Options options = typed;
  if (!options.text_given) options.text = "The dog barked very loudly.";
  options.mask = Options::MaskKind::causal;  // what this lesson is about, whatever --mask says
  board.option("text", options.text);
  board.option("mask", "causal");
  const OneHead head = one_head(options);
  const Tensor& scaled = head.steps.scaled;  // [seq_len, seq_len]
  const std::size_t seq_len = scaled.dim(0);
  const Compute& compute = options.compute;  // how products are computed: lesson 25
  const std::vector<std::string> words = head.world.token_texts();
  record_until(board, head, Until::context);

  board.title("Mask");
  board.map("masked");
  board.say("How do we keep a word from seeing what comes after it?");
  board.say("A decoder, a model that writes, guesses each next word{links}",
            {{"links", seq_len > 1 ? ":" : ", and this text has none."}});
  if (seq_len > 1) {
    board.links("reads", {words.begin(), words.end() - 1}, "must guess", {words.begin() + 1, words.end()});
  }
  for (const std::string& remark : remarks_on_text(head.world)) board.notice("{remark}", {{"remark", remark}});

  // 1. In training the whole sentence is there. Nothing stops a word from looking at its answer.
  const Tensor open = softmax(scaled, -1, compute);  // [seq_len, seq_len]
  const std::size_t i = worst_reader_ahead(open);
  const std::string word = name_of(head.world, i);
  board.record("open", open, softmax("scaled", -1));

  board.part("The leak", "scaled → open");
  board.say("In training the answers are there too. The weights of {word}:", {{"word", word}});
  board.code({"open"});
  board.bars("open", i);
  if (seq_len > 1) board.notice("{sentence}", {{"sentence", what_is_read_ahead(head.world, open, i)}});

  // 2. The wrong ways: erase weights after softmax, or scores before it.
  //> erase
  const Tensor mask = causal_mask(seq_len);    // [seq_len, seq_len]
  const Tensor erased = multiply(open, mask);  // [seq_len, seq_len]
  //< erase
  const Tensor zeroed = multiply(scaled, mask);                // [seq_len, seq_len]
  const Tensor zeroed_weights = softmax(zeroed, -1, compute);  // [seq_len, seq_len]
  board.record("erased", erased, multiply("open", "mask"));
  board.record("erased_sum", sum(erased, -1), sum("erased", -1));
  board.record("zeroed", zeroed, multiply("scaled", "mask"));
  board.record("powers", exp(zeroed), exp("zeroed"));
  board.record("zeroed_weights", zeroed_weights, softmax("zeroed", -1));

  board.part("Two wrong ways: times 0", "open · mask → erased");
  board.say("The mask is 1 for a word itself and those before, 0 for later ones. Multiply the weights by it:");
  board.formula("mask[i, j] = 1 where j ≤ i, else 0", "Vaswani et al. 2017, 3.2.3");
  board.code({"erase"});
  board.panels({{"open", "open"}, {"mask", "mask"}, {"erased", "erased"}}, {.cell = 1, .top = 1.0, .row_sums = true});
  board.by_hand("erased_sum", {i});
  board.notice("{sentence}", {{"sentence", what_erasing_leaves(head.world, erased, i)}});
  board.say("Or multiply the scores, before softmax? The row of {word}:", {{"word", word}});
  board.code({"zeroed", "zeroed_weights"});
  show_rows(board, "row", {"zeroed", "powers", "zeroed_weights"}, {"score · 0", "e^", "weight"}, i);
  board.notice("{sentence}", {{"sentence", what_zeros_get(head.world, zeroed_weights, mask, i)}});

  // 3. Only e^-inf is 0. What is hidden before softmax gets no share of it.
  const Tensor masked = mask_fill(scaled, mask);        // [seq_len, seq_len]
  const Tensor weights = softmax(masked, -1, compute);  // [seq_len, seq_len]

  board.part("The right way: minus infinity", "scaled → [masked] → weights");
  board.say("Which score has e^score = 0? Minus infinity. So, before softmax:");
  board.formula("masked = scaled where mask is 1, else -inf", "Vaswani et al. 2017, 3.2.3");
  board.shapes("masked");
  board.code({"masked", "weights"});
  board.table({{"masked"}}, {.shaded = true});
  board.table({{"weights"}}, {.shaded = true, .row_sums = true});
  board.by_hand("weights", {i, 0});
  const Tensor shared_again = divide(erased, reshape(sum(erased, -1), {seq_len, 1}));
  const float factor = 1.0F / std::sqrt(static_cast<float>(head.head_dim));
  const Tensor scaled_last = scale(mask_fill(head.steps.scores, mask), factor);
  board.notice(
      "The erased rows of part 2, each divided by its sum, are this table: largest difference "
      "{divided}. To scale after the mask changes nothing: largest difference {scaled}.",
      {{"divided", difference_of(shared_again, weights)}, {"scaled", difference_of(scaled_last, masked)}});

  // 4. A probe: another last word must not move what the words before it collect.
  if (seq_len > 1) {
    const OneHead changed = with_another_last_word(head);
    const Tensor& before = head.steps.context;                   // [seq_len, head_dim]
    const Tensor& after = changed.steps.context;                 // [seq_len, head_dim]
    const Tensor moved = max(abs(subtract(after, before)), -1);  // [seq_len]

    board.part("A probe for leaks", "context, changed.context → moved");
    board.say(
        "A model with a wrong mask can be trained, and looks fine. Change the last word, {last} to \"{other}\": what "
        "earlier words collect, "
        "their context, may not move. Rows are ways to mask, ours last:",
        {{"last", name_of(head.world, seq_len - 1)}, {"other", changed.word}});
    board.code({"moved"});
    show_leaks(board, head, changed);
    board.notice("{sentence}", {{"sentence", what_the_probe_finds(head.world, moved, board.trace().step("moved"))}});
  }

  board.ask(
      "Where sentences stand side by side, short ones are filled up with empty tokens, padding. Which hides a token of "
      "padding: zeros in its row of the mask, or in its column?",
      "{sentence}", {{"sentence", what_padding_gets(head.world, scaled, i)}});
  board.pytorch(pytorch_lines_to_masked(head.world, options, head.head, pytorch_lines_of_polarity(head.head_dim)));
  board.experiment("--text \"the cat sat on the mat.\"", "What does \"sat\" lose?");
  board.experiment("--text \"the dog sat.\"", "How many zeros?");
  if (head.world.num_heads >= 3) board.experiment("--head 3", "Who looks to the right?");
  board.experiment("--weights torch", "Does the probe need trained weights?");
}

}  // namespace attn
