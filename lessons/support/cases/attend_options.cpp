#include "support/cases/attend_options.hpp"

#include "board/ink.hpp"
#include "support/cases/operators/operator.hpp"
#include "support/program/command_line.hpp"
#include "support/program/quoted.hpp"
#include "support/program/same_file.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace attn {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw std::invalid_argument(message);
}

/// "1,2": whole numbers with commas between them.
Index places(const std::string& typed) {
  Index index;
  std::string_view rest = typed;
  for (;;) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    std::size_t place = 0;
    const auto [stopped, error] = std::from_chars(rest.data(), rest.data() + end, place);
    if (error != std::errc() || stopped != rest.data() + end) {
      refuse(fmt::format("--matrix takes places with commas between them, as 1,2, not {}", attn::quoted(typed)));
    }
    index.push_back(place);
    if (end == rest.size()) return index;
    rest.remove_prefix(end + 1);
  }
}

/// "      inputs: Q K V [mask bias]", on as many lines as it takes; nothing where there are none.
std::string listed(const char* what, const std::vector<std::string>& needed, const std::vector<std::string>& optional) {
  if (needed.empty() && optional.empty()) return "";
  const std::string names = fmt::format("{}: {}{}", what, fmt::join(needed, " "),
                                        optional.empty() ? "" : fmt::format(" [{}]", fmt::join(optional, " ")));
  std::string lines;
  for (const std::string& line : wrapped(names, 72)) lines += fmt::format("      {}\n", line);
  return lines;
}

void add_rows(CommandLine& line, AttendOptions& options) {
  line.group("The case");
  line.flag("--compare", "hold the outputs in each FILE against ours: a line each",
            [&options] { options.action = AttendOptions::Action::compare; });
  line.words("--write", "FILE", "write the case there, with our outputs", options.write);
  line.row("--matrix", "PLACES", "of a batch show this one, as 1,2 for batch 1, head 2 (0,0)",
           [&options](const std::string& typed) { options.matrix = places(typed); });
  add_page_options(line, options);
  line.help_and_version();
  line.others([&options](const std::string& typed) { options.files.push_back(typed); });
}

void check(const AttendOptions& options) {
  if (options.files.empty()) refuse("which case? give a FILE; --help says what it holds");
  if (std::find(options.files.begin(), options.files.end(), "") != options.files.end()) {
    refuse("a FILE has an empty name");
  }
  const bool shows = options.action == AttendOptions::Action::show;
  if (shows && options.files.size() > 1) {
    refuse(fmt::format("one page shows one case, not {}: add --compare to compare them all", options.files.size()));
  }
  if (options.write == "-") refuse("--write needs a file: the page goes to standard output");
  if (!options.write.empty() && options.files.size() > 1) {
    refuse("--write writes one case: give one FILE");
  }
  if (std::count(options.files.begin(), options.files.end(), "-") > 1) refuse("standard input can be read once");
  const auto replaces = [&](const char* option, const std::string& target) {
    if (target.empty() || options.files.empty() || !is_same_file(options.files.front(), target)) return;
    refuse(fmt::format("{} {} would replace the case: give another name", option, attn::quoted(target)));
  };
  replaces("--write", options.write);
  replaces("--out", options.out);
  if (is_same_file(options.write, options.out)) refuse("--write and --out name one file: give another name");
  const PageOptions none;
  const bool for_a_page = options.face != none.face || options.pause || !options.explain.empty() ||
                          options.width != none.width || options.precision != none.precision || options.ascii;
  if (!shows && for_a_page) {
    refuse(
        "--compare prints lines and no page: leave out --face, --pause, --explain, --width, --precision and --ascii, "
        "or leave out --compare");
  }
  check_page_options(options);
}

}  // namespace

AttendOptions parse_attend_options(const std::vector<std::string>& arguments) {
  AttendOptions options;
  CommandLine line;
  add_rows(line, options);
  switch (line.read(arguments)) {
    case CommandLine::Outcome::show_help:
      options.action = AttendOptions::Action::help;
      return options;
    case CommandLine::Outcome::show_version:
      options.action = AttendOptions::Action::version;
      return options;
    case CommandLine::Outcome::run:
      break;
  }
  check(options);
  return options;
}

std::string attend_help() {
  AttendOptions unused;
  CommandLine line;
  add_rows(line, unused);
  std::string known;
  for (const Operator& op : operators()) {
    known += fmt::format("  {}\n", op.name);
    known += listed("inputs", op.needs, op.may_have);
    known += listed("attributes", op.attributes, {});
    known += listed("outputs", op.gives, {});
  }
  return fmt::format(
      "attend: what does attention make of your own numbers?\n\n"
      "Usage: lessons/run attend FILE [options]       every step of one case\n"
      "       lessons/run attend --compare FILE...    are the outputs in the files what we compute?\n"
      "FILE: a case; - is standard input. lessons/README.md describes its format:\n\n"
      "  case mine\n"
      "  op ScaledDotProductAttention\n"
      "  input Q float32 2 1 2   1 0\n"
      "  input K float32 2 2 2   1 0  0 1\n"
      "  input V float32 2 2 1   10 20\n"
      "  end\n"
      "{}\n"
      "Exit status: 0 when every output in the files is met, 1 when one is not, 2 when\n"
      "a file or an option is bad, or what was computed could not be written.\n\n"
      "Operators, with inputs [those that may be missing], attributes and outputs:\n{}",
      line.describe(), known);
}

}  // namespace attn
