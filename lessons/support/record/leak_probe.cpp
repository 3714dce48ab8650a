#include "support/record/leak_probe.hpp"

#include "attention/mask.hpp"
#include "support/record/record_head.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"
#include "tensor/softmax.hpp"
#include "text/vocabulary.hpp"
#include "text/word_tokenizer.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

namespace {

/// How hidden words are dealt with.
enum class Hiding { minus_infinity, scores_times_0, weights_times_0 };

struct Way {
  const char* name;   // of its steps in the trace
  const char* label;  // on the page
  Hiding hiding;
  bool (*keeps)(std::size_t i, std::size_t j);
};

constexpr Way ways[] = {
    {"unmasked", "no mask", Hiding::minus_infinity, [](std::size_t, std::size_t) { return true; }},
    {"scores_times_0", "scores · 0", Hiding::scores_times_0, [](std::size_t i, std::size_t j) { return j <= i; }},
    {"weights_times_0", "weights · 0", Hiding::weights_times_0, [](std::size_t i, std::size_t j) { return j <= i; }},
    {"one_too_many", "-inf, j ≤ i + 1", Hiding::minus_infinity,
     [](std::size_t i, std::size_t j) { return j <= i + 1; }},
    {"one_too_few", "-inf, j < i", Hiding::minus_infinity, [](std::size_t i, std::size_t j) { return j < i; }},
    {"swapped", "1 and 0 swapped", Hiding::minus_infinity, [](std::size_t i, std::size_t j) { return j > i; }},
    {"causal", "-inf, j ≤ i", Hiding::minus_infinity, [](std::size_t i, std::size_t j) { return j <= i; }},
};

/// Records what each word collects of `sentence` ("" or "changed.") that way; the step's name.
std::string record_context(Board& board, const Way& way, const std::string& mask, const std::string& sentence,
                           const Compute& compute) {
  const std::string prefix = std::string(way.name) + "." + sentence;
  const auto value = [&](const std::string& step) { return board.trace().step(step).value; };
  const auto record = [&](const std::string& name, const Tensor& tensor, const Origin& origin) {
    board.record(prefix + name, tensor, origin);
    return prefix + name;
  };
  std::string scores = sentence + "scaled";
  if (way.hiding == Hiding::minus_infinity) {
    scores = record("masked", mask_fill(value(scores), value(mask)), mask_fill(scores, mask));
  } else if (way.hiding == Hiding::scores_times_0) {
    scores = record("zeroed", multiply(value(scores), value(mask)), multiply(scores, mask));
  }
  std::string weights = record("weights", softmax(value(scores), -1, compute), softmax(scores, -1));
  if (way.hiding == Hiding::weights_times_0) {
    weights = record("erased", multiply(value(weights), value(mask)), multiply(weights, mask));
  }
  const std::string values = sentence + "V";
  return record("context", matmul(value(weights), value(values), compute), matmul(weights, values));
}

/// Records how far each word's context moves at most, [1, seq_len]; the step's name.
std::string record_moved(Board& board, const Way& way, const std::string& mask, const Compute& compute) {
  const std::string before = record_context(board, way, mask, "", compute);
  const std::string after = record_context(board, way, mask, "changed.", compute);
  const std::string name = way.name;
  const auto value = [&](const std::string& step) { return board.trace().step(step).value; };
  board.record(name + ".difference", subtract(value(after), value(before)), subtract(after, before));
  board.record(name + ".distance", abs(value(name + ".difference")), abs(name + ".difference"));
  board.record(name + ".largest", max(value(name + ".distance"), -1), max(name + ".distance", -1));
  const Tensor moved = reshape(value(name + ".largest"), {1, value(before).dim(0)});
  board.record(name + ".moved", moved, reshape(name + ".largest").with_columns(board.trace().step(before).rows));
  return name + ".moved";
}

void record_changed(Board& board, const OneHead& changed) {
  board.record("changed.tokens", changed.world.ids, tokenize(changed.world.token_texts()));
  board.record("changed.embeddings", changed.embeddings, gather("embedding_table", "changed.tokens"));
  board.record("changed.X", changed.X, add("changed.embeddings", "positions"));
  board.record("changed.Q", changed.Q, linear("changed.X", "W_Q"));
  board.record("changed.K", changed.K, linear("changed.X", "W_K"));
  board.record("changed.V", changed.V, linear("changed.X", "W_V"));
  record_attention(board, "changed.", changed.steps, Until::scaled);
}

}  // namespace

OneHead with_another_last_word(const OneHead& head) {
  OneHead changed = head;
  World& world = changed.world;
  const std::size_t last = world.tokens.size() - 1;
  for (const char* word : {"cat", "sat"}) {
    world.tokens[last] = {.text = word, .word = word};
    world.ids(last) = static_cast<float>(encode(tokenize_words(word)).ids[0]);
    compute_steps(changed);
    if (changed.embeddings.values() != head.embeddings.values()) break;
  }
  changed.word = world.tokens[last].text;
  return changed;
}

void show_leaks(Board& board, const OneHead& head, const OneHead& changed) {
  record_changed(board, changed);
  const std::vector<std::string> words = head.world.token_texts();
  std::vector<std::string> moved;
  std::vector<std::string> labels;
  for (const Way& way : ways) {
    const std::string mask = std::string(way.name) + ".mask";
    Tensor keep({words.size(), words.size()});
    for (std::size_t i = 0; i < words.size(); ++i) {
      for (std::size_t j = 0; j < words.size(); ++j) keep(i, j) = way.keeps(i, j) ? 1.0F : 0.0F;
    }
    board.record(mask, keep, given().with_rows(words).with_columns(words));
    moved.push_back(record_moved(board, way, mask, head.world.compute));
    labels.emplace_back(way.label);
  }
  show_rows(board, "moved", moved, labels);
}

}  // namespace attn
