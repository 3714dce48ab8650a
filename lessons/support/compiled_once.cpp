#include "support/compiled_once.hpp"

template class std::basic_string<char>;
template class std::vector<float>;
template class std::vector<std::size_t>;
template class std::vector<std::string>;
template class std::vector<attn::AttentionSteps>;
template class std::vector<attn::NamedValue>;
template class std::vector<attn::TableEntry>;
template class std::vector<attn::Tensor>;
