#include "support/program/options.hpp"

#include "support/program/command_line.hpp"
#include "support/program/quoted.hpp"
#include "support/program/same_file.hpp"
#include "support/program/text_source.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace attn {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw std::invalid_argument(message);
}

/// The rows that every lesson understands, and what was typed for them.
struct LessonCommandLine {
  LessonCommandLine();

  CommandLine rows;
  Options options;
  std::optional<std::string> text;
  std::optional<std::string> text_file;
  std::size_t d_model = 0;  // 0: not said
  std::size_t num_heads = 0;
};

LessonCommandLine::LessonCommandLine() {
  using Weights = Options::Weights;
  using Positions = Options::Positions;
  using MaskKind = Options::MaskKind;
  constexpr std::uint64_t largest_seed = std::numeric_limits<std::uint64_t>::max();

  rows.group("The sentence");
  rows.words("--text", "TEXT", "what is attended over (the lesson chooses)", text);
  rows.words("--text-file", "FILE", "the same from a file; - is standard input", text_file);
  rows.words("--memory", "TEXT", "the other text, in lessons that have two", options.memory);

  rows.group("The numbers");
  rows.row(
      "--weights", "WORLD", "crafted, torch: as PyTorch draws, or a FILE (crafted)", [this](const std::string& typed) {
        const bool named = typed == "crafted" || typed == "torch";
        options.weights = typed == "crafted" ? Weights::crafted : typed == "torch" ? Weights::torch : Weights::file;
        options.weights_file = named ? "" : typed;
      });
  rows.words("--save-weights", "FILE", "write the weights there, to change and run again", options.save_weights);
  rows.number("--seed", "torch.manual_seed(N), for all that is drawn (0)", options.seed, 0, largest_seed);
  rows.number("--d-model", "channels of a token, 1 to 2048 (16)", d_model, 1, largest_d_model);
  rows.number("--heads", "number of heads; must divide d_model (4)", num_heads, 1, largest_d_model);
  rows.number("--head", "the head to follow, from 1 (the lesson chooses)", options.head, 1, largest_d_model);
  rows.choice("--positions", "KIND", "sinusoidal or none (sinusoidal)", options.positions,
              {{"sinusoidal", Positions::sinusoidal}, {"none", Positions::none}});
  rows.choice("--mask", "KIND", "none, or causal: no token sees a later one (none)", options.mask,
              {{"none", MaskKind::none}, {"causal", MaskKind::causal}});

  rows.group("The speed");
  rows.choice("--matmul", "KIND", "naive, or blocked: fast, in float (naive)", options.compute.kind,
              {{"naive", Matmul::naive}, {"blocked", Matmul::blocked}});
  rows.number("--threads", "threads that a blocked product may use, 1 to 256 (1)", options.compute.threads, 1, 256);
  rows.choice("--timing", "WHEN", "on, or off: leave out what is measured (on)", options.timing,
              {{"on", true}, {"off", false}});

  add_page_options(rows, options);
  rows.help_and_version();
}

/// No file may be written that is read, or written twice.
void check_files(const Options& options, const std::string& text_file) {
  const auto keep = [](const char* kept, const std::string& file, const std::string& page, const std::string& weights) {
    if (is_same_file(page, file)) {
      refuse(fmt::format("--out {} would replace {}: give the page another name", attn::quoted(page), kept));
    }
    if (is_same_file(weights, file)) {
      refuse(fmt::format("--save-weights {} would replace {}: give the weights another name", attn::quoted(weights),
                         kept));
    }
  };
  keep("the text of --text-file", text_file, options.out, options.save_weights);
  keep("the weights of --weights", options.weights_file, options.out, options.save_weights);
  keep("the weights of --save-weights", options.save_weights, options.out, "");
}

void check_combinations(const LessonCommandLine& line) {
  if (line.options.weights == Options::Weights::file && (line.d_model != 0 || line.num_heads != 0)) {
    refuse("a weights file says the sizes itself: leave out --d-model and --heads");
  }
  if (line.text && line.text_file) refuse("--text and --text-file both give the sentence: leave out one of them");
  if (line.options.save_weights == "-") refuse("--save-weights needs a file: the page goes to standard output");
  check_files(line.options, line.text_file.value_or(""));
  check_page_options(line.options);
}

}  // namespace

ParsedOptions parse_options(const std::vector<std::string>& arguments) {
  LessonCommandLine line;
  switch (line.rows.read(arguments)) {
    case CommandLine::Outcome::show_help:
      return {.action = ParsedOptions::Action::show_help, .options = line.options};
    case CommandLine::Outcome::show_version:
      return {.action = ParsedOptions::Action::show_version, .options = line.options};
    case CommandLine::Outcome::run:
      break;
  }
  check_combinations(line);
  Options& options = line.options;
  options.text_given = line.text || line.text_file;
  if (line.d_model != 0) options.d_model = line.d_model;
  if (line.num_heads != 0) options.num_heads = line.num_heads;
  if (line.text) options.text = *line.text;
  if (line.text_file) options.text = read_text(*line.text_file);
  return {.action = ParsedOptions::Action::run_lesson, .options = line.options};
}

std::string describe_options() {
  return LessonCommandLine().rows.describe();
}

}  // namespace attn
