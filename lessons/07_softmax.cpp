// Lesson 07: softmax
//
// Question   How does a row of scores become shares that add up to 1?
// Equation   weights[i, j] = e^masked[i, j] / Σ e^masked[i, k] over k     Vaswani et al. 2017, eq. (1)
// Builds on  06 (scaling)

#include "support/lesson.hpp"
#include "support/words/softmax_words.hpp"
#include "support/world/one_head.hpp"

namespace attn {

void lesson(Board& board, const Options& options) {
  const OneHead head = one_head(options);
  const Tensor& masked = head.steps.masked;  // [seq_len, seq_len]
  const std::size_t seq_len = masked.dim(0);
  const Compute& compute = options.compute;  // how products are computed: lesson 25
  const std::size_t i = head.i;              // the word that the page follows, and what fits it best and second best
  const std::size_t best = largest_first(masked, i).front();
  const std::size_t second = largest_first(masked, i)[seq_len > 1 ? 1 : 0];

  board.title("Softmax");
  board.map("weights");
  board.say("How does a row of scores become shares that add up to 1?");
  board.say("Lesson 06 left these scaled scores. This page follows {word}.", {{"word", head.word}});
  record_until(board, head, Until::masked);
  board.table({{"masked"}}, {.shaded = true});
  board.notice("{s}", {{"s", why_no_shares_yet(head.world, masked, i)}});

  // 1. e to the power of a score is never negative, whatever the score. Divided by the row's sum it is a share.
  const Tensor row = slice(masked, 0, i, i + 1);                       // [1, seq_len]
  const Tensor row_powers = exp(row);                                  // [1, seq_len]
  const Tensor row_weights = divide(row_powers, sum(row_powers, -1));  // [1, seq_len]

  board.part("One row: powers, then shares", "one row of masked → one row of weights");
  board.say(
      "Shares are never below 0 and add up to 1. So raise e = 2.718 to each score, then divide by the row's sum. That "
      "is softmax.");
  board.formula("weights[i, j] = e^masked[i, j] / Σ e^masked[i, k] over k", "Vaswani et al. 2017, eq. (1)");
  board.code({"row_powers", "row_weights"});
  board.record("row", row, slice("masked", 0, i, i + 1));
  board.record("row_powers", row_powers, exp("row"));
  board.record("row_total", sum(row_powers, -1), sum("row_powers", -1));
  board.record("row_weights", row_weights, divide("row_powers", "row_total"));
  show_rows(board, "one_row", {"row", "row_powers", "row_weights"}, {"score", "e^score", "share"}, 0,
            {.row_sums = true});
  board.by_hand("row_weights", {0, best});

  // 2. A higher row has the same shares, since e^(x + 100) = e^100 · e^x. But a float has no room for e^100.
  const Tensor raised = add(row, Tensor({1}, 100.0F));                   // [1, seq_len]
  const Tensor raised_powers = exp(raised);                              // [1, seq_len]
  const Tensor lost = divide(raised_powers, sum(raised_powers, -1));     // [1, seq_len]
  const Tensor lowered = subtract(raised, max(raised, -1));              // [1, seq_len]
  const Tensor lowered_powers = exp(lowered);                            // [1, seq_len]
  const Tensor saved = divide(lowered_powers, sum(lowered_powers, -1));  // [1, seq_len]

  board.part("Why the largest comes off first", "the same row, 100 higher");
  board.say(
      "Add 100 to each score. The shares should stay: e^(x + 100) is e^100 · e^x, and e^100 cancels. On a computer it "
      "does not.");
  board.code({"raised_powers", "lost"});
  board.record("hundred", Tensor({1}, 100.0F), given());
  board.record("raised", raised, add("row", "hundred"));
  board.record("raised_powers", raised_powers, exp("raised"));
  board.record("raised_total", sum(raised_powers, -1), sum("raised_powers", -1));
  board.record("lost", lost, divide("raised_powers", "raised_total"));
  show_rows(board, "naive", {"raised", "raised_powers", "lost"}, {"score", "e^score", "share"});
  board.notice("{s}", {{"s", what_overflowed(raised_powers)}});
  board.say("So take the row's largest off first: its power is then e^0 = 1.");
  board.code({"lowered", "lowered_powers", "saved"});
  board.record("raised_largest", max(raised, -1), max("raised", -1));
  board.record("lowered", lowered, subtract("raised", "raised_largest"));
  board.record("lowered_powers", lowered_powers, exp("lowered"));
  board.record("lowered_total", sum(lowered_powers, -1), sum("lowered_powers", -1));
  board.record("saved", saved, divide("lowered_powers", "lowered_total"));
  show_rows(board, "stable", {"lowered", "lowered_powers", "saved"}, {"lowered", "e^that", "share"}, 0,
            {.row_sums = true});
  board.notice("{s}", {{"s", how_well_saved(saved, row_weights)}});

  // 3. The same for all rows. A column of one number per row meets every number of that row.
  const Tensor largest = reshape(max(masked, -1), {seq_len, 1});  // [seq_len, 1]
  const Tensor powers = exp(subtract(masked, largest));           // [seq_len, seq_len]
  const Tensor total = reshape(sum(powers, -1), {seq_len, 1});    // [seq_len, 1]
  const Tensor weights = divide(powers, total);                   // [seq_len, seq_len]

  board.part("All rows at once", "masked → [weights] → context");
  board.say("Largest, powers, sum, shares: a line each, and each row by itself.");
  board.code({"largest", "powers", "total", "weights"});
  const std::vector<std::string> words = head.world.token_texts();
  board.record("row_largest", max(masked, -1), max("masked", -1));
  board.record("largest", largest, reshape("row_largest").with_rows(words));
  board.record("shifted", subtract(masked, largest), subtract("masked", "largest"));
  board.record("powers", powers, exp("shifted"));
  board.record("row_sum", sum(powers, -1), sum("powers", -1));
  board.record("total", total, reshape("row_sum").with_rows(words));
  board.record("weights", weights, divide("powers", "total"));
  board.shapes("weights");
  board.arcs_and_table("weights", i, {.shaded = true, .top = 1.0, .row_sums = true});
  board.by_hand("row_largest", {i});
  board.by_hand("powers", {i, second});
  board.by_hand("weights", {i, second});
  board.notice("{s}", {{"s", where_it_looks(head.world, weights, i)}});
  board.notice("softmax(masked, -1) differs from these weights by {d} at most.",
               {{"d", difference_of(weights, softmax(masked, -1, compute))}});

  // 4. The wrong axis: each word that is asked is shared out among those who ask.
  const Tensor wrong_axis = softmax(masked, /*axis=*/0);  // [seq_len, seq_len]

  if (seq_len > 1) {
    board.part("The wrong axis looks just as good", "masked → wrong_axis, weights");
    board.say("Axis -1 runs along a row, axis 0 down a column. Both give shares.");
    board.code({"wrong_axis"});
    board.record("wrong_axis", wrong_axis, softmax("masked", 0));
    board.panels({{"weights", "right: along each row"}, {"wrong_axis", "wrong: down each column"}},
                 {.top = 1.0, .row_sums = true});
    board.notice("{s}", {{"s", what_row_sums_say(head.world, wrong_axis, i)}});
  }

  board.ask(
      "Models take several sentences at once, a batch. With one sentence in it the scores are [1, seq_len, seq_len]. "
      "What does softmax over axis 0 give?",
      "{s}", {{"s", what_a_batch_of_one_gives(softmax(reshape(masked, {1, seq_len, seq_len}), /*axis=*/0))}});
  board.pytorch(pytorch_lines_of_softmax(head.world, options, head.head));
  board.experiment("--text \"cat\"", "What share has a word that is alone?");
  board.experiment("--mask causal", "What does e^-inf do to a share?");
  board.experiment("--weights torch", "How even are shares of scores near 0?");
  board.experiment("--positions none", "Which columns are now equal?");
}

}  // namespace attn
