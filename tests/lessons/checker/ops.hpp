#pragma once

#include "lessons/checker/checked_step.hpp"

#include <map>
#include <string>
#include <utility>

namespace checker {

/// How many inputs each op takes: at least, at most.
[[nodiscard]] const std::map<std::string, std::pair<std::size_t, std::size_t>>& arity();

/// What a step should hold, from its inputs alone. Throws Problem for an op that is not known, and for inputs that the
/// op cannot take.
[[nodiscard]] Expected recompute(const Step& step);

// Products, in products.cpp.

/// The last two axes are matrices; those before are spread over each other.
[[nodiscard]] Expected matmul(const Array& a, const Array& b, bool transposed);
[[nodiscard]] Expected linear(const Step& step);

// Numbers that are only moved, in moves.cpp.

[[nodiscard]] Expected gather(const Array& table, const Array& ids);
/// [.., n, d_model] to [.., heads, n, head_dim]
[[nodiscard]] Expected split_heads(const Step& step);
/// [.., heads, n, head_dim] to [.., n, d_model]
[[nodiscard]] Expected merge_heads(const Step& step);
/// [.., heads, n, head_dim] to [.., heads * repeats, n, head_dim], each head `repeats` times in a row
[[nodiscard]] Expected repeat_heads(const Step& step);
[[nodiscard]] Expected slice(const Step& step);
[[nodiscard]] Expected concat(const Step& step);
[[nodiscard]] Expected transpose(const Array& a);
[[nodiscard]] Expected reshape(const Step& step);

// What needs a whole row, in rows.cpp.

[[nodiscard]] Expected softmax(const Step& step);
[[nodiscard]] Expected sum(const Step& step);
[[nodiscard]] Expected mean(const Step& step);
[[nodiscard]] Expected max(const Step& step);
/// layer_norm and rms_norm: all axes from `axis` on are one row, which gets mean 0 (a layer norm's) and mean square 1.
[[nodiscard]] Expected normalized(const Step& step, bool take_mean_off);

// Waves and turns that tell places, in places.cpp.

[[nodiscard]] Expected sinusoid(const Step& step);
/// Pairs of channels turn by place / base^(2 pair / rotary_dim), as a complex number is multiplied by e^(i angle).
[[nodiscard]] Expected rotate(const Step& step);

// Caches, in caches.cpp.

/// Looks back from each address: a set of `places` lines has let a line go when so many others of the set were used
/// since.
[[nodiscard]] Expected cache_misses(const Step& step);

}  // namespace checker
