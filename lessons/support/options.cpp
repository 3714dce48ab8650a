#include "support/options.hpp"

#include "support/quoted.hpp"
#include "support/text_source.hpp"
#include "text/nearest.hpp"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

namespace attn {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw std::invalid_argument(message);
}

std::uint64_t whole_number(const std::string& name, std::string_view value, std::uint64_t smallest,
                           std::uint64_t largest) {
  std::uint64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto [stopped_at, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc() || stopped_at != end || number < smallest || number > largest) {
    refuse(fmt::format("{} takes a whole number from {} to {}, not {}", name, smallest, largest, attn::quoted(value)));
  }
  return number;
}

template <typename Choice>
using Choices = std::vector<std::pair<std::string, Choice>>;

template <typename Choice>
Choice one_of(const std::string& name, const std::string& value, const Choices<Choice>& choices) {
  std::string names;
  for (const auto& [word, choice] : choices) {
    if (word == value) return choice;
    names += fmt::format("{}{}", names.empty() ? "" : " or ", word);
  }
  refuse(fmt::format("{} takes {}, not {}", name, names, attn::quoted(value)));
}

/// The options as CLI11 knows them, and what was said about each.
class CommandLine {
 public:
  CommandLine();

  CLI::App app;
  Options options;
  std::optional<std::string> text;
  std::optional<std::string> text_file;
  std::size_t d_model = 0;  // 0: not said
  std::size_t num_heads = 0;
  std::optional<std::size_t> depth;

 private:
  // One row of the list of options: its name, what --help calls its value, what it means, where the value goes.
  using Take = std::function<void(const std::string&)>;
  void row(const char* name, const char* value, const char* meaning, const Take& take) {
    // Taken as soon as it is read: of several bad values the first is told, of equal options the last counts.
    app.add_option_function<std::string>(name, take, meaning)->type_name(value)->group(group)->trigger_on_parse();
  }

  template <typename Text>
  void words(const char* name, const char* value, const char* meaning, Text& to) {
    row(name, value, meaning, [&to](const std::string& typed) { to = typed; });
  }

  template <typename Number>
  void number(const char* name, const char* meaning, Number& to, std::uint64_t smallest, std::uint64_t largest) {
    row(name, "N", meaning, [=, &to](const std::string& typed) {
      const std::uint64_t value = whole_number(name, typed, smallest, largest);
      if constexpr (std::is_same_v<Number, std::uint64_t>) {
        to = value;
      } else {
        to = static_cast<std::size_t>(value);
      }
    });
  }

  template <typename Choice>
  void choice(const char* name, const char* value, const char* meaning, Choice& to, const Choices<Choice>& choices) {
    row(name, value, meaning, [=, &to](const std::string& typed) { to = one_of(name, typed, choices); });
  }

  void flag(const char* name, const char* meaning, const std::function<void()>& take) {
    app.add_flag_callback(name, take, meaning)->group(group)->trigger_on_parse();
  }

  std::string group;  // of the rows that follow; --help does not show a group without a name
};

CommandLine::CommandLine() {
  using Weights = Options::Weights;
  using Positions = Options::Positions;
  using MaskKind = Options::MaskKind;
  using Face = Options::Face;
  using Color = Options::Color;
  constexpr std::uint64_t largest_seed = std::numeric_limits<std::uint64_t>::max();

  group = "The sentence";
  words("--text", "TEXT", "what is attended over (the lesson chooses)", text);
  words("--text-file", "FILE", "the same from a file; - is standard input", text_file);
  words("--memory", "TEXT", "the other text, in lessons that have two", options.memory);

  group = "The numbers";
  row("--weights", "WORLD", "crafted, torch: as PyTorch draws, or a FILE (crafted)", [this](const std::string& typed) {
    const bool named = typed == "crafted" || typed == "torch";
    options.weights = typed == "crafted" ? Weights::crafted : typed == "torch" ? Weights::torch : Weights::file;
    options.weights_file = named ? "" : typed;
  });
  words("--save-weights", "FILE", "write the weights there, to change and run again", options.save_weights);
  number("--seed", "torch.manual_seed(N) for --weights torch (0)", options.seed, 0, largest_seed);
  number("--d-model", "channels of a token, 1 to 2048 (16)", d_model, 1, largest_d_model);
  number("--heads", "number of heads; must divide d_model (4)", num_heads, 1, largest_d_model);
  number("--head", "the head to follow, from 1 (the lesson chooses)", options.head, 1, largest_d_model);
  choice("--positions", "KIND", "sinusoidal or none (sinusoidal)", options.positions,
         {{"sinusoidal", Positions::sinusoidal}, {"none", Positions::none}});
  choice("--mask", "KIND", "none, or causal: no token sees a later one (none)", options.mask,
         {{"none", MaskKind::none}, {"causal", MaskKind::causal}});

  group = "One number";
  row("--explain", "NUMBER", "how it came about, as 'scores[sat,cat]'; several are fine",
      [this](const std::string& typed) { options.explain.push_back(typed); });
  number("--depth", "levels down to explain, 0 to 100 (all)", depth, 0, 100);

  group = "The page";
  choice("--face", "KIND", "text, or json: every number, for programs (text)", options.face,
         {{"text", Face::text}, {"json", Face::json}});
  row("--out", "FILE", "write the page there (- or nothing: standard output)",
      [this](const std::string& typed) { options.out = typed == "-" ? "" : typed; });
  number("--precision", "decimals in tables, 1 to 9 (3)", options.precision, 1, 9);
  number("--width", "columns, 60 to 500 (the terminal's, else 80)", options.width, 60, 500);
  choice("--color", "WHEN", "auto, always or never; auto heeds NO_COLOR (auto)", options.color,
         {{"auto", Color::automatic}, {"always", Color::always}, {"never", Color::never}});
  flag("--ascii", "draw with plain ASCII characters", [this] { options.ascii = true; });
  flag("--pause", "stop after each part; needs a terminal", [this] { options.pause = true; });

  app.set_help_flag();  // none of CLI11's own: it would read what follows --help first
  group = "Other";
  flag("--help", "this list", [] { throw CLI::CallForHelp(); });
  flag("--version", "name and version", [] { throw CLI::CallForVersion(); });
  group = "";
  flag("-h", "", [] { throw CLI::CallForHelp(); });
}

