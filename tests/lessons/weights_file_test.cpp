#include "support/world/weights_file.hpp"

#include "catch.hpp"
#include "lessons/printed_page.hpp"
#include "lessons/run_lesson.hpp"
#include "support/program/options.hpp"
#include "support/world/world.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

using namespace attn;

namespace {

/// A folder of this test's own, which is gone at its end.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / fmt::format("attention_steps_weights_{}", getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name), std::ios::binary) << text;
    return file(name);
  }

 private:
  std::filesystem::path path_;
};

std::string read(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// What is said of a file, without its name; empty when it is read.
std::string said_of_file(const std::string& file) {
  try {
    static_cast<void>(file_world(file));
  } catch (const std::invalid_argument& error) {
    std::string message = error.what();
    const std::size_t name = message.find(file);
    if (name != std::string::npos) message.replace(name, file.size(), "F");
    return message;
  }
  return "";
}

std::string said_of(const std::string& text) {
  const Folder folder;
  return said_of_file(folder.write("w", text));
}

std::string matrix(const std::string& name, std::size_t rows, std::size_t columns, const std::string& number = "0") {
  std::string row = number;
  for (std::size_t k = 1; k < columns; ++k) row += " " + number;
  std::string text = fmt::format("{} {} {}\n", name, rows, columns);
  for (std::size_t k = 0; k < rows; ++k) text += row + "\n";
  return text;
}

/// A file with d_model 2. W_Q stands in line 2, W_K in 5, W_V in 8, W_O in 11, b_O in 14, embedding_table in 16.
std::string small_file() {
  return "heads 1\n" + matrix("W_Q", 2, 2, "0.5") + matrix("W_K", 2, 2) + matrix("W_V", 2, 2) + matrix("W_O", 2, 2) +
         matrix("b_O", 1, 2) + matrix("embedding_table", 256, 2);
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t place = text.find(what);
  REQUIRE(place != std::string::npos);
  return text.replace(place, what.size(), with);
}

/// A row of W_Q in the small file, line 3, written otherwise.
std::string said_of_row(const std::string& row) {
  return said_of(replaced(small_file(), "0.5 0.5", row));
}

const std::string all = "embedding_table, W_Q, W_K, W_V, W_O, b_O";

}  // namespace

TEST_CASE("a small weights file is read, whatever order, blanks, comments and line ends it has", "[weights_file]") {
  CHECK(said_of(small_file()) == "");
  const Folder folder;
  const World world = file_world(folder.write("w", small_file()));
  CHECK(world.d_model == 2);
  CHECK(world.num_heads == 1);
  CHECK(world.weights.W_Q(1, 1) == 0.5F);
  CHECK(world.weights.b_O.shape() == Shape{2});
  CHECK_FALSE(world.crafted());

  std::string windows = "\xEF\xBB\xBF";  // a byte order mark
  for (const char letter : small_file()) windows += letter == '\n' ? std::string("\r\n") : std::string(1, letter);
  CHECK(said_of(windows) == "");
  std::string without_end = small_file();
  without_end.pop_back();
  CHECK(said_of(without_end) == "");
  CHECK(said_of_row("\t+0.5   -5e-1 # half") == "");
  CHECK(said_of_row("# a comment\n\n0.5 .5") == "");
  const std::string other_order = matrix("embedding_table", 256, 2) + matrix("b_O", 1, 2) + matrix("W_V", 2, 2) +
                                  matrix("W_O", 2, 2) + matrix("W_K", 2, 2) + matrix("W_Q", 2, 2) + "heads 2\n";
  CHECK(said_of(other_order) == "");
}

