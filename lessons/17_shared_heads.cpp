// Lesson 17: shared heads
//
// Question   Must every head keep keys and values of its own?
// Equation   head_h = Attention(Q_h, K_g, V_g), g = h / group         Ainslie et al. 2023, 2.2; Shazeer 2019, 3
// Builds on  10 (several heads)

#include "attention/kinds/grouped_heads.hpp"
#include "support/lesson.hpp"
#include "support/words/shared_heads_words.hpp"
#include "support/world/shared_heads.hpp"

namespace attn {

void lesson(Board& board, const Options& options) {
  const AllHeads all = all_heads(options);
  const OneHead& one = all.followed;
  const Compute& compute = options.compute;  // how products are computed: lesson 25
  const Tensor& X = one.X;                   // [seq_len, d_model]
  const std::size_t num_heads = all.num_heads;
  const std::size_t head_dim = all.head_dim;
  const std::size_t d_model = one.world.d_model;
  const std::size_t group = smallest_group(num_heads);
  const std::size_t num_kv_heads = num_heads / group;
  const SharedHeads mha = shared_heads(all, num_heads);
  const SharedHeads gqa = shared_heads(all, num_kv_heads);
  const SharedHeads mqa = shared_heads(all, 1);
  record_Q_K_V(board, all);
  record_ways_to_share(board, all, {mha, gqa, mqa});

  board.title("Shared heads");
  board.map("K");
  board.say("Must every head keep keys and values of its own?");
  board.say(
      "A model writes word by word. Each new word asks all before it, so their keys and values are kept; not their "
      "queries, for a word asks once. Lesson 10's heads, each with its own, keep the most.");
  notice_each(board, remarks_on_text(one.world));

  // 1. What is kept grows with the heads of K and V, not with those of Q.
  board.part("What is kept", "K, V → bytes");
  board.say(
      "In multi-head attention (MHA) each head has K and V of its own; in multi-query attention (MQA) all share one; "
      "in grouped-query attention (GQA) a group shares one. Here a number takes 4 bytes, and the text has {seq_len} "
      "token{s}.",
      {{"seq_len", X.dim(0)}, {"s", X.dim(0) == 1 ? "" : "s"}});
  board.formula("bytes of a token = 2 · num_kv_heads · head_dim · 4", "Shazeer 2019, 3; Ainslie et al. 2023, 2.2");
  show_bytes(board, all, num_kv_heads);
  board.by_hand("bytes", {1, 0});
  board.notice("{sentence}", {{"sentence", who_shares(num_heads, num_kv_heads)}});
  board.notice("{sentence}", {{"sentence", what_a_large_model_keeps()}});

  // 2. Where the weights of a shared head come from: the mean of those that it replaces.
  const Tensor& W_K = one.world.weights.W_K;  // [d_model, d_model]
  const Tensor groups = reshape(W_K, {num_kv_heads, group, head_dim, d_model});
  const Tensor means = reshape(mean(groups, 1), {num_kv_heads * head_dim, d_model});
  const Tensor K = split_heads(linear(X, means, compute), num_kv_heads);  // [num_kv_heads, seq_len, head_dim]

  board.part("One head for a group", "W_K → groups → means → K");
  board.say(
      "A trained model can be changed over: a shared head gets the mean of the weights of its group. So do values.");
  board.formula("W_K of a group = mean of W_K over its heads", "Ainslie et al. 2023, 2.1");
  board.code({"groups", "means", "K"});
  by_hand_of_mean(board, all, gqa);
  board.notice("{sentence}", {{"sentence", what_shapes_become(all, K)}});

  // 3. Query head h uses key head h / group: each key head is repeated in place. Tiling mixes the groups up.
  //> repeat
  std::vector<Tensor> picked;
  for (std::size_t h = 0; h < num_heads; ++h) picked.push_back(slice(K, 0, h / group, h / group + 1));
  const Tensor K_repeated = concat(picked, 0);  // [num_heads, seq_len, head_dim]
  //< repeat
  const Tensor K_tiled = tile_heads(K, num_heads);  // the wrong order
  const Tensor Q = split_heads(all.Q, num_heads);   // [num_heads, seq_len, head_dim]
  const Tensor V = repeat_heads(gqa.V, num_heads);
  const Tensor tiled_weights = scaled_dot_product_attention(Q, K_tiled, V, keep_where(one.mask), compute).weights;
  record_tiled(board, all, gqa, K_tiled, tiled_weights);

  board.part("Whose keys?", "K → K_repeated → weights");
  board.say(
      "Query head h asks key head h / group, rounded down: counted from 0, as by hand. Only the table counts from 1:");
  board.formula("K_repeated[h] = K[h / group],  group = num_heads / num_kv_heads", "Ainslie et al. 2023, 2.2");
  board.code({"repeat", "K_tiled"});
  show_whose_keys(board, num_heads, num_kv_heads);
  board.by_hand("gqa.K_repeated", {num_heads - 1, one.i, 0});
  board.notice("{sentence}", {{"sentence", what_tiling_does(K_repeated, K_tiled, gqa.steps.weights, tiled_weights)}});

  // 4. What it does to a head: it must make do with the keys of others.
  board.part("What is lost", "mha, gqa, mqa → weights of one head");
  board.say("Head {head} with keys of its own, of its group, and of all:", {{"head", one.head}});
  board.panels({{"mha.looks", "MHA"}, {"gqa.looks", "GQA"}, {"mqa.looks", "MQA"}}, {.top = 1.0});
  show_rows(board, "row", {"mha.looks", "gqa.looks", "mqa.looks"}, {"MHA", "GQA", "MQA"}, one.i);
  board.notice("{sentence}", {{"sentence", what_sharing_does(all, mha, gqa, mqa)}});
  board.notice(
      "Nobody trained these heads to share. Ainslie et al. train on after the change, 5 % of the first training.");

  // 5. GQA has MHA as an end, and is MHA whose heads hold copies.
  const Tensor own = grouped_attention(Q, mha.K, mha.V, {.mask = keep_where(one.mask), .compute = compute}).weights;
  const Tensor copies = repeat_heads(reshape(means, {num_kv_heads, head_dim, d_model}), num_heads);
  const Tensor W_K_copies = reshape(copies, {d_model, d_model});
  const Tensor K_copies = split_heads(linear(X, W_K_copies, compute), num_heads);  // [num_heads, seq_len, head_dim]
  const Tensor copied = scaled_dot_product_attention(Q, K_copies, V, keep_where(one.mask), compute).weights;
  record_copies(board, all, W_K_copies, copied);
  record_head(board, one.world, all.prefix(one.head), one.head, one.steps);

  board.part("GQA and MHA, each as the other", "own K; copies of W_K → weights");
  board.say(
      "If each head keeps its own K, GQA is MHA: lesson 10. If all heads of a group hold copies of its W_K, MHA is "
      "GQA.");
  board.code({"own", "copies", "W_K_copies", "K_copies"});
  show_rows(board, "both", {all.prefix(one.head) + "weights", "mha.looks", "gqa.looks", "copies.looks"},
            {"lesson 10", "own K", "GQA", "copies"}, one.i);
  board.notice("Lesson 10 and own K differ by {own}, GQA and copies by {copied} (all heads).",
               {{"own", difference_of(own, reshape(concat(all.weights, 0), own.shape()))},
                {"copied", difference_of(copied, gqa.steps.weights)}});

  board.ask("Which has fewer scores to compute, MHA or MQA?",
            "Neither: {scores} scores in each of the three, one for each head and pair of words. What is saved is "
            "memory, and the time to read it: for each new word all of K and V is read once.",
            {{"scores", gqa.steps.scores.size()}});
  board.pytorch(pytorch_lines_of_shared_heads(all, options, num_kv_heads));
  board.experiment("--head 3", "Whose keys does it ask, and what does it lose?");
  board.experiment("--weights torch --d-model 32 --heads 8", "How many bytes?");
  board.experiment("--weights torch --d-model 9 --heads 3", "Which groups?");
  board.experiment("--mask causal", "Does a mask change whose keys are used?");
}

}  // namespace attn
