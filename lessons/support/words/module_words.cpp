#include "support/words/module_words.hpp"

#include "attention/kinds/dropout.hpp"
#include "attention/mask.hpp"
#include "board/digits.hpp"
#include "support/record/places.hpp"
#include "support/words/pytorch_lines.hpp"
#include "support/words/words.hpp"
#include "tensor/close.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/random.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace attn {

namespace {

/// "[7, 4]" in lines of a page's width: Python lets a list go on below.
std::string python_list(const std::vector<std::size_t>& numbers) {
  constexpr std::size_t widest = 40;
  std::string text = "[";
  std::size_t used = 0;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const std::string item = fmt::format("{}{}", numbers[k], k + 1 < numbers.size() ? ", " : "]");
    if (used + item.size() > widest) {
      text.back() = '\n';  // in place of the blank
      text += "    ";
      used = 0;
    }
    text += item;
    used += item.size();
  }
  return text;
}

/// Adds a text of several lines.
void append(std::vector<std::string>& lines, const std::string& text) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace

void record_module(Board& board, const Batch& batch, const MultiHeadSteps& steps, const std::string& prefix,
                   const std::string& x, const std::string& mask) {
  const std::size_t num_heads = batch.world.num_heads;
  const float factor = 1.0F / std::sqrt(static_cast<float>(batch.world.d_model / num_heads));
  const auto heads = [&](const std::string& name, const Tensor& value, const std::string& weight) {
    board.record(prefix + name, value, linear(x, weight));
    board.record(prefix + name + "_heads", split_heads(value, num_heads), split_heads(prefix + name, num_heads));
  };
  heads("Q", steps.Q, "W_Q");
  heads("K", steps.K, "W_K");
  heads("V", steps.V, "W_V");
  board.record(prefix + "scores", steps.heads.scores, matmul_transposed(prefix + "Q_heads", prefix + "K_heads"));
  board.record(prefix + "scaled", steps.heads.scaled, scale(prefix + "scores", factor));
  const std::string last = prefix + (mask.empty() ? "scaled" : "masked");
  if (!mask.empty()) board.record(last, steps.heads.masked, mask_fill(prefix + "scaled", mask));
  board.record(prefix + "weights", steps.heads.weights, softmax(last, -1));
  board.record(prefix + "context", steps.heads.context, matmul(prefix + "weights", prefix + "V_heads"));
  board.record(prefix + "concat", steps.concat, merge_heads(prefix + "context", num_heads));
  board.record(prefix + "output", steps.output, linear(prefix + "concat", "W_O", "b_O"));
}

void record_matrix(Board& board, const Batch& batch, const std::string& name, const std::string& of, std::size_t head) {
  const Tensor all = board.trace().step(of).value;
  const Tensor sentence = slice(all, 0, batch.b, batch.b + 1);
  const Tensor of_head = slice(sentence, 1, head - 1, head);
  const Shape shape = {all.dim(2), all.dim(3)};
  board.record(name + ".sentence", sentence, slice(of, 0, batch.b, batch.b + 1));
  board.record(name + ".head", of_head, slice(name + ".sentence", 1, head - 1, head));
  board.record(name, reshape(of_head, shape),
               reshape(name + ".head").with_rows(batch.words[batch.b]).with_columns(batch.words[batch.b]));
}

void record_words(Board& board, const Batch& batch, const std::string& step) {
  board.record(step + ".words", slice(board.trace().step(step).value, 0, 0, batch.length()),
               slice(step, 0, 0, batch.length()));
}

void record_hidden_rows(Board& board, const Batch& batch, std::size_t head, const HiddenRows& steps) {
  board.record("row_mask", steps.row_mask, reshape("mask"));
  record_module(board, batch, steps.by_rows, "by_rows.", "X", "row_mask");
  board.record("sentence", slice(batch.X, 0, batch.b, batch.b + 1), slice("X", 0, batch.b, batch.b + 1));
  board.record("alone.X", steps.alone_X, slice("sentence", 1, 0, batch.length()));
  record_module(board, batch, steps.alone, "alone.", "alone.X", "");
  const Tensor weights = board.trace().step("weights").value;
  board.record("head_weights", slice(weights, 1, head - 1, head), slice("weights", 1, head - 1, head));
  record_matrix(board, batch, "hidden_columns", "weights", head);
  record_matrix(board, batch, "hidden_rows", "by_rows.weights", head);
}

