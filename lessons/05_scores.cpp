// Lesson 05: scores
//
// Question   How well does what one word looks for fit what another offers?
// Equation   scores = Q K^T                                              Vaswani et al. 2017, eq. (1)
// Builds on  04 (query, key, value)
// Ignores    --mask: masks come in with lesson 08

#include "support/lesson.hpp"
#include "support/words/scores_words.hpp"
#include "support/world/one_head.hpp"

namespace attn {

void lesson(Board& board, const Options& options) {
  const OneHead head = one_head(options);
  record_until(board, head, Until::Q_K_V);
  const Tensor& Q = head.Q;                  // [seq_len, head_dim]
  const Tensor& K = head.K;                  // [seq_len, head_dim]
  const Compute& compute = options.compute;  // how products are computed: lesson 25
  const std::size_t seq_len = Q.dim(0);
  const std::size_t i = head.i;                                       // the word that asks
  const std::size_t j = largest_first(head.steps.scores, i).front();  // the one that fits it best
  const std::size_t other = best_other_token(head.steps.scores, i);   // the same, unless that is the word itself
  const auto name = [&](std::size_t token) { return token == i ? "itself" : name_of(head.world, token); };

  board.title("Scores");
  board.map("scores");
  board.say("How well does what one word looks for fit what another offers?");
  board.say("Lesson 04 gave each word a query and a key. Here they meet.");
  board.table({{"Q", "Q, looks for", head.columns}, {"K", "K, offers", head.columns}});
  for (const std::string& remark : remarks_on_text(head.world)) board.notice("{remark}", {{"remark", remark}});

  // 1. Multiply what stands in the same column, then add up: a dot product.
  const Tensor query = slice(Q, 0, i, i + 1);                   // [1, head_dim]
  const Tensor key = slice(K, 0, j, j + 1);                     // [1, head_dim]
  const Tensor score = matmul_transposed(query, key, compute);  // [1, 1]

  board.part("One query, one key", "a row of Q, a row of K → one score");
  board.say(
      "{word} asks {other}. Lay the two rows side by side, multiply what stands in the same column, and add up: a dot "
      "product. Columns in which both are large, with the same sign, raise it.",
      {{"word", head.word}, {"other", name(j)}});
  board.record("query", query, slice("Q", 0, i, i + 1));
  board.record("key", key, slice("K", 0, j, j + 1));
  board.record("score", score, matmul_transposed("query", "key"));
  board.formula("score = q · k = Σ q[d] k[d], over all d", "Vaswani et al. 2017, 3.2.1");
  board.shapes("score");
  board.code({"score"});
  board.by_hand("score", {0, 0});

  // 2. The same query meets every key.
  const Tensor scores_row = matmul_transposed(query, K, compute);  // [1, seq_len]

  board.part("One query, every key", "a row of Q, K → a row of scores");
  board.say("{word} asks everyone, itself too: a dot product for each key.", {{"word", head.word}});
  board.record("scores_row", scores_row, matmul_transposed("query", "K"));
  board.code({"scores_row"});
  board.bars("scores_row", 0);
  board.notice("{s}", {{"s", what_fits_best(head.world, head.steps.scores, i)}});

  // 3. Everyone asks everyone, in one matrix product.
  const Tensor scores = matmul_transposed(Q, K, compute);  // [seq_len, seq_len]

  board.part("Everyone asks everyone", "Q, K → [scores] → scaled");
  board.say(
      "All words ask in the same way, and none waits for another. Together that is one matrix product: each square at "
      "the lower right is the query at its left with the key above it.");
  board.record("scores", scores, matmul_transposed("Q", "K"));
  board.formula("scores = Q Kᵀ", "Vaswani et al. 2017, eq. (1)");
  board.shapes("scores");
  board.code({"scores"});
  board.product("scores");
  board.table({{"scores"}}, {.shaded = true});
  board.notice("A row is a word that asks, a column one that is asked. Row {word} is part 2: largest difference {d}.",
               {{"word", head.word}, {"d", difference_of(slice(scores, 0, i, i + 1), scores_row)}});

  // 4. With one matrix for asking and offering the table would be its own mirror image.
  if (seq_len > 1) {
    const Tensor one_for_both = matmul_transposed(K, K, compute);  // [seq_len, seq_len]

    board.part("Not the same both ways", "why W_Q and W_K are two");
    board.say(
        "{word} asks {other}: {there}. {other} asks {word}: {back}. Asking uses W_Q, being asked uses W_K. What if one "
        "matrix, W_K, did both?",
        {{"word", head.word}, {"other", name(other)}, {"there", scores(i, other)}, {"back", scores(other, i)}});
    board.record("one_for_both", one_for_both, matmul_transposed("K", "K"));
    board.code({"one_for_both"});
    board.panels({{"scores", "W_Q and W_K"}, {"one_for_both", "W_K for both"}});
    board.notice("{s}", {{"s", which_is_symmetric(scores, one_for_both)}});
    board.notice(
        "On the left {word} fits itself with {own}, on the right, where it looks for what it offers, with {both}.",
        {{"word", head.word}, {"own", scores(i, i)}, {"both", one_for_both(i, i)}});

    // 5. A word need not fit itself best, and a row of scores does not add up to 1.
    const Tensor own = sum(multiply(Q, K), -1);  // [seq_len], each query with the key of the same word
    const Tensor largest = max(scores, -1);      // [seq_len]
    const Tensor total = sum(scores, -1);        // [seq_len]

    board.part("What scores are not", "scores, row by row");
    board.say("Does a word fit itself best? Is a score a share of something?");
    board.record("own_products", multiply(Q, K), multiply("Q", "K"));
    board.record("own", own, sum("own_products", -1));
    board.record("largest", largest, max("scores", -1));
    board.record("total", total, sum("scores", -1));
    board.code({"own"});
    board.table({{"own", "itself"}, {"largest", "largest"}, {"total", "sum"}});
    board.notice("{s}", {{"s", what_scores_are_not(scores)}});
  } else {
    board.aside("With a single word there is nobody to compare with: two more parts need two words.");
  }

  board.ask("Double every key. What becomes of the scores?",
            "Each doubles. In every row the order stays, and the distances double. Lesson 06 shows what that does to "
            "the weights.");
  std::vector<std::string> lines = pytorch_lines_to_scaled(head.world, options, head.head);
  lines.back() = "print(Q @ K.T)";  // lesson 06 divides them
  board.pytorch(lines);
  board.experiment("--positions none", "Which words fit equally well now?");
  board.experiment("--text \"the mat sat on the cat.\"", "Whom does \"sat\" ask first now?");
  board.experiment(another_head(head), "Who asks for whom now?");
  board.experiment_why("scores", {i, j}, "Which weights made it?");
}

}  // namespace attn
