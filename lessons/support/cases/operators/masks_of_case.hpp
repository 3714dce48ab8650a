#pragma once

#include "attention/mask.hpp"
#include "support/cases/case_file.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>

namespace attn {

/// What a mask means when it is written as 0 and 1.
enum class OnesIn { mask_keep, mask_hide };

/// A mask of a case by its type: bool is 0 and 1 with the meaning said here, float32, float64 and float16 are added.
/// No mask where the case has no such input. Throws std::invalid_argument for any other type: nothing is guessed.
[[nodiscard]] Mask mask_of_case(const CaseFile& file, const std::string& input, OnesIn ones);

/// The case has that input, and it is bool.
[[nodiscard]] bool has_bool(const CaseFile& file, const std::string& input);

/// The window that the attributes `window` and `causal` (1 when absent) ask for, [seq_len, seq_len].
/// Causal: the last `window` tokens, the token itself among them. Else: at most `window` places away.
[[nodiscard]] Tensor window_of_case(const CaseFile& file, std::size_t seq_len);

}  // namespace attn
