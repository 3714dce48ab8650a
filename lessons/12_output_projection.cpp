// Lesson 12: the output projection
//
// Question   What does W_O do with what the heads found?
// Equation   output = concat W_O^T + b_O                               Vaswani et al. 2017, 3.2.2
// Builds on  11 (concat)

#include "support/lesson.hpp"
#include "support/words/heads_in_words.hpp"
#include "support/world/all_heads.hpp"

#include <utility>

namespace attn {

void lesson(Board& board, const Options& options) {
  const AllHeads all = all_heads(options);
  const OneHead& one = all.followed;
  const World& world = one.world;
  const Compute& compute = options.compute;  // how products are computed: lesson 25
  const std::size_t num_heads = all.num_heads;
  const std::size_t d_model = world.d_model;
  const std::size_t i = one.i;
  const std::vector<std::size_t> channels = channels_to_show(world, world.kind_channels);
  const Tensor joined = concat(all.contexts, -1);  // [seq_len, d_model], as in lesson 11
  record_Q_K_V(board, all);
  record_heads(board, all);
  record_concat(board, all);

  board.title("Output projection");
  board.map("output");
  board.say("What does W_O do with what the heads found?");
  board.say(
      "Lesson 11 laid the heads' contexts end to end. So {word} has all that its heads found in one row of concat:",
      {{"word", one.word}});
  show_found(board, all);
  for (const std::string& remark : remarks_on_text(world)) board.notice("{remark}", {{"remark", remark}});

  // 1. A last table of weights mixes all columns of concat into each channel of the output.
  const Tensor& W_O = world.weights.W_O;                    // [d_model, d_model]
  const Tensor& b_O = world.weights.b_O;                    // [d_model]
  const Tensor output = linear(joined, W_O, b_O, compute);  // [seq_len, d_model]

  board.part("One more table of weights", "concat → [output]");
  board.say(
      "In concat each column still belongs to one head. W_O has a row for each channel of the output, and that row "
      "reads all columns, of all heads. b_O, a number for each channel, is added:");
  board.formula("output = concat W_Oᵀ + b_O", "Vaswani et al. 2017, 3.2.2");
  board.record("W_O", W_O, given().with_rows(world.channel_names));
  board.record("b_O", b_O, given().with_rows(world.channel_names));
  board.record("output", output, linear("concat", "W_O", "b_O"));
  board.shapes("output");
  board.code({"output"});
  board.table({{"output", "", channels}}, {.numbered = true});
  const std::size_t channel = largest_of(output, i, channels);
  board.by_hand("output", {i, channel});

  // 2. The same, head by head: each head has its own columns of W_O, and what they make is added up.
  std::vector<Tensor> parts;  // what each head writes, [seq_len, d_model]
  for (std::size_t h = 1; h <= num_heads; ++h) {
    const Tensor W_O_part = slice(W_O, 1, all.begin(h), all.end(h));     // [d_model, head_dim]
    const Tensor part = linear(all.contexts[h - 1], W_O_part, compute);  // [seq_len, d_model]
    board.record(all.prefix(h) + "W_O_part", W_O_part, slice("W_O", 1, all.begin(h), all.end(h)));
    board.record(all.prefix(h) + "part", part, linear(all.prefix(h) + "context", all.prefix(h) + "W_O_part"));
    parts.push_back(part);
  }
  const Tensor added_up = add(sum(stack(parts), 0), b_O);  // [seq_len, d_model]

  board.part("A sum of what each head writes", "contexts → parts → [output]");
  board.say(
      "A head's columns of concat meet only {columns} columns of W_O. So each head writes a part of the output on its "
      "own, and the parts are added up. For {word}:",
      {{"columns", all.head_dim}, {"word", one.word}});
  board.formula("output = Σ context_h W_O[:, columns of h]ᵀ + b_O", "the same, rearranged");
  board.code({"W_O_part", "part", "added_up"});
  record_sum_of_parts(board, all, parts, added_up);
  show_account(board, all, channels);
  board.aside("(Each number is rounded by itself, so a column as printed may miss its sum in the last decimal.)");
  board.by_hand("sum_of_parts", {i, channel});
  board.notice("Added up, the parts are the output: largest difference {difference}.",
               {{"difference", difference_of(added_up, output)}});

  // 3. Without W_O a channel would hold whatever stands at its place in concat.
  board.part("Without W_O", "concat → output?");
  board.say("concat is {d_model} wide, and so is the output: the width does not need W_O. What if we leave it out?",
            {{"d_model", d_model}});
  show_rows(board, "compared", {"embeddings", "concat", "output"}, {"came in", "no W_O", "with W_O"}, i,
            {.columns = channels});
  board.notice("{sentence}", {{"sentence", what_W_O_is_for(all, channel)}});
  if (world.crafted()) {
    board.notice("With W_O, {word}, which came in with {before}, leaves with {after}. It looked most {looks}.",
                 {{"word", one.word},
                  {"before", contents_of(board.trace().step("embeddings"), i, world.kind_channels)},
                  {"after", contents_of(board.trace().step("output"), i, world.kind_channels)},
                  {"looks", looks_most_at(all)}});
  }
  const MultiHeadSteps at_once =
      multi_head_attention(one.X, one.X, one.X, world.weights, num_heads, keep_where(one.mask), compute);
  board.notice("From X to here in one call, multi_head_attention(): largest difference {difference}.",
               {{"difference", difference_of(output, at_once.output)}});
  board.aside("A Transformer adds this output to X, channel by channel. So a channel must mean the same in both.");

  std::swap(parts.front(), parts.back());
  const Tensor exchanged = add(sum(stack(parts), 0), b_O);
  board.ask("Exchange the first and the last head in concat. What must change in W_O, so that the output stays?",
            "The columns that read them change places too. Then each head writes what it wrote before: largest "
            "difference {difference}. The order of heads means nothing.",
            {{"difference", difference_of(exchanged, output)}});
  board.pytorch(pytorch_lines_to_concat(world, options, {"print(concat @ W_O.T + b_O)"}));
  board.experiment("--text \"the fox jumps over the dog.\"", "What does \"jumps\" leave with?");
  board.experiment("--mask causal", "What is gone from the output?");
  board.experiment_why("output", {i, channel}, "Which heads made it?");
  board.experiment("--weights torch", "How many heads does a channel hear now?");
}

}  // namespace attn
