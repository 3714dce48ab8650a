#pragma once

#include "support/world/world.hpp"
#include "text/vocabulary.hpp"

namespace attn {

/// The world whose weights were made by hand, to be read: d_model 16, four heads of 4, made for sinusoidal positions.
/// Words of the text that are new get the row of the kind that they are guessed to be, and `guesses` says so.
/// Fills all of the World but `tokens` and `encoding`.
[[nodiscard]] World crafted_world(const Encoding& encoding);

/// Gives a world of the same sizes the crafted world's names: of channels, of the columns of Q, K and V, and of heads.
void take_names_of_crafted_world(World& world);

}  // namespace attn
