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

/// The lesson's question, from the comment at the head of its file.
std::string_view question() {
  const std::string_view source = lesson_sources[0].text;
  const std::string_view mark = "// Question ";
  const std::size_t start = source.find(mark);
  if (start == std::string_view::npos) return "";
  const std::string_view line = source.substr(start + mark.size(), source.find('\n', start) - start - mark.size());
  return line.substr(std::min(line.find_first_not_of(' '), line.size()));
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

LessonInfo lesson_info(const Options& options) {
  LessonInfo info;
  info.name = lesson_name();
  info.chosen = chosen_options(options);
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
