// Lesson 18: the cache of keys and values
//
// Question   A model writes word by word: what must it compute again for each?
// Equation   context[t] = softmax(q_t K[0..t]^T / sqrt(head_dim)) V[0..t]           Vaswani et al. 2017, eq. (1)
// Builds on  08 (mask), 15 (mask laboratory)
// Ignores    --mask: who writes has no later words

#include "attention/kinds/attention.hpp"
#include "attention/kinds/cache.hpp"
#include "attention/kinds/masks.hpp"
#include "support/lesson.hpp"
#include "support/record/cache_steps.hpp"
#include "support/words/cache_words.hpp"
#include "support/words/heads_in_words.hpp"
#include "support/world/one_head.hpp"

namespace attn {

void lesson(Board& board, const Options& typed) {
  Options options = typed;
  options.mask = Options::MaskKind::causal;  // who writes has no later words, whatever --mask says
  board.option("mask", "causal");
  const OneHead head = one_head(options);
  const Tensor& Q = head.Q;                  // [seq_len, head_dim], of all words at once
  const Tensor& K = head.K;                  // [seq_len, head_dim]
  const Tensor& V = head.V;                  // [seq_len, head_dim]
  const Tensor& W_Q = head.W_Q;              // [head_dim, d_model]
  const Tensor& W_K = head.W_K;              // [head_dim, d_model]
  const Tensor& W_V = head.W_V;              // [head_dim, d_model]
  const Compute& compute = options.compute;  // how products are computed: lesson 25
  const std::size_t seq_len = Q.dim(0);
  const std::size_t begin = first_written(seq_len);  // of a long text only the last words are written one by one
  const std::size_t i = std::max(head.i, begin);     // the step that is worked out
  const std::string own = step_prefix(i);
  const auto attend = [&](const Tensor& query, const Tensor& key, const Tensor& value) {
    return attention(query, key, value, {.compute = compute});
  };
  record_until(board, head, Until::context);

  board.title("The cache");
  board.map("K");
  board.say("A model writes word by word: what must it compute again for each?");

  // 1. The new word makes one query, one key and one value. The keys and values of the past are kept.
  KeyValueCache cache = {.key = slice(K, 0, 0, begin), .value = slice(V, 0, 0, begin)};
  record_start(board, cache);
  for (std::size_t t = begin; t < seq_len; ++t) {
    //> step
    const Tensor x = slice(head.X, 0, t, t + 1);                            // [1, d_model], the new word
    const Tensor query = linear(x, W_Q, compute);                           // [1, head_dim]
    cache = join(cache, linear(x, W_K, compute), linear(x, W_V, compute));  // [t + 1, head_dim] each
    const FamilySteps step = attend(query, cache.key, cache.value);         // its context: [1, head_dim]
    //< step
    record_step(board, t, cache, step, compute);
  }
  record_written(board, seq_len);

  board.part("One new word, one row", "x, cache → query, K, V → one context");
  board.say("Say the words come one by one. {prompt} The new word brings query, key and value of {head}:",
            {{"prompt", what_is_there_at_first(seq_len, begin)}, {"head", followed_head(head)}});
  board.formula("context[t] = softmax(q_t K[0..t]ᵀ / √head_dim) V[0..t]", "eq. (1)");
  board.shapes(own + "scores");
  board.code({"step"});
  board.table({{"written.weights"}}, {.shaded = seq_len > 1, .top = 1.0, .row_sums = true});
  board.by_hand(own + "scores", {0, largest_first(board.trace().step(own + "scores").value, 0).front()});
  board.notice("{s}", {{"s", what_one_step_takes(head.world, board.trace())}});

  // 2. All at once with the causal mask, as in training.
  const AttentionSteps at_once = scaled_dot_product_attention(Q, K, V, keep_where(causal_mask(seq_len)), compute);

  board.part("The same numbers as all at once", "Q, K, V, mask → context");
  board.say("In training all words are there, and the causal mask hides what is later. The context, both ways:");
  board.code({"at_once"});
  board.table({{"written.context", "word by word", head.columns}, {"context.last", "all at once", head.columns}});
  board.notice("Largest difference in the weights: {weights}, in the context: {context}.",
               {{"weights",
                 difference_of(board.trace().step("written.weights").value, slice(at_once.weights, 0, begin, seq_len))},
                {"context", difference_of(board.trace().step("written.context").value,
                                          slice(at_once.context, 0, begin, seq_len))}});

  // 3. What was computed for an old word may stay only when no later word changes it.
  if (seq_len > 1) {
    const std::size_t old = seq_len - 1;                        // words before the last
    const Tensor Q_old = slice(Q, 0, 0, old);                   // [old, head_dim]
    const Tensor K_old = slice(K, 0, 0, old);                   // [old, head_dim]
    const Tensor V_old = slice(V, 0, 0, old);                   // [old, head_dim]
    const Tensor before = attend(Q_old, K_old, V_old).context;  // nothing is hidden
    const Tensor after = attend(Q, K, V).context;               // of all words, the last too
    record_old_words(board, seq_len, compute);

    board.part("Why the past may stay", "context before and after the last word");
    board.say("The last word comes, {word}. How far do old contexts move?",
              {{"word", name_of(head.world, seq_len - 1)}});
    board.code({"before", "after"});
    show_rows(board, "moved", {"open.moved", "causal.moved"}, {"no mask", "causal mask"});
    board.notice("{s}", {{"s", what_moves(board.trace())}});
  }

  // 4. What is kept, and what it saves.
  record_work(board, seq_len);
  board.part("What is stored, what is saved", "counted, word by word");
  board.say("Without a cache each step makes all rows and scores again:");
  board.formula("rows of K: n, not Σ t;  scores: Σ t, not Σ t²", "t = 1 ... n");
  board.table({{"work"}}, {.row_sums = true});
  board.by_hand("work_sum", {5});
  board.notice("{s}", {{"s", what_is_saved(board.trace())}});
  board.notice("{s}", {{"s", what_is_stored(seq_len, head.head_dim, head.world.num_heads)}});

  // 5. Several new words at once: the mask's diagonal must end at the last key.
  const std::size_t chunk = std::min<std::size_t>(2, seq_len);
  const Tensor top_left = causal_mask({.seq_len_q = chunk, .seq_len_kv = seq_len});
  const Tensor bottom_right = causal_mask({.seq_len_q = chunk, .seq_len_kv = seq_len, .corner = Corner::bottom_right});
  record_corners(board, top_left, bottom_right, compute);

  board.part("Which corner", "new queries, all keys, a mask → weights");
  board.say(
      "{who} A causal mask that is not square has two corners to start from.",
      {{"who", chunk == 1 ? "The last word comes alone." : "The last word comes alone, or the last two together."}});
  board.code({"top_left", "bottom_right"});
  show_rows(board, "row", {"alone.left", "alone.right"}, {"top left", "bottom right"}, 0, {.row_sums = true});
  board.panels({{"corner.left", "top left"}, {"corner.open", "no mask"}, {"corner.right", "bottom right"}},
               {.cell = 1, .top = 1.0, .row_sums = true});
  board.notice("{s}", {{"s", what_corners_do(head.world, board.trace())}});

  board.ask("An old word is changed. Which rows of K and V are outdated?",
            "Here only its own, made of its row of X. In a layer above also those of all words after it: their "
            "contexts have seen it.");
  board.pytorch(pytorch_lines_of_cache(head, options));
  board.experiment("--text \"The dog barked very loudly.\"", "How many scores?");
  board.experiment("--weights torch", "Does the cache need trained weights?");
  board.experiment(another_head(head), "Is the cache exact there too?");
  board.experiment_why(own + "context", {0, 0}, "What is in it?");
}

}  // namespace attn
