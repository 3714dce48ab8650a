#include "lessons/trace_checker.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

namespace {

using Json = nlohmann::json;
using Shape = std::vector<std::size_t>;

struct Problem : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <typename... Parts>
void require(bool holds, fmt::format_string<Parts...> message, Parts&&... parts) {
  if (!holds) throw Problem(fmt::format(message, std::forward<Parts>(parts)...));
}

std::size_t count_of(const Shape& shape) {
  std::size_t count = 1;
  for (const std::size_t size : shape) count *= size;
  return count;
}

/// Numbers in row-major order.
struct Array {
  Shape shape;
  std::vector<double> values;

  [[nodiscard]] std::size_t rank() const { return shape.size(); }
};

/// What a step should hold. `slack[k]` is how far value k may be off.
struct Expected {
  Shape shape;
  std::vector<double> values;
  std::vector<double> slack;

  explicit Expected(Shape of_shape) : shape(std::move(of_shape)) {}

  /// A number that was only moved: it must be the same.
  void moved(double value) { computed(value, -1.0); }

  /// A number that was computed; `size` is the op on absolute values.
  void computed(double value, double size) {
    values.push_back(value);
    slack.push_back(size < 0.0 ? 0.0 : 1e-6 + 1e-5 * size);
  }
};

struct Step {
  std::string name;
  std::string op;
  Array array;
  std::vector<const Array*> inputs;
  std::map<std::string, double> attributes;

  [[nodiscard]] double attribute(const std::string& wanted) const {
    const auto found = attributes.find(wanted);
    require(found != attributes.end(), "op {} needs the attribute {}", op, wanted);
    return found->second;
  }

  [[nodiscard]] std::size_t whole_attribute(const std::string& wanted) const {
    const double number = attribute(wanted);
    require(number >= 0.0 && number == std::floor(number), "{} must be a whole number, not {}", wanted, number);
    return static_cast<std::size_t>(number);
  }

  /// The attribute `axis`, counted from the front.
  [[nodiscard]] std::size_t axis_in(const Array& a) const {
    const double axis = attribute("axis");
    const auto rank = static_cast<double>(a.rank());
    require(axis == std::floor(axis) && axis >= -rank && axis < rank, "there is no axis {} in {}", axis, a.shape);
    return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  }
};

/// An axis of an array: the places before it, along it, and after it. Number (o, k, i) is at (o * size + k) * inner +
/// i.
struct Axis {
  std::size_t outer = 1;
  std::size_t size = 1;
  std::size_t inner = 1;

