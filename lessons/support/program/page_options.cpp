#include "support/program/page_options.hpp"

#include "support/program/command_line.hpp"

#include <stdexcept>
#include <string>

namespace attn {

void add_page_options(CommandLine& line, PageOptions& options) {
  using Face = PageOptions::Face;
  using Color = PageOptions::Color;

  line.group("One number");
  line.row("--explain", "NUMBER", "how it came about, as 'scores[sat,cat]'; several are fine",
           [&options](const std::string& typed) { options.explain.push_back(typed); });
  line.number("--depth", "levels down to explain, 0 to 100 (all)", options.depth, 0, 100);

  line.group("The page");
  line.choice("--face", "KIND", "text, or json: every number, for programs (text)", options.face,
              {{"text", Face::text}, {"json", Face::json}});
  line.row("--out", "FILE", "write the page there (- or nothing: standard output)",
           [&options](const std::string& typed) { options.out = typed == "-" ? "" : typed; });
  line.number("--precision", "decimals in tables, 1 to 9 (3)", options.precision, 1, 9);
  line.number("--width", "columns, 60 to 500 (the terminal's, else 80)", options.width, 60, 500);
  line.choice("--color", "WHEN", "auto, always or never; auto heeds NO_COLOR (auto)", options.color,
              {{"auto", Color::automatic}, {"always", Color::always}, {"never", Color::never}});
  line.flag("--ascii", "draw with plain ASCII characters", [&options] { options.ascii = true; });
  line.flag("--pause", "stop after each part; needs a terminal", [&options] { options.pause = true; });
}

void check_page_options(const PageOptions& options) {
  const auto refuse = [](const char* message) { throw std::invalid_argument(message); };
  if (options.depth != PageOptions::all_levels && options.explain.empty()) {
    refuse("--depth says how far --explain goes: add --explain NUMBER");
  }
  if (!options.explain.empty() && options.face == PageOptions::Face::json) {
    refuse("--explain writes a page: leave out --face json, which has the numbers of every step");
  }
  if (options.pause && options.face == PageOptions::Face::json) {
    refuse("--pause goes with --face text only: leave out --pause or --face json");
  }
  if (options.pause && !options.out.empty()) {
    refuse("--pause shows the page in the terminal, --out writes it to a file: leave out one of them");
  }
}

}  // namespace attn
