// Lesson 09: weighted sum
//
// Question   What does a word take home from the words that it looks at?
// Equation   context[i] = Σ weights[i, j] V[j] over j                     Vaswani et al. 2017, eq. (1)
// Builds on  08 (mask)

#include "support/lesson.hpp"
#include "support/words/weighted_sum_words.hpp"
#include "support/world/one_head.hpp"
#include "text/vocabulary.hpp"
#include "text/word_tokenizer.hpp"

namespace attn {

void lesson(Board& board, const Options& options) {
  const OneHead head = one_head(options);
  const World& world = head.world;
  const Tensor& V = head.V;                    // [seq_len, head_dim]
  const Tensor& weights = head.steps.weights;  // [seq_len, seq_len]
  const std::size_t seq_len = V.dim(0);
  const std::size_t i = head.i;
  const Compute& compute = options.compute;  // how products are computed: lesson 25
  const std::vector<std::string> words = world.token_texts();
  record_until(board, head, Until::weights);

  board.title("Weighted sum");
  board.map("context");
  board.say("What does a word take home from the words that it looks at?");
  board.say("Lesson 07 made shares, the weights. Lesson 04 made what each word hands over, its value. Now they meet.");
  for (const std::string& remark : remarks_on_text(world)) board.notice("{remark}", {{"remark", remark}});

  // 1. Five shares and five rows. From each row as much as its share says, added up.
  const std::vector<std::string> sentence = {"Orange", "is", "my", "favorite", "fruit"};
  const std::vector<std::size_t> ids = encode(tokenize_words("Orange is my favorite fruit")).ids;
  const Tensor orange({5}, std::vector<float>(ids.begin(), ids.end()));
  const Tensor shares = Tensor({1, 5}, {0.21F, 0.03F, 0.05F, 0.31F, 0.40F});
  const Tensor rows = gather(world.embedding_table, orange);  // [5, d_model]
  const Tensor taken = matmul(shares, rows, compute);         // [1, d_model]

  board.part("Five shares", "shares, rows → taken");
  board.say(
      "Say \"Orange\" gives these shares to the words of \"Orange is my favorite fruit\". Let each word hand over its "
      "row of the embedding table. Take from each as much as its share says, and add up:");
  board.code({"shares", "taken"});
  board.record("orange", orange, tokenize(sentence));
  board.record("shares", shares, given().with_rows({"Orange"}).with_columns(sentence));
  board.record("share", reshape(shares, {5}), reshape("shares").with_rows(sentence));
  board.record("rows", rows, gather("embedding_table", "orange"));
  const std::vector<std::size_t> kinds = channels_to_show(world, world.kind_channels);
  board.table({{"share", "share"}, {"rows", "", kinds}});
  board.show("taken", taken, matmul("shares", "rows"), {.columns = kinds});
  board.by_hand("taken", {0, largest_of(taken, 0, kinds)});
  const Trace& trace = board.trace();
  board.notice("{sentence}",
               {{"sentence", what_orange_collects(world, trace.step("rows"), trace.step("taken"), kinds)}});

  // 2. Every word does the same with its own row of weights.
  const Tensor context = matmul(weights, V, compute);  // [seq_len, head_dim]

  board.part("Every word", "weights, V → [context] → output");
  board.say(
      "Row by row the same: the weights of {word} times the values of all words, added up. The sum is called context.",
      {{"word", head.word}});
  board.formula("context[i] = Σ weights[i, j] V[j] over j,  context = weights V", "Vaswani et al. 2017, eq. (1)");
  board.record("context", context, matmul("weights", "V"));
  board.shapes("context");
  board.code({"context"});
  const std::vector<std::size_t>& columns = head.columns;
  board.table({{"V", "V, hands over", columns}, {"context", "context, collected", columns}});
  board.by_hand("context", {i, largest_of(context, i, columns)});
  notice_what_is_collected(board, head, columns);

  // 3. What each word brings is its share times its value.
  const std::size_t row = most_misleading_row(weights, V, i);
  const Tensor looks = slice(weights, 0, row, row + 1);    // [1, seq_len]
  const Tensor row_shares = reshape(looks, {seq_len, 1});  // [seq_len, 1]
  const Tensor brought = multiply(V, row_shares);          // [seq_len, head_dim]
  const Tensor added_up = reshape(sum(brought, 0), {1, V.dim(1)});

  board.part("A share is not an explanation", "V, row_shares → brought");
  board.say("Who made {word} what it is? Before adding up, look at what each word brings: its value times its share.",
            {{"word", name_of(world, row)}});
  board.code({"looks", "row_shares", "brought"});
  board.record("looks", looks, slice("weights", 0, row, row + 1));
  board.record("row_shares", row_shares, reshape("looks").with_rows(words).with_columns({"share"}));
  board.record("brought", brought, multiply("V", "row_shares"));
  board.table({{"row_shares", "share"}, {"brought", "brought", columns}});
  board.notice("{sentence} Added up, the rows are the context of part 2: largest difference {difference}.",
               {{"sentence", who_brings_most(world, weights, brought, row)},
                {"difference", difference_of(added_up, slice(context, 0, row, row + 1))}});

  // 4. The wrong axis: summed over its channels, a value is one number.
  const Tensor flat = reshape(sum(V, -1), {seq_len, 1});     // [seq_len, 1]
  const Tensor one_number = matmul(weights, flat, compute);  // [seq_len, 1]

  board.part("The wrong sum", "weights, flat → one_number");
  board.say(
      "The sum runs over words, channel by channel. If it runs over channels, a value becomes one number, and a "
      "context too:");
  board.code({"flat", "one_number"});
  board.record("summed", sum(V, -1), sum("V", -1));
  board.record("flat", flat, reshape("summed").with_rows(words).with_columns({"sum"}));
  board.record("one_number", one_number, matmul("weights", "flat"));
  board.shapes("one_number");
  board.table({{"V", "V", columns}, {"flat", "flat"}, {"one_number", "one_number"}});
  board.by_hand("summed", {largest_first(weights, i)[0]});
  board.notice("No shape complains, and nothing fails. {sentence}",
               {{"sentence", what_one_number_hides(world, V, flat)}});

  board.ask(
      "Let the words stand in reverse order, each with its share and its value. Which contexts change?",
      "None: a sum has no order (largest difference {difference}). Only the positions in X tell who stands where.",
      {{"difference", Value::difference(difference_in_reverse(weights, V, compute))}});
  board.pytorch(pytorch_lines_to_masked(world, options, head.head, pytorch_lines_of_context(world, head.head)));
  board.experiment("--text \"the dog sat on the mat.\"", "Which rows change?");
  board.experiment("--mask causal", "What can the first word collect?");
  if (world.num_heads >= 4) board.experiment("--head 4", "Whose value does each word take home?");
  board.experiment("--text \"Orange is a fruit\"", "Who gives how much?");
}

}  // namespace attn