  Axis(const Shape& shape, std::size_t axis) : size(shape[axis]) {
    for (std::size_t k = 0; k < axis; ++k) outer *= shape[k];
    for (std::size_t k = axis + 1; k < shape.size(); ++k) inner *= shape[k];
  }
  [[nodiscard]] std::size_t at(std::size_t o, std::size_t k, std::size_t i) const { return (o * size + k) * inner + i; }
};

/// Shapes meet from the right, as in NumPy: a size of 1, or an axis that is not there, is repeated.
Shape broadcast(const Shape& a, const Shape& b) {
  Shape both(std::max(a.size(), b.size()), 1);
  for (std::size_t k = 1; k <= both.size(); ++k) {
    const std::size_t of_a = k <= a.size() ? a[a.size() - k] : 1;
    const std::size_t of_b = k <= b.size() ? b[b.size() - k] : 1;
    require(of_a == of_b || of_a == 1 || of_b == 1, "{} and {} cannot be spread over each other", a, b);
    both[both.size() - k] = of_a == 1 ? of_b : of_a;
  }
  return both;
}

/// Where number k of shape a finds its partner in shape b, which is repeated to a's.
std::size_t partner(std::size_t k, const Shape& a, const Shape& b) {
  std::size_t place = 0;
  std::size_t stride = 1;
  for (std::size_t axis = 0; axis < b.size(); ++axis) {
    const std::size_t size = a[a.size() - 1 - axis];
    const std::size_t b_size = b[b.size() - 1 - axis];
    if (b_size != 1) place += (k % size) * stride;
    k /= size;
    stride *= b_size;
  }
  return place;
}

template <typename Combine>
Expected elementwise(const Array& a, const Array& b, const Combine& combine) {
  Expected expected(broadcast(a.shape, b.shape));
  for (std::size_t k = 0; k < count_of(expected.shape); ++k)
    combine(expected, a.values[partner(k, expected.shape, a.shape)], b.values[partner(k, expected.shape, b.shape)]);
  return expected;
}

/// b must be spread over a without making it larger.
void require_spreads(const Array& b, const Array& a) {
  require(broadcast(a.shape, b.shape) == a.shape, "{} cannot be spread over {}", b.shape, a.shape);
}

template <typename Function>
Expected each(const Array& a, const Function& function) {
  Expected expected(a.shape);
  for (const double x : a.values) {
    const double y = function(x);
    expected.computed(y, std::abs(y));
  }
  return expected;
}

Expected gather(const Array& table, const Array& ids) {
  require(table.rank() == 2, "gather picks rows of a matrix, not of {}", table.shape);
  Shape shape = ids.shape;
  shape.push_back(table.shape[1]);
  Expected expected(shape);
  for (const double id : ids.values) {
    require(id >= 0 && id == std::floor(id) && id < static_cast<double>(table.shape[0]), "id {} is no row of {}", id,
            table.shape);
    for (std::size_t d = 0; d < table.shape[1]; ++d) {
      expected.moved(table.values[static_cast<std::size_t>(id) * table.shape[1] + d]);
    }
  }
  return expected;
}

Expected sinusoid(const Step& step) {
  const std::size_t positions = step.whole_attribute("positions");
  const std::size_t d_model = step.whole_attribute("d_model");
  const double base = step.attributes.count("base") == 0 ? 10000.0 : step.attribute("base");
  Expected expected({positions, d_model});
  for (std::size_t p = 0; p < positions; ++p) {
    for (std::size_t c = 0; c < d_model; ++c) {
      const double exponent = static_cast<double>(c - c % 2) / static_cast<double>(d_model);
      const double angle = static_cast<double>(p) / std::pow(base, exponent);
      const double wave = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
      expected.computed(wave, std::abs(wave));
    }
  }
  return expected;
}

/// The last two axes are matrices; those before are spread over each other.
Expected matmul(const Array& a, const Array& b, bool transposed) {
  require(a.rank() >= 2 && b.rank() >= 2, "no matrix product of {} and {}", a.shape, b.shape);
  const Shape a_batches(a.shape.begin(), a.shape.end() - 2);
  const Shape b_batches(b.shape.begin(), b.shape.end() - 2);
  const Shape batches = broadcast(a_batches, b_batches);
  const std::size_t n = a.shape[a.rank() - 2];
  const std::size_t inner = a.shape[a.rank() - 1];
  const std::size_t m = b.shape[b.rank() - (transposed ? 2 : 1)];
  require(inner == b.shape[b.rank() - (transposed ? 1 : 2)], "no matrix product of {} and {}", a.shape, b.shape);
  Shape shape = batches;
  shape.push_back(n);
  shape.push_back(m);
  Expected expected(shape);
  for (std::size_t batch = 0; batch < count_of(batches); ++batch) {
    const std::size_t of_a = partner(batch, batches, a_batches);
    const std::size_t of_b = partner(batch, batches, b_batches);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < m; ++j) {
        double sum = 0.0;
        double size = 0.0;
        for (std::size_t k = 0; k < inner; ++k) {
          const double x = a.values[(of_a * n + i) * inner + k];
          const double y = b.values[of_b * inner * m + (transposed ? j * inner + k : k * m + j)];
          sum += x * y;
          size += std::abs(x * y);
        }
        expected.computed(sum, size);
      }
    }
  }
  return expected;
}

