// Lesson 12: the output projection
//
// Question   What does W_O do with what the heads found?
// Equation   output = concat W_O^T + b_O                               Vaswani et al. 2017, 3.2.2
// Builds on  11 (concat)

#include "support/all_heads.hpp"
#include "support/heads_in_words.hpp"
#include "support/lesson.hpp"

#include <utility>

namespace attn {

void lesson(Board& board, const Options& options) {
  const AllHeads all = all_heads(options);
  const World& world = all.followed.world;
  const auto& [W_Q, W_K, W_V, W_O, b_O] = world.weights;
  const std::size_t num_heads = all.num_heads;
  const std::size_t d_model = world.d_model;
  const std::size_t seq_len = world.tokens.size();
  const std::size_t i = all.followed.i;
  const std::string word = all.followed.word;
  const std::vector<std::size_t> channels = channels_to_show(world, world.kind_channels);
  const Tensor joined = concat(all.contexts, -1);  // [seq_len, d_model], as in lesson 11
  record_Q_K_V(board, all);
  record_heads(board, all);
  board.record("concat", joined, concat(all.names("context"), 1));

  board.title("Output projection");
  board.map("output");
  board.say("What does W_O do with what the heads found?");
  board.say(
      "Lesson 11 laid the heads' contexts end to end. So {word} has all that its heads found in one row of concat:",
      {{"word", word}});
  board.record("found_row", slice(joined, 0, i, i + 1), slice("concat", 0, i, i + 1));
  board.show("found", reshape(slice(joined, 0, i, i + 1), {num_heads, all.head_dim}),
             reshape("found_row").with_rows(head_labels(world)), {.names = shared_value_names(world)});

  // 1. A last table of weights mixes all columns of concat into each channel of the output.
  const Tensor output = linear(joined, W_O, b_O);  // [seq_len, d_model]

  board.part("One more table of weights", "concat → [output]");
  board.say(
      "In concat each column still belongs to one head. W_O has a row for each channel of the output, and that row "
      "reads all columns, of all heads:");
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
  std::vector<Tensor> rows;   // of the word that is followed
  for (std::size_t h = 1; h <= num_heads; ++h) {
    const Tensor W_O_part = slice(W_O, 1, all.begin(h), all.end(h));  // [d_model, head_dim]
    const Tensor part = linear(all.contexts[h - 1], W_O_part);        // [seq_len, d_model]
    board.record(all.prefix(h) + "W_O_part", W_O_part, slice("W_O", 1, all.begin(h), all.end(h)));
    board.record(all.prefix(h) + "part", part, linear(all.prefix(h) + "context", all.prefix(h) + "W_O_part"));
    board.record(all.prefix(h) + "part_row", slice(part, 0, i, i + 1), slice(all.prefix(h) + "part", 0, i, i + 1));
    parts.push_back(part);
    rows.push_back(slice(part, 0, i, i + 1));
  }
  const Tensor stacked = reshape(concat(parts, 0), {num_heads, seq_len, d_model});
  const Tensor added_up = add(sum(stacked, 0), b_O);  // [seq_len, d_model]

  board.part("A sum of what each head writes", "contexts → parts → [output]");
  board.say(
      "A head's columns of concat meet only {columns} columns of W_O. So each head writes a part of the output on its "
      "own, and the parts are added up. For {word}:",
      {{"columns", all.head_dim}, {"word", word}});
  board.formula("output = Σ context_h W_O[:, columns of h]ᵀ + b_O", "the same, rearranged");
  board.code({"W_O_part", "part", "added_up"});
  board.record("stacked", concat(parts, 0), concat(all.names("part"), 0));
  board.record("parts", stacked, reshape("stacked").with_rows(world.token_texts()).with_columns(world.channel_names));
  board.record("sum_of_parts", sum(stacked, 0),
               sum("parts", 0).with_rows(world.token_texts()).with_columns(world.channel_names));
  board.record("added_up", added_up, add("sum_of_parts", "b_O"));
  board.record("b_O_row", reshape(b_O, {1, d_model}), reshape("b_O"));
  board.record("output_row", slice(output, 0, i, i + 1), slice("output", 0, i, i + 1));
  std::vector<std::string> labels = head_labels(world);
  labels.insert(labels.end(), {"b_O", "output"});
  std::vector<std::string> names = all.names("part_row");
  names.insert(names.end(), {"b_O_row", "output_row"});
  rows.insert(rows.end(), {reshape(b_O, {1, d_model}), slice(output, 0, i, i + 1)});
  board.record("account", concat(rows, 0), concat(names, 0).with_rows(labels).with_columns(world.channel_names));
  board.table({{"account", "", channels}});
  board.aside("(Each number is rounded by itself, so a column as printed may miss its sum in the last decimal.)");
  board.by_hand("sum_of_parts", {i, channel});
  board.notice("Added up, the parts are the output: largest difference {difference}.",
               {{"difference", Value::difference(largest_difference(added_up, output).largest)}});

  // 3. Without W_O a channel would hold whatever stands at its place in concat.
  const std::size_t lone_head = channel / all.head_dim + 1;

  board.part("Without W_O", "concat → output?");
  board.say("concat is {d_model} wide, and so is the output: the width does not need W_O. What if we leave it out?",
            {{"d_model", d_model}});
  board.record("came_in", slice(all.followed.embeddings, 0, i, i + 1), slice("embeddings", 0, i, i + 1));
  board.show("compared",
             concat(std::vector<Tensor>{slice(all.followed.embeddings, 0, i, i + 1), slice(joined, 0, i, i + 1),
                                        slice(output, 0, i, i + 1)},
                    0),
             concat(std::vector<std::string>{"came_in", "found_row", "output_row"}, 0)
                 .with_rows({"came in", "no W_O", "with W_O"}),
             {.columns = channels});
  board.notice(
      "Without W_O, channel {channel} would hold a number of head {head} and of no other. With it, the channel hears "
      "{count} of {heads} heads.",
      {{"channel", channel}, {"head", lone_head}, {"count", heads_heard(all, channel)}, {"heads", num_heads}});
  if (world.crafted()) {
    if (world.channel_names[channel] != world.value_names[channel]) {
      board.notice(
          "And it would be the wrong thing: the channel is called {channel}, but in concat it is head {head}'s "
          "{found}.",
          {{"channel", world.channel_names[channel]}, {"head", lone_head}, {"found", world.value_names[channel]}});
    }
    board.notice("With W_O, {word}, which came in with {before}, leaves with {after}. It looked most {looks}.",
                 {{"word", word},
                  {"before", contents_of(board.trace().step("embeddings"), i, world.kind_channels)},
                  {"after", contents_of(board.trace().step("output"), i, world.kind_channels)},
                  {"looks", looks_most_at(all)}});
  }
  const Tensor at_once = multi_head_attention(all.followed.X, all.followed.X, all.followed.X, world.weights, num_heads,
                                              keep_where(all.followed.mask))
                             .output;
  board.notice("From X to here in one call, multi_head_attention(): largest difference {difference}.",
               {{"difference", Value::difference(largest_difference(output, at_once).largest)}});
  board.aside("A Transformer adds this output to X, channel by channel. So a channel must mean the same in both.");

  std::swap(parts.front(), parts.back());
  const Tensor exchanged = add(sum(reshape(concat(parts, 0), stacked.shape()), 0), b_O);
  board.ask("Exchange the first and the last head in concat. What must change in W_O, so that the output stays?",
            "The columns that read them change places too. Then each head writes what it wrote before: largest "
            "difference {difference}. The order of heads means nothing.",
            {{"difference", Value::difference(largest_difference(exchanged, output).largest)}});
  board.pytorch(pytorch_lines_to_concat(world, options, {"print(concat @ W_O.T + b_O)"}));
  board.experiment("--text \"the fox jumps over the dog.\"", "What does \"jumps\" leave with?");
  board.experiment("--mask causal", "What is gone from the output?");
  board.experiment("--positions none", "Which head is lost without places?");
  board.experiment("--weights torch", "How many heads does a channel hear now?");
}

}  // namespace attn
