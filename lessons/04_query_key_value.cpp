// Lesson 04: query, key, value
//
// Question   How can one row of numbers ask, offer, and hand something over?
// Equation   Q = X W_Q^T,  K = X W_K^T,  V = X W_V^T                     Vaswani et al. 2017, 3.2.2
// Builds on  03 (positions)

#include "support/lesson.hpp"
#include "support/one_head.hpp"

#include <algorithm>

namespace attn {

void lesson(Board& board, const Options& options) {
  const OneHead head = one_head(options);
  record_until(board, head, Until::Q_K_V);
  const Tensor& X = head.X;      // [seq_len, d_model]
  const Tensor& W_Q = head.W_Q;  // [head_dim, d_model]
  const Tensor& W_K = head.W_K;  // [head_dim, d_model]
  const Tensor& W_V = head.W_V;  // [head_dim, d_model]
  const std::size_t i = head.i;
  const std::vector<std::size_t> channels = channels_read({W_Q, W_K, W_V});
  const std::vector<std::size_t> columns = first_columns(std::min<std::size_t>(head.head_dim, 4));
  const bool crafted = head.world.crafted();

  board.title("Query, key, value");
  board.map("Q");
  board.say("How can one row of numbers ask, offer, and hand something over?");
  board.say("Lesson 03 left each word with a row of X: its embedding and place.");
  board.table({{"X", "", channels}}, {.numbered = true});
  board.notice("{sentence}", {{"sentence", crafted ? "Of each row, these are the channels that the weights below read."
                                                   : channels_shown(X.dim(1))}});
  for (const std::string& remark : remarks_on_text(head.world)) board.notice("{remark}", {{"remark", remark}});

  // 1. A query is the row of X, weighed by each row of W_Q in turn.
  const Tensor row = slice(X, 0, i, i + 1);  // [1, d_model]
  const Tensor query = linear(row, W_Q);     // [1, head_dim]

  board.part("A row times a matrix", "a row of X → a query");
  board.say(
      "What does {word} ask? Weigh each number of its row with a row of W_Q, a table of weights, and add up: that "
      "makes one number. All rows of W_Q together make what {word} looks for, its query.",
      {{"word", head.word}});
  board.record("row", row, slice("X", 0, i, i + 1));
  board.record("query", query, linear("row", "W_Q"));
  board.formula("query[c] = Σ row[d] W_Q[c, d], over all d", "Vaswani et al. 2017, 3.2.2");
  board.shapes("query");
  board.code({"query"});
  board.table({{"W_Q", "", channels}}, {.numbered = true});
  board.by_hand("query", {0, largest_of(query, 0, columns)});
  board.notice("{used} of the {all} numbers of W_Q are not 0. " +
                   std::string(crafted ? "They were set by hand." : "They are random: nobody has trained them."),
               {{"used", W_Q.size() - count_of(W_Q, 0.0F)}, {"all", W_Q.size()}});

  // 2. The same row, seen in three ways.
  const Tensor Q = linear(X, W_Q);  // [seq_len, head_dim]
  const Tensor K = linear(X, W_K);  // [seq_len, head_dim]
  const Tensor V = linear(X, W_V);  // [seq_len, head_dim]

  board.part("Three views of each word", "X → [Q, K, V] → scores");
  board.say(
      "A word also answers others: what it offers them is its key. And it hands something over to those who choose it: "
      "its value. Each view has weights of its own, the same for all words.");
  board.formula("Q = X W_Qᵀ,  K = X W_Kᵀ,  V = X W_Vᵀ", "Vaswani et al. 2017, 3.2.2");
  board.shapes("Q");
  board.code({"Q", "K", "V"});
  board.table({{"Q", "Q, looks for", columns}, {"K", "K, offers", columns}});
  board.table({{"V", "V, hands over", columns}});
  const std::size_t partner = largest_first(head.steps.scores, i).front();
  board.by_hand("K", {partner, largest_of(K, partner, columns)});
  if (crafted) board.notice("{s}", {{"s", what_Q_and_K_read(head.world, head.head)}});
  board.notice("Row {word} of Q is part 1 again: largest difference {d}.",
               {{"word", head.word}, {"d", difference_of(slice(Q, 0, i, i + 1), query)}});

  // 3. Laid down it is the same table. With the transpose forgotten it is another.
  const Tensor Q_lying = matmul(W_Q, transpose(X));  // [head_dim, seq_len]
  const Tensor& W_all = head.world.weights.W_Q;      // [d_model, d_model]
  const Tensor right = linear(X, W_all);             // X times the transpose
  const Tensor wrong = matmul(X, W_all);             // X times W_all as it lies there

  board.part("Which way up?", "X, W_Q → Q");
  board.say(
      "The ᵀ says transpose: turn a table over, rows become columns. PyTorch's nn.Linear({in}, {out}) keeps its weight "
      "as [{out}, {in}] and multiplies by the transpose, as here. The paper's W is that transpose, [{in}, {out}]. Some "
      "books lay X down: a word is a column.",
      {{"in", X.dim(1)}, {"out", head.head_dim}});
  board.record("X_lying", transpose(X), transpose("X"));
  board.record("Q_lying", Q_lying, matmul("W_Q", "X_lying"));
  board.shapes("Q_lying");
  board.notice("That is Q, lying down: largest difference {d}.", {{"d", difference_of(transpose(Q_lying), Q)}});
  board.say(
      "And a transpose forgotten? Mostly the shapes do not fit, and that is luck. The W_Q of all heads at once (lesson "
      "10) is square, [{in}, {in}]: it fits either way, and nothing complains.",
      {{"in", X.dim(1)}});
  board.record("W_all", W_all, given());
  board.record("right", right, linear("X", "W_all"));
  board.record("wrong", wrong, matmul("X", "W_all"));
  board.code({"right", "wrong"});
  board.panels({{"right", "right: X Wᵀ"}, {"wrong", "wrong: X W"}}, {.cell = 1});
  board.notice("The shapes are equal. The numbers differ by up to {d}.{why}",
               {{"d", difference_of(right, wrong)},
                {"why", X.dim(1) == 1 ? " (With a single channel a table is its own transpose.)" : ""}});

  // 4. A bias on K adds the same to all scores of a row, and softmax does not see that.
  board.part("And a bias?", "Q, K → scores, twice");
  board.say(
      "nn.Linear adds a bias, a number for each column, unless told not to, as here. The tour makes scores of Q and K. "
      "How would those of {word} change with 1 added to all of K, or to all of Q?",
      {{"word", head.word}});
  const Tensor ones({head.head_dim}, 1.0F);
  const Tensor scores = matmul_transposed(query, K);  // [1, seq_len]
  const Tensor scores_K = matmul_transposed(query, add(K, ones));
  const Tensor scores_Q = matmul_transposed(add(query, ones), K);
  const std::vector<Tensor> changes = {subtract(scores_K, scores), subtract(scores_Q, scores)};
  board.record("ones", ones, given());
  board.record("scores", scores, matmul_transposed("query", "K"));
  board.record("biased_K", add(K, ones), add("K", "ones"));
  board.record("biased_query", add(query, ones), add("query", "ones"));
  board.record("scores_K", scores_K, matmul_transposed("query", "biased_K"));
  board.record("scores_Q", scores_Q, matmul_transposed("biased_query", "K"));
  board.record("change_K", changes[0], subtract("scores_K", "scores"));
  board.record("change_Q", changes[1], subtract("scores_Q", "scores"));
  board.code({"scores_K", "scores_Q"});
  board.show("change", concat(changes, 0),
             concat(std::vector<std::string>{"change_K", "change_Q"}, 0).with_rows({"1 on K", "1 on Q"}));
  board.by_hand("change_K", {0, partner});
  const Tensor shares = softmax(scores, -1);
  const double felt = largest_difference(softmax(scores_Q, -1), shares).largest;
  board.notice(
      "A bias on K adds the same to every score of the row. The shares that softmax makes of a row do not feel that: "
      "largest difference {on_K}. " +
          std::string(felt > 1e-5 ? "With a bias on Q they change by up to {on_Q}."
                                  : "Here a bias on Q does not change them either ({on_Q})."),
      {{"on_K", difference_of(softmax(scores_K, -1), shares)}, {"on_Q", Value::difference(felt)}});

  board.ask("And a bias on V?", "The shares of a row add up to 1, so each context grows by just that bias.");
  std::vector<std::string> lines = pytorch_lines_to_scaled(head.world, options, head.head);
  lines.pop_back();  // the scores come later
  for (const std::string& line : pytorch_lines_of_values(head.world, head.head)) lines.push_back(line);
  lines.push_back("print(Q, K, V)");
  board.pytorch(lines);
  board.experiment("--head 1", "Which words ask for something now?");
  board.experiment("--positions none", "Which rows of Q become equal?");
  board.experiment("--text \"the mat sat on the cat.\"", "Which rows swap?");
  board.experiment("--weights torch", "Can you say what a column asks for?");
}

}  // namespace attn