Expected linear(const Step& step) {
  const Array& x = *step.inputs[0];
  const Array& weight = *step.inputs[1];
  require(x.rank() >= 1 && weight.rank() == 2 && x.shape.back() == weight.shape[1], "no linear map of {} by {}",
          x.shape, weight.shape);
  const bool has_bias = step.inputs.size() == 3;
  const std::size_t in = weight.shape[1];
  const std::size_t out = weight.shape[0];
  if (has_bias) require(step.inputs[2]->shape == Shape{out}, "the bias is {}, not [{}]", step.inputs[2]->shape, out);
  Shape shape = x.shape;
  shape.back() = out;
  Expected expected(shape);
  for (std::size_t row = 0; row * out < count_of(shape); ++row) {
    for (std::size_t j = 0; j < out; ++j) {
      double sum = has_bias ? step.inputs[2]->values[j] : 0.0;
      double size = std::abs(sum);
      for (std::size_t k = 0; k < in; ++k) {
        const double product = x.values[row * in + k] * weight.values[j * in + k];
        sum += product;
        size += std::abs(product);
      }
      expected.computed(sum, size);
    }
  }
  return expected;
}

Expected softmax(const Step& step) {
  const Array& a = *step.inputs[0];
  const Axis axis(a.shape, step.axis_in(a));
  Expected expected(a.shape);
  // In how many binary digits it was computed, where not in those of a float; each exponent was rounded too.
  const bool few_digits = step.attributes.count("digits") == 1;
  const double rounding = few_digits ? 4.0 * std::exp2(-step.attribute("digits")) : 0.0;
  expected.values.resize(a.values.size());
  expected.slack.resize(a.values.size());
  for (std::size_t o = 0; o < axis.outer; ++o) {
    for (std::size_t i = 0; i < axis.inner; ++i) {
      double largest = -std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < axis.size; ++k) largest = std::max(largest, a.values[axis.at(o, k, i)]);
      bool chosen = step.attributes.count("empty") == 1;  // what a row of nothing but -inf gets
      for (std::size_t k = 0; k < axis.size; ++k) chosen = chosen && a.values[axis.at(o, k, i)] == -INFINITY;
      double largest_size = 1.0;
      double sum = 0.0;
      for (std::size_t k = 0; k < axis.size; ++k) {
        const double x = a.values[axis.at(o, k, i)];
        if (std::isfinite(x)) largest_size = std::max(largest_size, std::abs(x) + std::abs(largest));
        sum += std::exp(x - largest);
      }
      for (std::size_t k = 0; k < axis.size; ++k) {
        // All hidden: -inf minus -inf is nan, and so is the share, unless the step says what it should be.
        const double share = chosen ? step.attribute("empty") : std::exp(a.values[axis.at(o, k, i)] - largest) / sum;
        expected.values[axis.at(o, k, i)] = share;
        expected.slack[axis.at(o, k, i)] = 1e-6 + (1e-5 + rounding * largest_size) * share;
      }
    }
  }
  return expected;
}

/// [.., n, d_model] to [.., heads, n, head_dim]
Expected split_heads(const Step& step) {
  const Array& x = *step.inputs[0];
  const std::size_t heads = step.whole_attribute("num_heads");
  require(x.rank() >= 2 && heads > 0 && x.shape.back() % heads == 0, "{} has no {} heads", x.shape, heads);
  const std::size_t n = x.shape[x.rank() - 2];
  const std::size_t d_model = x.shape.back();
  const std::size_t head_dim = d_model / heads;
  Shape shape(x.shape.begin(), x.shape.end() - 2);
  const std::size_t batches = count_of(shape);
  shape.insert(shape.end(), {heads, n, head_dim});
  Expected expected(shape);
  for (std::size_t batch = 0; batch < batches; ++batch)
    for (std::size_t h = 0; h < heads; ++h)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t d = 0; d < head_dim; ++d)
          expected.moved(x.values[(batch * n + i) * d_model + h * head_dim + d]);
  return expected;
}

/// [.., heads, n, head_dim] to [.., n, d_model]
Expected merge_heads(const Step& step) {
  const Array& x = *step.inputs[0];
  const std::size_t heads = step.whole_attribute("num_heads");
  require(x.rank() >= 3 && x.shape[x.rank() - 3] == heads, "{} has no {} heads", x.shape, heads);
  const std::size_t n = x.shape[x.rank() - 2];
  const std::size_t head_dim = x.shape.back();
  Shape shape(x.shape.begin(), x.shape.end() - 3);
  const std::size_t batches = count_of(shape);
  shape.insert(shape.end(), {n, heads * head_dim});
  Expected expected(shape);
  for (std::size_t batch = 0; batch < batches; ++batch)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t d = 0; d < head_dim; ++d)
          expected.moved(x.values[((batch * heads + h) * n + i) * head_dim + d]);
  return expected;
}

