#include "support/program/command_line.hpp"

#include "support/program/quoted.hpp"
#include "text/nearest.hpp"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <system_error>

namespace attn {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw std::invalid_argument(message);
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

}  // namespace

struct CommandLine::Reader {
  CLI::App app;
  std::string group;  // of the rows that follow; --help does not show a group without a name
  Take take_other;

  /// Refuses what CLI11 would take without a word (an option as the value of the one before it, an empty value, a
  /// value for a flag) or refuse without a hint. Returns what is left for CLI11: the options.
  std::vector<std::string> checked(const std::vector<std::string>& arguments) const {
    std::vector<std::string> options;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string& argument = arguments[i];
      if (!looks_like_option(argument)) {
        if (!take_other) {
          refuse(
              fmt::format("unexpected argument {}: a sentence goes after --text, in quotes", attn::quoted(argument)));
        }
        take_other(argument);
        continue;
      }
      const std::size_t equals = argument.find('=');
      const std::string name = argument.substr(0, equals);
      const CLI::Option* const option = app.get_option_no_throw(name);
      if (option == nullptr) refuse_unknown(app, name);
      options.push_back(argument);

      const bool has_joined_value = equals != std::string::npos;
      if (option->get_items_expected_max() == 0) {
        if (has_joined_value) refuse(fmt::format("{} takes no value: write {} alone", name, name));
        if (name == "--help" || name == "-h" || name == "--version") return options;  // nothing after it is read
        continue;
      }
      const std::string form = fmt::format("{} {}", name, option->get_type_name());
      if (!has_joined_value) {
        if (++i == arguments.size()) refuse(fmt::format("{} needs a value: {}", name, form));
        if (looks_like_option(arguments[i])) {
          refuse(fmt::format("{} needs a value, but an option follows; if {} is the value, write it after {}=", name,
                             attn::quoted(arguments[i]), name));
        }
        options.push_back(arguments[i]);
      }
      if (has_joined_value ? equals + 1 == argument.size() : arguments[i].empty()) {
        refuse(fmt::format("{} has an empty value: {}", name, form));
      }
    }
    return options;
  }
};

CommandLine::CommandLine() : reader_(std::make_unique<Reader>()) {
  reader_->app.set_help_flag();  // none of CLI11's own: it would read what follows --help first
}

CommandLine::~CommandLine() = default;

void CommandLine::group(const char* heading) {
  reader_->group = heading;
}

void CommandLine::row(const char* name, const char* value, const char* meaning, const Take& take) {
  reader_->app.add_option_function<std::string>(name, take, meaning)
      ->type_name(value)
      ->group(reader_->group)
      ->trigger_on_parse();
}

void CommandLine::flag(const char* name, const char* meaning, const std::function<void()>& take) {
  reader_->app.add_flag_callback(name, take, meaning)->group(reader_->group)->trigger_on_parse();
}

void CommandLine::help_and_version() {
  group("Other");
  flag("--help", "this list", [] { throw CLI::CallForHelp(); });
  flag("--version", "name and version", [] { throw CLI::CallForVersion(); });
  group("");
  flag("-h", "", [] { throw CLI::CallForHelp(); });
}

void CommandLine::others(const Take& take) {
  reader_->take_other = take;
}

CommandLine::Outcome CommandLine::read(const std::vector<std::string>& arguments) {
  std::vector<std::string> options = reader_->checked(arguments);
  std::reverse(options.begin(), options.end());  // CLI11 takes them last first
  try {
    reader_->app.parse(options);
  } catch (const CLI::CallForHelp&) {
    return Outcome::show_help;
  } catch (const CLI::CallForVersion&) {
    return Outcome::show_version;
  }
  return Outcome::run;
}

std::string CommandLine::describe() const {
  const CLI::App& app = reader_->app;
  CLI::Formatter formatter;
  formatter.column_width(22);
  std::string result;
  for (const std::string& group : app.get_groups()) {
    if (group.empty()) continue;
    const auto rows = app.get_options([&group](const CLI::Option* option) { return option->get_group() == group; });
    result += formatter.make_group(group, /*is_positional=*/false, rows);
  }
  return result;
}

std::uint64_t CommandLine::whole_number(const char* name, std::string_view value, std::uint64_t smallest,
                                        std::uint64_t largest) {
  std::uint64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto [stopped_at, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc() || stopped_at != end || number < smallest || number > largest) {
    refuse(fmt::format("{} takes a whole number from {} to {}, not {}", name, smallest, largest, attn::quoted(value)));
  }
  return number;
}

std::size_t CommandLine::index_of(const char* name, const std::string& value, const std::vector<std::string>& choices) {
  std::string names;
  for (std::size_t k = 0; k < choices.size(); ++k) {
    if (choices[k] == value) return k;
    names += fmt::format("{}{}", names.empty() ? "" : " or ", choices[k]);
  }
  refuse(fmt::format("{} takes {}, not {}", name, names, attn::quoted(value)));
}

}  // namespace attn
