#include "catch.hpp"
#include "lessons/run_lesson.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

// What lessons 13 to 20 say where all words are alike, where there is one word or one channel, and where weights are so
// large that scores are infinite and shares are nan.

namespace {

using Options = std::vector<std::string>;

const std::vector<std::string> lessons_on_kinds = {"13_three_kinds",        "14_module",       "15_mask_lab",
                                                   "16_additive",           "17_shared_heads", "18_cache",
                                                   "19_relative_positions", "20_layer"};

/// A file of weights for two channels and one head, in which all weights are this number. It is gone at the end.
class WeightsFile {
 public:
  explicit WeightsFile(const std::string& number)
      : path_(std::filesystem::temp_directory_path() / fmt::format("attention_steps_edges_{}_{}", getpid(), number)) {
    std::ofstream file(path_);
    file << "heads 1\n";
    for (const char* name : {"W_Q", "W_K", "W_V", "W_O"}) {
      file << name << " 2 2\n" << number << ' ' << number << '\n' << number << ' ' << number << '\n';
    }
    file << "b_O 1 2\n0 0\nembedding_table 256 2\n";
    for (int id = 0; id < 256; ++id) file << 1 + id % 3 << ' ' << 2 + id % 5 << '\n';
  }
  ~WeightsFile() { std::filesystem::remove(path_); }
  WeightsFile(const WeightsFile&) = delete;
  WeightsFile& operator=(const WeightsFile&) = delete;

  [[nodiscard]] Options options() const { return {"--weights", path_.string()}; }

 private:
  std::filesystem::path path_;
};

/// What a page says, each run of blanks and line ends as one blank.
std::string said_by(const std::string& lesson, const Options& options) {
  const Ran ran = run_lesson(lesson, options);
  CAPTURE(lesson, written(options), ran.output);
  REQUIRE(ran.status == 0);
  std::istringstream stream(ran.output);
  std::string words;
  for (std::string word; stream >> word;) words += (words.empty() ? "" : " ") + word;
  return words;
}

}  // namespace

TEST_CASE("where all words are alike, nobody is said to get most", "[lessons][edges]") {
  const WeightsFile zeros("0");
  for (const char* lesson : {"13_three_kinds", "17_shared_heads", "20_layer"}) {
    const std::string said = said_by(lesson, zeros.options());
    CHECK_THAT(said, ContainsSubstring("as much to each word"));
    CHECK_THAT(said,
               !ContainsSubstring("most to") && !ContainsSubstring("looks most") && !ContainsSubstring("least to"));
  }
}

TEST_CASE("one word in each text gets all, and one channel is enough", "[lessons][edges]") {
  for (const std::string& lesson : lessons_on_kinds) {
    const std::string said = said_by(lesson, {"--text", "a"});
    CHECK_THAT(said, !ContainsSubstring("nan to") && !ContainsSubstring("1 words") && !ContainsSubstring("1 tokens"));
    static_cast<void>(said_by(lesson, {"--weights", "torch", "--d-model", "1", "--heads", "1"}));
  }
  CHECK_THAT(said_by("13_three_kinds", {"--text", "a", "--memory", "a"}), !ContainsSubstring("most"));
  CHECK_THAT(said_by("17_shared_heads", {"--text", "a"}), ContainsSubstring("all to itself"));
  CHECK_THAT(said_by("20_layer", {"--text", "a", "--memory", "a"}), ContainsSubstring("gives all to \"a\""));
}

TEST_CASE("where shares are nan, no sentence takes them for equal or tells of a largest one", "[lessons][edges]") {
  const WeightsFile huge("3e38");
  const std::vector<std::pair<std::string, std::string>> sentences = {
      {"13_three_kinds", "The weights of \"sat\" are nan"},
      {"14_module", "its output differs from the batch's by nan (both are nan)"},
      {"15_mask_lab", "The weights of \"The\" are nan"},
      {"17_shared_heads", "GQA nan (both are nan), MQA nan (both are nan)"},
      {"18_cache", "in the context: nan (both are nan)"},
      {"19_relative_positions", "The weights of \".\" are nan"},
      {"20_layer", "encoder_layer(): difference nan (both are nan)"}};
  for (const auto& [lesson, sentence] : sentences) {
    const std::string said = said_by(lesson, huge.options());
    CAPTURE(lesson, said);
    CHECK_THAT(said, ContainsSubstring(sentence));
    CHECK_THAT(said, !ContainsSubstring("most to") && !ContainsSubstring("gives nan to"));
  }
}

TEST_CASE("lesson 16 multiplies no two matrices of d_model by d_model, so that it is quick at any size",
          "[lessons][edges]") {
  // With one head, W_Q^T W_K alone would be d_model^3 products: half a minute at 2048.
  const Ran ran =
      run_lesson("16_additive", {"--weights", "torch", "--d-model", "64", "--heads", "1", "--face", "json"});
  REQUIRE(ran.status == 0);
  for (const auto& step : nlohmann::json::parse(ran.output)["steps"]) {
    CAPTURE(step["name"]);
    CHECK((step["op"] == "given" || step["values"].size() < 64 * 64));
  }
}

TEST_CASE("lesson 20 says that in a real layer each attention has weights of its own", "[lessons][edges]") {
  CHECK_THAT(said_by("20_layer", {}), ContainsSubstring("In a real layer each attention has weights of its own"));
}

TEST_CASE("a page of 80 columns breaks none of PyTorch's lines of lesson 20", "[lessons][edges][pytorch]") {
  const auto lines_of = [](Options options, const char* width) {
    options.insert(options.end(), {"--width", width});
    const std::string page = run_lesson("20_layer", options).output;
    const std::size_t begin = page.find("\n PyTorch");
    const std::size_t end = page.find("\n try", begin);
    REQUIRE(end != std::string::npos);
    return page.substr(begin, end - begin);
  };
  for (const Options& options : std::vector<Options>{{},
                                                     {"--seed", "3", "--mask", "causal"},
                                                     {"--weights", "torch", "--mask", "causal"},
                                                     {"--weights", "torch", "--d-model", "512", "--heads", "8"}}) {
    CAPTURE(written(options));
    CHECK(lines_of(options, "80") == lines_of(options, "200"));
  }
}
