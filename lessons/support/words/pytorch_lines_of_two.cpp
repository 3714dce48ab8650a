#include "support/words/pytorch_lines_of_two.hpp"

#include "support/words/pytorch_lines.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace attn {

std::vector<std::string> pytorch_lines_of_two(const OneHead& asking, const OneHead& asked, const Options& options) {
  // The weights, and the queries of the text that asks. Its scores with itself are not wanted.
  std::vector<std::string> lines = pytorch_lines_to_scaled(asking.world, options, asking.head);
  lines.pop_back();
  // X again, now of the other text. The lines that load or draw the table stand there already.
  const std::vector<std::string> of_asked = pytorch_lines_of_X(asked.world, options);
  const bool crafted = options.weights == Options::Weights::crafted;
  const auto ids =
      std::find_if(of_asked.begin(), of_asked.end(), [](const auto& line) { return line.starts_with("ids"); });
  const auto first = ids == of_asked.end() ? of_asked.begin() + 1 : ids;
  lines.insert(lines.end(), first, of_asked.end() - 1);
  if (crafted) lines.emplace_back("K = X @ W_K.T");
  if (!crafted) {
    lines.push_back(fmt::format("K = k(X)[:, {}:{}]", (asked.head - 1) * asked.head_dim, asked.head * asked.head_dim));
  }
  return lines;
}

std::vector<std::string> pytorch_lines_of_cross_weights(const OneHead& asking, const OneHead& asked,
                                                        const Options& options) {
  std::vector<std::string> lines = pytorch_lines_of_two(asking, asked, options);
  lines.push_back(fmt::format("w = torch.softmax(Q @ K.T / {} ** 0.5, dim=-1)", asking.head_dim));
  lines.emplace_back("print(w)");
  return lines;
}

}  // namespace attn
