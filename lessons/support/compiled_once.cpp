#include "support/compiled_once.hpp"

template class std::vector<attn::AttentionSteps>;
template class std::vector<attn::NamedValue>;
template class std::vector<attn::TableEntry>;
template class std::vector<attn::Tensor>;