void record_dropped(Board& board, const Batch& batch, std::size_t head, const Dropout& draw, const Tensor& dropped) {
  board.record("kept", draw.kept, given());
  board.record("dropped", dropped, dropout("weights", "kept", draw.rate));
  record_matrix(board, batch, "kept_here", "kept", head);
  record_matrix(board, batch, "dropped_here", "dropped", head);
  for (const char* step : {"hidden_columns", "kept_here", "dropped_here"}) record_words(board, batch, step);
}

std::shared_ptr<Random> random_numbers(std::uint64_t seed) {
  return std::make_shared<Random>(seed);
}

std::string how_it_is_filled_up(const Batch& batch) {
  if (!batch.filled_up()) return "The shorter ones are filled up";
  return batch.size() == 1 ? "There is only one here, so that it gets two tokens more, to be seen: it is filled up"
                           : "They are so here already, and each gets two tokens more: they are filled up";
}

double given_to_padding(const Batch& batch, const Tensor& weights, std::size_t head, std::size_t i) {
  double given = 0.0;
  for (std::size_t j = batch.length(); j < batch.seq_len; ++j) {
    given += static_cast<double>(weights(batch.b, head - 1, i, j));
  }
  return given;
}

std::size_t looks_most_at_padding(const Batch& batch, const Tensor& weights, std::size_t head) {
  std::size_t most = 0;
  for (std::size_t i = 1; i < batch.length(); ++i) {
    if (given_to_padding(batch, weights, head, i) > given_to_padding(batch, weights, head, most)) most = i;
  }
  return most;
}

Tensor output_of_words(const Batch& batch, const Tensor& output) {
  const Tensor sentence = slice(slice(output, 0, batch.b, batch.b + 1), 1, 0, batch.length());
  return reshape(sentence, {batch.length(), batch.world.d_model});
}

std::string how_alone_differs(const Batch& batch, const MultiHeadSteps& by_columns, const MultiHeadSteps& by_rows,
                              const MultiHeadSteps& alone) {
  const Tensor without_padding = reshape(alone.output, {batch.length(), batch.world.d_model});
  return fmt::format(
      "Alone, without padding, its output differs from the batch's by {} (columns hidden), by {} (rows hidden).",
      difference_in_words(output_of_words(batch, by_columns.output), without_padding),
      difference_in_words(output_of_words(batch, by_rows.output), without_padding));
}

std::string read_aloud(const Batch& batch, std::size_t head_dim) {
  const auto count = [](std::size_t number, const char* what) {
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
  };
  return fmt::format("{}, {} in each, {} in each head, {} for each", count(batch.size(), "sentence"),
                     count(batch.world.num_heads, "head"), count(batch.seq_len, "token"), count(head_dim, "channel"));
}

