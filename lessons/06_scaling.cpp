// Lesson 06: scaling
//
// Question   Why are scores divided by the square root of head_dim?
// Equation   scaled = Q K^T / sqrt(d_k), d_k = head_dim                  Vaswani et al. 2017, eq. (1), 3.2.1
// Builds on  05 (scores)
// Ignores    --mask: masks come in with lesson 08

#include "support/lesson.hpp"
#include "support/record/spread.hpp"
#include "support/words/scaling_words.hpp"
#include "support/world/one_head.hpp"
#include "tensor/random.hpp"

namespace attn {

void lesson(Board& board, const Options& options) {
  const OneHead head = one_head(options);
  record_until(board, head, Until::scores);
  const Tensor& scores = head.steps.scores;                 // [seq_len, seq_len]
  const Tensor row = slice(scores, 0, head.i, head.i + 1);  // [1, seq_len]
  const float root = std::sqrt(static_cast<float>(head.head_dim));
  const Compute& compute = options.compute;  // how products are computed: lesson 25
  const float wrong_root = std::sqrt(static_cast<float>(head.world.d_model));

  board.title("Scaling");
  board.map("scaled");
  board.say("Why are scores divided by the square root of head_dim?");
  board.say("head_dim is how many numbers a query has, here {n}. Lesson 05 left these scores of {word}:",
            {{"n", head.head_dim}, {"word", head.word}});
  board.show("row", row, slice("scores", 0, head.i, head.i + 1), {.shaded = true});
  for (const std::string& remark : remarks_on_text(head.world)) board.notice("{remark}", {{"remark", remark}});

  // 1. A score adds up head_dim products, so longer queries and keys make larger scores.
  Random random(options.seed);
  const auto [queries, keys, roots] = record_pairs(board, random);       // 1,000 pairs
  const Tensor products = multiply(queries, keys);                       // [1000, 64]
  const Tensor sum_of_4 = sum(slice(products, -1, 0, 4), -1);            // [1000]
  const Tensor sum_of_16 = sum(slice(products, -1, 0, 16), -1);          // [1000]
  const Tensor sum_of_64 = sum(products, -1);                            // [1000]
  const Tensor pair_scores = as_rows({sum_of_4, sum_of_16, sum_of_64});  // [3, 1000]
  const Tensor pair_scaled = divide(pair_scores, roots);                 // [3, 1000], by 2, 4, 8

  board.part("Longer queries, larger scores", "1,000 pairs → 1,000 scores");
  board.say(
      "Draw 1,000 pairs of a query and a key: numbers of mean 0 and variance 1. Variance, the mean of squared "
      "distances from the mean (here of the squares), tells how far numbers spread. A score adds up the first 4 "
      "products of a pair (dim=4), or 16, or all 64.");
  board.record("products", products, multiply("queries", "keys"));
  record_sums(board, {4, 16, 64});
  board.record("pair_scaled", pair_scaled, divide("pair_scores", "roots"));
  const Tensor variances = record_variance(board, "variance", "pair_scores");
  record_variance(board, "variance_scaled", "pair_scaled");
  board.formula("variance of q · k = head_dim", "Vaswani et al. 2017, 3.2.1, note 4");
  board.code({"sum_of_4", "pair_scaled"});
  board.table(
      {{"pair_scores", "scores of 4 pairs", {0, 1, 2, 3}}, {"variance", "variance"}, {"variance_scaled", "divided"}});
  board.by_hand("products", {0, 0});
  board.by_hand("sum_of_4", {0});
  board.notice(
      "A product has variance 1. Where numbers do not depend on each other, the variance of a sum is the sum of the "
      "variances: 64 for 64 products, measured {wide}. Such scores are some √64 = 8 in size; divided by the root "
      "of dim, they are some 1.",
      {{"wide", variances(2)}});

  // 2. In a row of large scores softmax gives nearly all to one, and then hardly moves any more.
  const Tensor w_undivided = softmax(slice(pair_scores, -1, 0, 4), -1, compute);  // [3, 4]
  const Tensor w = softmax(slice(pair_scaled, -1, 0, 4), -1, compute);            // [3, 4]

  board.part("Nearly all for one", "scores → weights");
  board.say(
      "Softmax (lesson 07) turns a row of scores into weights that add up to 1. Let four scores of part 1 be the row "
      "of one word:");
  board.record("four", slice(pair_scores, -1, 0, 4), slice("pair_scores", -1, 0, 4));
  board.record("four_scaled", slice(pair_scaled, -1, 0, 4), slice("pair_scaled", -1, 0, 4));
  board.record("w_undivided", w_undivided, softmax("four", -1));
  board.record("w", w, softmax("four_scaled", -1));
  board.table({{"w_undivided", "weights, undivided"}, {"w", "weights, divided"}});
  board.notice("Of 250 such rows with dim=64 the largest weight is {sharp} on average, {soft} when divided.",
               {{"sharp", mean_largest_of_four(slice(pair_scores, 0, 2, 3), compute)},
                {"soft", mean_largest_of_four(slice(pair_scaled, 0, 2, 3), compute)}});
  board.say(
      "Why does that matter? Training changes a model's numbers little by little, in the direction that slopes show: "
      "how far does a weight w move when its score s moves? w is e^s / sum, and e^s is its own slope. So, with rest = "
      "1 - w:");
  board.formula("slope = (e^s · sum - e^s · e^s) / sum^2 = w - w^2 = w (1 - w)", "");
  record_slopes(board, "slope_undivided", "w_undivided", "rest_undivided");
  record_slopes(board, "slope", "w", "rest");
  board.table({{"slope_undivided", "slopes, undivided"}, {"slope", "slopes, divided"}});
  board.by_hand("slope", {2, 0});
  const float moved = move_of_weight(slice(pair_scaled, -1, 0, 4), {2, 0}, 0.01F, compute);
  board.notice(
      "A probe: that score raised by 0.01 moves its weight by {moved}, {times} times as far. Where w is near 0 or 1, "
      "the slope is almost 0: the gradient, all slopes together, vanishes, and little is learnt.",
      {{"moved", Value::difference(moved)}, {"times", moved / 0.01F}});

  // 3. So the scores are divided by the root of how many products they add up, at whichever moment.
  const Tensor scaled = scale(scores, 1.0F / root);                                     // [seq_len, seq_len]
  const Tensor factors = Tensor::matrix({{1.0F}, {1.0F / root}, {1.0F / wrong_root}});  // [3, 1]
  const Tensor weights = softmax(matmul(factors, row, compute), -1, compute);           // [3, seq_len]

  board.part("So divide", "scores → [scaled] → masked");
  board.say("By √{n} = {root} here. Within a row the order stays.", {{"n", head.head_dim}, {"root", root}});
  board.record("scaled", scaled, scale("scores", 1.0F / root));
  board.formula("scaled = Q Kᵀ / √head_dim", "Vaswani et al. 2017, eq. (1)");
  board.shapes("scaled");
  board.code({"scaled"});
  board.table({{"scaled"}}, {.shaded = true});
  board.by_hand("scaled", {head.i, largest_first(scores, head.i).front()});
  board.notice("{s}", {{"s", when_one_may_divide(head)}});
  board.say("Not by the root of d_model, {d_model}, the width of X: a score adds up {n} products. Beside each other:",
            {{"d_model", head.world.d_model}, {"n", head.head_dim}});
  board.record("factors", factors, given().with_rows({"undivided", "/ √head_dim", "/ √d_model"}));
  board.record("rows", matmul(factors, row, compute), matmul("factors", "row"));
  board.show("weights", weights, softmax("rows", -1), {.shaded = true});
  board.notice("{s}", {{"s", what_roots_do(head, weights)}});

  // 4. Fresh weights of nn.Linear make scores that are smaller still.
  const Tensor fresh_W_Q = linear_weight(random, 64, 16);           // [16, 64]
  const Tensor fresh_W_K = linear_weight(random, 64, 16);           // [16, 64]
  const Tensor fresh_Q = linear(queries, fresh_W_Q, compute);       // [1000, 16]
  const Tensor fresh_K = linear(keys, fresh_W_K, compute);          // [1000, 16]
  const Tensor fresh_scores = sum(multiply(fresh_Q, fresh_K), -1);  // [1000]
  const Tensor fresh_scaled = scale(fresh_scores, 1.0F / 4.0F);     // by √16

  board.part("Before training", "nn.Linear → scaled");
  board.say(
      "Part 1 took numbers of variance 1. Does a model start like that? PyTorch's W_Q and W_K, nn.Linear(64, 16), are "
      "drawn evenly from -1/8 to 1/8. Take the numbers of part 1 as rows of X:");
  board.code({"fresh_Q", "fresh_K", "fresh_scores", "fresh_scaled"});
  board.notice("{s}", {{"s", what_fresh_weights_give(fresh_Q, fresh_K, fresh_scaled, compute)}});

  board.ask("The paper also multiplies embeddings by √d_model. Does that undo the division?",
            "No. That is done once, before the positions are added, so that these do not drown the embeddings. The "
            "division evens out how many products a score adds up.");
  board.pytorch(pytorch_lines_of_scaling(head.world, options, head.head));
  board.experiment("--seed 1", "How far off are 1,000 pairs another time?");
  board.experiment("--weights torch", "Why are the weights so even now?");
  board.experiment("--weights torch --heads 8", "And with head_dim 2?");
  board.experiment("--weights torch --heads 1 --head 1", "Which root now?");
}

}  // namespace attn
