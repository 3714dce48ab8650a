#include "tensor/matmul.hpp"

#include "fast/matmul.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/layout.hpp"
#include "tensor/rearrange.hpp"

#include <fmt/core.h>

#include <stdexcept>
#include <string>

namespace attn {

namespace {

void require_matrices(const char* operation, const Tensor& a, const Tensor& b) {
  if (a.rank() < 2 || b.rank() < 2) {
    throw std::invalid_argument(
        fmt::format("{}: a is {} and b is {}: both need two axes or more, reshape a vector to [1, n] or [n, 1] first",
                    operation, to_string(a.shape()), to_string(b.shape())));
  }
}

// The axes in front of the two that form the matrix.
Shape batch_axes(const Tensor& a) {
  return Shape(a.shape().begin(), a.shape().end() - 2);
}

// Which matrix of a and which of b make each matrix of the result. The batch axes broadcast.
struct Batch {
  Shape shape;
  std::vector<std::size_t> a_matrix;
  std::vector<std::size_t> b_matrix;
};

Batch pair_matrices(const char* operation, const Tensor& a, const Tensor& b) {
  const Shape a_batch = batch_axes(a);
  const Shape b_batch = batch_axes(b);
  const std::string name =
      fmt::format("{} of {} and {}, batch axes", operation, to_string(a.shape()), to_string(b.shape()));
  Batch batch;
  batch.shape = broadcast_shape(name.c_str(), a_batch, b_batch);
  batch.a_matrix = broadcast_offsets(a_batch, batch.shape);
  batch.b_matrix = broadcast_offsets(b_batch, batch.shape);
  return batch;
}

/// A batch of results with every number still to come: [.., m, n].
Tensor results(const Batch& batch, std::size_t m, std::size_t n) {
  Shape shape = batch.shape;
  shape.insert(shape.end(), {m, n});
  return Tensor(shape);
}

/// One matrix of a batch, read as in the textbook: a(i, k).
struct Matrix {
  const float* values;
  std::size_t columns;

  double operator()(std::size_t i, std::size_t k) const { return static_cast<double>(values[i * columns + k]); }
};

/// The [.., m, n] results of all pairs of matrices; `dot(a, b, i, j)` is the sum that makes one of them.
template <typename Dot>
Tensor each_product(const char* operation, const Tensor& a, const Tensor& b, std::size_t m, std::size_t n, Dot dot) {
  const Batch batch = pair_matrices(operation, a, b);
  Tensor c = results(batch, m, n);
  float* c_ij = c.values().data();  // visits c[i, j] in row-major order
  for (std::size_t matrix = 0; matrix < batch.a_matrix.size(); ++matrix) {
    const Matrix a_matrix{a.values().data() + batch.a_matrix[matrix] * a.dim(-2) * a.dim(-1), a.dim(-1)};
    const Matrix b_matrix{b.values().data() + batch.b_matrix[matrix] * b.dim(-2) * b.dim(-1), b.dim(-1)};
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) *c_ij++ = static_cast<float>(dot(a_matrix, b_matrix, i, j));
    }
  }
  return c;
}