Expected slice(const Step& step) {
  const Array& a = *step.inputs[0];
  const std::size_t along = step.axis_in(a);
  const Axis axis(a.shape, along);
  const std::size_t start = step.whole_attribute("start");
  const std::size_t stop = step.whole_attribute("stop");
  require(start <= stop && stop <= axis.size, "{} to {} is no part of axis {} of {}", start, stop, along, a.shape);
  Shape shape = a.shape;
  shape[along] = stop - start;
  Expected expected(shape);
  for (std::size_t o = 0; o < axis.outer; ++o)
    for (std::size_t k = start; k < stop; ++k)
      for (std::size_t i = 0; i < axis.inner; ++i) expected.moved(a.values[axis.at(o, k, i)]);
  return expected;
}

Expected concat(const Step& step) {
  const std::size_t along = step.axis_in(*step.inputs[0]);
  Shape shape = step.inputs[0]->shape;
  shape[along] = 0;
  for (const Array* part : step.inputs) {
    Shape but_for_the_axis = part->shape;
    require(but_for_the_axis.size() == shape.size(), "{} and {} cannot be joined", step.inputs[0]->shape, part->shape);
    but_for_the_axis[along] = shape[along];
    require(but_for_the_axis == shape, "{} and {} cannot be joined along axis {}", step.inputs[0]->shape, part->shape,
            along);
    shape[along] += part->shape[along];
  }
  Expected expected(shape);
  for (std::size_t o = 0; o < Axis(shape, along).outer; ++o)
    for (const Array* part : step.inputs) {
      const Axis axis(part->shape, along);
      for (std::size_t k = 0; k < axis.size; ++k)
        for (std::size_t i = 0; i < axis.inner; ++i) expected.moved(part->values[axis.at(o, k, i)]);
    }
  return expected;
}

Expected mask_fill(const Array& a, const Array& mask) {
  require_spreads(mask, a);
  return elementwise(a, mask, [](Expected& expected, double x, double keep) {
    require(keep == 0.0 || keep == 1.0, "a mask holds 0 and 1, not {}", keep);
    expected.moved(keep == 0.0 ? -std::numeric_limits<double>::infinity() : x);
  });
}

/// `fold` makes one number, and the size of what went into it, of all numbers of a line along the axis.
template <typename Fold>
Expected folded(const Step& step, const Fold& fold) {
  const Array& a = *step.inputs[0];
  const std::size_t along = step.axis_in(a);
  const Axis axis(a.shape, along);
  Shape shape = a.shape;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(along));
  Expected expected(shape);
  for (std::size_t o = 0; o < axis.outer; ++o)
    for (std::size_t i = 0; i < axis.inner; ++i) {
      std::vector<double> line;
      for (std::size_t k = 0; k < axis.size; ++k) line.push_back(a.values[axis.at(o, k, i)]);
      fold(expected, line);
    }
  return expected;
}

Expected sum(const Step& step) {
  return folded(step, [](Expected& expected, const std::vector<double>& line) {
    double total = 0.0;
    double size = 0.0;
    for (const double x : line) {
      total += x;
      size += std::abs(x);
    }
    expected.computed(total, size);
  });
}

Expected mean(const Step& step) {
  return folded(step, [](Expected& expected, const std::vector<double>& line) {
    const auto count = static_cast<double>(line.size());
    double total = 0.0;
    double size = 0.0;
    for (const double x : line) {
      total += x;
      size += std::abs(x);
    }
    expected.computed(total / count, size / count);
  });
}

Expected max(const Step& step) {
  return folded(step, [](Expected& expected, const std::vector<double>& line) {
    require(!line.empty(), "nothing is no largest number");
    double largest = line[0];
    for (const double x : line) largest = std::isnan(x) || std::isnan(largest) ? NAN : std::max(largest, x);
    expected.moved(largest);
  });
}