std::string refusal(std::size_t d_model, std::size_t num_heads) {
  try {
    Random random(0);
    static_cast<void>(MultiHeadAttention(d_model, num_heads, random));
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "";
}

std::string what_a_mask_without_heads_does(const Batch& batch, const Tensor& scaled, const Tensor& mask) {
  const std::string refused = [&]() -> std::string {
    try {
      static_cast<void>(mask_fill(scaled, mask));
      return "";
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  }();
  if (!refused.empty()) return fmt::format("mask_fill (lesson 08) refuses it: \"{}\".", refused);
  if (batch.size() == 1) return "With one sentence in the batch it does no harm: a size of 1 goes with any.";
  const Shape right = {batch.size(), 1, 1, batch.seq_len};
  const std::size_t wrong = count_of_different(multiply(Tensor(scaled.shape(), 1.0F), mask),
                                               multiply(Tensor(scaled.shape(), 1.0F), reshape(mask, right)));
  return fmt::format(
      "There are as many sentences as heads, so it fits without a word: in every sentence head 1 gets the mask of "
      "sentence 1, head 2 that of sentence 2. {}",
      wrong == 0 ? std::string("Here all sentences are equally long, so it does not show.")
                 : fmt::format("{} of {} scores are hidden, or seen, by mistake.", wrong, scaled.size()));
}

Value between_two_draws(const Batch& batch, const MultiHeadSteps& steps, Random& random, float rate) {
  const World& world = batch.world;
  const Tensor V_heads = split_heads(steps.V, world.num_heads);
  const auto output = [&] {
    const Dropout draw = draw_dropout(random, steps.heads.weights.shape(), rate, Mode::training);
    const Tensor context = matmul(drop(steps.heads.weights, draw), V_heads, world.compute);
    return output_of_words(batch, linear(merge_heads(context), world.weights.W_O, world.weights.b_O, world.compute));
  };
  const Tensor first = output();
  return difference_of(output(), first);
}

Tensor rows_of_words(const Batch& batch, const Tensor& of_heads) {
  std::vector<Tensor> parts;
  for (std::size_t b = 0; b < batch.size(); ++b) {
    const Tensor words = slice(slice(of_heads, 0, b, b + 1), 2, 0, batch.lengths[b]);
    parts.push_back(reshape(words, {words.size() / batch.seq_len, batch.seq_len}));
  }
  return concat(parts, 0);
}

std::string spread_of_row_sums(const Tensor& rows) {
  const Tensor sums = sum(rows, -1);
  const auto [least, most] = std::minmax_element(sums.values().begin(), sums.values().end());
  if (std::any_of(sums.values().begin(), sums.values().end(), [](float x) { return std::isnan(x); })) {
    return "some are nan";
  }
  return fmt::format("from {} to {}", fixed(static_cast<double>(*least), 3), fixed(static_cast<double>(*most), 3));
}

double mean_sum_of_draws(const Tensor& row, std::size_t draws, Random& random, float rate) {
  double total = 0.0;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    const Tensor dropped = drop(row, draw_dropout(random, row.shape(), rate, Mode::training));
    for (const float weight : dropped.values()) total += static_cast<double>(weight);
  }
  return total / static_cast<double>(draws);
}

std::string what_dropout_leaves(const Batch& batch, const Tensor& dropped, const AverageSum& average) {
  return fmt::format(
      "Rows now add up to twice what stayed: over all heads {}. Over {} draws the row of {} adds up to {} on average.",
      spread_of_row_sums(rows_of_words(batch, dropped)), average.draws, average.word, fixed(average.mean, 3));
}

std::string name_in(const Batch& batch, std::size_t i) {
  const std::vector<std::string>& words = batch.words[batch.b];
  const auto here = words.begin() + static_cast<std::ptrdiff_t>(i);
  const auto before = std::count(words.begin(), here, *here);
  return before == 0 ? fmt::format("\"{}\"", *here) : fmt::format("\"{}\" (number {})", *here, before + 1);
}

std::string what_padding_holds(const Batch& batch) {
  const Tensor rows = slice(slice(batch.X, 0, batch.b, batch.b + 1), 1, batch.length(), batch.seq_len);
  constexpr std::size_t most_words = 8;
  const std::vector<std::string>& tokens = batch.words[batch.b];
  std::string words;
  for (std::size_t i = 0; i < std::min(batch.length(), most_words); ++i)
    words += fmt::format("{}{}", i == 0 ? "" : " ", tokens[i]);
  const std::string who = fmt::format("Sentence {}, \"{}{}\", has {} {} of padding.", batch.b + 1, words,
                                      batch.length() > most_words ? " ..." : "", batch.padding(),
                                      batch.padding() == 1 ? "token" : "tokens");
  return largest_size(rows) == 0.0F
             ? fmt::format("{} Its rows of X are 0 here; with positions they are not, so keep the lengths.", who)
             : fmt::format("{} Its rows of X are not 0: only the lengths tell what is padding.", who);
}

std::vector<std::string> pytorch_lines_of_module(const Batch& batch, const Options& options, std::size_t head) {
  const World& world = batch.world;
  std::vector<std::string> lines = pytorch_lines_of_table(world, options);
  lines[0] = "import torch, torch.nn as nn";
  const std::vector<std::string> module = {
      "class MultiHeadAttention(nn.Module):",
      "    def __init__(self, d_model, num_heads):",
      "        super().__init__()",
      "        assert d_model % num_heads == 0",
      "        self.num_heads = num_heads",
      "        self.query_linear = nn.Linear(d_model, d_model, bias=False)",
      "        self.key_linear = nn.Linear(d_model, d_model, bias=False)",
      "        self.value_linear = nn.Linear(d_model, d_model, bias=False)",
      "        self.output_linear = nn.Linear(d_model, d_model)",
      "        self.dropout = nn.Dropout(0.5)",
      "    def split_heads(self, x):",
      "        return x.unflatten(2, (self.num_heads, -1)).transpose(1, 2)",
      "    def forward(self, query, key, value, mask):",
      "        q, k, v = [self.split_heads(x) for x in (",
      "            self.query_linear(query), self.key_linear(key),",
      "            self.value_linear(value))]",
      "        s = q @ k.mT / k.shape[-1] ** 0.5",
      "        s = s.masked_fill(mask == 0, -torch.inf)",
      "        w = self.dropout(torch.softmax(s, dim=-1))",
      "        context = (w @ v).transpose(1, 2).flatten(2)",
      "        return self.output_linear(context), w",
      fmt::format("m = MultiHeadAttention({}, {}).eval()    # no dropout", world.d_model, world.num_heads)};
  lines.insert(lines.end(), module.begin(), module.end());
  const bool crafted = options.weights == Options::Weights::crafted;
  if (crafted) {
    const std::size_t head_dim = world.d_model / world.num_heads;
    for (const std::string& line : pytorch_lines_of_head_weights(world, head)) lines.push_back(line);
    for (const char* name : {"query", "key"}) {
      lines.push_back(fmt::format("m.{}_linear.weight.data[{}:{}] = W_{}", name, (head - 1) * head_dim, head * head_dim,
                                  name[0] == 'q' ? "Q" : "K"));
    }
  }
  if (options.weights == Options::Weights::file) {
    lines.emplace_back("for name in (\"query\", \"key\", \"value\", \"output\"):");
    lines.emplace_back("    map = getattr(m, name + \"_linear\")");
    lines.emplace_back("    map.weight.data = W[\"W_\" + name[0].upper()]");
    lines.emplace_back("m.output_linear.bias.data = W[\"b_O\"][0]");
  }
  for (const std::string& line : pytorch_lines_of_positions(world, options, batch.seq_len)) lines.push_back(line);
  for (std::size_t b = 0; b < batch.size(); ++b) {
    std::vector<std::size_t> ids;
    for (std::size_t i = 0; i < batch.seq_len; ++i) ids.push_back(static_cast<std::size_t>(batch.ids(b, i)));
    append(lines, fmt::format("{}{}{}", b == 0 ? "ids = torch.tensor([" : "    ", python_list(ids),
                              b + 1 == batch.size() ? "])" : ","));
  }
  append(lines, fmt::format("lengths = torch.tensor({})", python_list(batch.lengths)));
  lines.push_back(fmt::format("mask = torch.arange({}) < lengths[:, None, None, None]", batch.seq_len));
  lines.emplace_back("X = table[ids] + P");
  lines.emplace_back("output, weights = m(X, X, X, mask)");
  lines.push_back(crafted ? fmt::format("print(weights[:, {}:{}])    # head {}", head - 1, head, head)
                          : std::string("print(output)"));
  return lines;
}

}  // namespace attn
