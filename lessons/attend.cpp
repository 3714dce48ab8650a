// attend: your own numbers
//
// Question   What does attention make of the numbers in my file, and is it what somebody else got?
//
// A case file names an operator and gives its inputs. This program computes it with the library of the lessons, shows
// every step, and holds outputs that the file gives against ours.

#include "support/cases/attend_options.hpp"
#include "support/cases/case_comparison.hpp"
#include "support/cases/case_file.hpp"
#include "support/cases/case_page.hpp"
#include "support/program/output.hpp"
#include "support/program/pause.hpp"
#include "support/program/quoted.hpp"
#include "support/program/show_page.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace attn {
namespace {

std::string version() {
  return fmt::format("attention_steps-{}", ATTENTION_STEPS_VERSION);
}

/// Computes one case. What goes wrong is told with the file's name.
ComputedCase computed(const std::string& path, const CaseFile& file, const Index& matrix) {
  try {
    return compute_case(file, matrix);
  } catch (const std::logic_error& error) {
    throw std::invalid_argument(fmt::format("{}: {}", shown_file(path), error.what()));
  }
}

void write_if_wanted(const AttendOptions& options, const CaseFile& file, const ComputedCase& computed) {
  if (options.write.empty()) return;
  write_case(case_text(with_our_outputs(file, computed.outputs, version())), options.write);
}

/// "passed  FILE: 3 outputs, largest difference 6.0e-08, at [0, 1, 2] of weights", or what failed, output by output.
std::string compared_lines(const std::string& path, const CaseFile& file, const std::vector<ComparedOutput>& compared,
                           bool all_outputs) {
  std::string lines =
      fmt::format("{}  {}: {} output{}, allowed {}\n", all_hold(compared) ? "passed" : "FAILED", shown_file(path),
                  compared.size(), compared.size() == 1 ? "" : "s", tolerance_text(file));
  for (const ComparedOutput& one : compared) {
    if (all_outputs || !one.holds) {
      lines += fmt::format("        {}{}\n", one.holds ? "" : "FAILED ", comparison_text(one));
    }
  }
  return lines;
}

/// Every file gets its line; a bad one is told on standard error, and the others go on.
ExitStatus compare(const AttendOptions& options) {
  require_place_for_page(options.out);
  require_place_for_case(options.write);
  std::string lines;
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t bad = 0;
  for (const std::string& path : options.files) {
    try {
      const CaseFile file = read_case(path);
      if (file.outputs.empty()) {
        throw std::invalid_argument(fmt::format(
            "{}: the case gives no outputs, so there is nothing to compare: leave out --compare", shown_file(path)));
      }
      const ComputedCase result = computed(path, file, options.matrix);
      lines += compared_lines(path, file, result.compared, options.files.size() == 1);
      ++(all_hold(result.compared) ? passed : failed);
      write_if_wanted(options, file, result);
    } catch (const std::invalid_argument& error) {
      ++bad;
      std::fprintf(stderr, "attend: %s\n", error.what());
    }
  }
  if (passed + failed > 0 || options.files.size() > 1) {
    lines += fmt::format("{} passed, {} failed{}\n", passed, failed,
                         bad == 0 ? "" : fmt::format(", {} not compared: see the message", bad));
    write_page(lines, options.out);
  }
  return bad > 0 ? ExitStatus::bad_options : failed > 0 ? ExitStatus::failed : ExitStatus::done;
}

/// Every step of one case.
ExitStatus show(const AttendOptions& options) {
  if (options.pause) require_terminal_for_pause();
  require_place_for_page(options.out);
  require_place_for_case(options.write);
  const std::string& path = options.files.front();
  const CaseFile file = read_case(path);
  ComputedCase result = computed(path, file, options.matrix);
  if (!options.explain.empty()) {
    std::vector<std::string> addresses;
    for (const std::string& typed : options.explain) addresses.push_back(address_on_page(result, typed));
    result.board.explain_instead(addresses, options.depth);
  }
  write_if_wanted(options, file, result);
  show_page(result.board, options);
  return all_hold(result.compared) ? ExitStatus::done : ExitStatus::failed;
}

ExitStatus attend(const std::vector<std::string>& arguments) {
  const AttendOptions options = parse_attend_options(arguments);
  switch (options.action) {
    case AttendOptions::Action::help:
      write_page(attend_help(), "");
      return ExitStatus::done;
    case AttendOptions::Action::version:
      write_page(fmt::format("attend of attention_steps {}\n", ATTENTION_STEPS_VERSION), "");
      return ExitStatus::done;
    case AttendOptions::Action::compare:
      return compare(options);
    case AttendOptions::Action::show:
      break;
  }
  return show(options);
}

}  // namespace
}  // namespace attn

int main(int argc, char** argv) {
  // 1 says that an output is not met, and nothing else.
  return attn::run_program(
      "attend",
      [&] {
        return attn::attend({argv + 1, argv + argc});
      },
      attn::ExitStatus::bad_options);
}