TEST_CASE("weights that are written are read back bit by bit, with the line ends of Windows too", "[weights_file]") {
  Options options;
  options.weights = Options::Weights::torch;
  options.d_model = 6;
  options.num_heads = 3;
  const World saved = make_world(options);
  const std::string text = weights_text(saved);
  std::string with_returns = "\xEF\xBB\xBF";
  for (const char letter : text) with_returns += letter == '\n' ? std::string("\r\n") : std::string(1, letter);
  const Folder folder;
  for (const std::string& written : {text, with_returns}) {
    const World read = file_world(folder.write("w", written));
    CHECK(read.d_model == 6);
    CHECK(read.num_heads == 3);
    CHECK(read.embedding_table.values() == saved.embedding_table.values());
    CHECK(read.weights.W_Q.values() == saved.weights.W_Q.values());
    CHECK(read.weights.W_K.values() == saved.weights.W_K.values());
    CHECK(read.weights.W_V.values() == saved.weights.W_V.values());
    CHECK(read.weights.W_O.values() == saved.weights.W_O.values());
    CHECK(read.weights.b_O.values() == saved.weights.b_O.values());
  }
}

TEST_CASE("a line that begins no part of a weights file is named, with what was probably meant", "[weights_file]") {
  CHECK(said_of(replaced(small_file(), "W_Q", "W_q")) ==
        "\"F\", line 2: expected the name of a matrix, not \"W_q\": did you mean W_Q?");
  CHECK(said_of("embeding_table 256 2\n") ==
        "\"F\", line 1: expected the name of a matrix, not \"embeding_table\": did you mean embedding_table?");
  CHECK(said_of(small_file() + "1 2\n") ==
        "\"F\", line 273: expected the name of a matrix, not \"1\": did you mean W_Q?");  // a row too many
  CHECK_THAT(said_of("\x1b[31m\n"), ContainsSubstring("\"F\", line 1: expected the name of a matrix, not \"␛[31m\":"));
  CHECK(said_of("names mine\n") == "\"F\", line 1: \"names crafted\" is the only line of this kind");
  CHECK(said_of("names\n") == "\"F\", line 1: \"names crafted\" is the only line of this kind");
}

TEST_CASE("what is missing or there twice is said with its line", "[weights_file]") {
  CHECK(said_of("") == "\"F\": the file is empty: heads, " + all + " are needed");
  CHECK(said_of("\xEF\xBB\xBF") == "\"F\": the file is empty: heads, " + all + " are needed");
  CHECK(said_of("# nothing\n\n") ==
        "\"F\", line 2: the file ends without embedding_table: all of " + all + " are needed");
  for (const char* name : {"W_Q", "W_K", "W_V", "W_O", "b_O", "embedding_table"}) {
    std::string text = small_file();
    const std::size_t begin = text.find(name);
    std::size_t end = begin;
    do {
      end = text.find('\n', end) + 1;
    } while (end < text.size() && text[end] >= '0' && text[end] <= '9');
    text.erase(begin, end - begin);
    CAPTURE(name, text.substr(0, 200));
    CHECK_THAT(said_of(text),
               ContainsSubstring(fmt::format("the file ends without {}: all of {} are needed", name, all)));
  }
  CHECK(said_of(replaced(small_file(), "heads 1\n", "")) ==
        "\"F\", line 271: the file ends without saying how many heads there are: a line \"heads 4\" is needed");
  CHECK(said_of(small_file() + "heads 2\n") == "\"F\", line 273: heads is given twice: line 1 says 1");
  CHECK(said_of(small_file() + matrix("b_O", 1, 2)) ==
        "\"F\", line 273: b_O is given twice: it stands in line 14 already");
  CHECK(said_of(small_file().substr(0, small_file().size() - 3)) ==
        "\"F\", line 272: row 255 of embedding_table needs 2 numbers, this line has 1");
  CHECK(said_of("W_Q 3 2\n0 0\n") == "\"F\", line 2: the file ends after 1 of the 3 rows of W_Q");
}

