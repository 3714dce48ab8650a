#include "support/pytorch_lines.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace attn {

namespace {

constexpr std::size_t line_width = 70;

/// "[1, 2, 3]": items joined, with a line break inside the brackets where a line would get too long.
std::string listed(const std::vector<std::string>& items, std::size_t column) {
  std::string text = "[";
  std::size_t used = column + 1;
  for (std::size_t k = 0; k < items.size(); ++k) {
    const std::string item = items[k] + (k + 1 < items.size() ? ", " : "]");
    if (used + item.size() > line_width) {
      text += "\n    ";
      used = 4;
    }
    text += item;
    used += item.size();
  }
  return items.empty() ? "[]" : text;
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

/// Rows, columns and values of the entries that are not 0: "[rows], [columns]" and the values.
struct Sparse {
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<std::string> values;
  bool all_one = true;
};

Sparse sparse(const Tensor& table, const std::vector<std::size_t>& rows) {
  Sparse entries;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t d = 0; d < table.dim(1); ++d) {
      const float value = table(rows[i], d);
      if (value == 0.0F) continue;
      entries.rows.push_back(fmt::format("{}", i));
      entries.columns.push_back(fmt::format("{}", d));
      entries.values.push_back(fmt::format("{}", value) +
                               (value == static_cast<float>(static_cast<int>(value)) ? "." : ""));
      entries.all_one = entries.all_one && value == 1.0F;
    }
  }
  return entries;
}

/// "X[[0, 1], [13, 8]] += 1": adds or sets the entries that are not 0.
std::string set_entries(const std::string& name, const Sparse& entries, const std::string& assignment) {
  const std::string rows = listed(entries.rows, name.size() + 1);
  const std::size_t after_rows = rows.size() - (rows.rfind('\n') == std::string::npos ? 0 : rows.rfind('\n')) + 4;
  const std::string columns = listed(entries.columns, after_rows + name.size());
  std::string text = fmt::format("{}[{}, {}] {} ", name, rows, columns, assignment);
  if (entries.all_one) return text + "1\n";
  const std::size_t used = text.size() - (text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n'));
  return text + fmt::format("torch.tensor({})\n", listed(entries.values, used + 13));
}

std::string mask_line(const Options& options, std::size_t seq_len) {
  if (options.mask == Options::MaskKind::none) return "";
  return fmt::format(
      "mask = torch.ones({0}, {0}).tril()    # 1 keeps, 0 hides\n"
      "s = s.masked_fill(mask == 0, -torch.inf)\n",
      seq_len);
}

/// The sinusoids, under the name that comes next in the lines.
std::string positions_lines(std::size_t seq_len, std::size_t d_model, const char* name) {
  return fmt::format(
      "i, c = torch.arange({}.)[:, None], torch.arange({})\n"
      "angle = i / 10000 ** (c // 2 * 2 / {})\n"
      "{} = torch.where(c % 2 == 0, angle.sin(), angle.cos())\n",
      seq_len, d_model, d_model, name);
}

std::string crafted_lines(const World& world, const Options& options, std::size_t head) {
  const std::size_t seq_len = world.tokens.size();
  const std::size_t head_dim = world.d_model / world.num_heads;
  std::vector<std::size_t> head_rows;
  for (std::size_t d = 0; d < head_dim; ++d) head_rows.push_back((head - 1) * head_dim + d);

  std::string text = "import torch\n";
  if (options.positions == Options::Positions::sinusoidal) {
    text += positions_lines(seq_len, world.d_model, "X");
  } else {
    text += fmt::format("X = torch.zeros({}, {})\n", seq_len, world.d_model);
  }
  const Sparse kinds = sparse(world.embedding_table, world.encoding.ids);
  if (!kinds.rows.empty()) text += set_entries("X", kinds, "+=");
  text += fmt::format("W_Q, W_K, W_V = torch.zeros(3, {}, {})    # head {}\n", head_dim, world.d_model, head);
  text += set_entries("W_Q", sparse(world.weights.W_Q, head_rows), "=");
  text += set_entries("W_K", sparse(world.weights.W_K, head_rows), "=");
  text += set_entries("W_V", sparse(world.weights.W_V, head_rows), "=");
  text += fmt::format("s = (X @ W_Q.T) @ (X @ W_K.T).T / {} ** 0.5\n", head_dim);
  text += mask_line(options, seq_len);
  text += "w = torch.softmax(s, dim=-1); print(w, w @ (X @ W_V.T))";
  return text;
}

std::string torch_lines(const World& world, const Options& options, std::size_t head) {
  const std::size_t seq_len = world.tokens.size();
  const std::size_t d_model = world.d_model;
  std::vector<std::string> ids;
  for (const std::size_t id : world.encoding.ids) ids.push_back(fmt::format("{}", id));

  std::string text = "import torch, torch.nn as nn\n";
  text += fmt::format("torch.manual_seed({})\n", options.seed);
  text += fmt::format("embedding = nn.Embedding(256, {})\n", d_model);
  text += fmt::format("q, k, v = [nn.Linear({0}, {0}, bias=False) for _ in range(3)]\n", d_model);
  text += fmt::format("o = nn.Linear({0}, {0})\n", d_model);
  text += fmt::format("ids = torch.tensor({})\n", listed(ids, 19));
  if (options.positions == Options::Positions::sinusoidal) {
    text += positions_lines(seq_len, d_model, "P") + "X = embedding(ids) + P\n";
  } else {
    text += "X = embedding(ids)\n";
  }
  text +=
      fmt::format("Q, K, V = [m(X).view({}, {}, -1).transpose(0, 1) for m in (q, k, v)]\n", seq_len, world.num_heads);
  text += "s = Q @ K.transpose(1, 2) / Q.shape[-1] ** 0.5\n";
  text += mask_line(options, seq_len);
  text += "w = torch.softmax(s, dim=-1)\n";
  text += fmt::format("print(w[{}])    # head {}\n", head - 1, head);
  text += "print(o((w @ V).transpose(0, 1).flatten(1)))";
  return text;
}

}  // namespace

std::vector<std::string> pytorch_lines(const World& world, const Options& options, std::size_t head) {
  return split_lines(options.weights == Options::Weights::crafted ? crafted_lines(world, options, head)
                                                                  : torch_lines(world, options, head));
}

}  // namespace attn
