// Lesson 19: relative positions
//
// Question   How can scores depend on how far apart two words stand, and not on where?
// Equation   (R_m q) · (R_n k) = q · (R_(n-m) k)                           Su et al. 2021, eq. (16)
//            weights = softmax(Q K^T / sqrt(d_k) + slope (j - i))          Press et al. 2022, section 3
// Builds on  03 (positions), 05 (scores), 08 (mask), 10 (several heads)

#include "attention/kinds/alibi.hpp"
#include "attention/kinds/rotary.hpp"
#include "support/lesson.hpp"
#include "support/words/relative_words.hpp"
#include "support/words/scores_words.hpp"
#include "support/world/one_head.hpp"

namespace attn {

void lesson(Board& board, const Options& typed) {
  Options options = typed;
  options.positions = Options::Positions::none;  // places come in here in other ways, whatever --positions says
  options.mask = Options::MaskKind::causal;      // ALiBi looks back only
  board.option("positions", "none");
  board.option("mask", "causal");
  const OneHead head = one_head(options);
  const World& world = head.world;
  const Tensor& Q = head.Q;  // [seq_len, head_dim], of the words alone
  const Tensor& K = head.K;  // [seq_len, head_dim], likewise
  const std::size_t seq_len = Q.dim(0);
  const std::size_t i = head.i;
  const std::size_t more = 5;                                  // so many words more stand before the text, later on
  const Tensor distances = alibi_distances(seq_len, seq_len);  // j - i
  record_until(board, head, Until::weights);
  record_places(board, head, more, distances);

  board.title("Relative positions");
  board.map("scores");
  board.say("How can scores depend on how far apart two words stand, and not on where?");
  for (const std::string& remark : remarks_on_text(world)) board.notice("{remark}", {{"remark", remark}});

  // 1. Waves that are added: where a text stands changes its scores.
  const auto X_from = [&](std::size_t first) {
    return add(head.embeddings, sinusoidal_positions(seq_len, world.d_model, first));
  };
  const auto scores_of = [&](const Tensor& X) { return matmul_transposed(linear(X, head.W_Q), linear(X, head.W_K)); };
  const Tensor added = scores_of(X_from(0));
  const Tensor added_later = scores_of(X_from(more));
  record_added(board, head, more, added, added_later);

  board.part("A place that is added", "embeddings + waves → scores");
  board.say(
      "Lesson 03 added waves to the embeddings. Let {more} more words stand before this text: {word} moves from place "
      "{from} to {to}, and all distances stay. Do its scores?",
      {{"more", more}, {"word", head.word}, {"from", i}, {"to", i + more}});
  board.formula("X = embeddings + positions", "Vaswani et al. 2017, 3.5");
  board.code({"added", "added_later"});
  const std::vector<std::string> at_places = {places_in_words(0, seq_len), places_in_words(more, seq_len)};
  show_rows(board, "by_addition", {"added", "added_later"}, at_places, i);
  board.notice("{why}", {{"why", why_added_places_show(world, difference_of(added_later, added))}});

  const std::size_t turning = head.head_dim / 2 * 2;  // channels turn in pairs
  if (turning > 0) {
    // 2. A place that turns: each pair of channels is a point in the plane.
    const RotaryLayout neighbours = RotaryLayout::interleaved;
    const Tensor clock = consecutive_positions(5);                                  // the places 0 to 4
    const Tensor query = gather(Q, Tensor({clock.size()}, static_cast<float>(i)));  // the same at each
    const RotaryTable turns = rotary_table(clock, turning);                         // cos and sin, [5, turning / 2]
    const Tensor turned = rotate(query, turns.cos, turns.sin, neighbours);          // [5, head_dim]

    board.part("A place that turns", "Q → pairs → [turned]");
    board.say(
        "Rotary positions add nothing. Two channels (a, b) of a query or a key are a point in the plane, and its place "
        "m turns it: pair p = 0, 1, .. by m / 10000^(2p / {turning}). The first pair of the query of {word}, at five "
        "places:",
        {{"turning", turning}, {"word", head.word}});
    board.formula("a' = a cos - b sin;  b' = a sin + b cos", "Su et al. 2021, eq. (34)");
    board.code({"turns", "turned"});
    show_clock(board, clock, query, turned, turning, i);
    board.by_hand("turned", {2, 0});
    board.notice("{sentence}", {{"sentence", what_turning_keeps(turned, turning)}});

    // 3. Both turn by their own place. In the product only the difference of the turns is left.
    const auto turn = [&](const Tensor& x, std::size_t first, RotaryLayout layout = RotaryLayout::interleaved) {
      const RotaryTable by = rotary_table(consecutive_positions(seq_len, first), turning);
      return rotate(x, by.cos, by.sin, layout);
    };
    const Tensor rotary = matmul_transposed(turn(Q, 0), turn(K, 0));         // [seq_len, seq_len]
    const Tensor moved = matmul_transposed(turn(Q, more), turn(K, more));    // [seq_len, seq_len]
    const RotaryTable beyond = rotary_table(row_of(distances, i), turning);  // how far each key is beyond word i
    const Tensor K_beyond = rotate(K, beyond.cos, beyond.sin, neighbours);   // [seq_len, head_dim]
    const Tensor query_i = slice(Q, 0, i, i + 1);                            // [1, head_dim]
    const Tensor alone = matmul_transposed(query_i, K_beyond);               // [1, seq_len]
    record_rotary(board, head, more, {rotary, moved, alone});

    board.part("Only the distance is left", "Q, K → turned → [rotary]");
    board.say(
        "A query turns by its place, a key by its own. Turn both by the same angle more, and the angle between them "
        "stays: so does their product. Only how far the key turns beyond the query counts:");
    board.formula("(R_m q) · (R_n k) = q · (R_(n-m) k)", "Su et al. 2021, eq. (16)");
    board.code({"rotary", "moved", "alone"});
    show_rows(board, "by_turning", {"rotary", "moved", "alone"}, {at_places[0], at_places[1], "key by j - i"}, i);
    board.by_hand("rotary", {i, best_other_token(head.steps.scores, i)});
    board.notice(
        "{moves} With added waves one moved by {added}. And turning each key by j - i, the query not at all, gives the "
        "same: largest difference {alone}.",
        {{"moves", how_far_it_moves(difference_of(moved, rotary))},
         {"added", difference_of(added_later, added)},
         {"alone", difference_of(alone, slice(rotary, 0, i, i + 1))}});

    // 4. Which channels are a pair is a convention, and there are two.
    const auto halved = [&](const Tensor& x, std::size_t first) { return turn(x, first, RotaryLayout::halves); };
    const Tensor halves = matmul_transposed(halved(Q, 0), halved(K, 0));
    const Tensor mixed = matmul_transposed(turn(Q, 0), halved(K, 0));
    const Tensor halves_moved = matmul_transposed(halved(Q, more), halved(K, more));
    const Tensor mixed_moved = matmul_transposed(turn(Q, more), halved(K, more));
    const std::size_t row = row_that_differs_most(halves, rotary);
    record_layouts(board, head, more, {halves, halves_moved, mixed, mixed_moved});

    board.part("Two layouts", "Q, K → turned in neighbours or halves → scores");
    board.say(
        "Which channels are a pair? The paper turns neighbours: {pairs}. GPT-NeoX and Hugging Face's Llama turn "
        "halves: {halves}. The row of {word}:",
        {{"pairs", pairs_in_words(turning, 1)},
         {"halves", pairs_in_words(turning, turning / 2)},
         {"word", name_of(world, row)}});
    board.code({"halves", "mixed"});
    show_rows(board, "layouts", {"rotary", "halves", "mixed", "mixed_moved"},
              {"neighbours", "halves", "mixed", "mixed, moved"}, row);
    board.notice("{sentence}", {{"sentence", what_layouts_do(turning, difference_of(halves, rotary),
                                                             difference_of(halves_moved, halves),
                                                             difference_of(mixed_moved, mixed))}});
  } else {
    board.aside(
        "Rotary positions turn pairs of channels, and a head of one channel has none: three parts are left out.");
  }

  // 5. Or nothing turns: what is far counts less.
  const Tensor& scaled = head.steps.scaled;  // [seq_len, seq_len]
  const auto masked_softmax = [&](const Tensor& x) { return softmax(mask_fill(x, head.mask), -1); };
  const Tensor slopes = alibi_slopes(world.num_heads);            // [num_heads]
  const Tensor bias = alibi_bias(slopes, distances);              // [num_heads, seq_len, seq_len]
  const Tensor nearer = masked_softmax(add(scaled, bias));        // likewise
  const Tensor farther = masked_softmax(subtract(scaled, bias));  // the sign mistaken
  record_alibi(board, head, slopes, {bias, nearer, farther});

  board.part("Or what is far counts less", "scaled + bias → masked → weights");
  board.say(
      "ALiBi turns nothing. It adds slope · (j - i) to each scaled score: 0 for the word itself, less for each step "
      "back. Each head has its own slope: {slopes}. The row of {word}, with each:",
      {{"slopes", slopes_in_words(slopes)}, {"word", name_of(world, seq_len - 1)}});
  board.formula("weights = softmax(Q Kᵀ / √d_k + slope (j - i)), j ≤ i", "Press 2022, 3");
  board.code({"slopes", "bias", "nearer", "farther"});
  show_slopes(board, head, slopes);
  board.by_hand("bias", {0, seq_len - 1, 0});
  board.notice("{sentence}", {{"sentence", what_slopes_do(head, nearer, farther)}});
  board.notice("{sentence}", {{"sentence", what_six_heads_take()}});

  board.ask("A rotary model turns queries and keys. Should values turn too?", "{sentence}",
            {{"sentence", what_turned_values_do(head, more)}});
  board.pytorch(pytorch_lines_of_distance(world, options, head));
  board.experiment("--text \"the cat saw the cat\"", "Which cat fits better?");
  board.experiment(another_head(head), "Which scores change sign?");
  board.experiment("--weights torch", "How far do added places move?");
  board.experiment("--weights torch --d-model 12 --heads 6", "Which slopes?");
}

}  // namespace attn
