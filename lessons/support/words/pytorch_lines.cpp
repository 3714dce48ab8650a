#include "support/words/pytorch_lines.hpp"

#include "support/words/python_text.hpp"
#include "support/words/token_lists.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace attn {

namespace {

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

std::vector<std::size_t> rows_of_head(const World& world, std::size_t head) {
  const std::size_t head_dim = world.d_model / world.num_heads;
  std::vector<std::size_t> rows;
  for (std::size_t d = 0; d < head_dim; ++d) rows.push_back((head - 1) * head_dim + d);
  return rows;
}

/// X of the crafted world: positions, and then the kinds of word.
std::string crafted_input(const World& world, const Options& options) {
  const std::size_t seq_len = world.tokens.size();
  std::string text = "import torch\n";
  if (options.positions == Options::Positions::sinusoidal) {
    text += positions_lines(seq_len, world.d_model, "X");
  } else {
    text += fmt::format("X = torch.zeros({}, {})\n", seq_len, world.d_model);
  }
  const Sparse kinds = sparse(world.embedding_table, world.encoding.ids);
  return kinds.rows.empty() ? text : text + set_entries("X", kinds, "+=");
}

std::string crafted_lines(const World& world, const Options& options, std::size_t head) {
  const std::size_t seq_len = world.tokens.size();
  const std::vector<std::size_t> head_rows = rows_of_head(world, head);
  std::string text = crafted_input(world, options);
  text += fmt::format("W_Q, W_K, W_V = torch.zeros(3, {}, {})    # head {}\n", head_rows.size(), world.d_model, head);
  text += set_entries("W_Q", sparse(world.weights.W_Q, head_rows), "=");
  text += set_entries("W_K", sparse(world.weights.W_K, head_rows), "=");
  text += set_entries("W_V", sparse(world.weights.W_V, head_rows), "=");
  text += fmt::format("s = (X @ W_Q.T) @ (X @ W_K.T).T / {} ** 0.5\n", head_rows.size());
  text += mask_line(options, seq_len);
  text += "w = torch.softmax(s, dim=-1); print(w, w @ (X @ W_V.T))";
  return text;
}

std::string Q_and_K_weights(const World& world, std::size_t head) {
  const std::vector<std::size_t> head_rows = rows_of_head(world, head);
  return fmt::format("W_Q, W_K = torch.zeros(2, {}, {})    # head {}\n", head_rows.size(), world.d_model, head) +
         set_entries("W_Q", sparse(world.weights.W_Q, head_rows), "=") +
         set_entries("W_K", sparse(world.weights.W_K, head_rows), "=");
}

std::string crafted_lines_to_scaled(const World& world, const Options& options, std::size_t head) {
  const std::vector<std::size_t> head_rows = rows_of_head(world, head);
  std::string text = crafted_input(world, options);
  text += Q_and_K_weights(world, head);
  text += "Q, K = X @ W_Q.T, X @ W_K.T\n";
  return text + fmt::format("s = Q @ K.T / {} ** 0.5", head_rows.size());
}

std::string ids_line(const World& world) {
  std::vector<std::string> ids;
  for (const std::size_t id : world.encoding.ids) ids.push_back(fmt::format("{}", id));
  return fmt::format("ids = torch.tensor({})\n", python_list(ids, 19));
}

/// The matrices of a weights file: comments cut off, then name by name its rows.
std::string file_table(const Options& options) {
  std::string name;
  for (const char c : options.weights_file) name += c == '\\' || c == '"' ? fmt::format("\\{}", c) : std::string(1, c);
  return fmt::format(
      "import torch\n"
      "lines = (l.split(\"#\")[0].split() for l in open(\"{}\"))\n"
      "rows, W = iter([r for r in lines if r]), {{}}\n"
      "for r in rows:\n"
      "    if len(r) == 3: W[r[0]] = torch.tensor(\n"
      "        [[float(x) for x in next(rows)] for _ in range(int(r[1]))])\n"
      "embedding = lambda ids: W[\"embedding_table\"][ids]\n",
      name);
}

/// The embedding table that PyTorch draws, before all other weights.
std::string torch_table(const World& world, const Options& options) {
  if (options.weights == Options::Weights::file) return file_table(options);
  return fmt::format("import torch, torch.nn as nn\ntorch.manual_seed({})\nembedding = nn.Embedding(256, {})\n",
                     options.seed, world.d_model);
}

/// X from the table and the ids.
std::string torch_X(const World& world, const Options& options) {
  if (options.positions == Options::Positions::none) return ids_line(world) + "X = embedding(ids)\n";
  return ids_line(world) + positions_lines(world.tokens.size(), world.d_model, "P") + "X = embedding(ids) + P\n";
}

/// The modules embedding, q, k, v and o, and X.
std::string torch_input(const World& world, const Options& options) {
  std::string text = torch_table(world, options);
  if (options.weights == Options::Weights::file) {
    text +=
        "q, k, v = [lambda X, n=n: X @ W[n].T for n in (\"W_Q\", \"W_K\", \"W_V\")]\n"
        "o = lambda X: X @ W[\"W_O\"].T + W[\"b_O\"]\n";
  } else {
    text += fmt::format("q, k, v = [nn.Linear({0}, {0}, bias=False) for _ in range(3)]\n", world.d_model);
    text += fmt::format("o = nn.Linear({0}, {0})\n", world.d_model);
  }
  return text + torch_X(world, options);
}

std::string torch_lines(const World& world, const Options& options, std::size_t head) {
  const std::size_t seq_len = world.tokens.size();
  std::string text = torch_input(world, options);
  text +=
      fmt::format("Q, K, V = [m(X).view({}, {}, -1).transpose(0, 1) for m in (q, k, v)]\n", seq_len, world.num_heads);
  text += "s = Q @ K.transpose(1, 2) / Q.shape[-1] ** 0.5\n";
  text += mask_line(options, seq_len);
  text += "w = torch.softmax(s, dim=-1)\n";
  text += fmt::format("print(w[{}])    # head {}\n", head - 1, head);
  text += "print(o((w @ V).transpose(0, 1).flatten(1)))";
  return text;
}

/// The columns of one head: "4:8".
std::string columns_of_head(const World& world, std::size_t head) {
  const std::size_t head_dim = world.d_model / world.num_heads;
  return fmt::format("{}:{}", (head - 1) * head_dim, head * head_dim);
}

std::string torch_lines_to_scaled(const World& world, const Options& options, std::size_t head) {
  std::string text = torch_input(world, options);
  text += fmt::format("Q, K = [m(X)[:, {}] for m in (q, k)]    # head {}\n", columns_of_head(world, head), head);
  return text + fmt::format("s = Q @ K.T / {} ** 0.5", world.d_model / world.num_heads);
}

}  // namespace

