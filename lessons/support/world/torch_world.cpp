#include "support/world/torch_world.hpp"

#include "tensor/random.hpp"
#include "text/vocabulary.hpp"

namespace attn {

World torch_world(std::size_t d_model, std::size_t num_heads, std::uint64_t seed) {
  World world;
  world.d_model = d_model;
  world.num_heads = num_heads;

  Random random(seed);
  world.embedding_table = embedding_weight(random, vocabulary_size, d_model);  // [256, d_model]
  world.weights = MultiHeadAttention(d_model, num_heads, random).weights();    // query, key, value, output
  return world;
}

}  // namespace attn
