// Lesson 04: query, key, value
//
// Question   How can one row of numbers ask, offer, and hand something over?
// Equation   Q = X W_Q^T,  K = X W_K^T,  V = X W_V^T                     Vaswani et al. 2017, 3.2.2
// Builds on  03 (positions)
// Ignores    --mask: no word looks at another yet

#include "support/lesson.hpp"
#include "support/words/query_key_value_words.hpp"
#include "support/world/one_head.hpp"

namespace attn {

void lesson(Board& board, const Options& options) {
  const OneHead head = one_head(options);
  record_until(board, head, Until::Q_K_V);
  const Tensor& X = head.X;      // [seq_len, d_model]
  const Tensor& W_Q = head.W_Q;  // [head_dim, d_model]
  const Tensor& W_K = head.W_K;  // [head_dim, d_model]
  const Tensor& W_V = head.W_V;  // [head_dim, d_model]
  const std::size_t i = head.i;
  const Compute& compute = options.compute;  // how products are computed: lesson 25
  const std::vector<std::size_t> channels = channels_read({W_Q, W_K, W_V});

  board.title("Query, key, value");
  board.map("Q");
  board.say("How can one row of numbers ask, offer, and hand something over?");
  board.say("Lesson 03 left each word with a row of X: its embedding and place.");
  board.table({{"X", "", channels}}, {.numbered = true});
  board.notice("{s}", {{"s", which_channels(head.world)}});
  for (const std::string& remark : remarks_on_text(head.world)) board.notice("{remark}", {{"remark", remark}});

  // 1. A query is the row of X, weighed by each row of W_Q in turn.
  const Tensor row = slice(X, 0, i, i + 1);        // [1, d_model]
  const Tensor query = linear(row, W_Q, compute);  // [1, head_dim]

  board.part("A row times a matrix", "a row of X → a query");
  board.say(
      "What does {word} ask? Weigh each number of its row with a row of W_Q, a table of weights, and add up. All rows "
      "of W_Q make its query, what it looks for, {n} numbers (head_dim): row · W_Qᵀ. The ᵀ, transpose, turns a table "
      "over: rows become columns.",
      {{"word", head.word}, {"n", head.head_dim}});
  board.record("row", row, slice("X", 0, i, i + 1));
  board.record("query", query, linear("row", "W_Q"));
  board.formula("query[c] = Σ row[d] W_Q[c, d], over all d", "Vaswani et al. 2017, 3.2.2");
  board.shapes("query");
  board.code({"query"});
  board.table({{"W_Q", "", channels}}, {.numbered = true});
  board.by_hand("query", {0, largest_of(query, 0, head.columns)});
  board.notice("{s}", {{"s", what_W_Q_holds(options, W_Q)}});

  // 2. The same row, seen in three ways.
  const Tensor Q = linear(X, W_Q, compute);  // [seq_len, head_dim]
  const Tensor K = linear(X, W_K, compute);  // [seq_len, head_dim]
  const Tensor V = linear(X, W_V, compute);  // [seq_len, head_dim]

  board.part("Three views of each word", "X → [Q, K, V] → scores");
  board.say(
      "A word also answers others: what it offers them is its key. And it hands something over to those who choose it: "
      "its value. Each view has weights of its own, the same for all words. Together they are a head; a model has "
      "several (lesson 10). Here is one.");
  board.formula("Q = X W_Qᵀ,  K = X W_Kᵀ,  V = X W_Vᵀ", "Vaswani et al. 2017, 3.2.2");
  board.shapes("Q");
  board.code({"Q", "K", "V"});
  board.table({{"Q", "Q, looks for", head.columns}, {"K", "K, offers", head.columns}});
  board.table({{"V", "V, hands over", head.columns}});
  if (head.world.crafted()) board.notice("{s}", {{"s", what_columns_read(head.world, head.head)}});
  board.notice("Row {word} of Q is part 1 again: largest difference {d}.",
               {{"word", head.word}, {"d", difference_of(slice(Q, 0, i, i + 1), query)}});

  // 3. Laid down it is the same table. With the transpose forgotten it is another.
  const Tensor Q_lying = matmul(W_Q, transpose(X), compute);  // [head_dim, seq_len]
  const Tensor& W_all = head.world.weights.W_Q;               // [d_model, d_model]
  const Tensor right = linear(X, W_all, compute);             // X times the transpose
  const Tensor wrong = matmul(X, W_all, compute);             // X times W_all as it lies there

  board.part("Which way up?", "X, W_Q → Q");
  board.say(
      "PyTorch's nn.Linear({in}, {out}) keeps its weight as [{out}, {in}] and multiplies by the transpose, as here. "
      "The paper's W is that transpose, [{in}, {out}]. Some books lay X down, a word is a column: then Q lies down "
      "too. If you forget the transpose, you are lucky when shapes do not fit. W_all, W_Q of all heads at once "
      "(lesson 10), is square, [{in}, {in}], and fits either way.",
      {{"in", X.dim(1)}, {"out", head.head_dim}});
  board.record("X_lying", transpose(X), transpose("X"));
  board.record("Q_lying", Q_lying, matmul("W_Q", "X_lying"));
  board.record("W_all", W_all, given());
  board.record("right", right, linear("X", "W_all"));
  board.record("wrong", wrong, matmul("X", "W_all"));
  board.code({"Q_lying", "right", "wrong"});
  board.panels({{"right", "right: X Wᵀ"}, {"wrong", "wrong: X W"}}, {.cell = 1});
  board.notice("{s}", {{"s", how_far_wrong(right, wrong)}});
  board.notice("Q_lying turned over is Q: largest difference {d}.", {{"d", difference_of(transpose(Q_lying), Q)}});

  // 4. A bias on K adds the same to all scores of a row, and softmax does not see that.
  const Tensor ones({head.head_dim}, 1.0F);
  const Tensor biased_K = add(K, ones);                                      // [seq_len, head_dim]
  const Tensor biased_query = add(query, ones);                              // [1, head_dim]
  const Tensor scores = matmul_transposed(query, K, compute);                // [1, seq_len]
  const Tensor scores_K = matmul_transposed(query, biased_K, compute);       // [1, seq_len]
  const Tensor scores_Q = matmul_transposed(biased_query, K, compute);       // [1, seq_len]
  const Tensor biased = concat(std::vector<Tensor>{scores_K, scores_Q}, 0);  // [2, seq_len]

  board.part("And a bias?", "Q, K → scores, twice");
  board.say(
      "nn.Linear adds a bias, a number for each column, unless told not to, as here. What would 1 added to all of K, "
      "or to all of Q, do to the scores of {word} (lesson 05)?",
      {{"word", head.word}});
  board.record("ones", ones, given());
  board.record("scores", scores, matmul_transposed("query", "K"));
  board.record("biased_K", biased_K, add("K", "ones"));
  board.record("biased_query", biased_query, add("query", "ones"));
  board.record("scores_K", scores_K, matmul_transposed("query", "biased_K"));
  board.record("scores_Q", scores_Q, matmul_transposed("biased_query", "K"));
  board.record("biased", biased,
               concat(std::vector<std::string>{"scores_K", "scores_Q"}, 0).with_rows({"1 on K", "1 on Q"}));
  board.code({"scores_K", "scores_Q"});
  board.show("change", subtract(biased, scores), subtract("biased", "scores"));
  board.by_hand("change", {0, largest_first(scores, 0).front()});
  board.notice("{s}", {{"s", what_softmax_feels(scores, scores_K, scores_Q, compute)}});

  board.ask("And a bias on V?", "The shares of a row add up to 1, so each context grows by just that bias.");
  board.pytorch(pytorch_lines_to_Q_K_V(head.world, options, head.head));
  board.experiment(another_head(head), "Which words look for something now?");
  board.experiment("--positions none", "Which rows of Q become equal?");
  board.experiment("--text \"the mat sat on the cat.\"", "Which of Q, K and V tell cat from mat?");
  board.experiment("--weights torch", "Can you say what a column asks for?");
}

}  // namespace attn
