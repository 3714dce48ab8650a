#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

namespace attn {

/// Sizes of the axes, outermost first: [7, 16] is 7 rows of 16. The empty shape [] is a single number.
using Shape = std::vector<std::size_t>;

/// One place in a tensor, outermost axis first.
using Index = std::vector<std::size_t>;

/// "[7, 16]", as every message and page writes a shape.
[[nodiscard]] std::string to_string(const Shape& shape);

/// How many numbers a shape holds: the product of its sizes. [] holds 1; a size of 0 makes it 0.
/// Throws std::invalid_argument when no memory could hold that many.
[[nodiscard]] std::size_t element_count(const Shape& shape);

/// A block of float numbers, row-major (the last axis moves fastest). A value: a copy is a copy.
/// Any rank, also 0 (one number); any size, also 0 (no numbers).
class Tensor {
 public:
  /// One number, 0.
  Tensor();
  /// Every element is `fill`.
  explicit Tensor(Shape shape, float fill = 0.0F);
  /// The values in row-major order. Throws std::invalid_argument when there are not exactly as many as the shape holds.
  Tensor(Shape shape, std::vector<float> values);

  /// A table written row by row: matrix({{1, 2}, {3, 4}}). Throws when the rows differ in length.
  [[nodiscard]] static Tensor matrix(std::initializer_list<std::initializer_list<float>> rows);
  /// A list of numbers, shape [n].
  [[nodiscard]] static Tensor vector(std::initializer_list<float> values);

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] std::size_t rank() const { return shape_.size(); }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  /// Size of one axis; a negative axis counts from the end, so dim(-1) is the last. Throws when there is no such axis.
  [[nodiscard]] std::size_t dim(int axis) const;

  /// One element, checked: tensor(i, j). Throws std::out_of_range, naming index and shape, when it is not there.
  template <typename... Indices>
  [[nodiscard]] float operator()(Indices... indices) const {
    return values_[offset({static_cast<std::size_t>(indices)...})];
  }
  template <typename... Indices>
  [[nodiscard]] float& operator()(Indices... indices) {
    return values_[offset({static_cast<std::size_t>(indices)...})];
  }
  [[nodiscard]] float at(const Index& index) const;
  [[nodiscard]] float& at(const Index& index);

  /// All numbers, row-major.
  [[nodiscard]] const std::vector<float>& values() const { return values_; }
  [[nodiscard]] std::vector<float>& values() { return values_; }

 private:
  [[nodiscard]] std::size_t offset(std::initializer_list<std::size_t> index) const;

  Shape shape_;
  std::vector<float> values_;
};

}  // namespace attn