std::vector<std::string> pytorch_lines(const World& world, const Options& options, std::size_t head) {
  return split_lines(options.weights == Options::Weights::crafted ? crafted_lines(world, options, head)
                                                                  : torch_lines(world, options, head));
}

std::vector<std::string> pytorch_lines_to_scaled(const World& world, const Options& options, std::size_t head) {
  return split_lines(options.weights == Options::Weights::crafted ? crafted_lines_to_scaled(world, options, head)
                                                                  : torch_lines_to_scaled(world, options, head));
}

std::vector<std::string> pytorch_lines_of_mask(const World& world, const Options& options) {
  const std::string text = mask_line(options, world.tokens.size());
  return text.empty() ? std::vector<std::string>{} : split_lines(text.substr(0, text.size() - 1));
}

std::vector<std::string> pytorch_lines_to_masked(const World& world, const Options& options, std::size_t head,
                                                 const std::vector<std::string>& then) {
  std::vector<std::string> lines = pytorch_lines_to_scaled(world, options, head);
  for (const std::string& line : pytorch_lines_of_mask(world, options)) lines.push_back(line);
  lines.insert(lines.end(), then.begin(), then.end());
  return lines;
}

std::vector<std::string> pytorch_lines_of_polarity(std::size_t head_dim) {
  return {"print(torch.softmax(s, dim=-1))",
          "# True keeps in F.scaled_dot_product_attention,",
          "# True hides in nn.MultiheadAttention:",
          fmt::format("m = torch.nn.MultiheadAttention({}, 1, bias=False)", head_dim),
          fmt::format("m.in_proj_weight.data = torch.eye({}).repeat(3, 1)", head_dim),
          "print(m(Q, K, K, attn_mask=mask == 0)[1])    # the same weights"};
}

