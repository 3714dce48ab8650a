// Lesson 06: scaling
//
// Question   Why are scores divided by the square root of head_dim?
// Equation   scaled = Q K^T / sqrt(d_k), d_k = head_dim                  Vaswani et al. 2017, eq. (1), 3.2.1
// Builds on  05 (scores)

#include "support/lesson.hpp"
#include "support/one_head.hpp"
#include "support/spread.hpp"
#include "tensor/random.hpp"

namespace attn {

void lesson(Board& board, const Options& options) {
  const OneHead head = one_head(options);
  record_until(board, head, Until::scores);
  const Tensor& scores = head.steps.scores;  // [seq_len, seq_len]
  const std::size_t i = head.i;
  const Tensor row = slice(scores, 0, i, i + 1);  // [1, seq_len]
  const auto d_model = static_cast<float>(head.world.d_model);
  const auto head_dim = static_cast<float>(head.head_dim);

  board.title("Scaling");
  board.map("scaled");
  board.say("Why are scores divided by the square root of head_dim?");
  board.say("head_dim is how many numbers a query has, here {n}. Lesson 05 left these scores of {word}:",
            {{"n", head.head_dim}, {"word", head.word}});
  board.show("row", row, slice("scores", 0, i, i + 1), {.shaded = true});
  for (const std::string& remark : remarks_on_text(head.world)) board.notice("{remark}", {{"remark", remark}});

  // 1. A score adds up head_dim products, so longer queries and keys make larger scores.
  const std::size_t pairs = 1000;
  Random random(options.seed);
  const Tensor queries = random.normal({pairs, 64});
  const Tensor keys = random.normal({pairs, 64});
  const Tensor products = multiply(queries, keys);                // [1000, 64]
  const Tensor first = ones_before({4, 16, 64}, 64);              // [3, 64], 1 where a product counts
  const Tensor pair_scores = matmul_transposed(first, products);  // [3, 1000]
  const Tensor roots = Tensor::matrix({{2}, {4}, {8}});           // of 4, 16 and 64
  const Tensor pair_scaled = divide(pair_scores, roots);          // [3, 1000]

  board.part("Longer queries, larger scores", "1,000 pairs → 1,000 scores");
  board.say(
      "Draw 1,000 pairs of a query and a key, all numbers around 0 with variance 1. The variance is the mean of the "
      "squares: it tells how far numbers spread. A score is the first 4 products of a pair added up (dim=4), or the "
      "first 16, or all 64.");
  const std::vector<std::string> dims = {"dim=4", "dim=16", "dim=64"};
  board.record("queries", queries, given());
  board.record("keys", keys, given());
  board.record("products", products, multiply("queries", "keys"));
  board.record("first", first, given().with_rows(dims));
  board.record("pair_scores", pair_scores, matmul_transposed("first", "products"));
  board.record("roots", roots, given().with_rows(dims));
  board.record("pair_scaled", pair_scaled, divide("pair_scores", "roots"));
  const Tensor variances = record_variance(board, "variance", "pair_scores");
  record_variance(board, "variance_scaled", "pair_scaled");
  board.formula("variance of q · k = head_dim", "Vaswani et al. 2017, 3.2.1, note 4");
  board.code({"products", "pair_scores", "pair_scaled"});
  board.table({{"variance", "scores"}, {"variance_scaled", "divided"}});
  board.by_hand("pair_scores", {0, 0});
  board.notice(
      "A product has variance 1. With 64 of them added up it is 64, measured {wide}: such scores are some 8 in size. "
      "Divided by the root of how many were added, they are some 1, whatever the length.",
      {{"wide", variances(2)}});

  // 2. In a row of large scores softmax gives nearly all to one, and then hardly moves any more.
  const Tensor ones({3, 4}, 1.0F);
  const Tensor sharp = softmax(slice(pair_scores, -1, 0, 4), -1);  // [3, 4]
  const Tensor soft = softmax(slice(pair_scaled, -1, 0, 4), -1);   // [3, 4]
  const Tensor sharp_slopes = multiply(sharp, subtract(ones, sharp));
  const Tensor soft_slopes = multiply(soft, subtract(ones, soft));

  board.part("Nearly all for one", "scores → weights");
  board.say("Softmax (lesson 07) turns a row of scores into weights that add up to 1. Take rows of four:");
  board.record("four", slice(pair_scores, -1, 0, 4), slice("pair_scores", -1, 0, 4));
  board.record("four_scaled", slice(pair_scaled, -1, 0, 4), slice("pair_scaled", -1, 0, 4));
  board.record("sharp", sharp, softmax("four", -1));
  board.record("soft", soft, softmax("four_scaled", -1));
  board.table({{"sharp", "weights, undivided"}, {"soft", "weights, divided"}});
  board.notice("Of 250 such rows with dim=64 the largest weight is {sharp} on average, {soft} when divided.",
               {{"sharp", mean_largest_of_four(slice(pair_scores, 0, 2, 3))},
                {"soft", mean_largest_of_four(slice(pair_scaled, 0, 2, 3))}});
  board.say(
      "Training moves a score a little and looks what the weights do. A weight w moves w (1 - w) times as far as its "
      "own score. That slope is next to nothing near 0 and near 1: the gradient vanishes, and little is learnt.");
  board.record("ones", ones, given());
  board.record("sharp_rest", subtract(ones, sharp), subtract("ones", "sharp").with_rows(dims));
  board.record("soft_rest", subtract(ones, soft), subtract("ones", "soft").with_rows(dims));
  board.record("sharp_slopes", sharp_slopes, multiply("sharp", "sharp_rest"));
  board.record("soft_slopes", soft_slopes, multiply("soft", "soft_rest"));
  board.table({{"sharp_slopes", "slopes, undivided"}, {"soft_slopes", "slopes, divided"}});
  board.by_hand("soft_slopes", {2, 0});
  Tensor nudged = slice(pair_scaled, -1, 0, 4);
  nudged(2, 0) += 0.01F;
  const float moved = softmax(nudged, -1)(2, 0) - soft(2, 0);
  board.notice("A probe: that score raised by 0.01 moves its weight by {moved}, {times} times as far.",
               {{"moved", Value::difference(moved)}, {"times", moved / 0.01F}});

  // 3. So the scores are divided by the root of head_dim, at whichever moment.
  const Tensor scaled = scale(scores, 1.0F / std::sqrt(head_dim));  // [seq_len, seq_len]
  const Tensor query_first = matmul_transposed(scale(head.Q, 1.0F / std::sqrt(head_dim)), head.K);
  const Tensor mask = causal_mask(scores.dim(0));
  const Tensor mask_first = scale(mask_fill(scores, mask), 1.0F / std::sqrt(head_dim));

  board.part("So divide", "scores → [scaled] → masked");
  board.say("By √{n} = {root} here. The order within a row stays, so the same word fits best.",
            {{"n", head.head_dim}, {"root", std::sqrt(head_dim)}});
  board.record("scaled", scaled, scale("scores", 1.0F / std::sqrt(head_dim)));
  board.formula("scaled = Q Kᵀ / √head_dim", "Vaswani et al. 2017, eq. (1)");
  board.shapes("scaled");
  board.code({"scaled"});
  board.table({{"scaled"}}, {.shaded = true});
  board.by_hand("scaled", {i, largest_first(scores, i).front()});
  board.notice(
      "One may divide the queries instead (largest difference {query}), or hide words first (lesson 08) and then "
      "divide: -inf stays -inf (largest difference {mask}).",
      {{"query", difference_of(query_first, scaled)}, {"mask", difference_of(mask_first, mask_fill(scaled, mask))}});

  // 4. The root of d_model is not the root of how many products a score adds up.
  const Tensor divisors({3, 1}, {1.0F, std::sqrt(head_dim), std::sqrt(d_model)});
  const Tensor row_thrice = concat(std::vector<Tensor>{row, row, row}, 0);  // [3, seq_len]
  const Tensor rows = divide(row_thrice, divisors);
  const Tensor weights = softmax(rows, -1);
  const Tensor largest = max(weights, -1);  // [3]

  board.part("By which root?", "scaled → weights");
  board.say("Not by that of d_model, {d_model}, the width of X: a score adds up {n} products. Beside each other:",
            {{"d_model", head.world.d_model}, {"n", head.head_dim}});
  board.record("divisors", divisors, given());
  board.record("row_thrice", row_thrice, concat(std::vector<std::string>{"row", "row", "row"}, 0));
  board.record("rows", rows, divide("row_thrice", "divisors"));
  board.code({"rows", "weights"});
  board.show("weights", weights, softmax("rows", -1).with_rows({"undivided", "/ √head_dim", "/ √d_model"}),
             {.shaded = true});
  board.notice("The largest weight of {word}: {one} undivided, {right} by √head_dim, {wrong} by √d_model." +
                   std::string(d_model == head_dim ? " (With a single head both roots are the same.)" : ""),
               {{"word", head.word}, {"one", largest(0)}, {"right", largest(1)}, {"wrong", largest(2)}});

  // 5. Fresh weights of nn.Linear make scores that are smaller still.
  const Tensor fresh_Q = linear(queries, linear_weight(random, 64, 16));  // [1000, 16]
  const Tensor fresh_K = linear(keys, linear_weight(random, 64, 16));     // [1000, 16]
  const Tensor fresh_scores = sum(multiply(fresh_Q, fresh_K), -1);        // [1000]
  const Tensor fresh_scaled = scale(fresh_scores, 1.0F / 4.0F);           // by √16

  board.part("Before training", "nn.Linear → scaled");
  board.say(
      "Part 1 took numbers of variance 1. Does a model start like that? nn.Linear(64, 16) draws its weights evenly "
      "from -1/8 to 1/8. Take the numbers of part 1 as rows of X:");
  board.code({"fresh_Q", "fresh_K", "fresh_scores", "fresh_scaled"});
  board.notice(
      "A weight has variance 1/3 of 1/64, and a number of Q adds up 64 products: 1/3 (measured {q}). So does one of K "
      "({k}). Their product has 1/3 · 1/3 = 1/9 = 0.111, and so has a scaled score: measured {scaled}.",
      {{"q", variance(fresh_Q)}, {"k", variance(fresh_K)}, {"scaled", variance(fresh_scaled)}});
  board.notice(
      "Such scores hardly tell words apart: of four weights the largest is {largest} on average; 0.250 is even.",
      {{"largest", mean_largest_of_four(fresh_scaled)}});

  board.ask("The paper also multiplies embeddings by √d_model. Does that undo the division?",
            "No. That is done once, before the positions are added, so that these do not drown the embeddings. The "
            "division evens out how many products a score adds up.");
  std::vector<std::string> lines = pytorch_lines_to_scaled(head.world, options, head.head);
  lines.insert(lines.end(), {"print(s)", "torch.manual_seed(" + std::to_string(options.seed) + ")",
                             "products = torch.randn(1000, 64) * torch.randn(1000, 64)",
                             "sums = [products[:, :d].sum(1, True) for d in (4, 16, 64)]",
                             "print((torch.cat(sums, 1) ** 2).mean(0))"});
  board.pytorch(lines);
  board.experiment("--seed 1", "How far off are 1,000 pairs another time?");
  board.experiment("--weights torch", "Why are the weights so even now?");
  board.experiment("--weights torch --heads 8", "And with head_dim 2?");
  board.experiment("--weights torch --heads 1", "Which root now?");
}

}  // namespace attn