TEST_CASE("heads and sizes must be whole numbers in their bounds", "[weights_file]") {
  for (const char* heads : {"heads", "heads 0", "heads -1", "heads 1.5", "heads four", "heads 1 2", "heads 2049",
                            "heads 99999999999999999999999999"}) {
    CAPTURE(heads);
    CHECK(said_of(std::string(heads) + "\n") ==
          "\"F\", line 1: heads needs one whole number from 1 on, as in \"heads 4\"");
  }
  for (const char* sizes : {"W_Q", "W_Q 2", "W_Q 2 0", "W_Q 0 2", "W_Q -2 2", "W_Q 2 2 2", "W_Q 2 x", "W_Q 0x2 2",
                            "W_Q 2049 2", "W_Q 2 2049", "W_Q 99999999999999999999 2"}) {
    CAPTURE(sizes);
    CHECK(said_of(std::string(sizes) + "\n0 0\n") ==
          "\"F\", line 1: W_Q needs its rows and columns, two whole numbers from 1 to 2048, as in \"W_Q 16 16\"");
  }
}

TEST_CASE("a row needs its numbers, and says which of them is none", "[weights_file]") {
  CHECK(said_of_row("0.5") == "\"F\", line 3: row 0 of W_Q needs 2 numbers, this line has 1");
  CHECK(said_of_row("1 2 3") == "\"F\", line 3: row 0 of W_Q needs 2 numbers, this line has 3");
  std::string long_row = "0";
  for (int k = 0; k < 5000; ++k) long_row += " 0";
  CHECK(said_of_row(long_row) == "\"F\", line 3: row 0 of W_Q needs 2 numbers, this line has more than 2048");
  CHECK(said_of(replaced(small_file(), "0.5 0.5\n0.5 0.5", "1 1\n\n# between\n1 x")) ==
        "\"F\", line 6: row 1 of W_Q needs numbers, and \"x\" is none");
  for (const char* word : {"x", "1,5", "0x1p3", "0x10", "1.5f", "--1", "+-1", "++1", "1e", "+", "-", "1/2", "½", "١"}) {
    CAPTURE(word);
    CHECK(said_of_row(std::string("0 ") + word) ==
          fmt::format("\"F\", line 3: row 0 of W_Q needs numbers, and \"{}\" is none", word));
  }
  for (const char* word : {"inf", "-inf", "nan", "+inf", "-nan", "infinity", "NaN", "nan(1)"}) {
    CAPTURE(word);
    CHECK(said_of_row(std::string("0 ") + word) ==
          fmt::format("\"F\", line 3: row 0 of W_Q needs finite numbers, and \"{}\" is none", word));
  }
  for (const char* word : {"1e39", "-1e39", "1e999999", "1e-99"}) {
    CAPTURE(word);
    CHECK(said_of_row(std::string("0 ") + word) ==
          fmt::format(
              "\"F\", line 3: row 0 of W_Q needs numbers that a float holds, and \"{}\" is too large or too small",
              word));
  }
  CHECK(said_of_row("3.4028235e38 1e-45") == "");
}

TEST_CASE("matrices that do not fit together are named with their lines", "[weights_file]") {
  const auto without = [](const std::string& block) { return replaced(small_file(), block, ""); };
  CHECK(said_of(without(matrix("W_K", 2, 2)) + matrix("W_K", 2, 3)) ==
        "\"F\", line 270: W_K is [2, 3], but must be [2, 2]: d_model is 2, the columns of W_Q in line 2");
  CHECK(said_of(without(matrix("W_Q", 2, 2, "0.5")) + matrix("W_Q", 3, 2)) ==
        "\"F\", line 270: W_Q is [3, 2], but must be [2, 2]: d_model is 2, the columns of W_Q in line 270");
  CHECK(said_of(without(matrix("b_O", 1, 2)) + matrix("b_O", 2, 2)) ==
        "\"F\", line 271: b_O is [2, 2], but must be [1, 2]: d_model is 2, the columns of W_Q in line 2");
  CHECK(
      said_of(without(matrix("embedding_table", 256, 2)) + matrix("embedding_table", 255, 2)) ==
      "\"F\", line 16: embedding_table is [255, 2], but must be [256, 2]: d_model is 2, the columns of W_Q in line 2");
  CHECK(said_of(replaced(small_file(), "heads 1", "heads 3")) ==
        "\"F\", line 1: d_model (2) must be divisible by num_heads (3): try 2");
  CHECK(said_of("names crafted\n" + small_file()) ==
        "\"F\", line 1: the crafted names are for d_model 16 and 4 heads: take out the line \"names crafted\"");
}

