#include "support/options.hpp"

#include "support/quoted.hpp"
#include "support/text_source.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace attn {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw std::invalid_argument(message);
}

std::uint64_t whole_number(const char* name, std::string_view value, std::uint64_t smallest, std::uint64_t largest) {
  std::uint64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto [stopped_at, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc() || stopped_at != end || number < smallest || number > largest) {
    refuse(fmt::format("{} takes a whole number from {} to {}, not {}", name, smallest, largest, quoted(value)));
  }
  return number;
}

std::size_t size(const char* name, std::string_view value, std::size_t smallest, std::size_t largest) {
  return static_cast<std::size_t>(whole_number(name, value, smallest, largest));
}

template <typename Choice>
Choice one_of(const char* name, std::string_view value,
              std::initializer_list<std::pair<std::string_view, Choice>> choices) {
  std::string names;
  for (const auto& [word, choice] : choices) {
    if (word == value) return choice;
    names += fmt::format("{}{}", names.empty() ? "" : " or ", word);
  }
  refuse(fmt::format("{} takes {}, not {}", name, names, quoted(value)));
}

/// What the command line said that is not yet an option's value.
struct Reading {
  ParsedOptions parsed;
  std::optional<std::string> text;
  std::optional<std::string> text_file;
};

/// One option. `value` is what --help calls its value; without one it is a switch.
struct Known {
  std::string_view group;
  const char* name;
  std::string_view value;
  std::string_view help;
  void (*take)(Reading& reading, const char* name, std::string_view value);
};

constexpr std::size_t largest_size = 4096;

const Known known_options[] = {
    {"The sentence", "--text", "TEXT", "what is attended over (the lesson chooses)",
     [](Reading& r, const char*, std::string_view v) { r.text = v; }},
    {"The sentence", "--text-file", "FILE", "the same from a file; - is standard input",
     [](Reading& r, const char*, std::string_view v) { r.text_file = v; }},

    {"The numbers", "--weights", "WORLD", "crafted by hand, or torch: as PyTorch draws (crafted)",
     [](Reading& r, const char* name, std::string_view v) {
       r.parsed.options.weights = one_of<Options::Weights>(
           name, v, {{"crafted", Options::Weights::crafted}, {"torch", Options::Weights::torch}});
     }},
    {"The numbers", "--seed", "N", "torch.manual_seed(N) for --weights torch (0)",
     [](Reading& r, const char* name, std::string_view v) {
       r.parsed.options.seed = whole_number(name, v, 0, std::numeric_limits<std::uint64_t>::max());
     }},
    {"The numbers", "--d-model", "N", "channels of a token, 1 to 4096 (16)",
     [](Reading& r, const char* name, std::string_view v) {
       r.parsed.options.d_model = size(name, v, 1, largest_size);
     }},
    {"The numbers", "--heads", "N", "number of heads; must divide d_model (4)",
     [](Reading& r, const char* name, std::string_view v) {
       r.parsed.options.num_heads = size(name, v, 1, largest_size);
     }},
    {"The numbers", "--head", "N", "the head to follow, from 1 (the lesson chooses)",
     [](Reading& r, const char* name, std::string_view v) { r.parsed.options.head = size(name, v, 1, largest_size); }},
    {"The numbers", "--positions", "KIND", "sinusoidal or none (sinusoidal)",
     [](Reading& r, const char* name, std::string_view v) {
       r.parsed.options.positions = one_of<Options::Positions>(
           name, v, {{"sinusoidal", Options::Positions::sinusoidal}, {"none", Options::Positions::none}});
     }},
    {"The numbers", "--mask", "KIND", "none, or causal: no token sees a later one (none)",
     [](Reading& r, const char* name, std::string_view v) {
       r.parsed.options.mask = one_of<Options::MaskKind>(
           name, v, {{"none", Options::MaskKind::none}, {"causal", Options::MaskKind::causal}});
     }},

    {"The page", "--face", "KIND", "text, or json: every number, for programs (text)",
     [](Reading& r, const char* name, std::string_view v) {
       r.parsed.options.face =
           one_of<Options::Face>(name, v, {{"text", Options::Face::text}, {"json", Options::Face::json}});
     }},
    {"The page", "--out", "FILE", "write the page there (standard output)",
     [](Reading& r, const char*, std::string_view v) { r.parsed.options.out = v; }},
    {"The page", "--precision", "N", "decimals in tables, 1 to 9 (3)",
     [](Reading& r, const char* name, std::string_view v) { r.parsed.options.precision = size(name, v, 1, 9); }},
    {"The page", "--width", "N", "columns, 60 to 500 (the terminal's, else 80)",
     [](Reading& r, const char* name, std::string_view v) { r.parsed.options.width = size(name, v, 60, 500); }},
    {"The page", "--color", "WHEN", "auto, always or never; auto heeds NO_COLOR (auto)",
     [](Reading& r, const char* name, std::string_view v) {
       r.parsed.options.color = one_of<Options::Color>(
           name, v,
           {{"auto", Options::Color::automatic}, {"always", Options::Color::always}, {"never", Options::Color::never}});
     }},
    {"The page", "--ascii", "", "draw with plain ASCII characters",
     [](Reading& r, const char*, std::string_view) { r.parsed.options.ascii = true; }},
    {"The page", "--pause", "", "stop after each part; needs a terminal",
     [](Reading& r, const char*, std::string_view) { r.parsed.options.pause = true; }},

    {"Other", "--help", "", "this list",
     [](Reading& r, const char*, std::string_view) { r.parsed.action = ParsedOptions::Action::show_help; }},
    {"Other", "--version", "", "name and version",
     [](Reading& r, const char*, std::string_view) { r.parsed.action = ParsedOptions::Action::show_version; }},
};