Expected transpose(const Array& a) {
  require(a.rank() >= 2, "{} cannot be turned on its side", a.shape);
  Shape shape = a.shape;
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  const std::size_t rows = a.shape[a.rank() - 2];
  const std::size_t columns = a.shape[a.rank() - 1];
  Expected expected(shape);
  for (std::size_t batch = 0; batch * rows * columns < a.values.size(); ++batch)
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t i = 0; i < rows; ++i) expected.moved(a.values[(batch * rows + i) * columns + j]);
  return expected;
}

Expected reshape(const Step& step) {
  Expected expected(step.array.shape);
  for (const double x : step.inputs[0]->values) expected.moved(x);
  require(expected.values.size() == count_of(expected.shape), "{} cannot be given the shape {}", step.inputs[0]->shape,
          expected.shape);
  return expected;
}

/// A step holds floats, and what is too large for one is inf.
double as_step_holds(double x) {
  const bool too_large = std::abs(x) > static_cast<double>(std::numeric_limits<float>::max());
  return too_large ? std::copysign(INFINITY, x) : x;
}

/// layer_norm and rms_norm: all axes from `axis` on are one row, which gets mean 0 (a layer norm's) and mean square 1.
Expected normalized(const Step& step, bool take_mean_off) {
  const Array& x = *step.inputs[0];
  const Array* scale = step.inputs.size() > 1 ? step.inputs[1] : nullptr;
  const Array* bias = step.inputs.size() > 2 ? step.inputs[2] : nullptr;
  if (scale != nullptr) require_spreads(*scale, x);
  if (bias != nullptr) require_spreads(*bias, x);
  const double epsilon = step.attribute("epsilon");
  std::size_t row_size = 1;
  for (std::size_t axis = step.axis_in(x); axis < x.rank(); ++axis) row_size *= x.shape[axis];
  const auto count = static_cast<double>(row_size);

  Expected expected(x.shape);
  for (std::size_t first = 0; first < x.values.size(); first += row_size) {
    double mean = 0.0;
    for (std::size_t k = first; take_mean_off && k < first + row_size; ++k) mean += x.values[k] / count;
    double variance = 0.0;
    for (std::size_t k = first; k < first + row_size; ++k) {
      variance += (x.values[k] - mean) * (x.values[k] - mean) / count;
    }
    const double spread = std::sqrt(as_step_holds(variance) + epsilon);
    for (std::size_t k = first; k < first + row_size; ++k) {
      const double factor = scale != nullptr ? scale->values[partner(k, x.shape, scale->shape)] : 1.0;
      const double summand = bias != nullptr ? bias->values[partner(k, x.shape, bias->shape)] : 0.0;
      const double size = (std::abs(x.values[k]) + std::abs(mean)) / spread;
      expected.computed(as_step_holds(x.values[k] - mean) / spread * factor + summand,
                        size * std::abs(factor) + std::abs(summand));
    }
  }
  return expected;
}

Expected dropout(const Step& step) {
  const double rate = step.attribute("rate");
  require(rate >= 0.0 && rate < 1.0, "the rate must be from 0 to less than 1, not {}", rate);
  require_spreads(*step.inputs[1], *step.inputs[0]);
  return elementwise(*step.inputs[0], *step.inputs[1], [rate](Expected& expected, double x, double kept) {
    require(kept == 0.0 || kept == 1.0, "the kept mask holds 0 and 1, not {}", kept);
    expected.computed(x * kept / (1.0 - rate), std::abs(x * kept / (1.0 - rate)));
  });
}

