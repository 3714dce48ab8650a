#pragma once

#include "attention/multi_head.hpp"
#include "support/program/options.hpp"
#include "tensor/compute.hpp"
#include "tensor/tensor.hpp"
#include "text/vocabulary.hpp"
#include "text/word_tokenizer.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// Where the numbers of a lesson come from: the text as ids, and every weight.
/// Two worlds: crafted (made by hand, readable, d_model 16 and 4 heads) and torch (the numbers PyTorch draws).
struct World {
  std::vector<Token> tokens;         // of the text
  Encoding encoding;                 // their ids, and the words that were not known
  Tensor ids;                        // the ids again, as numbers: [seq_len]
  std::size_t followed = 0;          // the token that pages follow: the first verb, else the first noun, else the first
  std::vector<std::string> guesses;  // crafted only, one per new word: "taken for a noun: ...", and why
  Tensor embedding_table;            // [256, d_model]
  MultiHeadWeights weights;          // [d_model, d_model] each; b_O [d_model]
  std::size_t num_heads = 0;
  std::size_t d_model = 0;
  Compute compute;  // how products of these numbers are computed, as the options say

  [[nodiscard]] bool crafted() const { return !channel_names.empty(); }
  [[nodiscard]] std::vector<std::string> token_texts() const;

  // Names, where the weights were made by hand; empty in the torch world, where a channel has no meaning.
  std::vector<std::string> channel_names;     // d_model of them: what a channel of X tells ("noun"), or its index
  std::vector<std::size_t> kind_channels;     // which tell the kind of word (8 to 14)
  std::vector<std::size_t> telling_channels;  // worth showing: place (2, 3) and the kinds of word
  std::vector<std::string> query_names;       // d_model: what a channel of Q, of all heads side by side, looks for
  std::vector<std::string> key_names;         // d_model: what a channel of K offers
  std::vector<std::string> value_names;       // d_model: what a channel of V hands over
  std::vector<std::string> head_names;        // num_heads: "adjective -> noun", ...
  std::size_t default_head = 1;               // the head that lessons follow, from 1
};

/// Builds the world that the options ask for.
/// Throws std::invalid_argument, one clear line, when the text has no tokens, or more or longer ones than a page has
/// room for; when the sizes together would take minutes or gigabytes; or when the options do not go together (the
/// crafted world has d_model 16 and 4 heads; num_heads must divide d_model; the head must exist).
[[nodiscard]] World make_world(const Options& options);

}  // namespace attn