TEST_CASE("what is no text, or cannot be read, is refused in one short line", "[weights_file]") {
  std::mt19937 random(1);
  std::string junk;
  for (int k = 0; k < 100000; ++k) junk += static_cast<char>(random() & 0xFFU);
  for (const std::string& bytes : {junk, std::string(100000, '\0'),
                                   std::string("\x7f"
                                               "ELF\x02\x01\x01\0\0",
                                               9)}) {
    const std::string message = said_of(bytes);
    CAPTURE(message);
    CHECK(message.starts_with("\"F\", line 1: expected the name of a matrix, not "));
    CHECK(message.size() < 400);
    CHECK(message.find('\n') == std::string::npos);
  }
  const Folder folder;
  const std::string begin = "--weights takes crafted, torch or a file, and \"F\" cannot be read: ";
  CHECK(said_of_file(folder.file("")) == begin + "Is a directory");
  CHECK(said_of_file(folder.file("none")) == begin + "No such file or directory");
  CHECK(said_of_file(folder.write("w", "heads 1\n") + "/w") == begin + "Not a directory");
  CHECK(said_of_file("Torhc") ==
        "--weights takes crafted, torch or a file, and \"F\" cannot be read: did you mean torch?");

  const std::string locked = folder.write("locked", small_file());
  std::filesystem::permissions(locked, std::filesystem::perms::none);
  const uid_t who = geteuid();
  if (who == 0) REQUIRE(seteuid(65534) == 0);  // root may read everything
  const std::string message = said_of_file(locked);
  if (who == 0) REQUIRE(seteuid(who) == 0);
  CHECK(message == begin + "Permission denied");
}

TEST_CASE("sizes that a file only claims take no memory", "[weights_file]") {
  const auto peak = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;  // kilobytes
  };
  const auto before = peak();
  CHECK(said_of("embedding_table 2048 2048\n") ==
        "\"F\", line 1: the file ends after 0 of the 2048 rows of embedding_table");
  CHECK(said_of("W_Q 2048 2048\n1 2\n") == "\"F\", line 2: row 0 of W_Q needs 2048 numbers, this line has 2");
  const auto claimed = peak();
  CAPTURE(before, claimed);
  CHECK(claimed - before < 8 * 1024);  // 2048 times 2048 floats are 16 MiB
  CHECK(said_of_file("/dev/zero") == "\"F\" holds more than 268435456 bytes: that is no weights file of this program");
  const auto endless = peak();
  CAPTURE(endless);
  CHECK(endless - before < 1024 * 1024);  // 256 MiB are read before it is refused, and a string that grows takes more
}

namespace {

/// The blocks of a page but for the PyTorch lines and the commands to try.
std::vector<std::string> blocks_that_stay(const std::string& page) {
  std::vector<std::string> kept;
  bool skipped = false;
  for (const Block& block : blocks_of(page)) {
    const bool continued = block.label.empty() && skipped;
    skipped = block.label == "PyTorch" || block.label == "try" || continued;
    if (!skipped) kept.push_back(block.label + ": " + block.joined());
  }
  return kept;
}

/// Where two pages part; empty when they do not. Where the first speaks of the file, it tells where its weights come
/// from, and the second may tell something else.
std::string first_difference(const std::string& page, const std::string& other_page) {
  const std::vector<std::string> blocks = blocks_that_stay(page);
  const std::vector<std::string> others = blocks_that_stay(other_page);
  std::size_t told = 0;
  for (std::size_t k = 0; k < std::max(blocks.size(), others.size()); ++k) {
    const std::string one = k < blocks.size() ? blocks[k] : "nothing";
    const std::string other = k < others.size() ? others[k] : "nothing";
    const bool tells = one.find("the file") != std::string::npos;
    told += tells ? 1U : 0U;
    if (one != other && !tells) return one + "\nand not\n" + other;
  }
  return told <= 3 && blocks.size() > 10 ? ""
                                         : fmt::format("{} blocks, {} of them tell of the file", blocks.size(), told);
}

}  // namespace