/// Pairs of channels turn by place / base^(2 pair / rotary_dim), as a complex number is multiplied by e^(i angle).
Expected rotate(const Step& step) {
  const Array& x = *step.inputs[0];
  const Array& places = *step.inputs[1];
  require(x.rank() >= 2, "{} has no tokens with channels", x.shape);
  const std::size_t width = x.shape.back();
  const std::size_t turning = step.attributes.count("rotary_dim") == 0 ? width : step.whole_attribute("rotary_dim");
  require(turning % 2 == 0 && turning <= width, "{} channels of {} cannot turn in pairs", turning, x.shape);
  const double base = step.attribute("base");
  const bool interleaved = step.whole_attribute("interleaved") != 0;
  const Shape tokens(x.shape.begin(), x.shape.end() - 1);
  require(broadcast(tokens, places.shape) == tokens, "places {} cannot be spread over the tokens {}", places.shape,
          tokens);

  Expected expected(x.shape);
  for (std::size_t token = 0; token < count_of(tokens); ++token) {
    const double place = places.values[partner(token, tokens, places.shape)];
    for (std::size_t c = 0; c < width; ++c) {
      const double own = x.values[token * width + c];
      if (c >= turning) {
        expected.moved(own);
        continue;
      }
      const std::size_t pair = interleaved ? c / 2 : c % (turning / 2);
      const bool real = interleaved ? c % 2 == 0 : c < turning / 2;
      const std::size_t apart = interleaved ? 1 : turning / 2;
      const double other = x.values[token * width + (real ? c + apart : c - apart)];
      const double angle = place * std::pow(base, -2.0 * static_cast<double>(pair) / static_cast<double>(turning));
      const double turned = own * std::cos(angle) + (real ? -other : other) * std::sin(angle);
      expected.computed(turned, std::abs(own) + std::abs(other));
    }
  }
  return expected;
}

/// [.., heads, n, head_dim] to [.., heads * repeats, n, head_dim], each head `repeats` times in a row
Expected repeat_heads(const Step& step) {
  const Array& x = *step.inputs[0];
  const std::size_t repeats = step.whole_attribute("repeats");
  require(x.rank() >= 3, "{} has no heads", x.shape);
  Shape shape = x.shape;
  shape[x.rank() - 3] *= repeats;
  const std::size_t head = x.shape[x.rank() - 2] * x.shape[x.rank() - 1];
  Expected expected(shape);
  for (std::size_t first = 0; head > 0 && first < x.values.size(); first += head)
    for (std::size_t again = 0; again < repeats; ++again)
      for (std::size_t k = first; k < first + head; ++k) expected.moved(x.values[k]);
  return expected;
}

double gelu_by_tanh(double x) {
  return 0.5 * x * (1.0 + std::tanh(std::sqrt(2.0 / std::acos(-1.0)) * (x + 0.044715 * std::pow(x, 3))));
}

/// How many inputs an op takes: at least, at most.
const std::map<std::string, std::pair<std::size_t, std::size_t>> arity = {
    {"given", {0, 0}},    {"tokenize", {0, 0}},    {"sinusoid", {0, 0}},     {"gather", {2, 2}},
    {"add", {2, 2}},      {"subtract", {2, 2}},    {"multiply", {2, 2}},     {"matmul", {2, 2}},
    {"linear", {2, 3}},   {"scale", {1, 1}},       {"mask_fill", {2, 2}},    {"matmul_transposed", {2, 2}},
    {"softmax", {1, 1}},  {"split_heads", {1, 1}}, {"merge_heads", {1, 1}},  {"slice", {1, 1}},
    {"concat", {1, 999}}, {"exp", {1, 1}},         {"log", {1, 1}},          {"tanh", {1, 1}},
    {"relu", {1, 1}},     {"abs", {1, 1}},         {"divide", {2, 2}},       {"sum", {1, 1}},
    {"max", {1, 1}},      {"transpose", {1, 1}},   {"reshape", {1, 1}},      {"mean", {1, 1}},
    {"gelu", {1, 1}},     {"gelu_tanh", {1, 1}},   {"layer_norm", {1, 3}},   {"rms_norm", {1, 2}},
    {"dropout", {2, 2}},  {"rotate", {2, 2}},      {"repeat_heads", {1, 1}},
};

