// Lesson 16: additive attention
//
// Question   How did the first attention find its words, and why did the dot product win?
// Equation   score[j] = v . tanh(W s + U h[j])                             Bahdanau et al. 2015, A.1.2
// Builds on  05 (scores), 07 (softmax), 13 (cross-attention)
// Ignores    --mask: all of the source is there to be seen

#include "attention/kinds/additive.hpp"
#include "attention/kinds/luong.hpp"
#include "support/lesson.hpp"
#include "support/record/additive_records.hpp"
#include "support/words/additive_words.hpp"
#include "support/world/additive_weights.hpp"
#include "support/world/sentences.hpp"

namespace attn {

void lesson(Board& board, const Options& typed) {
  Options options = typed;
  if (!options.text_given) options.text = "tout le monde";
  const auto all = sentences(options, {options.text, memory_text(board, options, "everyone sat on the mat.")});
  const OneHead& text = all[0];                               // what a decoder has written
  const OneHead& memory = all[1];                             // what it translates: the source
  const Tensor& source = memory.X;                            // [seq_len_kv, d_model]
  const Tensor state = slice(text.X, 0, text.i, text.i + 1);  // [1, d_model], of the word just written
  const AdditiveWeights learned = additive_weights(text.world, options);
  const Compute& compute = options.compute;  // how products are computed: lesson 25
  const std::vector<std::size_t> channels = channels_to_show(text.world, clear_channels(text.world));
  record_two_texts(board, options, all);
  record_additive_weights(board, text.world, learned);

  board.title("Additive attention");
  board.map("scores");
  board.say("How did the first attention find its words, and why did the dot product win?");
  board.say(
      "In 2015 a translator learned to look. Its decoder has just written {word}, and looks into the source. In the "
      "paper recurrent networks make the states of words; here rows of X stand for them.",
      {{"word", text.word}});
  notice_each(board, remarks_on_both(text, memory));

  // 1. Before: one row for the whole source, the same at every step of the decoder.
  const Tensor fixed = mean(source, 0);  // [d_model]

  board.part("Before: one row for a whole text", "memory.X → fixed");
  board.say("Without attention a decoder gets one row, here the mean of all h:");
  board.formula("c = (h[1] + ... + h[n]) / n", "after Bahdanau et al. 2015, 2.1");
  board.code({"fixed"});
  board.record("fixed", fixed, mean("memory.X", 0));
  board.by_hand("fixed", {largest_in(fixed, channels)});
  board.notice("{sentence}", {{"sentence", what_fixed_keeps(memory)}});

  // 2. A score: query and key are added, bent by tanh, and weighed by v.
  const Tensor& W = learned.W_query;                            // [units, d_model]
  const Tensor& U = learned.W_key;                              // [units, d_model]
  const Tensor v = reshape(learned.v, {1, learned.v.dim(0)});   // [1, units]
  const Tensor q = linear(state, W, compute);                   // [1, units]
  const Tensor k = linear(source, U, compute);                  // [seq_len_kv, units]
  const Tensor hidden = tanh(add(k, q));                        // [seq_len_kv, units]
  const Tensor scores = matmul_transposed(v, hidden, compute);  // [1, seq_len_kv]
  const std::size_t j = largest_first(scores, 0).front();
  record_scores(board, scores, compute);

  board.part("A score by adding", "state, memory.X → hidden → [scores]");
  board.say(
      "A small network scores each word: q of the state s plus k of its row h, then tanh, then times v. W, U and v are "
      "learned. {units} So q is {q}.",
      {{"units", what_units_read(text.world, W.dim(0))}, {"q", units_in_words(q)}});
  board.formula("score[j] = v · tanh(W s + U h[j])", "Bahdanau et al. 2015, A.1.2");
  board.shapes("scores");
  board.code({"q", "k", "hidden", "scores"});
  const std::vector<std::size_t> units = first_columns(std::min<std::size_t>(W.dim(0), 2));
  board.table({{"k", "k = U h", units}, {"sums", "q + k", units}, {"hidden", "tanh(q + k)", units}});
  for (const char* step : {"sums", "hidden"}) board.by_hand(step, {j, largest_of(k, j, units)});
  board.by_hand("scores", {0, j});

  // 3. From there on it is attention as ever.
  const Tensor weights = softmax(scores, -1, compute);      // [1, seq_len_kv]
  const Tensor context = matmul(weights, source, compute);  // [1, d_model]
  board.record("weights", weights, softmax("scores", -1));
  board.record("context", context, matmul("weights", "memory.X"));

  board.part("Weights and context", "scores → weights → context");
  board.say("Softmax makes shares; each row counts as its share says:");
  board.formula("context = Σ weights[j] h[j] over j", "Bahdanau et al. 2015, eq. (5), (6)");
  board.code({"weights", "context"});
  board.table({{"weights"}});
  show_beside_fixed(board, context, channels);
  board.notice("{sentence}", {{"sentence", what_is_found(text, memory, weights)}});

  // 4. Without tanh the query would have no say.
  const auto shares_of = [&](const Tensor& x) { return softmax(matmul_transposed(v, x, compute), -1, compute); };
  const Tensor straight = shares_of(add(k, q));  // [1, seq_len_kv]
  const Tensor k_alone = shares_of(k);           // [1, seq_len_kv]
  const Tensor unasked = shares_of(tanh(k));     // [1, seq_len_kv]

  board.part("Why tanh", "x → shares_of(x) = softmax(v · x)");
  board.say("What if nothing bends (q + k), or nobody asks (k alone, tanh(k))?");
  board.code({"straight", "k_alone", "unasked"});
  show_without_tanh(board, straight, k_alone, unasked, compute);
  board.notice("{sentence}", {{"sentence", what_tanh_is_for(straight, k_alone, weights, unasked)}});
  board.notice("{sentence}", {{"sentence", where_tanh_is_steep(q)}});

  // 5. Each pair of query and key takes its own tanhs. Dot products of all pairs are one matrix product.
  const Tensor& X = text.X;  // [seq_len_q, d_model]
  const auto additive = additive_attention(X, source, source, learned, compute);
  const auto dot = luong_dot(X, source, source, compute);
  const Tensor asked = matmul(text.Q, text.W_K, compute);  // s W_a with W_a = W_Q^T W_K, [seq_len_q, d_model]
  const auto general = luong_dot(asked, source, source, compute);
  record_all_pairs(board, all, additive, dot, general);

  board.part("Why the dot product won", "X, memory.X → weights of all pairs");
  board.say("Now each word asks, and also in two ways of Luong et al. (2015):");
  board.formula("dot: s · h[j],  general: s W_a h[j]", "Luong et al. 2015, 3.1");
  board.code({"additive", "dot", "asked", "general"});
  board.panels({{"all.weights", "additive"}, {"dot.weights", "dot"}, {"general.weights", "general"}}, {.top = 1.0});
  board.notice("{sentence}", {{"sentence", what_all_pairs_repeat(text, memory, additive, weights, general)}});
  show_work(board, {.units = W.dim(0), .d_model = X.dim(1), .pairs = additive.scores.size()});
  board.notice("{sentence}", {{"sentence", what_decides(board, {count_additive(additive.projected_query, k, learned.v),
                                                                count_dot(X, source)})}});

  board.ask("With long q and k additive attention did better, until one thing was added to the dot product. Which?",
            "The division by √d_k. An additive score stays within ± Σ |v| = {bound}, for tanh stays within ± 1. Dot "
            "products spread as √d_k, and softmax then gives nearly all to one: lesson 06.",
            {{"bound", sum(abs(v), -1)(0)}});
  board.pytorch(pytorch_lines_of_additive(text, memory, learned, options));
  board.experiment("--text sat", "Whom does \"sat\" find?");
  board.experiment("--memory \"a dog barked\"", "Who is found now?");
  board.experiment("--positions none", "Whom does it find now, and why?");
  board.experiment("--weights torch", "Has q a say before training?");
}

}  // namespace attn
