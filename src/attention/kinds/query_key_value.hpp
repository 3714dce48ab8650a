#pragma once

#include "tensor/tensor.hpp"

namespace attn {

/// Throws std::invalid_argument, naming the operation and both shapes, unless query, key and value are [.., seq_len,
/// dim] with the same leading axes and one value for every key. Widths are the caller's to check: kinds differ in them.
void check_query_key_value(const char* operation, const Tensor& query, const Tensor& key, const Tensor& value);

}  // namespace attn