Expected recompute(const Step& step) {
  const std::string& op = step.op;
  const auto& in = step.inputs;
  if (op == "sinusoid") return sinusoid(step);
  if (op == "gather") return gather(*in[0], *in[1]);
  if (op == "add")
    return elementwise(*in[0], *in[1],
                       [](Expected& e, double x, double y) { e.computed(x + y, std::abs(x) + std::abs(y)); });
  if (op == "subtract")
    return elementwise(*in[0], *in[1],
                       [](Expected& e, double x, double y) { e.computed(x - y, std::abs(x) + std::abs(y)); });
  if (op == "multiply")
    return elementwise(*in[0], *in[1], [](Expected& e, double x, double y) { e.computed(x * y, std::abs(x * y)); });
  if (op == "divide")
    return elementwise(*in[0], *in[1], [](Expected& e, double x, double y) { e.computed(x / y, std::abs(x / y)); });
  if (op == "matmul") return matmul(*in[0], *in[1], false);
  if (op == "matmul_transposed") return matmul(*in[0], *in[1], true);
  if (op == "linear") return linear(step);
  if (op == "scale") return each(*in[0], [factor = step.attribute("factor")](double x) { return x * factor; });
  if (op == "mask_fill") return mask_fill(*in[0], *in[1]);
  if (op == "softmax") return softmax(step);
  if (op == "split_heads") return split_heads(step);
  if (op == "merge_heads") return merge_heads(step);
  if (op == "slice") return slice(step);
  if (op == "concat") return concat(step);
  if (op == "exp") return each(*in[0], [](double x) { return std::exp(x); });
  if (op == "log") return each(*in[0], [](double x) { return std::log(x); });
  if (op == "tanh") return each(*in[0], [](double x) { return std::tanh(x); });
  if (op == "relu") return each(*in[0], [](double x) { return x > 0.0 ? x : 0.0; });
  if (op == "abs") return each(*in[0], [](double x) { return std::abs(x); });
  if (op == "gelu") return each(*in[0], [](double x) { return 0.5 * x * (1.0 + std::erf(x / std::sqrt(2.0))); });
  if (op == "gelu_tanh") return each(*in[0], gelu_by_tanh);
  if (op == "layer_norm") return normalized(step, /*take_mean_off=*/true);
  if (op == "rms_norm") return normalized(step, /*take_mean_off=*/false);
  if (op == "dropout") return dropout(step);
  if (op == "rotate") return rotate(step);
  if (op == "repeat_heads") return repeat_heads(step);
  if (op == "sum") return sum(step);
  if (op == "mean") return mean(step);
  if (op == "max") return max(step);
  if (op == "transpose") return transpose(*in[0]);
  if (op == "reshape") return reshape(step);
  throw Problem(fmt::format("how op {} is computed is not known here", op));
}

void compare(const Step& step, const Expected& expected) {
  require(step.array.shape == expected.shape, "the shape is {}, not {}", step.array.shape, expected.shape);
  for (std::size_t k = 0; k < expected.values.size(); ++k) {
    const double got = step.array.values[k];
    const double want = as_step_holds(expected.values[k]);
    const bool same = std::isfinite(want) ? std::abs(got - want) <= expected.slack[k]
                      : std::isnan(want)  ? std::isnan(got)
                                          : got == want;
    require(same, "value {} is {}, not {} (may be off by {:.2g})", k, got, want, expected.slack[k]);
  }
}

/// Reads a number; what JSON has no number for is a string.
double number_of(const Json& json) {
  if (json.is_number()) return static_cast<double>(json.get<float>());
  require(json.is_string(), "{} is no number", json.dump());
  const auto text = json.get<std::string>();
  require(text == "inf" || text == "-inf" || text == "nan", "{} is no number: only inf, -inf and nan are strings",
          json.dump());
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  return text == "inf" ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
}

void require_keys(const Json& object, const std::set<std::string>& wanted) {
  std::set<std::string> there;
  for (const auto& [key, value] : object.items()) there.insert(key);
  require(there == wanted, "the keys are {}, not {}", there, wanted);
}

std::size_t labels_in(const Json& labels) {
  for (const Json& label : labels) require(label.is_string(), "{} is no label", label.dump());
  return labels.size();
}

