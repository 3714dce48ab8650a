#include "support/world/sentences.hpp"

#include "support/world/crafted_world.hpp"
#include "text/vocabulary.hpp"
#include "text/word_tokenizer.hpp"

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace attn {

namespace {

using Offset = std::vector<std::size_t>::difference_type;

/// One after the other, as if they were one text.
Encoding encode_together(const std::vector<World>& worlds) {
  std::vector<Token> tokens;
  for (const World& world : worlds) tokens.insert(tokens.end(), world.tokens.begin(), world.tokens.end());
  return encode(tokens);
}

/// The part of an encoding that is of one sentence. All new words stay: the table has a row for each.
Encoding part_of(const Encoding& together, std::size_t begin, std::size_t count) {
  const auto first = together.ids.begin() + static_cast<Offset>(begin);
  return {.ids = {first, first + static_cast<Offset>(count)}, .new_words = together.new_words};
}

}  // namespace

std::string memory_text(Board& board, const Options& options, const std::string& otherwise) {
  std::string text = options.memory.value_or(otherwise);
  if (tokenize_words(text).empty()) {
    throw std::invalid_argument(
        "the text of --memory has no words: attention needs one at least to look at, such as --memory \"the cat "
        "sat.\"");
  }
  board.option("memory", text);
  return text;
}

std::vector<OneHead> sentences(const Options& options, const std::vector<std::string>& texts) {
  std::vector<World> worlds;
  for (const std::string& text : texts) {
    Options of_text = options;
    of_text.text = text;
    worlds.push_back(make_world(of_text));
  }
  const Encoding together = encode_together(worlds);
  std::vector<OneHead> all;
  std::size_t begin = 0;
  for (World& world : worlds) {
    const std::size_t count = world.tokens.size();
    world.encoding = part_of(together, begin, count);
    world.ids = Tensor({count}, std::vector<float>(world.encoding.ids.begin(), world.encoding.ids.end()));
    if (options.weights == Options::Weights::crafted) {
      World with_all_words = crafted_world(together);
      world.embedding_table = std::move(with_all_words.embedding_table);
      world.guesses = std::move(with_all_words.guesses);
    }
    all.push_back(one_head(std::move(world), options));
    begin += count;
  }
  return all;
}

void record_weights_of(Board& board, const std::vector<OneHead>& all) {
  const OneHead& head = all.front();
  const World& world = head.world;
  board.option("head", head.head);
  board.record("embedding_table", world.embedding_table,
               given().with_rows(row_labels(world.encoding)).with_columns(world.channel_names));
  record_head_weights(board, head);
}

void record_sentence(Board& board, const OneHead& sentence, const std::string& prefix) {
  const std::vector<std::string> words = sentence.world.token_texts();
  board.record(prefix + "tokens", sentence.world.ids, tokenize(words));
  board.record(prefix + "embeddings", sentence.embeddings, gather("embedding_table", prefix + "tokens"));
  board.record(prefix + "positions", sentence.positions,
               sentence.waves ? sinusoid(words.size(), sentence.world.d_model) : given());
  board.record(prefix + "X", sentence.X, add(prefix + "embeddings", prefix + "positions"));
  board.record(prefix + "Q", sentence.Q, linear(prefix + "X", "W_Q"));
  board.record(prefix + "K", sentence.K, linear(prefix + "X", "W_K"));
  board.record(prefix + "V", sentence.V, linear(prefix + "X", "W_V"));
}

void record_sentences(Board& board, const std::vector<OneHead>& all, const std::vector<std::string>& prefixes) {
  record_weights_of(board, all);
  for (std::size_t k = 0; k < all.size(); ++k) record_sentence(board, all[k], prefixes[k]);
}

void record_attention(Board& board, const AttentionSteps& steps, const std::string& prefix,
                      const AttentionInputs& inputs) {
  const std::size_t head_dim = board.trace().step(inputs.query).value.dim(-1);
  const float factor = 1.0F / std::sqrt(static_cast<float>(head_dim));
  board.record(prefix + "scores", steps.scores, matmul_transposed(inputs.query, inputs.key));
  board.record(prefix + "scaled", steps.scaled, scale(prefix + "scores", factor));
  const std::string last = prefix + (inputs.mask.empty() ? "scaled" : "masked");
  if (!inputs.mask.empty()) board.record(last, steps.masked, mask_fill(prefix + "scaled", inputs.mask));
  board.record(prefix + "weights", steps.weights, softmax(last, -1));
  board.record(prefix + "context", steps.context, matmul(prefix + "weights", inputs.value));
}

}  // namespace attn