const Known* find(std::string_view name) {
  for (const Known& known : known_options) {
    if (name == known.name) return &known;
  }
  return nullptr;
}

/// Levenshtein: how many letters must be changed, added or dropped to turn one word into the other.
std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t changed = diagonal + (from[i - 1] == to[j - 1] ? 0U : 1U);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[to.size()];
}

/// The option that was probably meant: one that begins so ("--prec"), else the one with the fewest edits.
const char* nearest(std::string_view typed) {
  constexpr std::size_t longest = 64;  // no option is longer, and the distance costs length times length
  std::string name(typed.substr(0, longest));
  for (char& letter : name) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  const auto distance = [&name](const Known& known) {
    const bool is_beginning = name.size() > 2 && std::string_view(known.name).substr(0, name.size()) == name;
    return is_beginning ? 0 : edit_distance(name, known.name);
  };
  const Known* const best = std::min_element(std::begin(known_options), std::end(known_options),
                                             [&](const Known& a, const Known& b) { return distance(a) < distance(b); });
  return best->name;
}

/// "-" alone names standard input, and a negative number is a (bad) value: neither looks like an option.
bool looks_like_option(std::string_view argument) {
  return argument.size() > 1 && argument[0] == '-' && !(argument[1] >= '0' && argument[1] <= '9');
}

void check_combinations(const Options& options) {
  if (options.pause && options.face == Options::Face::json) {
    refuse("--pause goes with --face text only: leave out --pause or --face json");
  }
  if (options.pause && !options.out.empty()) {
    refuse("--pause shows the page in the terminal, --out writes it to a file: leave out one of them");
  }
}

}  // namespace

ParsedOptions parse_options(const std::vector<std::string>& arguments) {
  Reading reading;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (!looks_like_option(argument)) {
      refuse(fmt::format("unexpected argument {}: a sentence goes after --text, in quotes", quoted(argument)));
    }
    const std::size_t equals = argument.find('=');
    const std::string_view name = argument == "-h" ? "--help" : argument.substr(0, equals);
    const Known* const known = find(name);
    if (known == nullptr) {
      const std::string shown = quoted(name);
      refuse(fmt::format("unknown option {}: did you mean {}? (--help lists them all)",
                         shown.substr(1, shown.size() - 2), nearest(name)));
    }

    std::string_view value;
    if (known->value.empty()) {
      if (equals != std::string_view::npos) refuse(fmt::format("{} takes no value: write {} alone", name, name));
    } else if (equals != std::string_view::npos) {
      value = argument.substr(equals + 1);
    } else if (i + 1 == arguments.size()) {
      refuse(fmt::format("{} needs a value: {} {}", name, name, known->value));
    } else if (looks_like_option(arguments[i + 1])) {
      refuse(fmt::format("{} needs a value, but an option follows; if {} is the value, write it after {}=", name,
                         quoted(arguments[i + 1]), name));
    } else {
      value = arguments[++i];
    }
    if (!known->value.empty() && value.empty()) {
      refuse(fmt::format("{} has an empty value: {} {}", name, name, known->value));
    }

    known->take(reading, known->name, value);
    if (reading.parsed.action != ParsedOptions::Action::run_lesson) return reading.parsed;
  }

  if (reading.text && reading.text_file) refuse("--text and --text-file both give the sentence: leave out one of them");
  check_combinations(reading.parsed.options);
  reading.parsed.options.text_given = reading.text || reading.text_file;
  if (reading.text) reading.parsed.options.text = *reading.text;
  if (reading.text_file) reading.parsed.options.text = read_text(*reading.text_file);
  return reading.parsed;
}

std::string describe_options() {
  std::string result;
  std::string_view group;
  for (const Known& known : known_options) {
    if (known.group != group) result += fmt::format("\n{}\n", known.group);
    group = known.group;
    result += fmt::format("  {:<19} {}\n", fmt::format("{} {}", known.name, known.value), known.help);
  }
  return result;
}

}  // namespace attn
