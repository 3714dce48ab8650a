#include "lessons/checker/ops.hpp"

#include <algorithm>
#include <cmath>

namespace checker {

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

}  // namespace checker
