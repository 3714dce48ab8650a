// Lesson 03: positions
//
// Question   How does a word know where it stands?
// Equation   positions[p, 2i] = sin(p / 10000^(2i/d_model)), [p, 2i+1] = cos of it   Vaswani et al. 2017, section 3.5
// Builds on  02 (embeddings)
// Ignores    --mask: no word looks at another yet

#include "support/lesson.hpp"
#include "support/record/mistaken_waves.hpp"
#include "support/record/wave_tables.hpp"
#include "support/world/one_head.hpp"
#include "support/world/two_places.hpp"

namespace attn {

void lesson(Board& board, const Options& options) {
  using Names = std::vector<std::string>;
  const OneHead head = one_head(options);
  const World& world = head.world;
  const Tensor& embeddings = head.embeddings;  // [seq_len, d_model]
  const Tensor& positions = head.positions;    // [seq_len, d_model]
  const Tensor& W_Q = head.W_Q;                // [head_dim, d_model]
  const std::size_t d_model = world.d_model;
  const Compute& compute = options.compute;  // how products are computed: lesson 25

  board.title("Positions");
  board.map("X");
  board.say("How does a word know where it stands?");
  board.say(
      "In lesson 02 a token got the same row wherever it stands. And attention does not care in which order rows "
      "stand.");
  record_until(board, head, Until::Q_K_V);

  // 1. The same words in another order are the same rows in another order, before attention and after.
  const TwoPlaces words = two_words(world);
  const Tensor order = order_with_swap(world.tokens.size(), words);
  const Tensor swapped = gather(embeddings, order);  // two words have changed places
  const auto attend = [&](const Tensor& rows) {
    return multi_head_attention(rows, rows, rows, world.weights, world.num_heads, no_mask(), compute).output;
  };
  if (words.differ()) {
    board.part("Without positions, order is lost", "embeddings, order → swapped");
    board.say("Let {one} and {other} change places:",
              {{"one", name_of(world, words.first)}, {"other", name_of(world, words.second)}});
    board.record("order", order, given().with_rows(texts_in_order(world, order)));
    board.record("swapped", swapped, gather("embeddings", "order"));
    board.links("text", world.token_texts(), "swapped", texts_in_order(world, order));
    board.code({"swapped"});
    board.notice(
        "Put each row back where it came from: largest difference {rows}. It is the same set of rows. Attention takes "
        "sums over all words, and sums have no order. So what it puts out for each word stays too: "
        "largest difference {outputs}.",
        {{"rows", difference_of(gather(swapped, order), embeddings)},
         {"outputs", difference_of(gather(attend(swapped), order), attend(embeddings))}});
  }

  // 2. A row of waves for each place: fast ones tell neighbours apart, slow ones tell far places apart.
  const Tensor waves = sinusoidal_positions(63, d_model);  // [63, d_model]; in 63 places the first wave turns ten times

  board.part("A wave for each pair of channels", "place → positions");
  board.say(
      "Each place p gets a row of its own, to be added: numbers that stay small however far it is, and differ from "
      "place to place. A sine and a cosine for each pair of channels do both, from fast to slow. Below, a line is a "
      "channel, a column is a place, and - is below 0.");
  board.record("waves", waves, sinusoid(63, d_model));
  board.formula("positions[p, 2i]   = sin(p / 10000^(2i/d_model))", "Vaswani et al. 2017, 3.5");
  board.formula("positions[p, 2i+1] = cos(p / 10000^(2i/d_model))", "");
  board.code({"even", "angle", "wave"}, "src/attention/positions.cpp");
  draw_waves(board, "waves", "waves at places 0 to 62");
  board.by_hand("waves", {head.i > 0 && head.i < waves.dim(0) ? head.i : 1, d_model > 2 ? std::size_t{2} : 0});
  notice_each(board, what_waves_tell(waves));

  // 3. The two are added.
  const Tensor X = add(embeddings, positions);  // [seq_len, d_model]

  board.part("Add it", "embeddings, positions → [X] → Q, K, V");
  board.say("X, the input of attention: what a word is, plus where it stands.");
  board.formula("X = embeddings + positions", "Vaswani et al. 2017, 3.5");
  board.shapes("X");
  board.code({"X"});
  board.table({{"X", "", channels_to_show(world, world.telling_channels)}}, {.numbered = true});
  board.by_hand("X", {head.i, largest_of(embeddings, head.i, channels_to_show(world, world.kind_channels))});
  if (!head.waves) board.notice("With --positions none all positions are 0: X is the embeddings.");
  notice_each(board, how_equal_words_differ(world, X));
  if (words.differ()) {
    const Tensor swapped_X = add(swapped, positions);  // the words have changed places, the waves have not
    board.notice("Part 1 again, now with X: rows differ by up to {rows}, attention's output by up to {outputs}.",
                 {{"rows", difference_of(gather(swapped_X, order), X)},
                  {"outputs", difference_of(gather(attend(swapped_X), order), attend(X))}});
  }

  // 4. Adding is appending, with the same weights for the word and for its place.
  const Tensor appended = concat({embeddings, positions}, 1);      // [seq_len, 2 d_model]
  const Tensor W_Q_twice = concat({W_Q, W_Q}, 1);                  // [head_dim, 2 d_model]
  const Tensor Q_appended = linear(appended, W_Q_twice, compute);  // [seq_len, head_dim]
  const Tensor Q = linear(X, W_Q, compute);                        // [seq_len, head_dim]

  board.part("Why add, and not append?", "X → Q, and appended → Q_appended");
  board.say(
      "A place could stand beside the word instead: {twice} numbers a row. What comes next is a product with a matrix "
      "of weights, W_Q (lesson 04). It would need {twice} columns too. Give it the same {once} columns twice:",
      {{"twice", 2 * d_model}, {"once", d_model}});
  board.record("appended", appended, concat(Names{"embeddings", "positions"}, 1));
  board.record("W_Q_twice", W_Q_twice, concat(Names{"W_Q", "W_Q"}, 1));
  board.record("Q_appended", Q_appended, linear("appended", "W_Q_twice"));
  board.shapes("Q_appended");
  board.shapes("Q");
  board.code({"Q_appended", "Q"});
  board.notice(
      "Largest difference of the two: {difference}. So adding is appending, where word and place share their weights: "
      "{once} here, not {twice}.",
      {{"difference", difference_of(Q_appended, Q)}, {"once", W_Q.size()}, {"twice", W_Q_twice.size()}});
  if (head.waves) notice_each(board, how_word_and_place_share(world, positions));

  // 5. Three tables that are taken for this one.
  if (d_model >= 4) {
    board.part("Three that look right and are not", "");
    board.say(
        "A program with one of these runs, and its model can be trained. Rows are places 0 to 5, columns the first "
        "channels:");
    show_mistaken_waves(board, waves);
  }

  board.ask(
      "No training text was 5000 words long. Does place 5000 have a row?",
      "With waves it has: the formula knows no last place. BERT and GPT, two well-known models, learn a table of "
      "places instead, and it ends with its last row. What a model makes of a place it never met is another matter.");

  board.pytorch(pytorch_lines_of_X(world, options));
  board.experiment("--positions none", "Which sentences of part 3 change?");
  board.experiment("--text \"dog bites man\"", "Who bites whom in part 1?");
  board.experiment("--weights torch --d-model 64", "How slow is the slowest?");
  board.experiment("--text \"cat cat cat\"", "Are equal words equal in X?");
}

}  // namespace attn
