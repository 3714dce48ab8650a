#pragma once

#include "attention/kinds/attention.hpp"
#include "attention/scaled_dot_product.hpp"
#include "support/cases/operators/case_cost.hpp"
#include "support/cases/operators/case_steps.hpp"
#include "support/cases/operators/operator.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attn {

/// What the steps of one attention are made from: names of steps, and the options that were set.
struct AttentionOrigins {
  std::string query = "Q";
  std::string key = "K";
  std::string value = "V";
  std::string bias = {};  // a step that is added to the scores; empty: none
  std::string keep = {};  // a mask of 0 and 1; empty: none
  std::optional<float> scale = std::nullopt;
  std::optional<float> soft_cap = std::nullopt;
  EmptyRows empty_rows = EmptyRows::nan;
  Precision softmax_precision = Precision::float32;
  std::string prefix = {};  // of the names of all steps: "minus_inf."
};

/// The names under which the steps of an attention stand.
struct AttentionNames {
  std::string scaled;
  std::string capped;
  std::string masked;
  std::string weights;
  std::string context;
};

/// What softmax makes of the masked scores, in a sentence; of a query that may see no key too, where there is one.
[[nodiscard]] std::string shares_sentence(const Tensor& masked, EmptyRows empty_rows);

/// Writes every step from the scores to the context.
AttentionNames record_attention(CaseSteps& steps, const FamilySteps& attention, const AttentionOrigins& origins);

/// The plain attention of the lessons, as one of the family.
[[nodiscard]] FamilySteps as_family(const AttentionSteps& attention);

/// Which of the steps that not every attention has are recorded.
struct AttentionExtras {
  bool capped = false;
  bool biased = false;
  bool kept = false;
};

/// What record_attention takes, by the shapes of query, key and value.
[[nodiscard]] CaseCost attention_cost(const Shape& query, const Shape& key, const Shape& value,
                                      const AttentionExtras& extras);

/// Many outputs of cases hold for every head: a mask that has the axes of the inputs [batch, seq_len_q, seq_len_kv]
/// gets an axis for the heads. Writes that step, and returns its name; the mask's own name where nothing is to do.
std::string for_every_head(CaseSteps& steps, const std::string& mask, std::size_t input_rank);

}  // namespace attn
