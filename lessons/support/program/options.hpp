#pragma once

#include "support/program/page_options.hpp"
#include "tensor/compute.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attn {

/// The most that --d-model takes, and so --heads. The weights of that d_model are a quarter of a gigabyte in a file.
inline constexpr std::size_t largest_d_model = 2048;

/// What every lesson understands on its command line, with its default.
struct Options : PageOptions {
  enum class Weights { crafted, torch, file };
  enum class Positions { sinusoidal, none };
  enum class MaskKind { none, causal };

  // What changes numbers. These are repeated in the trace.
  std::string text = "the cat sat on the mat.";
  bool text_given = false;                           // else a lesson may choose another
  std::optional<std::string> memory = std::nullopt;  // the other text, in lessons that have two; else they choose it
  std::size_t d_model = 16;
  std::size_t num_heads = 4;
  std::size_t head = 0;  // the head to follow, from 1; 0: the lesson chooses
  std::uint64_t seed = 0;
  Weights weights = Weights::crafted;
  std::string weights_file;  // where they are read, for Weights::file
  Positions positions = Positions::sinusoidal;
  MaskKind mask = MaskKind::none;

  // How they are computed. What is printed agrees within its rounding.
  Compute compute = {};

  // Show what is measured on the way: times differ from run to run.
  bool timing = true;

  // What else is asked for.
  std::string save_weights;  // a file to write the world's weights to
};

/// A command line, understood.
struct ParsedOptions {
  enum class Action { run_lesson, show_help, show_version };
  Action action = Action::run_lesson;
  Options options;
};

/// Reads the arguments that follow the program's name. `--text-file FILE` is read here and becomes `text`.
/// An option takes its value as `--seed 3` or `--seed=3`; only the second form allows a value that looks like an
/// option. The last of several equal options counts. Throws std::invalid_argument, one clear line, for anything
/// unknown, missing, out of bounds or contradictory.
[[nodiscard]] ParsedOptions parse_options(const std::vector<std::string>& arguments);

/// The options by group, one line each, for --help.
[[nodiscard]] std::string describe_options();

}  // namespace attn
