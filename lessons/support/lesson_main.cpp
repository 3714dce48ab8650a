// The main of every lesson: read the options, let the lesson write on the board, show the board.

#include "board/board.hpp"
#include "support/embedded_sources.hpp"
#include "support/lesson.hpp"
#include "support/program/options.hpp"
#include "support/program/output.hpp"
#include "support/program/pause.hpp"
#include "support/program/show_page.hpp"
#include "support/world/weights_file.hpp"
#include "support/world/world.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace attn {
namespace {

/// "00_tour", from "lessons/00_tour.cpp".
std::string_view lesson_name() {
  const std::string_view file = lesson_sources[0].name;
  const std::size_t start = file.rfind('/') + 1;
  return file.substr(start, file.rfind('.') - start);
}

/// What the comment at the head of the lesson's file says after "// Question", say: a line for each time it is there.
std::vector<std::string> said_at_its_head(std::string_view what) {
  constexpr std::string_view mark = "// ";
  std::string_view rest = lesson_sources[0].text;
  std::vector<std::string> said;
  while (rest.starts_with("//")) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    line.remove_prefix(std::min(mark.size(), line.size()));
    if (!line.starts_with(what)) continue;
    line.remove_prefix(what.size());
    if (!line.starts_with(' ')) continue;
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    said.emplace_back(line);
  }
  return said;
}

std::string question() {
  const std::vector<std::string> questions = said_at_its_head("Question");
  return questions.empty() ? "" : questions.front();
}

/// An option that changes nothing in this lesson: "// Ignores    --mask: it has masks of its own" at its head.
struct IgnoredOption {
  std::string name;
  std::string why;
};

std::vector<IgnoredOption> ignored_options() {
  std::vector<IgnoredOption> ignored;
  for (const std::string& said : said_at_its_head("Ignores")) {
    const std::size_t colon = said.find(": ");
    if (colon != std::string::npos) ignored.push_back({said.substr(0, colon), said.substr(colon + 2)});
  }
  return ignored;
}

std::string weights_name(const Options& options) {
  if (options.weights == Options::Weights::file) return options.weights_file;
  return options.weights == Options::Weights::crafted ? "crafted" : "torch";
}

/// What the reader chose among the options that change numbers.
std::vector<ChosenOption> chosen_options(const Options& options) {
  const Options defaults;
  std::vector<ChosenOption> chosen;
  if (options.text_given) chosen.push_back({"--text", options.text});
  if (options.memory) chosen.push_back({"--memory", *options.memory});
  if (options.weights != defaults.weights) chosen.push_back({"--weights", weights_name(options)});
  const bool sizes = options.weights != Options::Weights::file;
  if (sizes && options.d_model != defaults.d_model) chosen.push_back({"--d-model", std::to_string(options.d_model)});
  if (sizes && options.num_heads != defaults.num_heads)
    chosen.push_back({"--heads", std::to_string(options.num_heads)});
  if (options.head != defaults.head) chosen.push_back({"--head", std::to_string(options.head)});
  if (options.seed != defaults.seed) chosen.push_back({"--seed", std::to_string(options.seed)});
  if (options.positions != defaults.positions) chosen.push_back({"--positions", "none"});
  if (options.mask != defaults.mask) chosen.push_back({"--mask", "causal"});
  return chosen;
}

/// The commands to try keep what the reader chose, but for what changes nothing.
std::vector<ChosenOption> options_to_keep(const Options& options) {
  std::vector<ChosenOption> kept = chosen_options(options);
  for (const IgnoredOption& ignored : ignored_options())
    std::erase_if(kept, [&](const ChosenOption& option) { return option.name == ignored.name; });
  return kept;
}

/// At the end of the page: what the reader chose, and changes nothing.
void tell_what_is_ignored(Board& board, const Options& options) {
  const std::vector<ChosenOption> chosen = chosen_options(options);
  for (const auto& ignored : ignored_options()) {
    if (std::any_of(chosen.begin(), chosen.end(), [&](const auto& option) { return option.name == ignored.name; }))
      board.aside("{name} changes nothing on this page: {why}.", {{"name", ignored.name}, {"why", ignored.why}});
  }
}

LessonInfo lesson_info(const Options& options) {
  LessonInfo info;
  info.name = lesson_name();
  info.chosen = options_to_keep(options);
  info.timing = options.timing;
  for (const EmbeddedSource* const sources : {lesson_sources, attention_sources}) {
    for (const EmbeddedSource* file = sources; file->name != nullptr; ++file) {
      info.sources.push_back({.name = file->name, .text = file->text});
    }
  }
  info.options = {
      {"text", options.text},
      {"d_model", options.d_model},
      {"heads", options.num_heads},
      {"head", options.head},
      {"seed", static_cast<std::size_t>(options.seed)},
      {"weights", weights_name(options)},
      {"mask", options.mask == Options::MaskKind::none ? "none" : "causal"},
      {"positions", options.positions == Options::Positions::sinusoidal ? "sinusoidal" : "none"},
  };
  return info;
}

std::string help() {
  return fmt::format(
      "{}: {}\n\n"
      "Usage: lessons/run [LESSON] [options]    LESSON: a number, a name or part of one\n"
      "       lessons/run list                  every lesson and its question\n"
      "{}",
      lesson_name(), question(), describe_options());
}

/// A weights file says the sizes.
Options with_sizes_of_weights_file(Options options) {
  if (options.weights != Options::Weights::file) return options;
  const World world = make_world(options);
  options.d_model = world.d_model;
  options.num_heads = world.num_heads;
  return options;
}

/// A lesson that has a second text says so on the board: board.option("memory", ...).
void require_second_text(const Board& board) {
  const std::vector<NamedValue>& settled = board.lesson().options;
  if (std::none_of(settled.begin(), settled.end(), [](const NamedValue& option) { return option.name == "memory"; })) {
    throw std::invalid_argument("--memory gives a second text, and this lesson has only one: leave out --memory");
  }
}

ExitStatus run(const std::vector<std::string>& arguments) {
  const ParsedOptions parsed = parse_options(arguments);
  switch (parsed.action) {
    case ParsedOptions::Action::show_help:
      write_page(help(), "");
      return ExitStatus::done;
    case ParsedOptions::Action::show_version:
      write_page(fmt::format("{} of attention_steps {}\n", lesson_name(), ATTENTION_STEPS_VERSION), "");
      return ExitStatus::done;
    case ParsedOptions::Action::run_lesson:
      break;
  }
  if (parsed.options.pause) require_terminal_for_pause();
  require_place_for_page(parsed.options.out);
  require_place_for_weights(parsed.options.save_weights);
  Options options = with_sizes_of_weights_file(parsed.options);
  // Measured numbers stand on a page only, so for what is no page nothing is measured.
  if (options.face == Options::Face::json || !options.explain.empty()) options.timing = false;
  Board board(lesson_info(options));
  lesson(board, options);
  tell_what_is_ignored(board, options);
  if (options.memory) require_second_text(board);
  if (!options.explain.empty()) board.explain_instead(options.explain, options.depth);
  // Nothing can be refused any more, so nothing is written that a refusal would leave behind.
  if (!options.save_weights.empty()) write_weights(weights_text(make_world(options)), options.save_weights);
  show_page(board, options);
  return ExitStatus::done;
}

}  // namespace
}  // namespace attn

int main(int argc, char** argv) {
  return attn::run_program(std::string(attn::lesson_name()), [&] { return attn::run({argv + 1, argv + argc}); });
}
