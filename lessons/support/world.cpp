#include "support/world.hpp"

#include "support/crafted_world.hpp"
#include "support/torch_world.hpp"

#include <fmt/core.h>

#include <stdexcept>
#include <utility>

namespace attn {

namespace {

void check_options(const Options& options) {
  if (options.weights == Options::Weights::crafted && (options.d_model != 16 || options.num_heads != 4)) {
    throw std::invalid_argument("the crafted world has d_model 16 and 4 heads: add --weights torch");
  }
  check_num_heads(options.d_model, options.num_heads);
  if (options.head > options.num_heads) {
    throw std::invalid_argument(
        fmt::format("there is no head {}: the heads are 1 to {}", options.head, options.num_heads));
  }
}

}  // namespace

World make_world(const Options& options) {
  check_options(options);
  std::vector<Token> tokens = tokenize_words(options.text);
  if (tokens.empty()) {
    throw std::invalid_argument("the text has no words: attention needs one at least, such as --text \"the cat sat.\"");
  }
  Encoding encoding = encode(tokens);

  World world = options.weights == Options::Weights::crafted
                    ? crafted_world(encoding)
                    : torch_world(options.d_model, options.num_heads, options.seed);
  world.tokens = std::move(tokens);
  world.encoding = std::move(encoding);
  return world;
}

}  // namespace attn
