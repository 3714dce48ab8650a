#include "support/record/mistaken_waves.hpp"

#include "attention/positions.hpp"
#include "support/record/wave_tables.hpp"
#include "support/words/words.hpp"
#include "tensor/rearrange.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace attn {

namespace {

constexpr std::size_t few = 6;             // places that are shown
constexpr std::size_t most_channels = 12;  // channels that are shown
constexpr double squared_base = 1e8;       // 10000^(4i/d_model) is (10000^2)^(2i/d_model)
constexpr float hardly_moving = 0.01F;

}  // namespace

void show_mistaken_waves(Board& board, const Tensor& waves) {
  const std::size_t places = waves.dim(0);
  const std::size_t d_model = waves.dim(1);
  const Tensor paper = slice(waves, 0, 0, few);                                // [6, d_model]
  const Tensor doubled = sinusoidal_positions(few, d_model, 0, squared_base);  // [6, d_model]
  board.record("paper", paper, slice("waves", 0, 0, few));
  board.record("doubled", doubled, sinusoid(few, d_model, squared_base));
  board.record("wider", sinusoidal_positions(few, 2 * d_model), sinusoid(few, 2 * d_model));
  const Tensor own = record_columns(board, "own", "wider", a_frequency_each(d_model));
  const Tensor halves = record_columns(board, "halves", "paper", sines_first(d_model));

  const std::vector<std::size_t> first = first_columns(std::min(d_model, most_channels));
  board.panels({{"paper", "the paper's", first},
                {"doubled", "4i for 2i", first},
                {"own", "no pairs", first},
                {"halves", "sines first", first}},
               {.cell = 1, .top = 1.0});
  board.notice(
      "4i for 2i: channel 2i is even already, and doubled once more. Waves get too slow: over {places} places {many} "
      "of {all} channels move by less than 0.01 (of the paper's: {few}).",
      {{"places", places},
       {"many", count_still(sinusoidal_positions(places, d_model, 0, squared_base), hardly_moving)},
       {"all", d_model},
       {"few", count_still(waves, hardly_moving)}});
  board.notice(
      "No pairs: each channel has a wave of its own. But only as a pair do the squares of a sine and a cosine add "
      "up to 1: all squares of row 5 together are {paper} in the paper's table, here {own}.",
      {{"paper", sum_of_squares(paper, few - 1)}, {"own", sum_of_squares(own, few - 1)}});
  board.notice(
      "Sines first: the same numbers in other channels; the tables differ by up to {difference}. A model that was "
      "trained with one order reads the wrong channels of the other.",
      {{"difference", difference_of(halves, paper)}});
}

}  // namespace attn
