#include "board/turn_arithmetic.hpp"

#include "board/moved_numbers.hpp"

#include <cmath>
#include <utility>

namespace attn {

namespace {

std::size_t rotary_dim_of(const Working& working) {
  const double all = static_cast<double>(working.step->value.dim(-1));
  return static_cast<std::size_t>(working.step->origin.attribute_or("rotary_dim", all));
}

bool is_interleaved(const Working& working) {
  return working.step->origin.attribute("interleaved") != 0.0;
}

}  // namespace

void turned(Working& working, const Inputs& in) {
  const std::size_t rotary_dim = rotary_dim_of(working);
  const std::size_t channel = working.index.back();
  if (channel >= rotary_dim) return copied(working, operand(*in[0], working.index));

  working.form = Working::Form::rotation;
  // The places have one axis less than x: they know nothing of channels.
  Index token = working.index;
  token.pop_back();
  working.besides = {operand(*in[1], broadcast_index(token, in[1]->value.shape()))};

  const bool first = is_first_of_pair(working);
  const std::size_t apart = is_interleaved(working) ? 1 : rotary_dim / 2;
  Index other = working.index;
  other.back() = first ? channel + apart : channel - apart;
  const double angle = turn_of(working).angle();
  Term own{.factors = {operand(*in[0], working.index)}, .constant = std::cos(angle), .label = {}};
  Term others{.factors = {operand(*in[0], std::move(other))},
              .constant = first ? -std::sin(angle) : std::sin(angle),
              .label = {}};
  working.terms = {std::move(own), std::move(others)};
}

bool is_first_of_pair(const Working& working) {
  const std::size_t channel = working.index.back();
  return is_interleaved(working) ? channel % 2 == 0 : channel < rotary_dim_of(working) / 2;
}

Turn turn_of(const Working& working) {
  const std::size_t rotary_dim = rotary_dim_of(working);
  const std::size_t channel = working.index.back();
  const std::size_t pair = is_interleaved(working) ? channel / 2 : channel % (rotary_dim / 2);
  return {.place = working.besides[0].value,
          .base = working.step->origin.attribute("base"),
          .even = 2 * pair,
          .rotary_dim = rotary_dim};
}

double Turn::angle() const {
  return place / std::pow(base, static_cast<double>(even) / static_cast<double>(rotary_dim));
}

}  // namespace attn
