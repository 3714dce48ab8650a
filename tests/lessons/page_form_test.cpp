#include "catch.hpp"
#include "lessons/printed_page.hpp"
#include "lessons/run_lesson.hpp"
#include "lessons/texts.hpp"
#include "text/unicode.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace {

std::vector<std::string> lines_of(const std::string& page) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < page.size();) {
    const std::size_t end = std::min(page.find('\n', begin), page.size());
    lines.push_back(page.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::string page_of(const std::vector<std::string>& options, const std::string& lesson = "00_tour") {
  const Ran ran = run_lesson(lesson, options);
  CAPTURE(written(options), ran.output);
  REQUIRE(ran.status == 0);
  return ran.output;
}

/// What is wrong with the lines of a page as lines: too wide, blanks at the end, what a pipe should not get.
std::string problems_in(const std::string& page, std::size_t width, bool ascii, bool may_have_nan = false) {
  std::string problems;
  const auto report = [&](const char* what, const std::string& line) {
    problems += std::string(what) + ": " + line + "\n";
  };
  for (const std::string& line : lines_of(page)) {
    if (attn::display_width(line) > width) report("too wide", line);
    if (!line.empty() && line.back() == ' ') report("blanks at the end", line);
    if (!may_have_nan && line.find("nan") != std::string::npos) report("no number", line);
    for (const char letter : line) {
      const auto byte = static_cast<unsigned char>(letter);
      if (byte < 0x20 || byte == 0x7f) report("a control character", line);
      if (ascii && byte >= 0x80) report("not ASCII", line);
    }
  }
  if (page.empty() || page.back() != '\n') problems += "the page does not end with a line end\n";
  return problems;
}

/// The page without the lines that are for Python, which have to be as long as Python wants them.
std::string without_pytorch(const std::string& page) {
  std::string rest;
  bool python = false;
  for (const std::string& line : lines_of(page)) {
    python = python ? line.starts_with("   ") : line.starts_with(" PyTorch");
    if (!python) rest += line + "\n";
  }
  return rest;
}

/// The table of a page that tells that columns are left out, and the width it names.
struct LeftOut {
  std::string table;
  std::string width;
};

std::vector<LeftOut> left_out(const std::string& page) {
  static const std::regex remark(R"(columns (?:is|are) left out here; --width (\d+) or)");
  std::vector<LeftOut> tables;
  for (const Block& block : blocks_of(page)) {
    const std::string text = block.joined();
    std::smatch found;
    if (!std::regex_search(text, found, remark)) continue;
    const auto corner = std::find_if(block.lines.begin(), block.lines.end(),
                                     [](const std::string& line) { return !line.empty() && line[0] != ' '; });
    tables.push_back({corner->substr(0, corner->find(' ')), found[1].str()});
  }
  return tables;
}

}  // namespace

TEST_CASE("every line fits the page, whatever the text and the width", "[page]") {
  const std::vector<std::vector<std::string>> variants = {{},
                                                          {"--mask", "causal"},
                                                          {"--weights", "torch"},
                                                          {"--weights", "torch", "--d-model", "5", "--heads", "1"},
                                                          {"--ascii"},
                                                          {"--precision", "1"},
                                                          {"--precision", "9", "--weights", "torch"}};
  for (const std::string& text : proving_texts()) {
    for (const std::vector<std::string>& variant : variants) {
      for (const std::size_t width : {60U, 80U, 133U}) {
        std::vector<std::string> options = variant;
        options.insert(options.end(), {"--text", text, "--width", std::to_string(width)});
        CAPTURE(written(options));
        const bool ascii = !variant.empty() && variant[0] == "--ascii";
        CHECK(problems_in(page_of(options), width, ascii) == "");
      }
    }
  }
  CHECK(problems_in(page_of({"--weights", "torch", "--d-model", "512", "--heads", "8", "--width", "60"}), 60, false) ==
        "");
}

TEST_CASE("every line of every lesson fits, also of texts that a page has hardly room for", "[page]") {
  const std::vector<std::vector<std::string>> variants = {
      {}, {"--ascii"}, {"--weights", "torch"}, {"--ascii", "--weights", "torch", "--precision", "9"}, {"--head", "1"}};
  std::size_t pages = 0;
  for (const std::string& lesson : lesson_names()) {
    for (const std::string& text : texts_hard_to_fit()) {
      for (const std::size_t width : {60U, 80U, 120U}) {
        const std::vector<std::string>& variant = variants[pages++ % variants.size()];
        std::vector<std::string> options = variant;
        options.insert(options.end(), {"--text", text, "--width", std::to_string(width)});
        CAPTURE(lesson, written(options));
        const bool ascii = !variant.empty() && variant[0] == "--ascii";
        // Where a softmax goes wrong on purpose it is nan.
        CHECK(problems_in(without_pytorch(page_of(options, lesson)), width, ascii, lesson != "00_tour") == "");
      }
    }
  }
}

TEST_CASE("every line of an explanation fits", "[page][explain]") {
  for (const std::string& text : texts_hard_to_fit()) {
    for (const std::size_t width : {60U, 80U, 120U}) {
      for (const char* face : {"--ascii", "--mask=causal"}) {
        const std::vector<std::string> options = {"--text",    text,          "--width",   std::to_string(width), face,
                                                  "--explain", "output[0,1]", "--explain", "weights[0,0]"};
        CAPTURE(written(options));
        CHECK(problems_in(page_of(options), width, std::string(face) == "--ascii") == "");
      }
    }
  }
}

TEST_CASE("a word that no line has room for is cut short on the page and whole in the trace", "[page]") {
  for (const std::string& word : {std::string(41, 'x'), std::string(3000, 'x')}) {
    const std::string text = "the " + word + " sat";
    for (const std::size_t width : {60U, 80U}) {
      for (const char* weights : {"crafted", "torch"}) {
        const std::string page = page_of({"--text", text, "--width", std::to_string(width), "--weights", weights});
        CHECK(problems_in(page, width, false) == "");
        CHECK_THAT(page, ContainsSubstring("\"" + std::string(15, 'x') + "...\""));
      }
    }
    CHECK_THAT(page_of({"--text", text, "--face", "json"}), ContainsSubstring("\"" + word + "\""));
  }
  // The word that the page follows, in sentences, calculations and over the arcs.
  CHECK(problems_in(page_of({"--text", std::string(500, 'y') + "ing " + std::string(500, 'x'), "--width", "60"}), 60,
                    false) == "");
  const std::string whole = "Donaudampfschifffahrtsgesellschaft";
  CHECK_THAT(page_of({"--text", "the " + whole + " sat"}), ContainsSubstring("\"" + whole + "\""));
}

TEST_CASE("widths from 60 to 200 are kept", "[page]") {
  for (std::size_t width = 60; width <= 200; width += 3) {
    CAPTURE(width);
    const std::string page =
        page_of({"--width", std::to_string(width), "--weights", width % 2 == 0 ? "crafted" : "torch", "--text",
                 "The quick brown fox jumps over the lazy dog."});
    CHECK(problems_in(page, width, false) == "");
  }
}

TEST_CASE("with the width that a windowed table names it shows all its columns", "[page]") {
  std::size_t tables = 0;
  for (const std::string& text : proving_texts()) {
    for (const char* width : {"60", "80"}) {
      for (const char* weights : {"crafted", "torch"}) {
        const std::vector<std::string> options = {"--text", text, "--weights", weights};
        std::vector<std::string> narrow = options;
        narrow.insert(narrow.end(), {"--width", width});
        std::map<std::string, std::vector<LeftOut>> wide_pages;  // by width: many tables name the same
        for (const LeftOut& table : left_out(page_of(narrow))) {
          ++tables;
          std::vector<std::string> wide = options;
          wide.insert(wide.end(), {"--width", table.width});
          CAPTURE(written(wide), table.table);
          if (wide_pages.count(table.width) == 0) wide_pages[table.width] = left_out(page_of(wide));
          for (const LeftOut& still : wide_pages[table.width]) CHECK(still.table != table.table);
        }
      }
    }
  }
  CHECK(tables > 20);
}

TEST_CASE("a page that is not for a terminal has no colour, unless asked for", "[page]") {
  CHECK(page_of({}).find('\x1b') == std::string::npos);
  CHECK(page_of({"--color", "never"}) == page_of({}));
  CHECK(page_of({"--color", "always"}).find('\x1b') != std::string::npos);
}

TEST_CASE("the tour is short enough to be read", "[page]") {
  CHECK(lines_of(page_of({})).size() <= 205);
  CHECK(lines_of(page_of({"--weights", "torch"})).size() <= 205);
}

TEST_CASE("the page of a first lesson has room to teach and is short enough to be read", "[page]") {
  for (const char* lesson : {"01_tokenize", "02_embed", "03_positions"}) {
    for (const char* weights : {"crafted", "torch"}) {
      const Ran ran = run_lesson(lesson, {"--weights", weights});
      CAPTURE(lesson, weights);
      REQUIRE(ran.status == 0);
      CHECK(lines_of(ran.output).size() >= 60);
      CHECK(lines_of(ran.output).size() <= 150);
    }
  }
}

TEST_CASE("a lesson from the mask on has a page of 60 to 150 lines, in both worlds", "[page]") {
  for (const std::string& lesson : lesson_names()) {
    if (lesson < "08") continue;
    for (const char* weights : {"crafted", "torch"}) {
      const Ran ran = run_lesson(lesson, {"--weights", weights});
      CAPTURE(lesson, weights);
      REQUIRE(ran.status == 0);
      CHECK(lines_of(ran.output).size() >= 60);
      CHECK(lines_of(ran.output).size() <= 150);
    }
  }
}

namespace {

/// The commands under "try", whole, as a reader would paste them.
std::vector<std::string> commands_to_try(const std::string& page) {
  std::vector<std::string> commands;
  bool tries = false;
  const std::vector<std::string> lines = lines_of(page);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const std::string& line = lines[k];
    tries = tries ? line.starts_with("   ") : line.starts_with(" try");
    const std::size_t start = line.find("lessons/run ");
    if (!tries || start == std::string::npos) continue;
    // The question stands after the command, with at least two blanks before it; a backslash continues a command.
    std::string command = line.substr(start, line.find("  ", start) - start);
    for (std::size_t next = k + 1; command.ends_with(" \\"); ++next) {
      const std::string& more = lines[next];
      command.replace(command.size() - 1, 1, more.substr(more.find_first_not_of(' ')));
    }
    commands.push_back(std::move(command));
  }
  return commands;
}

bool asks_why(const std::string& command) {
  return command.find(" --explain ") != std::string::npos;
}

/// Runs each command that a page tells to try, and checks that it gives another page; the commands.
std::vector<std::string> try_commands_of(const std::string& lesson, const std::vector<std::string>& options) {
  const Ran page = run_lesson(lesson, options);
  CAPTURE(lesson, written(options), page.output);
  REQUIRE(page.status == 0);
  const std::vector<std::string> commands = commands_to_try(page.output);
  for (const std::string& command : commands) {
    CAPTURE(command);
    const Ran ran = run_command_of_page(command);
    CHECK(ran.status == 0);
    if (asks_why(command)) CHECK_THAT(ran.output, ContainsSubstring("Why this number?"));
    CHECK(lines_of(ran.output).size() > (asks_why(command) ? 3U : 50U));
    CHECK(ran.output != page.output);
  }
  return commands;
}

const std::vector<std::vector<std::string>> ways_to_run = {{},
                                                           {"--weights", "torch"},
                                                           {"--text", "it's \"quoted\" $HOME `x`"},
                                                           {"--text", "cat", "--weights", "torch", "--head", "2"},
                                                           {"--weights", "torch", "--d-model", "6", "--heads", "2"},
                                                           {"--width", "60", "--mask", "causal"}};

}  // namespace

