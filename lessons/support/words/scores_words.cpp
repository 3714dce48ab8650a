#include "support/words/scores_words.hpp"

#include "board/digits.hpp"
#include "support/words/words.hpp"
#include "tensor/close.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

namespace attn {

std::size_t best_other_token(const Tensor& scores, std::size_t i) {
  const std::vector<std::size_t> order = largest_first(scores, i);
  return order.front() == i && order.size() > 1 ? order[1] : order.front();
}

std::string which_is_symmetric(const Tensor& scores, const Tensor& one_for_both) {
  const double left = largest_difference(scores, transpose(scores)).largest;
  const double right = largest_difference(one_for_both, transpose(one_for_both)).largest;
  return fmt::format("Left table and its transpose differ by up to {}, the right by {}.{}", difference_text(left),
                     difference_text(right), left > 0.001 ? "" : " (These words do not show it: try others.)");
}

std::string what_scores_are_not(const Tensor& scores) {
  const std::size_t seq_len = scores.dim(0);
  std::size_t fit_themselves_best = 0;
  for (std::size_t i = 0; i < seq_len; ++i) {
    fit_themselves_best += scores(i, i) == scores(i, largest_first(scores, i).front()) ? 1 : 0;
  }
  const auto negative = [](float score) { return score < 0.0F; };
  const auto below_0 = std::count_if(scores.values().begin(), scores.values().end(), negative);
  const Tensor totals = sum(scores, -1);
  const auto [least, most] = std::minmax_element(totals.values().begin(), totals.values().end());
  return fmt::format(
      "In {} of {} rows the word's own score is the largest. Shares are never below 0, and a row of them adds up to 1. "
      "Here {} of {} scores are below 0, and rows add up to anything from {} to {}. Lessons 06 and 07 make shares of "
      "them.",
      fit_themselves_best, seq_len, below_0, scores.size(), fixed(static_cast<double>(*least), 3),
      fixed(static_cast<double>(*most), 3));
}

}  // namespace attn
