#include "support/words/softmax_words.hpp"

#include "board/digits.hpp"
#include "support/words/words.hpp"
#include "tensor/close.hpp"
#include "tensor/reduce.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace attn {

namespace {

std::size_t count_if(const Tensor& tensor, bool (*holds)(float)) {
  return static_cast<std::size_t>(std::count_if(tensor.values().begin(), tensor.values().end(), holds));
}

}  // namespace

std::string why_no_shares_yet(const World& world, const Tensor& masked, std::size_t i) {
  double total = 0.0;
  for (std::size_t j = 0; j < masked.dim(1); ++j) {
    if (std::isfinite(masked(i, j))) total += static_cast<double>(masked(i, j));
  }
  const std::size_t hidden = count_if(masked, [](float score) { return std::isinf(score); });
  const std::size_t negative = count_if(masked, [](float score) { return std::isfinite(score) && score < 0.0F; });
  const std::string below = negative == 0 ? "none is" : fmt::format("{} {}", negative, negative == 1 ? "is" : "are");
  return fmt::format("Of {} {} below 0. Row {} adds up to {}; shares have to add up to 1.{}",
                     masked.size() == 1 ? "one score" : fmt::format("{} scores", masked.size() - hidden), below,
                     name_of(world, i), fixed(total, 3),
                     hidden > 0 ? " (-inf is what --mask causal hides: see lesson 08.)"
                                : " (Nothing is hidden here: masked is scaled.)");
}

std::string what_overflowed(const Tensor& powers) {
  const std::size_t lost = count_if(powers, [](float power) { return std::isinf(power); });
  const std::string limit = fixed(std::log(static_cast<double>(std::numeric_limits<float>::max())), 2);
  if (lost == 0)
    return fmt::format("Here every power is still below e^{}, where a float (a number in 32 bits) ends.", limit);
  return fmt::format(
      "A float, a number in 32 bits, ends at e^{}, about 3.4e38. Larger powers become inf, {} of {} here, and so does "
      "the sum: inf / inf is "
      "nan, no number.",
      limit, lost, powers.size());
}

std::string how_well_saved(const Tensor& saved, const Tensor& before) {
  const double difference = largest_difference(saved, before).largest;
  return fmt::format("The shares of part 1 again: largest difference {}{}", difference_text(difference),
                     difference == 0.0 ? "." : ". A float near 100 has fewer digits behind the point.");
}

std::string what_row_sums_say(const World& world, const Tensor& wrong_axis, std::size_t i) {
  const Tensor row_sums = sum(wrong_axis, -1);
  const auto [least, most] = std::minmax_element(row_sums.values().begin(), row_sums.values().end());
  const std::size_t rows = row_sums.size();
  const auto number = [](float value) { return fixed(static_cast<double>(value), 2); };
  const std::string total = fmt::format("Both tables add up to {} in all, so that total tells nothing.", rows);
  if (number(*least) == number(*most)) {
    return total + " In this text the rows of the wrong one happen to add up to 1 as well; seldom do they.";
  }
  return fmt::format(
      "{} The row sums do: on the wrong side they run from {} to {}. {} would hand out {} there, where each word has "
      "1.",
      total, number(*least), number(*most), name_of(world, i), number(row_sums(i)));
}

std::string what_a_batch_of_one_gives(const Tensor& over_batch) {
  const std::size_t ones = count_if(over_batch, [](float share) { return share == 1.0F; });
  const std::size_t lost = count_if(over_batch, [](float share) { return std::isnan(share); });
  return fmt::format(
      "Every number is alone on its line, so it gets all of it: exactly 1 for {} of {}.{} Nothing fails, and attention "
      "is gone.",
      ones, over_batch.size(),
      lost > 0 ? fmt::format(" The other {} are hidden ones: e^-inf / e^-inf = 0 / 0 is nan.", lost) : "");
}

}  // namespace attn
