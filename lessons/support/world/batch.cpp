#include "support/world/batch.hpp"

#include "attention/embedding.hpp"
#include "attention/positions.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/rearrange.hpp"
#include "text/vocabulary.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace attn {

namespace {

bool ends_sentence(const Token& token) {
  const std::vector<std::string_view> marks = {".", "?", "!", "…", "。", "？", "！"};
  return std::find(marks.begin(), marks.end(), token.word) != marks.end();
}

/// How many tokens each sentence has. Of several marks in a row ("?!") the last ends it.
std::vector<std::size_t> sentence_lengths(const std::vector<Token>& tokens) {
  std::vector<std::size_t> lengths = {0};
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    ++lengths.back();
    const bool last = k + 1 == tokens.size();
    if (!last && ends_sentence(tokens[k]) && !ends_sentence(tokens[k + 1])) lengths.push_back(0);
  }
  return lengths;
}

std::vector<std::string> sentence_labels(std::size_t count) {
  std::vector<std::string> labels;
  for (std::size_t b = 1; b <= count; ++b) labels.push_back("sentence " + std::to_string(b));
  return labels;
}

}  // namespace

Batch make_batch(const Options& options) {
  Batch batch;
  batch.world = make_world(options);
  const World& world = batch.world;
  batch.lengths = sentence_lengths(world.tokens);
  const auto [shortest, longest] = std::minmax_element(batch.lengths.begin(), batch.lengths.end());
  batch.b = static_cast<std::size_t>(shortest - batch.lengths.begin());
  batch.seq_len = *shortest < *longest ? *longest : *longest + 2;

  batch.ids = Tensor({batch.size(), batch.seq_len}, static_cast<float>(unknown_id));
  std::size_t k = 0;
  for (std::size_t b = 0; b < batch.size(); ++b) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < batch.lengths[b]; ++i, ++k) {
      words.push_back(world.tokens[k].text);
      batch.ids(b, i) = world.ids(k);
    }
    words.resize(batch.seq_len, "<pad>");
    batch.words.push_back(words);
  }

  batch.waves = options.positions == Options::Positions::sinusoidal;
  batch.positions =
      batch.waves ? sinusoidal_positions(batch.seq_len, world.d_model) : Tensor({batch.seq_len, world.d_model});
  batch.X = add(gather(world.embedding_table, batch.ids), batch.positions);
  return batch;
}

void record_batch(Board& board, const Batch& batch) {
  const World& world = batch.world;
  board.record("tokens", world.ids, tokenize(world.token_texts()));
  // The ids of each sentence are a part of the text's; what fills it up is given.
  std::vector<std::string> rows;
  std::size_t begin = 0;
  for (std::size_t b = 0; b < batch.size(); ++b) {
    const std::string prefix = "sentence" + std::to_string(b + 1) + ".";
    const std::size_t length = batch.lengths[b];
    const Tensor own = slice(world.ids, 0, begin, begin + length);
    std::vector<std::string> parts = {prefix + "tokens"};
    std::vector<Tensor> values = {own};
    board.record(prefix + "tokens", own, slice("tokens", 0, begin, begin + length));
    if (length < batch.seq_len) {
      const Tensor fill({batch.seq_len - length}, static_cast<float>(unknown_id));
      parts.push_back(prefix + "padding");
      values.push_back(fill);
      board.record(
          prefix + "padding", fill,
          given().with_rows({batch.words[b].begin() + static_cast<std::ptrdiff_t>(length), batch.words[b].end()}));
    }
    const Tensor row = concat(values, 0);
    board.record(prefix + "filled", row, concat(parts, 0));
    board.record(prefix + "ids", reshape(row, {1, batch.seq_len}), reshape(prefix + "filled"));
    rows.push_back(prefix + "ids");
    begin += length;
  }
  board.record("ids", batch.ids, concat(rows, 0).with_rows(sentence_labels(batch.size())));
  board.record("embedding_table", world.embedding_table,
               given().with_rows(row_labels(world.encoding)).with_columns(world.channel_names));
  board.record("embeddings", gather(world.embedding_table, batch.ids), gather("embedding_table", "ids"));
  board.record("positions", batch.positions, batch.waves ? sinusoid(batch.seq_len, world.d_model) : given());
  board.record("X", batch.X, add("embeddings", "positions"));
  board.record("W_Q", world.weights.W_Q, given().with_columns(world.channel_names));
  board.record("W_K", world.weights.W_K, given().with_columns(world.channel_names));
  board.record("W_V", world.weights.W_V, given().with_columns(world.channel_names));
  board.record("W_O", world.weights.W_O, given().with_rows(world.channel_names));
  board.record("b_O", world.weights.b_O, given().with_rows(world.channel_names));
}

}  // namespace attn
