#include "support/program/options.hpp"

#include "catch.hpp"

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

using attn::Matmul;
using attn::Options;
using attn::parse_options;
using attn::ParsedOptions;

namespace {

using Arguments = std::vector<std::string>;

Options options_of(const Arguments& arguments) {
  return parse_options(arguments).options;
}

/// The complaint about a command line; empty when there is none.
std::string complaint(const Arguments& arguments) {
  try {
    static_cast<void>(parse_options(arguments));
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

/// A file in the current folder that goes away with its scope.
class TextFile {
 public:
  explicit TextFile(const std::string& content) { std::ofstream(name, std::ios::binary) << content; }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  ~TextFile() { std::remove(name); }

  static constexpr const char* name = "options_test.txt";
};

}  // namespace

TEST_CASE("without arguments the options are their defaults", "[options]") {
  const Options options = options_of({});
  CHECK(options.text == "the cat sat on the mat.");
  CHECK_FALSE(options.text_given);
  CHECK(options.d_model == 16);
  CHECK(options.num_heads == 4);
  CHECK(options.head == 0);
  CHECK(options.seed == 0);
  CHECK(options.weights == Options::Weights::crafted);
  CHECK(options.positions == Options::Positions::sinusoidal);
  CHECK(options.mask == Options::MaskKind::none);
  CHECK(options.face == Options::Face::text);
  CHECK(options.color == Options::Color::automatic);
  CHECK(options.precision == 3);
  CHECK(options.width == 0);
  CHECK(options.out.empty());
  CHECK_FALSE(options.ascii);
  CHECK_FALSE(options.pause);
}

TEST_CASE("every option is taken, in both forms", "[options]") {
  const Options apart = options_of(
      {"--text", "a dog",     "--d-model", "12",          "--heads", "3",      "--head",  "2",           "--seed",
       "7",      "--weights", "torch",     "--positions", "none",    "--mask", "causal",  "--precision", "5",
       "--face", "json",      "--out",     "page.json",   "--color", "never",  "--ascii", "--width",     "100"});
  const Options joined = options_of({"--text=a dog", "--d-model=12", "--heads=3", "--head=2", "--seed=7",
                                     "--weights=torch", "--positions=none", "--mask=causal", "--precision=5",
                                     "--face=json", "--out=page.json", "--color=never", "--ascii", "--width=100"});
  for (const Options& options : {apart, joined}) {
    CHECK(options.text == "a dog");
    CHECK(options.text_given);
    CHECK(options.d_model == 12);
    CHECK(options.num_heads == 3);
    CHECK(options.head == 2);
    CHECK(options.seed == 7);
    CHECK(options.weights == Options::Weights::torch);
    CHECK(options.positions == Options::Positions::none);
    CHECK(options.mask == Options::MaskKind::causal);
    CHECK(options.precision == 5);
    CHECK(options.face == Options::Face::json);
    CHECK(options.out == "page.json");
    CHECK(options.color == Options::Color::never);
    CHECK(options.ascii);
    CHECK(options.width == 100);
  }
}

TEST_CASE("the last of several equal options counts", "[options]") {
  CHECK(options_of({"--seed", "1", "--seed", "2"}).seed == 2);
}

TEST_CASE("a seed is any unsigned 64-bit number and nothing else", "[options]") {
  CHECK(options_of({"--seed", "18446744073709551615"}).seed == 18446744073709551615U);
  for (const std::string value : {"18446744073709551616", "-1", "3x", "x3", "+3", " 3", "3 ", "0x10", "1e3", "3.0"}) {
    CAPTURE(value);
    CHECK(complaint({"--seed", value}) ==
          "--seed takes a whole number from 0 to 18446744073709551615, not \"" + value + "\"");
    CHECK(complaint({"--seed=" + value}) == complaint({"--seed", value}));
  }
}

TEST_CASE("numbers keep to their bounds, which the complaint names", "[options]") {
  CHECK(complaint({"--d-model", "0"}) == "--d-model takes a whole number from 1 to 2048, not \"0\"");
  CHECK(complaint({"--d-model", "2049"}) == "--d-model takes a whole number from 1 to 2048, not \"2049\"");
  CHECK(complaint({"--heads", "0"}) == "--heads takes a whole number from 1 to 2048, not \"0\"");
  CHECK(complaint({"--head", "0"}) == "--head takes a whole number from 1 to 2048, not \"0\"");
  CHECK(complaint({"--precision", "0"}) == "--precision takes a whole number from 1 to 9, not \"0\"");
  CHECK(complaint({"--precision", "10"}) == "--precision takes a whole number from 1 to 9, not \"10\"");
  CHECK(complaint({"--width", "59"}) == "--width takes a whole number from 60 to 500, not \"59\"");
  CHECK(options_of({"--width", "60"}).width == 60);
  CHECK(options_of({"--width", "500"}).width == 500);
  CHECK(options_of({"--precision", "9"}).precision == 9);
  CHECK(options_of({"--d-model", "2048"}).d_model == 2048);
}

TEST_CASE("how products are computed is naive on one thread, or as asked", "[options][compute]") {
  CHECK(options_of({}).compute.kind == Matmul::naive);
  CHECK(options_of({}).compute.threads == 1);
  const Options asked = options_of({"--matmul", "blocked", "--threads=256"});
  CHECK(asked.compute.kind == Matmul::blocked);
  CHECK(asked.compute.threads == 256);
  CHECK(options_of({"--matmul", "blocked", "--matmul", "naive"}).compute.kind == Matmul::naive);
}

TEST_CASE("threads keep to 1 to 256, and there are two kinds of product", "[options][compute]") {
  for (const std::string threads : {"0", "-1", "257", "2x", "1.5", "18446744073709551617"}) {
    CAPTURE(threads);
    std::string refused = "--threads takes a whole number from 1 to 256, not \"";
    refused += threads + '"';
    CHECK(complaint({"--threads", threads}) == refused);
  }
  CHECK(complaint({"--matmul", "fast"}) == "--matmul takes naive or blocked, not \"fast\"");
  CHECK(complaint({"--matmul", "Blocked"}) == "--matmul takes naive or blocked, not \"Blocked\"");
}

TEST_CASE("a value that is missing is asked for, and no option is swallowed as one", "[options]") {
  CHECK(complaint({"--text"}) == "--text needs a value: --text TEXT");
  CHECK(complaint({"--text", "--seed", "1"}) ==
        "--text needs a value, but an option follows; if \"--seed\" is the value, write it after --text=");
  CHECK(complaint({"--out", "-h"}) ==
        "--out needs a value, but an option follows; if \"-h\" is the value, write it after --out=");
  CHECK(options_of({"--text=--seed"}).text == "--seed");
  CHECK(options_of({"--text", "-5 degrees"}).text == "-5 degrees");
}

TEST_CASE("the other text is taken wherever it stands, and is none where it is not said", "[options]") {
  CHECK_FALSE(options_of({}).memory.has_value());
  for (const Arguments& arguments :
       {Arguments{"--memory", "a dog", "--seed", "3"}, Arguments{"--seed", "3", "--memory=a dog"},
        Arguments{"--memory", "a cat", "--seed", "3", "--memory", "a dog"}}) {
    const Options options = options_of(arguments);
    CHECK(options.memory == "a dog");
    CHECK(options.seed == 3);
    CHECK_FALSE(options.text_given);
  }
  CHECK(options_of({"--memory=--text"}).memory == "--text");
  CHECK(complaint({"--memory"}) == "--memory needs a value: --memory TEXT");
  CHECK(complaint({"--memory="}) == "--memory has an empty value: --memory TEXT");
  CHECK(complaint({"--memory", ""}) == complaint({"--memory="}));
  CHECK(complaint({"--memory", "--text", "a"}) ==
        "--memory needs a value, but an option follows; if \"--text\" is the value, write it after --memory=");
  CHECK(complaint({"--memmory", "a"}) == "unknown option --memmory: did you mean --memory? (--help lists them all)");
}

TEST_CASE("an empty value is refused", "[options]") {
  CHECK(complaint({"--text", ""}) == "--text has an empty value: --text TEXT");
  CHECK(complaint({"--seed="}) == "--seed has an empty value: --seed N");
  CHECK(complaint({"--out", ""}) == "--out has an empty value: --out FILE");
}

TEST_CASE("a value is taken as it is: brackets, commas, equal signs, quotes and other scripts", "[options]") {
  for (const std::string text : {"[sat,cat]", "a=b", "\"quoted\"", "a,b;c", "%%", "{}", "++", "true",
                                 "Kedi paspasın üstüne oturdu.", "'", "\\n"}) {
    CAPTURE(text);
    CHECK(options_of({"--text", text}).text == text);
    CHECK(options_of({"--text=" + text}).text == text);
  }
}

TEST_CASE("a choice names what it takes", "[options]") {
  CHECK(complaint({"--face", "pdf"}) == "--face takes text or json, not \"pdf\"");
  CHECK(options_of({"--weights", "Torch"}).weights == Options::Weights::file);  // any other name is a file's
  CHECK(options_of({"--weights", "Torch"}).weights_file == "Torch");
  CHECK(complaint({"--mask", "caus"}) == "--mask takes none or causal, not \"caus\"");
  CHECK(complaint({"--positions", "rotary"}) == "--positions takes sinusoidal or none, not \"rotary\"");
  CHECK(complaint({"--color", "on"}) == "--color takes auto or always or never, not \"on\"");
}

TEST_CASE("a switch takes no value", "[options]") {
  for (const std::string value : {"yes", "true", "false", "1", ""}) {
    CAPTURE(value);
    CHECK(complaint({"--ascii=" + value}) == "--ascii takes no value: write --ascii alone");
  }
  CHECK(options_of({"--ascii", "--ascii"}).ascii);
}

TEST_CASE("an unknown option is answered with the nearest known one", "[options]") {
  const auto nearest = [](const std::string& unknown) {
    const std::string words = complaint({unknown, "1"});
    const std::string start = "unknown option " + unknown + ": did you mean ";
    REQUIRE(words.substr(0, start.size()) == start);
    return words.substr(start.size(), words.find('?') - start.size());
  };
  CHECK(nearest("--sed") == "--seed");
  CHECK(nearest("--SEED") == "--seed");
  CHECK(nearest("--dmodel") == "--d-model");
  CHECK(nearest("--head-s") == "--heads");
  CHECK(nearest("--colour") == "--color");
  CHECK(nearest("--prec") == "--precision");
  CHECK(nearest("--pos") == "--positions");
  CHECK(nearest("-seed") == "--seed");
  CHECK(nearest("-head") == "--head");
  CHECK(nearest("-helpme") == "--help");
  CHECK(nearest("--textfile") == "--text-file");
  CHECK(complaint({"--sed=3"}) == complaint({"--sed", "3"}));
  for (const std::string typed : {"--", "---", "--=", "-=", "--\xff"}) {
    CAPTURE(typed);
    CHECK_THAT(complaint({typed}), ContainsSubstring("unknown option -"));
  }
}

TEST_CASE("what is not an option is not taken for a sentence", "[options]") {
  CHECK(complaint({"the", "dog"}) == "unexpected argument \"the\": a sentence goes after --text, in quotes");
  CHECK(complaint({"-"}) == "unexpected argument \"-\": a sentence goes after --text, in quotes");
  CHECK(complaint({"++"}) == "unexpected argument \"++\": a sentence goes after --text, in quotes");
  CHECK(complaint({""}) == "unexpected argument \"\": a sentence goes after --text, in quotes");
}

TEST_CASE("complaints stay on one line whatever they quote", "[options]") {
  for (const std::string& nasty : Arguments{"a\nb", "\x1b[31mred", "\xff\xfe", "\x7f", std::string(5000, 'x')}) {
    for (const Arguments& arguments : {Arguments{"--seed", nasty}, Arguments{"--" + nasty}, Arguments{nasty},
                                       Arguments{"--face", nasty}, Arguments{"--text-file", nasty}}) {
      const std::string words = complaint(arguments);
      CAPTURE(words);
      CHECK_FALSE(words.empty());
      CHECK(words.find_first_of("\n\x1b\x7f\xff") == std::string::npos);
      CHECK(words.size() < 250);
    }
  }
}

TEST_CASE("the text may come from a file, whose last newline is not part of it", "[options]") {
  const auto text_of = [](const std::string& content) {
    const TextFile file(content);
    return options_of({"--text-file", TextFile::name}).text;
  };
  CHECK(text_of("a dog") == "a dog");
  CHECK(text_of("a dog\n") == "a dog");
  CHECK(text_of("a dog\r\n") == "a dog");
  CHECK(text_of("a dog\n\n") == "a dog\n");
  CHECK(text_of("a\ndog\n") == "a\ndog");
  CHECK(text_of("\xEF\xBB\xBF"
                "a dog\n") == "a dog");
  CHECK(text_of(std::string("a\0dog", 5)) == std::string("a\0dog", 5));
  CHECK(text_of(std::string(1048576, 'a')).size() == 1048576);
}

TEST_CASE("a text file that cannot be read is named, with the cause", "[options]") {
  CHECK(complaint({"--text-file", "no such file"}) ==
        "--text-file: cannot open \"no such file\": No such file or directory");
  CHECK(complaint({"--text-file", "."}) == "--text-file: cannot read \".\": Is a directory");
  {
    const TextFile file("\n");
    CHECK_THAT(complaint({"--text-file", TextFile::name}), ContainsSubstring("is empty"));
  }
  const TextFile file(std::string(1048577, 'a'));
  CHECK(complaint({"--text-file", TextFile::name}) ==
        "--text-file: \"options_test.txt\" holds more than 1048576 bytes: give a shorter text");
}

TEST_CASE("a text typed at a terminal ends at the first Ctrl-D", "[options]") {
  int keyboard = -1;
  int end_of_child = -1;
  REQUIRE(::openpty(&keyboard, &end_of_child, nullptr, nullptr, nullptr) == 0);
  std::fflush(nullptr);  // the child inherits what is not written yet
  const pid_t reader = ::fork();
  if (reader == 0) {
    ::dup2(end_of_child, STDIN_FILENO);
    ::alarm(10);
    ::_exit(complaint({"--text-file", "-"}).empty() ? 0 : 1);
  }
  REQUIRE(::write(keyboard, "the dog\n\x04", 9) == 9);
  int status = 0;
  ::waitpid(reader, &status, 0);
  CHECK(status == 0);
  ::close(keyboard);
  ::close(end_of_child);
}

TEST_CASE("a page may not take the place of the text that it shows", "[options]") {
  const TextFile file("a dog");
  const std::string same = std::string("./") + TextFile::name;
  CHECK(complaint({"--text-file", TextFile::name, "--out", same}) ==
        "--out \"" + same + "\" would replace the text of --text-file: give the page another name");
  CHECK(complaint({"--text-file", TextFile::name, "--out", "another.txt"}).empty());
  CHECK_THAT(complaint({"--text-file", "/dev/null", "--out", "/dev/null"}), ContainsSubstring("is empty"));
}

TEST_CASE("no file is written that is read, and none is written twice", "[options]") {
  const TextFile file("heads 4");
  const std::string name = TextFile::name;
  const std::string same = "./" + name;
  CHECK(complaint({"--text-file", name, "--save-weights", same}) ==
        "--save-weights \"" + same + "\" would replace the text of --text-file: give the weights another name");
  CHECK(complaint({"--weights", name, "--out", same}) ==
        "--out \"" + same + "\" would replace the weights of --weights: give the page another name");
  CHECK(complaint({"--weights", name, "--save-weights", same}) ==
        "--save-weights \"" + same + "\" would replace the weights of --weights: give the weights another name");
  CHECK(complaint({"--save-weights", "new.txt", "--out", "./new.txt"}) ==
        "--out \"./new.txt\" would replace the weights of --save-weights: give the page another name");
  CHECK(complaint({"--save-weights", "new.txt", "--out", "newer.txt"}).empty());
  CHECK(complaint({"--save-weights", "/dev/null", "--out", "/dev/null"}).empty());
}

TEST_CASE("- is standard output, where a page goes and weights do not", "[options]") {
  CHECK(options_of({"--out", "-"}).out.empty());
  CHECK(options_of({"--out", "./-"}).out == "./-");
  CHECK(complaint({"--save-weights", "-"}) == "--save-weights needs a file: the page goes to standard output");
}

TEST_CASE("of several bad values the first is told", "[options]") {
  CHECK(complaint({"--face", "pdf", "--seed", "x", "--help"}) == complaint({"--face", "pdf"}));
  CHECK(complaint({"--seed", "x", "--seed", "1"}) == complaint({"--seed", "x"}));
}

TEST_CASE("options that contradict each other are refused together", "[options]") {
  CHECK(complaint({"--text", "a", "--text-file", "b"}) ==
        "--text and --text-file both give the sentence: leave out one of them");
  CHECK(complaint({"--pause", "--face", "json"}) ==
        "--pause goes with --face text only: leave out --pause or --face json");
  CHECK(complaint({"--out", "x", "--pause"}) ==
        "--pause shows the page in the terminal, --out writes it to a file: leave out one of them");
}

TEST_CASE("help and version are asked for like options, and nothing after them is read", "[options]") {
  CHECK(parse_options({"--help"}).action == ParsedOptions::Action::show_help);
  CHECK(parse_options({"-h"}).action == ParsedOptions::Action::show_help);
  CHECK(parse_options({"--seed", "1", "--version"}).action == ParsedOptions::Action::show_version);
  CHECK(parse_options({"--help", "--nonsense"}).action == ParsedOptions::Action::show_help);
  CHECK(parse_options({"--version", "--seed", "-1"}).action == ParsedOptions::Action::show_version);
  CHECK(parse_options({"-h", "--text"}).action == ParsedOptions::Action::show_help);
  CHECK(parse_options({}).action == ParsedOptions::Action::run_lesson);
}

TEST_CASE("the description names every option that is understood, on lines that fit a terminal", "[options]") {
  const std::string description = attn::describe_options();
  for (const char* name : {"--text", "--text-file", "--memory", "--weights", "--seed", "--d-model", "--heads", "--head",
                           "--positions", "--mask", "--face", "--out", "--precision", "--width", "--color", "--ascii",
                           "--pause", "--help", "--version"}) {
    CHECK_THAT(description, ContainsSubstring(std::string("\n  ") + name + " "));
  }
  std::size_t start = 0;
  for (std::size_t end = description.find('\n'); end != std::string::npos; end = description.find('\n', start)) {
    CHECK(end - start <= 80);
    start = end + 1;
  }
}

TEST_CASE("times are shown unless they are not wanted", "[options]") {
  CHECK(options_of({}).timing);
  CHECK(options_of({"--timing", "on"}).timing);
  CHECK_FALSE(options_of({"--timing=off"}).timing);
  CHECK(complaint({"--timing", "of"}) == "--timing takes on or off, not \"of\"");
}
