#pragma once

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// The checker of traces knows nothing of src: it has arrays, loops and ops of its own.
namespace checker {

using Shape = std::vector<std::size_t>;

struct Problem : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <typename... Parts>
void require(bool holds, fmt::format_string<Parts...> message, Parts&&... parts) {
  if (!holds) throw Problem(fmt::format(message, std::forward<Parts>(parts)...));
}

[[nodiscard]] std::size_t count_of(const Shape& shape);

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

/// A step holds floats, and what is too large for one is inf.
[[nodiscard]] double as_step_holds(double x);

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
[[nodiscard]] Shape broadcast(const Shape& a, const Shape& b);

/// Where number k of shape a finds its partner in shape b, which is repeated to a's.
[[nodiscard]] std::size_t partner(std::size_t k, const Shape& a, const Shape& b);

/// b must be spread over a without making it larger.
void require_spreads(const Array& b, const Array& a);

}  // namespace checker