std::vector<std::string> pytorch_lines_of_values(const World& world, std::size_t head) {
  if (!world.crafted()) return {fmt::format("V = v(X)[:, {}]", columns_of_head(world, head))};
  const std::vector<std::size_t> head_rows = rows_of_head(world, head);
  std::string text = fmt::format("W_V = torch.zeros({}, {})\n", head_rows.size(), world.d_model);
  return split_lines(text + set_entries("W_V", sparse(world.weights.W_V, head_rows), "=") + "V = X @ W_V.T");
}

std::vector<std::string> pytorch_lines_to_Q_K_V(const World& world, const Options& options, std::size_t head) {
  std::vector<std::string> lines = pytorch_lines_to_scaled(world, options, head);
  lines.pop_back();  // the scores come later
  for (const std::string& line : pytorch_lines_of_values(world, head)) lines.push_back(line);
  lines.emplace_back("print(Q, K, V)");
  return lines;
}

std::vector<std::string> pytorch_lines_of_scaling(const World& world, const Options& options, std::size_t head) {
  std::vector<std::string> lines = pytorch_lines_to_scaled(world, options, head);
  lines.insert(lines.end(), {"print(s)", fmt::format("torch.manual_seed({})", options.seed),
                             "products = torch.randn(1000, 64) * torch.randn(1000, 64)",
                             "sums = [products[:, :d].sum(1, True) for d in (4, 16, 64)]",
                             "print((torch.cat(sums, 1) ** 2).mean(0))"});
  return lines;
}

std::vector<std::string> pytorch_lines_of_softmax(const World& world, const Options& options, std::size_t head) {
  std::vector<std::string> lines = pytorch_lines_to_masked(world, options, head);
  lines.insert(lines.end(), {"w = torch.softmax(s, dim=-1); print(w)", "print(w.sum(-1), torch.softmax(s, 0).sum(-1))",
                             "print((s + 100).exp())    # inf, as in part 2"});
  return lines;
}

std::vector<std::string> pytorch_lines_of_context(const World& world, std::size_t head) {
  std::vector<std::string> lines = pytorch_lines_of_values(world, head);
  lines.emplace_back("print(torch.softmax(s, dim=-1) @ V)");
  return lines;
}

std::vector<std::string> pytorch_lines_of_ids(const World& world, const Options& options) {
  std::vector<std::string> words, rows;
  for (std::size_t p = 0; p < world.tokens.size(); ++p) {
    words.push_back(python_string(world.tokens[p].word, options.ascii));
    const std::string row = fmt::format("{}: {}", words.back(), world.encoding.ids[p]);
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
  }
  std::string dictionary = python_list(rows, 7);
  dictionary.front() = '{';
  dictionary.back() = '}';
  return split_lines(
      fmt::format("import torch\nrows = {}\ntokens = {}\n"
                  "print(torch.tensor([rows.get(token, 0) for token in tokens]))",
                  dictionary, python_list(words, 9)));
}

std::vector<std::string> pytorch_lines_of_embeddings(const World& world, const Options& options) {
  std::string text;
  if (options.weights == Options::Weights::crafted) {
    const Sparse kinds = sparse(world.embedding_table, rows_in_use(world.encoding.ids), true);
    text += fmt::format("import torch\ntable = torch.zeros(256, {})\n", world.d_model);
    if (!kinds.rows.empty()) text += set_entries("table", kinds, "=");
  } else {
    const bool file = options.weights == Options::Weights::file;
    text += torch_table(world, options);
    text += file ? "table = W[\"embedding_table\"]\n" : "table = embedding.weight.detach()\n";
  }
  text += ids_line(world);
  text += "one_hot = torch.nn.functional.one_hot(ids, 256).float()\n";
  return split_lines(text + "print(table[ids], one_hot @ table)");
}

