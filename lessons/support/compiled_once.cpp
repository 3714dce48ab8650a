#include "support/compiled_once.hpp"

template class std::vector<attn::AttentionSteps>;
template class std::vector<attn::Attribute>;
template class std::vector<attn::NamedValue>;
template class std::vector<attn::NewWord>;
template class std::vector<attn::TableEntry>;
template class std::vector<attn::Tensor>;
template class std::vector<attn::Token>;

#ifdef __GLIBCXX__
template class std::basic_string<char>;
template class std::vector<float>;
template class std::vector<std::size_t>;
template class std::vector<std::string>;
#endif
