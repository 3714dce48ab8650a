#pragma once

// What every lesson includes, read once for all of them, and the vectors of our types that every lesson uses: compiled
// once here, not again in each lesson at each edit. The build puts this file before a lesson's own lines; no lesson
// needs to name it, and each builds without it.

#include "attention/embedding.hpp"
#include "attention/mask.hpp"
#include "attention/multi_head.hpp"
#include "attention/positions.hpp"
#include "attention/scaled_dot_product.hpp"
#include "board/board.hpp"
#include "support/lesson.hpp"
#include "support/options.hpp"
#include "support/world.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/softmax.hpp"
#include "tensor/tensor.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

extern template class std::vector<attn::AttentionSteps>;
extern template class std::vector<attn::Attribute>;
extern template class std::vector<attn::NamedValue>;
extern template class std::vector<attn::NewWord>;
extern template class std::vector<attn::TableEntry>;
extern template class std::vector<attn::Tensor>;
extern template class std::vector<attn::Token>;

// g++'s library leaves the code of strings to each file when it is C++20; a third of a lesson's compile time.
#ifdef __GLIBCXX__
extern template class std::basic_string<char>;
extern template class std::vector<float>;
extern template class std::vector<std::size_t>;
extern template class std::vector<std::string>;
#endif
