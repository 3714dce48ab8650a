// Lesson 03: positions
//
// Question   How does a word know where it stands?
// Equation   positions[p, 2i] = sin(p / 10000^(2i/d_model)), [p, 2i+1] = cos of it   Vaswani et al. 2017, section 3.5
// Builds on  02 (embeddings)

#include "support/lesson.hpp"
#include "support/one_head.hpp"
#include "support/token_lists.hpp"
#include "support/two_places.hpp"
#include "support/wave_tables.hpp"

#include <algorithm>

namespace attn {

void lesson(Board& board, const Options& options) {
  using Names = std::vector<std::string>;
  const OneHead head = one_head(options);
  const World& world = head.world;
  const Tensor& embeddings = head.embeddings;  // [seq_len, d_model]
  const Tensor& positions = head.positions;    // [seq_len, d_model]
  const Tensor& W_Q = head.W_Q;                // [head_dim, d_model]
  const std::size_t d_model = world.d_model;
  const std::size_t i = head.i;
  const auto apart = [](const Tensor& a, const Tensor& b) {
    return Value::difference(largest_difference(a, b).largest);
  };

  board.title("Positions");
  board.map("X");
  board.say("How does a word know where it stands?");
  board.say(
      "Lesson 02 gave each token the row of its id. Where the token stands made no difference to that row, and it "
      "makes none to what attention does with it.");
  record_until(board, head, Until::X);

  // 1. The same words in another order are the same rows in another order, before attention and after.
  const TwoPlaces words = two_words(world);
  const Tensor order = order_with_swap(world.tokens.size(), words);
  const Tensor swapped = gather(embeddings, order);  // two words have changed places
  const Tensor swapped_X = add(swapped, positions);  // the places have not
  const auto attend = [&](const Tensor& rows) {
    return multi_head_attention(rows, rows, rows, world.weights, world.num_heads).output;
  };
  if (words.differ()) {
    board.part("Without positions, order is lost", "embeddings, order → swapped");
    board.say("Let {one} and {other} change places:",
              {{"one", name_of(world, words.first)}, {"other", name_of(world, words.second)}});
    board.record("order", order, given().with_rows(texts_in_order(world, order)));
    board.record("swapped", swapped, gather("embeddings", "order"));
    board.record("swapped_X", swapped_X, add("swapped", "positions"));
    board.links("text", world.token_texts(), "swapped", texts_in_order(world, order));
    board.code({"swapped"});
    board.notice("Put each row back where it came from: largest difference {difference}. It is the same set of rows.",
                 {{"difference", apart(gather(swapped, order), embeddings)}});
    board.notice(
        "Attention does not notice either. It takes sums over all words, and sums have no order. Its output for each "
        "word in both sentences (all heads, no mask): largest difference {difference}.",
        {{"difference", apart(gather(attend(swapped), order), attend(embeddings))}});
  }

  // 2. A row of waves for each place: fast ones tell neighbours apart, slow ones tell far places apart.
  const std::size_t places = 63;                               // the first wave turns ten times
  const Tensor waves = sinusoidal_positions(places, d_model);  // [63, d_model]

  board.part("A wave for each pair of channels", "place → positions");
  board.say(
      "So each place p gets a row of its own, to be added. Its numbers should stay small however far it is, and differ "
      "from place to place. Waves do both: a sine and a cosine for each pair of channels, from fast to slow. Below, a "
      "line is a channel, a column is a place, and - is below 0.");
  board.record("waves", waves, sinusoid(places, d_model));
  board.formula("positions[p, 2i]   = sin(p / 10000^(2i/d_model))", "Vaswani et al. 2017, 3.5");
  board.formula("positions[p, 2i+1] = cos(p / 10000^(2i/d_model))", "");
  board.code({"even", "angle", "wave"}, "src/attention/positions.cpp");
  draw_waves(board, "waves", "waves at places 0 to 62");
  board.by_hand("waves", {i > 0 && i < places ? i : 1, d_model > 2 ? std::size_t{2} : 0});
  if (d_model > 3) {
    const std::size_t last = (d_model - 1) / 2 * 2;
    board.notice("Channel 0 turns once in {first} places, channel {last} once in {slow}.",
                 {{"first", wavelength(0, d_model)}, {"last", last}, {"slow", wavelength(last, d_model)}});
  }
  const ClosestRows closest = closest_rows(waves);
  board.notice("No two columns are equal. The closest are places {one} and {other}: one channel differs by {gap}.",
               {{"one", closest.first}, {"other", closest.second}, {"gap", closest.difference}});

  // 3. The two are added.
  const Tensor X = add(embeddings, positions);  // [seq_len, d_model]

  board.part("Add it", "embeddings, positions → [X] → Q, K, V");
  board.say("X, the input of attention, is what a word is, plus where it stands.");
  board.formula("X = embeddings + positions", "Vaswani et al. 2017, 3.5");
  board.shapes("X");
  board.code({"X"});
  board.table({{"X", "", channels_to_show(world, world.telling_channels)}}, {.numbered = true});
  board.by_hand("X", {i, largest_of(embeddings, i, channels_to_show(world, world.kind_channels))});
  if (!head.waves) board.notice("With --positions none all positions are 0, and X is the embeddings.");
  const TwoPlaces same = first_repetition(world);
  if (same.differ()) {
    board.notice(
        "{one} and {other} have equal embeddings. Their rows of X differ by up to {difference}.",
        {{"one", name_of(world, same.first)},
         {"other", name_of(world, same.second)},
         {"difference", apart(slice(X, 0, same.first, same.first + 1), slice(X, 0, same.second, same.second + 1))}});
  }
  if (words.differ()) {
    board.notice("Part 1 again, now with X: rows differ by up to {rows}, attention's output by up to {outputs}.",
                 {{"rows", apart(gather(swapped_X, order), X)},
                  {"outputs", apart(gather(attend(swapped_X), order), attend(X))}});
  }

  // 4. Adding is appending, with the same weights for the word and for its place.
  const Tensor appended = concat({embeddings, positions}, 1);  // [seq_len, 2 d_model]
  const Tensor W_Q_twice = concat({W_Q, W_Q}, 1);              // [head_dim, 2 d_model]
  const Tensor Q_appended = linear(appended, W_Q_twice);       // [seq_len, head_dim]
  const Tensor Q = linear(X, W_Q);                             // [seq_len, head_dim]

  board.part("Why add, and not append?", "X → Q, and appended → Q_appended");
  board.say(
      "A place could stand beside the word instead: {twice} numbers a row. What comes next is a product with a matrix "
      "of weights, W_Q (lesson 04). It would need {twice} columns too. Give it the same ones twice:",
      {{"twice", 2 * d_model}});
  board.record("W_Q", W_Q, given().with_columns(world.channel_names));
  board.record("appended", appended, concat(Names{"embeddings", "positions"}, 1));
  board.record("W_Q_twice", W_Q_twice, concat(Names{"W_Q", "W_Q"}, 1));
  board.record("Q_appended", Q_appended, linear("appended", "W_Q_twice"));
  board.record("Q", Q, linear("X", "W_Q"));
  board.shapes("Q_appended");
  board.shapes("Q");
  board.code({"Q_appended", "Q"});
  board.notice(
      "Largest difference of the two: {difference}. So adding is appending, where word and place share their weights. "
      "It takes {once} weights here instead of {twice}.",
      {{"difference", apart(Q_appended, Q)}, {"once", W_Q.size()}, {"twice", W_Q_twice.size()}});
  if (head.waves && world.tokens.size() > 1) {
    board.notice("{sentence}", {{"sentence", how_word_and_place_share(world, positions)}});
  }

  // 5. Three tables that are taken for this one.
  if (d_model >= 4) {
    const std::size_t few = 6;
    const Tensor paper = slice(waves, 0, 0, few);                       // [6, d_model]
    const Tensor doubled = sinusoidal_positions(few, d_model, 0, 1e8);  // 10000^(4i/d_model): the base is squared

    board.part("Three that look right and are not", "");
    board.say("A program with one of these runs, and even trains. Rows are places 0 to 5, columns the first channels:");
    board.record("paper", paper, slice("waves", 0, 0, few));
    board.record("doubled", doubled, sinusoid(few, d_model, 1e8));
    board.record("wider", sinusoidal_positions(few, 2 * d_model), sinusoid(few, 2 * d_model));
    const Tensor own = record_columns(board, "own", "wider", a_frequency_each(d_model));
    const Tensor halves = record_columns(board, "halves", "paper", sines_first(d_model));
    const std::vector<std::size_t> first = first_columns(std::min<std::size_t>(d_model, 12));
    board.panels({{"paper", "the paper's", first},
                  {"doubled", "4i for 2i", first},
                  {"own", "no pairs", first},
                  {"halves", "sines first", first}},
                 {.cell = 1, .top = 1.0});
    board.notice(
        "4i for 2i: channel 2i is even already, and its number is doubled again. Waves get too slow. Channels that "
        "move by less than 0.01 over {places} places: {many} of {all}; in the paper's table {few}.",
        {{"places", places},
         {"many", count_still(sinusoidal_positions(places, d_model, 0, 1e8), 0.01F)},
         {"all", d_model},
         {"few", count_still(waves, 0.01F)}});
    board.notice(
        "No pairs: each channel has a frequency of its own. The squares of a sine and a cosine add up to 1 only where "
        "both have the same angle. Those of row 5 add up to {paper} in the paper's table, here to {own}.",
        {{"paper", sum_of_squares(paper, few - 1)}, {"own", sum_of_squares(own, few - 1)}});
    board.notice(
        "Sines first: the same numbers in other channels, where they differ by up to {difference}. A new model does "
        "not care. One that was trained with the other order reads the wrong channels.",
        {{"difference", apart(halves, paper)}});
  }

  board.ask("No training text was 5000 words long. Does place 5000 have a row?",
            "With waves it has: the formula knows no last place. BERT and GPT learn a table of places instead, and it "
            "ends with its last row. What a model makes of a place it never met is another matter.");

  board.pytorch(pytorch_lines_of_X(world, options));
  board.experiment("--positions none", "Which sentences of part 3 change?");
  board.experiment("--text \"dog bites man\"", "Who bites whom in part 1?");
  board.experiment("--weights torch --d-model 64", "How slow is the slowest?");
  board.experiment("--text \"cat cat cat\"", "Are equal words equal in X?");
}

}  // namespace attn