TEST_CASE("each command that a page tells to try gives a page", "[page][try]") {
  std::size_t commands = 0;
  std::size_t asking_why = 0;
  for (const std::string& lesson : lesson_names()) {
    for (const std::vector<std::string>& options : ways_to_run) {
      const std::vector<std::string> tried = try_commands_of(lesson, options);
      CAPTURE(lesson, written(options));
      CHECK(tried.size() >= 2);
      commands += tried.size();
      asking_why += static_cast<std::size_t>(std::count_if(tried.begin(), tried.end(), asks_why));
    }
  }
  CHECK(commands >= 3 * ways_to_run.size() * lesson_names().size());
  CHECK(asking_why >= ways_to_run.size());
}

TEST_CASE("a page on which an option changes nothing says so, and its commands to try leave the option out",
          "[page][try]") {
  const auto above_try = [](const std::string& page) { return page.substr(0, page.find("\n try ")); };
  std::size_t ignored = 0;
  for (const std::string& lesson : lesson_names()) {
    for (const std::vector<std::string>& option :
         {std::vector<std::string>{"--mask", "causal"}, {"--positions", "none"}}) {
      const std::string plain = page_of({}, lesson);
      const std::string page = page_of(option, lesson);
      CAPTURE(lesson, option[0], page);
      const bool same = above_try(page) == above_try(plain);
      CHECK((page.find("  " + option[0] + " changes nothing on this page: ") != std::string::npos) == same);
      CHECK(plain.find("changes nothing on this page") == std::string::npos);
      if (same) CHECK(commands_to_try(page) == commands_to_try(plain));
      ignored += same ? 1 : 0;
    }
  }
  CHECK(ignored > 10);
}