/// The same sums by the kernels of src/fast, all pairs of matrices at once. Element (k, j) of b's matrix lies
/// k * b_row + j * b_column after its first.
Tensor each_blocked_product(const char* operation, const Tensor& a, const Tensor& b, std::size_t m, std::size_t n,
                            std::size_t b_row, std::size_t b_column, const Compute& compute) {
  const Batch batch = pair_matrices(operation, a, b);
  Tensor c = results(batch, m, n);
  const std::size_t inner = a.dim(-1);
  if (inner == 0) return c;  // sums of nothing, of numbers that lie nowhere
  std::vector<fast::Product> products;
  for (std::size_t matrix = 0; matrix < batch.a_matrix.size(); ++matrix) {
    products.push_back({.rows = m,
                        .columns = n,
                        .depth = inner,
                        .a = {a.values().data() + batch.a_matrix[matrix] * m * inner, inner, 1},
                        .b = {b.values().data() + batch.b_matrix[matrix] * inner * n, b_row, b_column},
                        .c = c.values().data() + matrix * m * n,
                        .c_row = n});
  }
  fast::matmul(products.data(), products.size(), compute.threads);
  return c;
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b, const Compute& compute) {
  check_compute(compute);
  require_matrices("matmul", a, b);
  const std::size_t m = a.dim(-2);
  const std::size_t inner = a.dim(-1);
  const std::size_t n = b.dim(-1);
  if (inner != b.dim(-2)) {
    throw std::invalid_argument(fmt::format(
        "matmul: a is {} and b is {}: the last axis of a ({}) must equal the second last of b ({}): {}",
        to_string(a.shape()), to_string(b.shape()), inner, b.dim(-2),
        inner == b.dim(-1) ? "did you mean matmul_transposed?" : "look for a missing transpose or a wrong width"));
  }

  if (compute.kind == Matmul::blocked) return each_blocked_product("matmul", a, b, m, n, n, 1, compute);
  return each_product("matmul", a, b, m, n, [inner](const Matrix& A, const Matrix& B, std::size_t i, std::size_t j) {
    double sum = 0.0;
    for (std::size_t k = 0; k < inner; ++k) sum += A(i, k) * B(k, j);
    return sum;
  });
}

Tensor matmul_transposed(const Tensor& a, const Tensor& b, const Compute& compute) {
  check_compute(compute);
  require_matrices("matmul_transposed", a, b);
  const std::size_t m = a.dim(-2);
  const std::size_t inner = a.dim(-1);
  const std::size_t n = b.dim(-2);
  if (inner != b.dim(-1)) {
    throw std::invalid_argument(
        fmt::format("matmul_transposed: a is {} and b is {}: the last axes of a ({}) and b ({}) must be equal: {}",
                    to_string(a.shape()), to_string(b.shape()), inner, b.dim(-1),
                    inner == b.dim(-2) ? "did you mean matmul?" : "look for a missing transpose or a wrong width"));
  }

  if (compute.kind == Matmul::blocked) return each_blocked_product("matmul_transposed", a, b, m, n, 1, inner, compute);
  return each_product("matmul_transposed", a, b, m, n,
                      [inner](const Matrix& A, const Matrix& B, std::size_t i, std::size_t j) {
                        double sum = 0.0;
                        for (std::size_t k = 0; k < inner; ++k) sum += A(i, k) * B(j, k);
                        return sum;
                      });
}

Tensor linear(const Tensor& x, const Tensor& weight, const Compute& compute) {
  if (x.rank() < 1 || weight.rank() != 2 || x.dim(-1) != weight.dim(1)) {
    const bool stored_the_other_way = x.rank() >= 1 && weight.rank() == 2 && x.dim(-1) == weight.dim(0);
    throw std::invalid_argument(
        fmt::format("linear: x is {} and weight is {}: weight must be [out, in] with in = the last axis of x: {}",
                    to_string(x.shape()), to_string(weight.shape()),
                    stored_the_other_way ? "is weight stored [in, out]? transpose it" : "look for a wrong d_model"));
  }
  if (x.rank() == 1) {
    return reshape(matmul_transposed(reshape(x, {1, x.size()}), weight, compute), {weight.dim(0)});
  }
  return matmul_transposed(x, weight, compute);
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias, const Compute& compute) {
  const Tensor product = linear(x, weight, compute);
  if (bias.shape() != Shape{weight.dim(0)}) {
    throw std::invalid_argument(fmt::format(
        "linear: weight is {} and bias is {}: bias must be [{}], one number for each output (weight is [out, in])",
        to_string(weight.shape()), to_string(bias.shape()), weight.dim(0)));
  }
  return add(product, bias);
}

Tensor linear(const Tensor& x, const Tensor& weight, const std::optional<Tensor>& bias, const Compute& compute) {
  return bias ? linear(x, weight, *bias, compute) : linear(x, weight, compute);
}

}  // namespace attn