Step read_step(const Json& json, const std::map<std::string, Array>& earlier) {
  require_keys(json, {"name", "op", "inputs", "attributes", "formula", "rows", "columns", "shape", "values"});
  Step step{.name = json["name"], .op = json["op"], .array = {}, .inputs = {}, .attributes = {}};
  require(!step.name.empty() && earlier.count(step.name) == 0, "the name \"{}\" is empty or taken", step.name);

  const auto takes = arity.find(step.op);
  require(takes != arity.end(), "op \"{}\" is not known here: add it to the checker", step.op);
  for (const Json& input : json["inputs"]) {
    const auto found = earlier.find(input.get<std::string>());
    require(found != earlier.end(), "the input {} is no earlier step", input.dump());
    step.inputs.push_back(&found->second);
  }
  const auto [fewest, most] = takes->second;
  require(step.inputs.size() >= fewest && step.inputs.size() <= most, "op {} has {} inputs", step.op,
          step.inputs.size());
  const bool from_nothing = step.op == "given" || step.op == "tokenize" || step.op == "sinusoid";
  require(json["formula"].get<std::string>().empty() == (step.op == "given" || step.op == "tokenize"),
          "op {} has the formula {}", step.op, json["formula"].dump());
  require(from_nothing == step.inputs.empty(), "op {} has {} inputs", step.op, step.inputs.size());
  for (const auto& [key, value] : json["attributes"].items()) step.attributes[key] = number_of(value);

  for (const Json& size : json["shape"]) {
    require(size.is_number_unsigned(), "{} is no size", size.dump());
    step.array.shape.push_back(size);
  }
  for (const Json& value : json["values"]) step.array.values.push_back(number_of(value));
  const Shape& shape = step.array.shape;
  require(step.array.values.size() == count_of(shape), "{} has {} values", shape, step.array.values.size());
  const std::size_t row_count = shape.empty() ? 0 : shape[shape.size() == 1 ? 0 : shape.size() - 2];
  const std::size_t column_count = shape.size() < 2 ? 0 : shape.back();
  require(labels_in(json["rows"]) == row_count, "{} has {} row labels", shape, json["rows"].size());
  require(labels_in(json["columns"]) == column_count, "{} has {} column labels", shape, json["columns"].size());

  if (step.op == "tokenize") {
    require(shape.size() == 1, "tokens are a list, not {}", shape);
    for (const double id : step.array.values)
      require(id >= 0.0 && id == std::floor(id), "an id is a whole number, not {}", id);
  }
  return step;
}

/// The options repeated in the trace fit its steps.
void check_options(const Json& options, const std::map<std::string, Array>& steps) {
  require(options.is_object(), "options is no object");
  const bool of_a_case = options.contains("case") && options["case"].is_string();
  const bool of_a_text = options.contains("text") && options["text"].is_string();
  require(of_a_case || of_a_text, "options has no text, and no case");
  if (options.contains("d_model") && steps.count("X") == 1) {
    require(steps.at("X").shape.back() == options["d_model"], "X is {}, but options says d_model {}",
            steps.at("X").shape, options["d_model"].dump());
  }
}

}  // namespace

std::set<std::string> ops_of_traces() {
  std::set<std::string> ops;
  for (const auto& [op, inputs] : arity) ops.insert(op);
  return ops;
}

std::vector<std::string> problems_of_trace(const std::string& json_text) {
  std::vector<std::string> problems;
  std::map<std::string, Array> steps;
  try {
    // Text that is not valid UTF-8 is refused here.
    const Json trace = Json::parse(json_text);
    require_keys(trace, {"format", "lesson", "options", "steps"});
    require(trace["format"] == "attention-steps/1", "the format is {}", trace["format"].dump());
    require(trace["lesson"].is_string(), "the lesson has no name");
    require(!trace["steps"].empty(), "there are no steps");
    for (const Json& json : trace["steps"]) {
      const std::string where = json.contains("name") ? json["name"].dump() : "a step without a name";
      try {
        Step step = read_step(json, steps);
        try {
          if (step.op != "given" && step.op != "tokenize") compare(step, recompute(step));
        } catch (const Problem& problem) {
          problems.push_back(fmt::format("{}: {}", where, problem.what()));
        }
        steps[step.name] = std::move(step.array);
      } catch (const Problem& problem) {
        problems.push_back(fmt::format("{}: {}", where, problem.what()));
      }
    }
    check_options(trace["options"], steps);
  } catch (const Problem& problem) {
    problems.emplace_back(problem.what());
  } catch (const Json::exception& error) {
    problems.push_back(fmt::format("not the form of a trace: {}", error.what()));
  }
  return problems;
}