TEST_CASE("each line of code on a page stands so in the source", "[page][code]") {
  const auto without_blanks = [](std::string text) {
    std::erase_if(text, [](char letter) { return letter == ' ' || letter == '\n'; });
    return text;
  };
  const auto source_of = [&](const std::string& file) {
    std::ifstream stream(LESSON_SOURCES_DIR "/../" + file);
    CAPTURE(file);
    REQUIRE(stream.good());
    return without_blanks({std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()});
  };
  std::string library;
  for (const char* folder : {"src/attention", "src/fast", "lessons/support"}) {
    const std::string path = LESSON_SOURCES_DIR "/../";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path + folder)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream stream(entry.path());
      library += without_blanks({std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()});
    }
  }
  for (const std::string& lesson : lesson_names()) {
    const std::string source = source_of("lessons/" + lesson + ".cpp");
    for (const std::vector<std::string>& options : ways_to_run) {
      std::size_t lines = 0;
      for (const Block& block : blocks_of(run_lesson(lesson, options).output)) {
        if (block.label != "code") continue;
        for (const std::string& line : block.lines) {
          const std::string wanted = without_blanks(line);
          CAPTURE(lesson, line);
          const bool names_a_file = line.find('/') != std::string::npos && wanted.ends_with("pp");
          CHECK(
              (names_a_file || source.find(wanted) != std::string::npos || library.find(wanted) != std::string::npos));
          ++lines;
        }
      }
      CAPTURE(lesson, written(options));
      CHECK(lines >= 2);
    }
  }
}

TEST_CASE("from the mask on, commands to try follow heads that there are", "[page][try]") {
  for (const std::string& lesson : lesson_names()) {
    if (lesson < "08") continue;
    CHECK(try_commands_of(lesson, {"--head", "4"}).size() >= 3);
    CHECK(try_commands_of(lesson, {"--weights", "torch", "--heads", "1", "--d-model", "6"}).size() >= 1);
    CHECK(try_commands_of(lesson, {"--weights", "torch", "--heads", "16", "--head", "16"}).size() >= 2);
  }
}
