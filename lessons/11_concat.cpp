// Lesson 11: concat
//
// Question   How do the contexts of all heads become one row for each word again?
// Equation   concat = Concat(head_1, ..., head_h)                      Vaswani et al. 2017, 3.2.2
// Builds on  10 (several heads)

#include "support/all_heads.hpp"
#include "support/heads_in_words.hpp"
#include "support/lesson.hpp"
#include "support/places.hpp"

#include <algorithm>
#include <utility>

namespace attn {

void lesson(Board& board, const Options& options) {
  const AllHeads all = all_heads(options);
  const OneHead& one = all.followed;
  const World& world = one.world;
  const std::size_t num_heads = all.num_heads;
  const std::size_t head_dim = all.head_dim;
  const std::size_t d_model = world.d_model;
  const std::size_t seq_len = world.tokens.size();
  const std::size_t i = one.i;
  record_Q_K_V(board, all);
  record_heads(board, all);

  board.title("Concat");
  board.map("context");
  board.say("How do the contexts of all heads become one row for each word again?");
  board.say(
      "Lesson 10 left each word with a context from every head, {heads} in all, [{words}, {head_dim}] each. The first "
      "of these tables:",
      {{"heads", num_heads}, {"words", seq_len}, {"head_dim", head_dim}});
  std::vector<TableEntry> shown;
  for (std::size_t h = 1; h <= std::min<std::size_t>(num_heads, 2); ++h) {
    shown.push_back(
        {all.prefix(h) + "context", "head " + std::to_string(h), first_columns(std::min<std::size_t>(head_dim, 4))});
  }
  board.table(shown);

  // 1. Each word's contexts are laid end to end, head after head.
  const Tensor joined = concat(all.contexts, -1);  // [seq_len, d_model]

  board.part("End to end", "contexts → [concat] → output");
  board.say("Each word lays its contexts end to end, head after head. Nothing is added up, and nothing is lost.");
  board.formula("concat = Concat(head_1, ..., head_h)", "Vaswani et al. 2017, 3.2.2");
  board.record("concat", joined, concat(all.names("context"), 1));
  board.shapes("concat");
  board.code({"joined"});
  board.by_hand("concat", {i, all.begin(one.head)});

  // 2. All heads at once give [heads, words, columns]. The way back undoes both steps of the cut, the last one first.
  const Tensor stacked = reshape(concat(all.contexts, 0), {num_heads, seq_len, head_dim});
  const Tensor by_word = permute(stacked, {1, 0, 2});          // the words in front again
  const Tensor merged = reshape(by_word, {seq_len, d_model});  // then each word's heads in one row
  const Tensor wrong = reshape(stacked, {seq_len, d_model});   // the same shape, in one step

  board.part("Back again, with the words in front first", "[heads, words, columns] → [concat]");
  board.say(
      "All heads at once give one block, heads in front. The words must come to the front before a word's numbers can "
      "be joined. Lesson 10 cut the numbers 0 to 11 of the words a, b, c for two heads; here they come back:");
  board.code({"by_word", "merged", "wrong"});
  const Tensor numbers = split_heads(places({3, 4}), 2);
  board.record("numbers", places({3, 4}), given().with_rows({"a", "b", "c"}));
  board.record("split", numbers, split_heads("numbers", 2));
  board.record("right_numbers", merge_heads(numbers), merge_heads("split", 2).with_rows({"a", "b", "c"}));
  board.record("wrong_numbers", reshape(numbers, {3, 4}), reshape("split").with_rows({"a", "b", "c"}));
  board.table({{"right_numbers", "right_numbers"}, {"wrong_numbers", "wrong_numbers"}});
  board.by_hand("right_numbers", {0, 2});
  board.by_hand("wrong_numbers", {0, 2});
  board.notice(
      "Right, they stand in order again (largest difference {difference}). Wrong, row a holds numbers of b, and no "
      "error says so.",
      {{"difference", Value::difference(largest_difference(merge_heads(numbers), places({3, 4})).largest)}});
  board.say("The same with the contexts of this page, all {columns} columns:", {{"columns", d_model}});
  board.record("stacked", concat(all.contexts, 0), concat(all.names("context"), 0));
  board.record("by_head", stacked, reshape("stacked").with_rows(world.token_texts()));
  board.record("merged", merged, merge_heads("by_head", num_heads));
  board.record("wrong", wrong, reshape("by_head").with_rows(world.token_texts()));
  board.panels({{"merged", "merged"}, {"wrong", "wrong"}}, {.cell = 1});
  const Tensor at = places(stacked.shape());
  board.notice(
      "\"merged\" is concat: largest difference {right}. \"wrong\" has the same shape and the same numbers, but "
      "{misplaced} of {count} in a wrong place; largest difference {wrong}.",
      {{"right", Value::difference(largest_difference(merged, joined).largest)},
       {"misplaced", count_of_different(merge_heads(at), reshape(at, {seq_len, d_model}))},
       {"count", joined.size()},
       {"wrong", Value::difference(largest_difference(wrong, joined).largest)}});

  // 3. A probe: dye what the last word brings, and see whose rows take colour.
  Tensor dye({num_heads, seq_len, head_dim});
  for (std::size_t h = 0; h < num_heads; ++h) {
    for (std::size_t d = 0; d < head_dim; ++d) dye(h, seq_len - 1, d) = 1.0F;
  }
  const Tensor dyed_right = sum(merge_heads(dye), -1);                  // [seq_len]
  const Tensor dyed_wrong = sum(reshape(dye, {seq_len, d_model}), -1);  // [seq_len]

  board.part("A drop of dye", "a probe");
  board.say(
      "A wrong concat can be trained, and looks plausible. So dye all numbers of the last word, {word}: 1 for its own, "
      "0 for all others. How many dyed numbers are in each row afterwards?",
      {{"word", name_of(world, seq_len - 1)}});
  board.record("dye", dye, given().with_rows(world.token_texts()));
  board.record("dye_merged", merge_heads(dye), merge_heads("dye", num_heads));
  board.record("dye_reshaped", reshape(dye, {seq_len, d_model}), reshape("dye").with_rows(world.token_texts()));
  board.record("dyed", dyed_right, sum("dye_merged", -1));
  board.record("dyed_wrong", dyed_wrong, sum("dye_reshaped", -1));
  board.table({{"dyed", "merged"}, {"dyed_wrong", "wrong"}});
  const std::size_t earlier = seq_len - 1 - count_of_zeros(slice(dyed_wrong, 0, 0, seq_len - 1));
  board.notice("Right, all {count} stay with their word.", {{"count", d_model}});
  if (earlier > 0) {
    board.notice(
        "Wrong, {earlier} of the {before} rows before it take colour. A causal mask would be in vain: these words "
        "would know of the last one.",
        {{"earlier", earlier}, {"before", seq_len - 1}});
  } else {
    board.notice(seq_len == 1 ? "Wrong as well, for there is no other word."
                              : "Wrong as well, for there is only one head.");
  }

  // 4. Not the average of the heads.
  if (num_heads > 1) {
    const float share = 1.0F / static_cast<float>(num_heads);
    const Tensor total = sum(stacked, 0);
    const Tensor average = scale(total, share);  // [seq_len, head_dim]

    board.part("Not the average", "contexts → average?");
    board.say(
        "Why not add the heads up, and divide by {heads}? The row would be shorter: {head_dim} wide, not {d_model}. "
        "This is what the heads found for {word}:",
        {{"heads", num_heads}, {"head_dim", head_dim}, {"d_model", d_model}, {"word", one.word}});
    board.code({"total", "average"});
    board.record("total", total, sum("by_head", 0).with_rows(world.token_texts()));
    board.record("average", average, scale("total", share));
    const Tensor row = slice(joined, 0, i, i + 1);
    const Tensor found = reshape(row, {num_heads, head_dim});
    const Tensor average_row = slice(average, 0, i, i + 1);
    board.record("row", row, slice("concat", 0, i, i + 1));
    board.record("found", found, reshape("row").with_rows(head_labels(world)));
    board.record("average_row", average_row, slice("average", 0, i, i + 1).with_rows({"average"}));
    board.show("heads", concat(std::vector<Tensor>{found, average_row}, 0),
               concat(std::vector<std::string>{"found", "average_row"}, 0), {.names = shared_value_names(world)});
    std::vector<Tensor> exchanged = all.contexts;
    std::swap(exchanged.front(), exchanged.back());
    const Tensor exchanged_average = scale(sum(reshape(concat(exchanged, 0), stacked.shape()), 0), share);
    board.notice(
        "An average forgets who said what. Exchange the first and the last head: largest difference of the average "
        "{average}, of concat {concat}.",
        {{"average", Value::difference(largest_difference(exchanged_average, average).largest)},
         {"concat", Value::difference(largest_difference(concat(exchanged, -1), joined).largest)}});
  }

  board.ask(
      "Both tables of part 2 have the same shape, and their numbers the same sum. What would a test have to look at?",
      "At which word a number belongs to. Dye a word, or change one and see whose rows move. Shapes, sums and even a "
      "falling loss say nothing.");
  board.pytorch({"import torch", "split = torch.arange(12).view(3, 2, 2).transpose(0, 1)    # lesson 10",
                 "print(split.transpose(0, 1).reshape(3, 4))    # merged: in order again",
                 "print(split.reshape(3, 4))                    # wrong"});
  board.experiment("--text \"the cat sat\"", "Who takes colour now?");
  board.experiment("--weights torch --heads 8", "And with eight heads?");
  board.experiment("--weights torch --heads 1", "When is the wrong way right?");
  board.experiment("--head 3", "Where in concat does head 3 begin?");
}

}  // namespace attn
