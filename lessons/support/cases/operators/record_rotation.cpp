#include "support/cases/operators/record_rotation.hpp"

#include "attention/positions.hpp"
#include "board/origin.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/rearrange.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace attn {

namespace {

/// x [.., d] as pairs [.., d / 2, 2].
Shape paired(const Tensor& x) {
  Shape shape = x.shape();
  shape.back() /= 2;
  shape.push_back(2);
  return shape;
}

/// The first (0) or the second (1) of each pair.
Tensor side_of(const Tensor& x, std::size_t which, RotaryLayout layout) {
  const std::size_t half = x.dim(-1) / 2;
  if (layout == RotaryLayout::halves) return slice(x, -1, which * half, (which + 1) * half);
  Shape shape = x.shape();
  shape.back() = half;
  return reshape(slice(reshape(x, paired(x)), -1, which, which + 1), shape);
}

}  // namespace

void record_rotation(CaseSteps& steps, const std::string& x, const std::string& cos, const std::string& sin,
                     const Tensor& rotated, RotaryLayout layout, const std::string& name) {
  const auto named = [&](const char* what) { return name + "." + what; };
  const auto value = [&](const std::string& step) -> const Tensor& { return steps.board().trace().step(step).value; };
  const std::size_t half = value(cos).dim(-1);
  const std::size_t width = value(x).dim(-1);

  std::string turning = x;
  if (2 * half < width) {
    turning = named("turning");
    steps.moved(turning, slice(value(x), -1, 0, 2 * half), slice(x, -1, 0, 2 * half));
  }
  // Which channels are a pair's first and second: neighbours, or the two halves.
  const std::string a = named("a");
  const std::string b = named("b");
  if (layout == RotaryLayout::halves) {
    steps.moved(a, slice(value(turning), -1, 0, half), slice(turning, -1, 0, half));
    steps.moved(b, slice(value(turning), -1, half, 2 * half), slice(turning, -1, half, 2 * half));
  } else {
    const std::string pairs = named("pairs");
    steps.moved(pairs, reshape(value(turning), paired(value(turning))), reshape(turning));
    for (const auto& [side, at] : {std::pair{a, std::size_t{0}}, {b, std::size_t{1}}}) {
      const std::string column = side + "_column";
      steps.moved(column, slice(value(pairs), -1, at, at + 1), slice(pairs, -1, at, at + 1));
      Shape shape = value(column).shape();
      shape.pop_back();
      steps.moved(side, reshape(value(column), shape), reshape(column));
    }
  }
  const auto times = [&](const char* as, const std::string& side, const std::string& turn) {
    steps.moved(named(as), multiply(value(side), value(turn)), multiply(side, turn));
    return named(as);
  };
  const std::string a_cos = times("a_cos", a, cos);
  const std::string b_sin = times("b_sin", b, sin);
  const std::string a_sin = times("a_sin", a, sin);
  const std::string b_cos = times("b_cos", b, cos);
  const std::string first = named("first");
  const std::string second = named("second");
  const Tensor turned = slice(rotated, -1, 0, 2 * half);
  steps.step(first, side_of(turned, 0, layout), subtract(a_cos, b_sin), "The first of each pair: a cos - b sin.");
  steps.step(second, side_of(turned, 1, layout), add(a_sin, b_cos), "The second: a sin + b cos.");

  std::vector<std::string> parts = {first, second};
  if (layout == RotaryLayout::interleaved) {
    for (std::string& part : parts) {
      Shape shape = value(part).shape();
      shape.push_back(1);
      steps.moved(part + "_column", reshape(value(part), shape), reshape(part));
      part += "_column";
    }
    const std::string joined = named("joined");
    steps.moved(joined, concat({value(parts[0]), value(parts[1])}, -1), concat(parts, -1));
    const std::string side_by_side = 2 * half < width ? named("turned") : named("pairs_joined");
    steps.moved(side_by_side, reshape(value(joined), value(turning).shape()), reshape(joined));
    parts = {side_by_side};
  }
  if (2 * half < width) {
    const std::string rest = named("rest");
    steps.moved(rest, slice(value(x), -1, 2 * half, width), slice(x, -1, 2 * half, width));
    parts.push_back(rest);
  }
  steps.step(name, rotated, concat(parts, -1), "The pairs, each back in its place.");
}

void record_turns(CaseSteps& steps, std::size_t seq_len, std::size_t rotary_dim, double base) {
  // Channels 2i and 2i + 1 of the paper's waves are the sine and the cosine of angle i.
  const Tensor waves = sinusoidal_positions(seq_len, rotary_dim, 0, base);
  steps.step("waves", waves, sinusoid(seq_len, rotary_dim, base),
             "The angle of pair i at place pos is pos / base^(2i / d). Here its sine and its cosine, side by side.");
  const Tensor pairs = reshape(waves, paired(waves));
  steps.moved("wave_pairs", pairs, reshape("waves"));
  for (const auto& [name, at] : {std::pair{std::string("sin"), std::size_t{0}}, {std::string("cos"), std::size_t{1}}}) {
    steps.moved(name + "_column", slice(pairs, -1, at, at + 1), slice("wave_pairs", -1, at, at + 1));
    steps.moved(name, reshape(slice(pairs, -1, at, at + 1), {seq_len, rotary_dim / 2}), reshape(name + "_column"));
  }
}

CaseCost rotation_cost(const Shape& x, std::size_t rotary_dim, RotaryLayout layout) {
  const std::size_t width = size_at(x, -1);
  const std::size_t turning = std::min(rotary_dim, width);
  const Shape side = with_last(x, turning / 2);  // the first of all pairs, or the second
  CaseCost cost;
  cost.steps(8, side).steps(1, x);  // both sides, times cosines and sines, turned; the result
  if (layout == RotaryLayout::interleaved) {
    cost.steps(2, with_last(x, turning)).steps(1, with_last(x, turning));  // as pairs, joined again, side by side
    cost.steps(4, and_last(side, 1));
  }
  if (turning < width) cost.steps(1, with_last(x, turning)).steps(1, with_last(x, width - turning));
  return cost;
}

CaseCost turns_cost(std::size_t seq_len, std::size_t rotary_dim) {
  CaseCost cost;
  cost.steps(2, {seq_len, rotary_dim}).steps(2, {seq_len, rotary_dim / 2, 1});  // waves, also as pairs; columns
  return cost.steps(2, {seq_len, rotary_dim / 2});                              // sines and cosines
}

}  // namespace attn