/// "-" alone names standard input, and a negative number is a (bad) value: neither looks like an option.
bool looks_like_option(std::string_view argument) {
  return argument.size() > 1 && argument[0] == '-' && !(argument[1] >= '0' && argument[1] <= '9');
}

[[noreturn]] void refuse_unknown(const CLI::App& app, std::string_view name) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) names.push_back(option->get_name());
  }
  const std::string shown = attn::quoted(name);
  refuse(fmt::format("unknown option {}: did you mean {}? (--help lists them all)", shown.substr(1, shown.size() - 2),
                     nearest(name, names)));
}

/// Refuses what CLI11 would take without a word (an option as the value of the one before it, an empty value, a value
/// for a flag) or refuse without a hint.
void check_forms(const CLI::App& app, const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (!looks_like_option(argument)) {
      refuse(fmt::format("unexpected argument {}: a sentence goes after --text, in quotes", attn::quoted(argument)));
    }
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const CLI::Option* const option = app.get_option_no_throw(name);
    if (option == nullptr) refuse_unknown(app, name);

    const bool has_joined_value = equals != std::string::npos;
    if (option->get_items_expected_max() == 0) {
      if (has_joined_value) refuse(fmt::format("{} takes no value: write {} alone", name, name));
      if (name == "--help" || name == "-h" || name == "--version") return;  // nothing after it is read
      continue;
    }
    const std::string form = fmt::format("{} {}", name, option->get_type_name());
    if (!has_joined_value) {
      if (++i == arguments.size()) refuse(fmt::format("{} needs a value: {}", name, form));
      if (looks_like_option(arguments[i])) {
        refuse(fmt::format("{} needs a value, but an option follows; if {} is the value, write it after {}=", name,
                           attn::quoted(arguments[i]), name));
      }
    }
    if (has_joined_value ? equals + 1 == argument.size() : arguments[i].empty()) {
      refuse(fmt::format("{} has an empty value: {}", name, form));
    }
  }
}

/// Files that are not there yet are the same when their names lead to the same place. Devices and pipes are no files.
bool is_same_file(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return false;
  std::error_code no_such_file;
  if (std::filesystem::exists(a, no_such_file)) {
    return std::filesystem::is_regular_file(a, no_such_file) && std::filesystem::equivalent(a, b, no_such_file);
  }
  const auto place = [&no_such_file](const std::string& file) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file, no_such_file), no_such_file);
  };
  return !place(a).empty() && place(a) == place(b);
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

void check_combinations(const CommandLine& line) {
  if (line.options.weights == Options::Weights::file && (line.d_model != 0 || line.num_heads != 0)) {
    refuse("a weights file says the sizes itself: leave out --d-model and --heads");
  }
  if (line.depth && line.options.explain.empty()) refuse("--depth says how far --explain goes: add --explain NUMBER");
  if (!line.options.explain.empty() && line.options.face == Options::Face::json) {
    refuse("--explain writes a page: leave out --face json, which has the numbers of every step");
  }
  if (line.text && line.text_file) refuse("--text and --text-file both give the sentence: leave out one of them");
  if (line.options.save_weights == "-") {
    refuse("--save-weights needs a file: the page goes to standard output");
  }
  check_files(line.options, line.text_file.value_or(""));
  if (line.options.pause && line.options.face == Options::Face::json) {
    refuse("--pause goes with --face text only: leave out --pause or --face json");
  }
  if (line.options.pause && !line.options.out.empty()) {
    refuse("--pause shows the page in the terminal, --out writes it to a file: leave out one of them");
  }
}

}  // namespace

ParsedOptions parse_options(const std::vector<std::string>& arguments) {
  CommandLine line;
  check_forms(line.app, arguments);
  try {
    line.app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes them last first
  } catch (const CLI::CallForHelp&) {
    return {.action = ParsedOptions::Action::show_help, .options = line.options};
  } catch (const CLI::CallForVersion&) {
    return {.action = ParsedOptions::Action::show_version, .options = line.options};
  }
  check_combinations(line);
  Options& options = line.options;
  options.text_given = line.text || line.text_file;
  if (line.d_model != 0) options.d_model = line.d_model;
  if (line.num_heads != 0) options.num_heads = line.num_heads;
  if (line.depth) options.depth = *line.depth;
  if (line.text) options.text = *line.text;
  if (line.text_file) options.text = read_text(*line.text_file);
  return {.action = ParsedOptions::Action::run_lesson, .options = line.options};
}

std::string describe_options() {
  const CommandLine line;
  CLI::Formatter formatter;
  formatter.column_width(22);
  std::string result;
  for (const std::string& group : line.app.get_groups()) {
    if (group.empty()) continue;
    const auto rows =
        line.app.get_options([&group](const CLI::Option* option) { return option->get_group() == group; });
    result += formatter.make_group(group, /*is_positional=*/false, rows);
  }
  return result;
}

}  // namespace attn
