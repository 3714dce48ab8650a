#include "support/words/tour_words.hpp"

#include "support/words/words.hpp"

#include <fmt/core.h>

namespace attn {

std::string what_a_place_adds(const Options& options, std::size_t d_model) {
  const std::string why = "Equal words have equal rows, but \"dog bites man\" is not \"man bites dog\". ";
  if (options.positions == Options::Positions::none) {
    return fmt::format(
        "{}A row of waves for each place would tell them apart. With --positions none, {} zeros are added instead.",
        why, d_model);
  }
  return fmt::format(
      "{}So place p (0, 1, ...) adds waves: sin(p / 10000^(c/{})) in each even channel c, the cos of the same angle in "
      "c + 1.",
      why, d_model);
}

std::vector<std::string> what_waves_do_to_kinds(const World& world, const Options& options) {
  if (!world.crafted() || options.positions == Options::Positions::none) return {};
  return {"thing, prep and det stand on slow cosines, which start at 1."};
}

std::vector<std::string> what_a_head_gets(const World& world, std::size_t head, std::size_t shown) {
  const std::size_t head_dim = world.d_model / world.num_heads;
  const std::string here = shown < head_dim ? fmt::format("the first {}", shown) : std::string();
  std::vector<std::string> sentences;
  if (world.num_heads == 1) {
    sentences.push_back(fmt::format("The one head gets all columns of Q, K and V, {} each.{}", head_dim,
                                    here.empty() ? "" : fmt::format(" Here are {}.", here)));
  } else {
    sentences.push_back(fmt::format("Each of {} heads (searches) gets {} columns. Here are {}head {}'s.",
                                    world.num_heads, head_dim, here.empty() ? "" : here + " of ", head));
  }
  if (world.crafted()) sentences.push_back(what_Q_and_K_read(world, head));
  return sentences;
}

std::string what_a_mask_keeps(const Tensor& mask) {
  const std::size_t kept = count_of_ones(mask);
  if (kept == mask.size()) {
    return fmt::format("Nothing is hidden: the mask keeps {} of {}. Try --mask causal.", kept, mask.size());
  }
  return fmt::format("The mask keeps {} of {} cells; the others are -inf.", kept, mask.size());
}

std::vector<std::string> what_is_collected(const World& world, const Step& context, std::size_t head) {
  if (!world.crafted()) return {};
  const std::vector<std::size_t> all = first_columns(context.value.dim(1));
  return {what_V_reads(world, head), fmt::format("{} has collected {}.", name_of(world, world.followed),
                                                 contents_of(context, world.followed, all))};
}

std::string what_becomes_of_heads(const World& world) {
  const std::string word = name_of(world, world.followed);
  if (world.num_heads == 1) {
    return fmt::format(
        "The one head's context goes through a last table of weights, W_O. With more heads, all contexts would be laid "
        "end to end. Where the head looks from {}:",
        word);
  }
  return fmt::format(
      "Each head does the same with its own columns. Their contexts are laid end to end, and a last table of weights, "
      "W_O, mixes them into one row. Where the heads look from {}:",
      word);
}

std::vector<std::string> what_came_of_it(const World& world, const Trace& trace) {
  if (!world.crafted()) return {};
  const auto contents = [&](const char* step) {
    return contents_of(trace.step(step), world.followed, world.kind_channels);
  };
  return {fmt::format(
      "{} came in with {} and leaves with {}: what it collected. A Transformer then adds this to the "
      "row that came in.{}",
      name_of(world, world.followed), contents("embeddings"), contents("output"),
      others_are_zero(trace.step("output").value, world.kind_channels) ? " The channels not shown are 0." : "")};
}

}  // namespace attn
