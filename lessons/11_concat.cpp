// Lesson 11: concat
//
// Question   How do the contexts of all heads become one row for each word again?
// Equation   concat = Concat(head_1, ..., head_h)                      Vaswani et al. 2017, 3.2.2
// Builds on  10 (several heads)

#include "support/lesson.hpp"
#include "support/record/places.hpp"
#include "support/words/heads_in_words.hpp"
#include "support/world/all_heads.hpp"

namespace attn {

void lesson(Board& board, const Options& options) {
  const AllHeads all = all_heads(options);
  const OneHead& one = all.followed;
  const std::size_t num_heads = all.num_heads;
  const std::size_t head_dim = all.head_dim;
  const std::size_t d_model = one.world.d_model;
  const std::size_t seq_len = one.world.tokens.size();
  const std::vector<std::string> words = one.world.token_texts();
  record_Q_K_V(board, all);
  record_heads(board, all);

  board.title("Concat");
  board.map("context");
  board.say("How do the contexts of all heads become one row for each word again?");
  board.say(
      "Lesson 10 left each word with a context from every head, {heads} in all, [{words}, {head_dim}] each.{shown}",
      {{"heads", num_heads}, {"words", seq_len}, {"head_dim", head_dim}, {"shown", what_of_heads_is_shown(all, 2)}});
  board.table(of_first_heads(all, "context", pictured_columns, 2));
  for (const std::string& remark : remarks_on_text(one.world)) board.notice("{remark}", {{"remark", remark}});

  // 1. Each word's contexts are laid end to end, head after head.
  const Tensor joined = concat(all.contexts, -1);  // [seq_len, d_model]

  board.part("End to end", "contexts → [concat] → output");
  board.say("Each word lays its contexts end to end, head after head. Nothing is added up, and nothing is lost.");
  board.formula("concat = Concat(head_1, ..., head_h)", "Vaswani et al. 2017, 3.2.2");
  record_concat(board, all);
  board.shapes("concat");
  board.code({"joined"});
  board.by_hand("concat", {one.i, all.begin(one.head)});
  board.notice("{sentence}", {{"sentence", where_a_head_lies(all)}});

  // 2. The way back undoes both steps of the cut of lesson 10, the last one first.
  const Tensor split = split_heads(places({3, 4}), 2);  // three words for two heads, [2, 3, 2]
  const Tensor by_word = permute(split, {1, 0, 2});     // the words in front again
  const Tensor merged = reshape(by_word, {3, 4});       // then each word's heads in one row
  const Tensor wrong = reshape(split, {3, 4});          // the same shape, in one step

  board.part("Back again, with the words in front first", "[heads, words, columns] → [concat]");
  board.say(
      "All heads at once give one block, heads in front. The words must come to the front before a word's numbers can "
      "be joined. Lesson 10 cut the numbers 0 to 11 of the words a, b, c for two heads; here they come back:");
  board.code({"by_word", "merged", "wrong"});
  show_merged(board, split, merged, wrong);
  board.by_hand("merged", {0, 2});
  board.by_hand("wrong", {0, 2});
  board.notice(
      "Merged, they stand in order again (largest difference {difference}). Wrong, row a holds numbers of b, and no "
      "error says so.",
      {{"difference", difference_of(merged, places({3, 4}))}});

  const Tensor stacked = stack(all.contexts);  // [num_heads, seq_len, head_dim]
  const Tensor all_merged = merge_heads(stacked);
  const Tensor all_wrong = reshape(stacked, {seq_len, d_model});
  board.say("The same with the contexts of this page, all {columns} columns:", {{"columns", d_model}});
  board.record("contexts", concat(all.contexts, 0), concat(all.names("context"), 0));
  board.record("stacked", stacked, reshape("contexts").with_rows(words));
  board.record("all_merged", all_merged, merge_heads("stacked", num_heads));
  board.record("all_wrong", all_wrong, reshape("stacked").with_rows(words));
  board.panels({{"all_merged", "merged"}, {"all_wrong", "wrong"}}, {.cell = 1});
  board.notice("{sentence}", {{"sentence", what_wrong_merging_misplaces(all_merged, all_wrong, joined, num_heads)}});

  // 3. A probe: dye what the last word brings, and see whose rows take colour.
  const Tensor dye = dyed_last_word(num_heads, seq_len, head_dim);      // 1 in its numbers, 0 in all others
  const Tensor dyed = sum(merge_heads(dye), -1);                        // [seq_len]
  const Tensor dyed_wrong = sum(reshape(dye, {seq_len, d_model}), -1);  // [seq_len]

  board.part("A drop of dye", "a probe");
  board.say(
      "A model with a wrong concat can be trained, and looks fine. So dye all numbers of the last word, {word}: 1 for "
      "its own, 0 for all others. How many dyed numbers are in each row afterwards?",
      {{"word", name_of(one.world, seq_len - 1)}});
  board.code({"dyed", "dyed_wrong"});
  record_dye(board, dye, words);
  board.record("dyed", dyed, sum("dye_merged", -1));
  board.record("dyed_wrong", dyed_wrong, sum("dye_reshaped", -1));
  board.table({{"dyed", "merged"}, {"dyed_wrong", "wrong"}});
  board.notice("{sentence}", {{"sentence", who_takes_colour(dyed, dyed_wrong)}});

  // 4. Not the average of the heads.
  if (num_heads > 1) {
    const float share = 1.0F / static_cast<float>(num_heads);
    const Tensor average = scale(sum(stacked, 0), share);  // [seq_len, head_dim]

    board.part("Not the average", "contexts → average?");
    board.say(
        "Why not add the heads up, and divide by {heads}? The row would be shorter: {head_dim} wide, not {d_model}. "
        "This is what the heads found for {word}:",
        {{"heads", num_heads}, {"head_dim", head_dim}, {"d_model", d_model}, {"word", one.word}});
    board.code({"share", "average"});
    show_found_and_average(board, all, average);
    board.notice("{sentence}", {{"sentence", what_an_average_forgets(all)}});
  }

  board.ask(
      "Both tables of part 2 have the same shape, and their numbers the same sum. What would a test have to look at?",
      "At which word a number belongs to. Dye a word, or change one and see whose rows move. Shapes and sums say "
      "nothing, and neither does a training in which results get better.");
  board.pytorch({"import torch", "split = torch.arange(12).view(3, 2, 2).transpose(0, 1)    # lesson 10",
                 "print(split.transpose(0, 1).reshape(3, 4))    # merged: in order again",
                 "print(split.reshape(3, 4))                    # wrong"});
  board.experiment("--text \"the cat sat\"", "Who takes colour now?");
  if (d_model % 8 == 0 && options.head <= 8) board.experiment("--weights torch --heads 8", "And with eight heads?");
  if (options.head <= 1) board.experiment("--weights torch --heads 1", "When is the wrong way right?");
  if (num_heads >= 3) board.experiment("--head 3", "Where in concat does head 3 begin?");
}

}  // namespace attn
