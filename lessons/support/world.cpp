#include "support/world.hpp"

#include "support/crafted_world.hpp"
#include "support/torch_world.hpp"
#include "text/lexicon.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

namespace attn {

namespace {

// Each pair of tokens has its own score in each head and step; more would take minutes and gigabytes.
constexpr std::size_t most_tokens = 1024;

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

/// The first token of which `kind` is fully true, or the number of tokens.
std::size_t first_token(const std::vector<Token>& tokens, float WordKinds::*kind) {
  const auto found = std::find_if(tokens.begin(), tokens.end(), [&](const Token& token) {
    const KnownWord* const known = find_known_word(token.word);
    return (known != nullptr ? known->kinds : guess_kinds(token.word).kinds).*kind == 1.0F;
  });
  return static_cast<std::size_t>(found - tokens.begin());
}

std::size_t token_to_follow(const std::vector<Token>& tokens) {
  for (const auto kind : {&WordKinds::verb, &WordKinds::noun}) {
    const std::size_t found = first_token(tokens, kind);
    if (found < tokens.size()) return found;
  }
  return 0;
}

}  // namespace

World make_world(const Options& options) {
  check_options(options);
  std::vector<Token> tokens = tokenize_words(options.text);
  if (tokens.empty()) {
    throw std::invalid_argument("the text has no words: attention needs one at least, such as --text \"the cat sat.\"");
  }
  if (tokens.size() > most_tokens) {
    throw std::invalid_argument(fmt::format(
        "the text has {} tokens, and a page has room for {} at most: give a shorter text", tokens.size(), most_tokens));
  }
  Encoding encoding = encode(tokens);

  World world = options.weights == Options::Weights::crafted
                    ? crafted_world(encoding)
                    : torch_world(options.d_model, options.num_heads, options.seed);
  world.followed = token_to_follow(tokens);
  world.tokens = std::move(tokens);
  world.ids = Tensor({encoding.ids.size()}, std::vector<float>(encoding.ids.begin(), encoding.ids.end()));
  world.encoding = std::move(encoding);
  return world;
}

std::vector<std::string> World::token_texts() const {
  std::vector<std::string> texts;
  for (const Token& token : tokens) texts.push_back(token.text);
  return texts;
}

}  // namespace attn