TEST_CASE("weights that are saved and read again give the same numbers and the same page", "[weights_file]") {
  const Folder folder;
  const std::string file = folder.file("my weights.txt");
  const std::string again = folder.file("again.txt");
  for (const std::string& lesson : lesson_names()) {
    for (const std::vector<std::string>& world :
         std::vector<std::vector<std::string>>{{"--weights", "crafted"},
                                               {"--weights", "torch"},
                                               {"--weights", "torch", "--d-model", "6", "--heads", "3", "--seed", "9"},
                                               {"--weights", "crafted", "--text", "the dog sat", "--head", "3"}}) {
      std::vector<std::string> saving = world;
      saving.insert(saving.end(), {"--save-weights", file});
      std::vector<std::string> reading = world;
      reading[1] = file;
      // The file says the sizes; the text and the head are the reader's.
      if (world.size() > 4 && world[2] == "--d-model") reading = {"--weights", file, "--seed", "9"};
      CAPTURE(lesson, written(saving), written(reading));
      const Ran saved = run_lesson(lesson, saving);
      const Ran read_again = run_lesson(lesson, reading);
      REQUIRE(saved.status == 0);
      REQUIRE(read_again.status == 0);
      CHECK(first_difference(read_again.output, saved.output) == "");

      for (std::vector<std::string>* options : {&saving, &reading}) options->insert(options->end(), {"--face", "json"});
      const std::string saved_trace = run_lesson(lesson, saving).output;
      reading.insert(reading.end(), {"--save-weights", again});
      const std::string trace = run_lesson(lesson, reading).output;
      const std::string steps = "\"steps\": ";
      REQUIRE(trace.find(steps) != std::string::npos);
      CHECK(trace.substr(trace.find(steps)) == saved_trace.substr(saved_trace.find(steps)));
      CHECK(read(again) == read(file));
    }
  }
}

TEST_CASE("a weight that is changed in the file changes what hangs on it, and nothing else", "[weights_file]") {
  const Folder folder;
  const std::string saved = folder.file("saved");
  REQUIRE(run_lesson("05_scores", {"--save-weights", saved}).status == 0);
  const std::string text = read(saved);
  const std::string row = "0 0 0 0 0 0 0 0 0 0 0 0 4 0 0 0  # head 2: noun";
  REQUIRE(text.find(row) != std::string::npos);
  const std::string file = folder.write("w", replaced(text, row, "0 0 0 0 0 0 0 0 0 0 0 0 5 0 0 0  # head 2: noun"));
  const nlohmann::json before = nlohmann::json::parse(run_lesson("12_output_projection", {"--face", "json"}).output);
  const nlohmann::json after =
      nlohmann::json::parse(run_lesson("12_output_projection", {"--face", "json", "--weights", file}).output);
  std::vector<std::string> changed;
  REQUIRE(before["steps"].size() == after["steps"].size());
  for (std::size_t k = 0; k < before["steps"].size(); ++k) {
    if (before["steps"][k]["values"] != after["steps"][k]["values"]) changed.push_back(before["steps"][k]["name"]);
  }
  const auto has = [&](const char* name) { return std::find(changed.begin(), changed.end(), name) != changed.end(); };
  for (const char* name :
       {"W_Q", "Q", "head2.Q", "head2.scores", "head2.weights", "head2.context", "concat", "output"}) {
    CAPTURE(name);
    CHECK(has(name));
  }
  for (const char* name : {"X", "K", "V", "head1.Q", "head1.scores", "head3.weights", "W_O", "embedding_table"}) {
    CAPTURE(name);
    CHECK_FALSE(has(name));
  }
}
