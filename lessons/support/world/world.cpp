#include "support/world/world.hpp"

#include "support/program/quoted.hpp"
#include "support/world/crafted_world.hpp"
#include "support/world/torch_world.hpp"
#include "support/world/weights_file.hpp"
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
// Pages repeat tokens again and again, and work on their characters one by one. No word of any language is as long.
constexpr std::size_t most_bytes_of_token = 4096;

// What a lesson may take without minutes of waiting or gigabytes of memory.
constexpr std::size_t most_scores = std::size_t{1} << 22U;    // of all heads; several steps hold as many numbers
constexpr std::size_t most_products = std::size_t{1} << 28U;  // of X and one weight; Q, K, V and output take as many
constexpr std::size_t most_outputs = std::size_t{1} << 24U;   // what each head alone would put out, in all channels

void check_work(std::size_t seq_len, std::size_t d_model, std::size_t num_heads) {
  const bool fits = num_heads * seq_len * seq_len <= most_scores && seq_len * d_model * d_model <= most_products &&
                    num_heads * seq_len * d_model <= most_outputs;
  if (fits) return;
  throw std::invalid_argument(
      fmt::format("seq_len {}, d_model {} and {} heads together are too much work for a page: give a shorter text, a "
                  "smaller d_model or fewer heads",
                  seq_len, d_model, num_heads));
}

void check_options(const Options& options) {
  if (options.weights == Options::Weights::crafted && (options.d_model != 16 || options.num_heads != 4)) {
    throw std::invalid_argument("the crafted world has d_model 16 and 4 heads: add --weights torch");
  }
  if (options.weights == Options::Weights::torch) check_num_heads(options.d_model, options.num_heads);
}

std::vector<Token> tokens_of(const std::string& text) {
  std::vector<Token> tokens = tokenize_words(text);
  if (tokens.empty()) {
    throw std::invalid_argument("the text has no words: attention needs one at least, such as --text \"the cat sat.\"");
  }
  if (tokens.size() > most_tokens) {
    throw std::invalid_argument(fmt::format(
        "the text has {} tokens, and a page has room for {} at most: give a shorter text", tokens.size(), most_tokens));
  }
  for (const Token& token : tokens) {
    if (token.text.size() <= most_bytes_of_token) continue;
    throw std::invalid_argument(fmt::format(
        "the text has a word of {} bytes, {}, and a page has room for {} at most: give a text of shorter words",
        token.text.size(), quoted(token.text), most_bytes_of_token));
  }
  return tokens;
}

World world_of(const Options& options, const Encoding& encoding) {
  switch (options.weights) {
    case Options::Weights::crafted:
      return crafted_world(encoding);
    case Options::Weights::torch:
      return torch_world(options.d_model, options.num_heads, options.seed);
    case Options::Weights::file:
      return file_world(options.weights_file);
  }
  throw std::logic_error("there are three kinds of weights");
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
  std::vector<Token> tokens = tokens_of(options.text);
  Encoding encoding = encode(tokens);

  World world = world_of(options, encoding);
  check_work(tokens.size(), world.d_model, world.num_heads);
  if (options.head > world.num_heads) {
    throw std::invalid_argument(
        fmt::format("there is no head {}: the heads are 1 to {}", options.head, world.num_heads));
  }
  world.compute = options.compute;
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
