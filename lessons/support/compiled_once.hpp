#pragma once

// What every lesson includes, read once for all of them, and the vectors of our types that every lesson uses: compiled
// once here, not again in each lesson at each edit. The build puts this file before a lesson's own lines; no lesson
// needs to name it, and each builds without it.

#include "support/lesson.hpp"

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
