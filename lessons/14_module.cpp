// Lesson 14: the module
//
// Question   How do many sentences go through attention at once, in training and after?
// Equation   MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W_O          Vaswani et al. 2017, 3.2.2
// Builds on  08 (mask), 10 to 12 (several heads)
// Ignores    --mask: it has the mask that hides the padding of a batch

#include "attention/kinds/dropout.hpp"
#include "support/lesson.hpp"
#include "support/words/module_words.hpp"
#include "support/world/batch.hpp"

namespace attn {

void lesson(Board& board, const Options& typed) {
  Options options = typed;
  if (!options.text_given) options.text = "the cat sat on the mat. the dog barked.";
  board.option("text", options.text);
  board.option("mask", "none");  // the mask here is the batch's own, whatever --mask says
  const Batch batch = make_batch(options);
  const World& world = batch.world;
  const Compute& compute = options.compute;  // how products are computed: lesson 25
  const std::size_t head = options.head > 0 ? options.head : world.default_head;
  board.option("head", head);
  const Tensor& X = batch.X;  // [batch, seq_len, d_model]
  const MultiHeadAttention module(world.num_heads, world.weights);
  record_batch(board, batch);

  board.title("The module");
  board.map("output");
  board.say("How do many sentences go through attention at once, in training and after?");
  board.say(
      "Libraries pack lessons 04 to 12 into one module. It takes a batch, several sentences at once, and refuses sizes "
      "that do not fit.");

  // 1. A batch is a block of numbers, so short sentences are filled up.
  const Tensor mask = reshape(padding_mask(batch.lengths, batch.seq_len), {batch.size(), 1, 1, batch.seq_len});
  const MultiHeadSteps steps = module.forward(X, X, X, keep_where(mask), compute);
  board.record("mask", mask, given());
  record_module(board, batch, steps, "", "X", "mask");

  board.part("A batch, shape by shape", "ids → X → [module] → output");
  board.say("A batch is one block of numbers, so its sentences are made equally long. {how} with padding, <pad>, id 0.",
            {{"how", how_it_is_filled_up(batch)}});
  board.table({{"ids"}});
  board.notice("{sentence}", {{"sentence", what_padding_holds(batch)}});
  board.formula("output = Concat(head_1, ..., head_h) W_O", "Vaswani et al. 2017, 3.2.2");
  board.code({"Q_heads", "heads", "concat", "output"}, "src/attention/multi_head.cpp");
  for (const char* step : {"Q", "Q_heads", "scores", "output"}) board.shapes(step);
  board.notice("Read {shape} aloud: {words}.", {{"shape", to_string(board.trace().step("Q_heads").value.shape())},
                                                {"words", read_aloud(batch, module.head_dim())}});
  board.notice("And {d} channels for 4 heads? MultiHeadAttention(10, 4) refuses: \"{refusal}\".",
               {{"d", 10}, {"refusal", refusal(10, 4)}});

  // 2. Padding is hidden as a key, in its column. Hidden in its row, it stays in sight.
  const Tensor row_mask = reshape(mask, {batch.size(), 1, batch.seq_len, 1});
  const MultiHeadSteps by_rows = module.forward(X, X, X, keep_where(row_mask), compute);
  const Tensor alone_X = slice(slice(X, 0, batch.b, batch.b + 1), 1, 0, batch.length());  // without its padding
  const MultiHeadSteps alone = module.forward(alone_X, alone_X, alone_X, no_mask(), compute);
  record_hidden_rows(board, batch, head, {row_mask, by_rows, alone_X, alone});
  const std::size_t i = looks_most_at_padding(batch, by_rows.heads.weights, head);
  const std::string word = name_in(batch, i);

  board.part("Padding is hidden in its columns", "scaled, mask → masked → weights");
  board.say(
      "Hide the columns of <pad> or its rows? The shortest sentence, head {head} (by hand, places count from 0: "
      "sentence, "
      "head, word, word):",
      {{"head", head}});
  board.formula("mask[b, 1, 1, j] = 1 where j < lengths[b], else 0", "3.2.3");
  board.code({"mask"});
  board.panels({{"hidden_columns", "by columns"}, {"hidden_rows", "by rows"}}, {.top = 1.0, .row_sums = true});
  board.by_hand("weights", {batch.b, head - 1, i, 0});
  board.notice(
      "By columns {word} gives padding {columns}. By rows it gives {rows}, and only rows of <pad> are emptied: 0 / 0.",
      {{"word", word},
       {"columns", Value::difference(given_to_padding(batch, steps.heads.weights, head, i))},
       {"rows", given_to_padding(batch, by_rows.heads.weights, head, i)}});
  board.notice("{sentence}", {{"sentence", how_alone_differs(batch, steps, by_rows, alone)}});

  // 3. Shapes meet from the right: without an axis for the heads, the mask's batch meets the heads.
  const Tensor no_heads = padding_mask(batch.lengths, batch.seq_len);  // [batch, 1, seq_len]

  board.part("The mask needs an axis for the heads", "mask → [batch, 1, 1, seq_len]");
  board.say("What if the mask comes as [batch, 1, seq_len]?");
  board.code({"no_heads"});
  board.notice("{sentence}", {{"sentence", what_a_mask_without_heads_does(batch, steps.heads.scaled, no_heads)}});
  board.notice(
      "The module adds the axis; the output is part 1's: difference {difference}.",
      {{"difference", difference_of(module.forward(X, X, X, keep_where(no_heads), compute).output, steps.output)}});

  // 4. Dropout on the weights, in training only.
  const float rate = 0.5F;
  const std::shared_ptr<Random> chance = random_numbers(options.seed);
  const Dropout training = draw_dropout(*chance, steps.heads.weights.shape(), rate, Mode::training);
  const Dropout evaluation = draw_dropout(*chance, steps.heads.weights.shape(), rate, Mode::evaluation);
  const Tensor dropped = drop(steps.heads.weights, training);  // [batch, num_heads, seq_len, seq_len]
  const Tensor kept_all = drop(steps.heads.weights, evaluation);
  record_dropped(board, batch, head, training, dropped);

  board.part("Dropout, in training only", "weights, kept → [dropped]");
  board.say(
      "Chance erases weights, so that no word leans on one other alone: often a tenth, here half. What stays grows, "
      "here "
      "to twice as much:");
  board.formula("dropped = weights · kept / (1 - rate)", "Vaswani et al. 2017, 5.4");
  board.code({"training", "dropped"});
  board.panels({{"hidden_columns.words", "weights"}, {"kept_here.words", "kept"}, {"dropped_here.words", "dropped"}},
               {.cell = 1, .top = 1.0, .row_sums = true});
  board.by_hand("dropped", {batch.b, head - 1, i, largest_first(board.trace().step("dropped_here").value, i).front()});
  const Tensor row = slice(board.trace().step("hidden_columns").value, 0, i, i + 1);
  const AverageSum average = {word, 1000, mean_sum_of_draws(row, 1000, *chance, rate)};
  board.notice("{sentence}", {{"sentence", what_dropout_leaves(batch, dropped, average)}});
  board.notice("In evaluation nothing is dropped: largest difference {difference}.",
               {{"difference", difference_of(kept_all, steps.heads.weights)}});

  board.ask("A trained model answers the same question differently each time. Which line of the module was forgotten?",
            "model.eval(): dropout is still on. Two draws move the output of one sentence here by up to {difference}.",
            {{"difference", between_two_draws(batch, steps, *chance, rate)}});
  board.pytorch(pytorch_lines_of_module(batch, options, head));
  board.experiment("--text \"a cat. it. a. it\"", "Who complains now?");
  board.experiment("--text cat", "Where is padding from?");
  board.experiment("--seed 1", "Which weights are dropped now?");
  board.experiment("--weights torch", "Does padding still cost nothing?");
}

}  // namespace attn
