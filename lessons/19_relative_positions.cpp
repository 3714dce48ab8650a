// Lesson 19: relative positions
//
// Question   How can scores depend on how far apart two words stand, and not on where?
// Equation   (R_m q) · (R_n k) = q · (R_(n-m) k)                           Su et al. 2021, eq. (16)
//            weights = softmax(Q K^T / sqrt(d_k) + slope (j - i))          Press et al. 2022, section 3
// Builds on  03 (positions), 05 (scores), 08 (mask), 10 (several heads)
// Ignores    --mask: ALiBi looks back, so all masks are causal
// Ignores    --positions: places come in here in other ways

#include "attention/kinds/alibi.hpp"
#include "attention/kinds/rotary.hpp"
#include "support/lesson.hpp"
#include "support/record/relative_records.hpp"
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
  const Compute& compute = options.compute;  // how products are computed: lesson 25
  const Tensor& Q = head.Q;                  // [seq_len, head_dim], of the words alone
  const Tensor& K = head.K;                  // [seq_len, head_dim], likewise
  const std::size_t seq_len = Q.dim(0);
  const std::size_t i = head.i;
  const std::size_t more = 5;                                  // so many words more stand before the text, later on
  const Tensor distances = alibi_distances(seq_len, seq_len);  // j - i
  record_until(board, head, Until::weights);
  record_places(board, head, more, distances);

  board.title("Relative positions");
  board.map("scores");
  board.say("How can scores depend on how far apart two words stand, and not on where?");
  notice_each(board, remarks_on_text(world));

  // 1. Waves that are added: where a text stands changes its scores.
  const Tensor added = scores_with_waves(head, 0);           // [seq_len, seq_len]
  const Tensor added_later = scores_with_waves(head, more);  // of the same words, standing later
  record_added(board, head, more, added, added_later);

  board.part("A place that is added", "embeddings + waves → scores");
  board.say("{s}", {{"s", who_moves_where(head, more)}});
  board.formula("X = embeddings + positions", "Vaswani et al. 2017, 3.5");
  board.code({"added", "added_later"});
  const std::vector<std::string> at_places = {"from place 0", "from place " + std::to_string(more)};
  show_rows(board, "by_addition", {"added", "added_later"}, at_places, i);
  board.notice("{why}", {{"why", why_added_places_show(world, difference_of(added_later, added))}});

  const std::size_t turning = channels_that_turn(head);  // they turn in pairs
  if (turning > 0) {
    // 2. A place that turns: each pair of channels is a point in the plane.
    const RotaryLayout neighbours = RotaryLayout::interleaved;
    const Tensor clock = consecutive_positions(5);                                  // the places 0 to 4
    const Tensor query = gather(Q, Tensor({clock.size()}, static_cast<float>(i)));  // the same at each
    const RotaryTable turns = rotary_table(clock, turning);                         // cos and sin, [5, turning / 2]
    const Tensor turned = rotate(query, turns.cos, turns.sin, neighbours);          // [5, head_dim]

    board.part("A place that turns", "Q → pairs → [turned]");
    board.say("{s}", {{"s", what_turns(head)}});
    board.formula("a' = a cos - b sin;  b' = a sin + b cos", "Su et al. 2021, eq. (34)");
    board.code({"turns", "turned"});
    show_clock(board, clock, query, turned, turning, i);
    board.by_hand("turned", {2, 0});
    board.notice("{sentence}", {{"sentence", what_turning_keeps(turned, turning)}});

    // 3. Both turn by their own place. In the product only the difference of the turns is left.
    const auto turn = [&](const Tensor& x, const Tensor& by_places, RotaryLayout layout = RotaryLayout::interleaved) {
      const RotaryTable by = rotary_table(by_places, turning);
      return rotate(x, by.cos, by.sin, layout);
    };
    const auto scores = [&](const Tensor& queries, const Tensor& keys) {
      return matmul_transposed(queries, keys, compute);
    };
    const Tensor here = consecutive_positions(seq_len);          // [seq_len]
    const Tensor late = consecutive_positions(seq_len, more);    // [seq_len]
    const Tensor rotary = scores(turn(Q, here), turn(K, here));  // [seq_len, seq_len]
    const Tensor moved = scores(turn(Q, late), turn(K, late));   // [seq_len, seq_len]
    const Tensor K_by_distance = turn(K, row_of(distances, i));  // each by j - i
    const Tensor query_i = slice(Q, 0, i, i + 1);                // [1, head_dim]
    const Tensor alone = scores(query_i, K_by_distance);         // [1, seq_len]
    record_rotary(board, head, more, {rotary, moved, alone});

    board.part("Only the distance is left", "Q, K → turned → [rotary]");
    board.say(
        "A query turns by its place, a key by its own; R_m is the turn of place m. Turn both by the same angle more, "
        "and their product stays. Only how far the key turns beyond the query counts:");
    board.formula("(R_m q) · (R_n k) = q · (R_(n-m) k)", "Su et al. 2021, eq. (16)");
    board.code({"rotary", "moved", "alone"});
    show_rows(board, "by_turning", {"rotary", "moved", "alone"}, {at_places[0], at_places[1], "key by j - i"}, i);
    board.by_hand("rotary", {i, best_other_token(head.steps.scores, i)});
    board.notice("{s}", {{"s", what_distance_gives(head, {rotary, moved, alone}, difference_of(added_later, added))}});

    // 4. Which channels are a pair is a convention, and there are two.
    const auto halved = [&](const Tensor& x) { return turn(x, here, RotaryLayout::halves); };
    const Tensor halves = scores(halved(Q), halved(K));
    const Tensor mixed = scores(turn(Q, here), halved(K));
    const std::size_t row = row_that_differs_most(halves, rotary);
    record_layouts(board, head, more, halves, mixed);

    board.part("Two layouts", "Q, K → turned in neighbours or halves → scores");
    board.say("{s}", {{"s", which_pairs_turn(head, row)}});
    board.code({"halves", "mixed"});
    show_rows(board, "layouts", {"rotary", "halves", "mixed", "mixed_moved"},
              {"neighbours", "halves", "mixed", "mixed, moved"}, row);
    board.notice("{s}", {{"s", what_layouts_do(board.trace(), turning, row)}});
  } else {
    board.aside(
        "Rotary positions turn pairs of channels, and a head of one channel has none: three parts are left out.");
  }

  // 5. Or nothing turns: what is far counts less.
  const Tensor& scaled = head.steps.scaled;  // [seq_len, seq_len]
  const auto masked_softmax = [&](const Tensor& x) { return softmax(mask_fill(x, head.mask), -1, compute); };
  const Tensor slopes = alibi_slopes(world.num_heads);            // [num_heads]
  const Tensor bias = alibi_bias(slopes, distances);              // [num_heads, seq_len, seq_len]
  const Tensor nearer = masked_softmax(add(scaled, bias));        // likewise
  const Tensor farther = masked_softmax(subtract(scaled, bias));  // the sign mistaken
  record_alibi(board, head, slopes, {bias, nearer, farther});

  board.part("Or what is far counts less", "scaled + bias → masked → weights");
  board.say("{s}", {{"s", what_alibi_adds(head, slopes, slopes_shown(slopes))}});
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
