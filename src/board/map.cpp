#include "board/map.hpp"

#include "text/unicode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace attn {

namespace {

// In the order of the work; Q, K and V are made at the same time.
const std::vector<std::string> stages = {"tokens", "ids",    "X",      "Q",       "K",       "V",
                                         "scores", "scaled", "masked", "weights", "context", "output"};

std::size_t place_of(const std::string& stage) {
  const auto found = std::find(stages.begin(), stages.end(), stage);
  const auto place = static_cast<std::size_t>(found - stages.begin());
  return stage == "Q" || stage == "K" || stage == "V" ? 4 : place;
}

}  // namespace

std::vector<Line> draw_map(const Map& map, const TextStyle& style) {
  const bool start = map.stage.empty();
  if (!start && std::find(stages.begin(), stages.end(), map.stage) == stages.end()) {
    std::string names;
    for (const std::string& stage : stages) names += (names.empty() ? "" : ", ") + stage;
    throw std::invalid_argument(fmt::format("map: there is no stage {}: the stages are {}", map.stage, names));
  }
  const std::size_t here = start ? 0 : place_of(map.stage);
  const auto walked = [&](const std::string& stage) { return !start && place_of(stage) <= here; };
  const auto text = [&](const std::string& words) { return glyphs(words, style.ascii); };
  const auto pick = [&](bool heavy, const char* thick, const char* thin) { return text(heavy ? thick : thin); };
  const auto name = [&](const std::string& stage) -> Span {
    if (stage == map.stage) return {fmt::format("[{}]", stage), Ink::accent};
    return {stage, walked(stage) ? Ink::bold : Ink::plain};
  };
  const auto before = [&](const std::string& stage) -> Span {
    return {fmt::format(" {} ", pick(walked(stage), "━", "─"))};
  };

  const bool fork = walked("Q");
  const bool join = walked("scores");
  const bool collected = walked("context");

  Line top = {{text("tokens")}};
  if (map.stage == "tokens") top[0] = name("tokens");
  Line middle = {{pick(walked("ids"), "┗━ ", "└─ ")}, name("ids"), before("X"), name("X"), {" "}};
  const std::size_t at_fork = width_of(middle);
  top.push_back({std::string(at_fork > width_of(top) ? at_fork - width_of(top) : 0, ' ')});
  top.push_back({pick(fork, "┏━ ", "┌─ ")});
  top.push_back(name("Q"));
  Line bottom = {{std::string(at_fork, ' ')}, {pick(fork, "┗━ ", "└─ ")}, name("V")};
  middle.push_back({pick(fork, "╋━ ", "┼─ ")});
  middle.push_back(name("K"));

  // Q and K meet in the scores.
  const std::size_t at_join = std::max(width_of(top), width_of(middle)) + 2;
  const auto stretch = [&](Line& line, std::size_t to, bool heavy) {
    std::string rail = " ";
    for (std::size_t x = width_of(line) + 1; x < to; ++x) rail += pick(heavy, "━", "─");
    line.push_back({rail});
  };
  stretch(top, at_join, join);
  top.push_back({pick(join, "┓", "┐")});
  stretch(middle, at_join, join);
  middle.push_back({pick(join, "┻", "┴")});
  middle.push_back({pick(join, "━ ", "─ ")});
  middle.push_back(name("scores"));
  for (const char* stage : {"scaled", "masked", "weights"}) {
    middle.push_back(before(stage));
    middle.push_back(name(stage));
  }
  middle.push_back({fmt::format(" {}", pick(collected, "━", "─"))});
  const std::size_t at_end = width_of(middle);
  middle.push_back({pick(collected, "┓", "┐")});
  stretch(bottom, at_end, collected);
  bottom.push_back({pick(collected, "┻━ ", "┴─ ")});
  bottom.push_back(name("context"));
  bottom.push_back(before("output"));
  bottom.push_back(name("output"));
  return {top, middle, bottom};
}

std::string map_in_words(const Map& map) {
  std::string words;
  for (const std::string& stage : stages) {
    const bool side_by_side = stage == "K" || stage == "V";  // with Q
    words += words.empty() ? "" : side_by_side ? ", " : " → ";
    words += stage == map.stage ? "[" + stage + "]" : stage;
  }
  return words;
}

}  // namespace attn