std::vector<std::string> pytorch_lines_of_X(const World& world, const Options& options) {
  const bool crafted = options.weights == Options::Weights::crafted;
  return split_lines((crafted ? crafted_input(world, options) : torch_table(world, options) + torch_X(world, options)) +
                     "print(X)");
}

namespace {

std::vector<std::size_t> all_rows(const World& world) {
  std::vector<std::size_t> rows(world.d_model);
  for (std::size_t d = 0; d < rows.size(); ++d) rows[d] = d;
  return rows;
}

std::string weights_of_all_heads(const World& world, const Options& options) {
  if (options.weights == Options::Weights::torch) return "W_Q, W_K, W_V = q.weight, k.weight, v.weight\n";
  if (options.weights == Options::Weights::file) return "W_Q, W_K, W_V = [W[n] for n in (\"W_Q\", \"W_K\", \"W_V\")]\n";
  return fmt::format("W_Q, W_K, W_V = torch.zeros(3, {0}, {0})\n", world.d_model) +
         set_entries("W_Q", sparse(world.weights.W_Q, all_rows(world)), "=") +
         set_entries("W_K", sparse(world.weights.W_K, all_rows(world)), "=") +
         set_entries("W_V", sparse(world.weights.W_V, all_rows(world)), "=");
}

std::string output_weights(const World& world, const Options& options) {
  if (options.weights == Options::Weights::torch) return "W_O, b_O = o.weight, o.bias\n";
  if (options.weights == Options::Weights::file) return "W_O, b_O = W[\"W_O\"], W[\"b_O\"][0]\n";
  return fmt::format("W_O, b_O = torch.zeros({0}, {0}), torch.zeros({0})\n", world.d_model) +
         set_entries("W_O", sparse(world.weights.W_O, all_rows(world)), "=");
}

}  // namespace

std::vector<std::string> pytorch_lines_to_concat(const World& world, const Options& options,
                                                 const std::vector<std::string>& then) {
  const std::size_t seq_len = world.tokens.size();
  const bool crafted = options.weights == Options::Weights::crafted;
  std::string text = crafted ? crafted_input(world, options) : torch_input(world, options);
  text += weights_of_all_heads(world, options);
  text += fmt::format("Q, K, V = [(X @ W.T).view({}, {}, -1).transpose(0, 1)\n", seq_len, world.num_heads);
  text += "    for W in (W_Q, W_K, W_V)]\n";
  text += fmt::format("s = Q @ K.transpose(1, 2) / {} ** 0.5\n", world.d_model / world.num_heads);
  text += mask_line(options, seq_len);
  text += "context = torch.softmax(s, dim=-1) @ V\n";
  text += fmt::format("concat = context.transpose(0, 1).reshape({}, {})\n", seq_len, world.d_model);
  text += output_weights(world, options);
  std::vector<std::string> lines = split_lines(text.substr(0, text.size() - 1));
  lines.insert(lines.end(), then.begin(), then.end());
  return lines;
}

std::vector<std::string> pytorch_lines_of_table(const World& world, const Options& options) {
  std::vector<std::string> lines = pytorch_lines_of_embeddings(world, options);
  const auto ids = std::find_if(lines.begin(), lines.end(), [](const auto& line) { return line.starts_with("ids ="); });
  lines.erase(ids, lines.end());
  return lines;
}

std::vector<std::string> pytorch_lines_of_positions(const World& world, const Options& options, std::size_t seq_len) {
  if (options.positions == Options::Positions::none) return {"P = 0"};
  const std::string text = positions_lines(seq_len, world.d_model, "P");
  return split_lines(text.substr(0, text.size() - 1));
}

std::vector<std::string> pytorch_lines_of_head_weights(const World& world, std::size_t head) {
  const std::string text = Q_and_K_weights(world, head);
  return split_lines(text.substr(0, text.size() - 1));
}

}  // namespace attn
