#include "catch.hpp"
#include "lessons/run_lesson.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

// What the traces and pages of lessons 16 and 17 claim, as a reader gets them.

namespace {

using Json = nlohmann::json;
using Options = std::vector<std::string>;

std::string page_of(const std::string& lesson, const Options& options) {
  const Ran ran = run_lesson(lesson, options);
  CAPTURE(lesson, written(options), ran.output);
  REQUIRE(ran.status == 0);
  return ran.output;
}

/// What a page says, each run of blanks and line ends as one blank.
std::string words_of(const std::string& page) {
  std::istringstream stream(page);
  std::string words;
  for (std::string word; stream >> word;) words += (words.empty() ? "" : " ") + word;
  return words;
}

Json trace_of(const std::string& lesson, Options options) {
  options.insert(options.end(), {"--face", "json"});
  return Json::parse(page_of(lesson, options));
}

const Json& step_of(const Json& trace, const std::string& name) {
  const auto found = std::find_if(trace["steps"].begin(), trace["steps"].end(),
                                  [&](const Json& step) { return step["name"] == name; });
  CAPTURE(name);
  REQUIRE(found != trace["steps"].end());
  return *found;
}

std::vector<double> values_of(const Json& trace, const std::string& name) {
  return step_of(trace, name)["values"].get<std::vector<double>>();
}

double difference_of(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

/// The column in which the row of the state, or of a word, is largest.
std::string looks_most_at(const Json& trace, const std::string& name) {
  const std::vector<double> values = values_of(trace, name);
  const auto place = std::max_element(values.begin(), values.end()) - values.begin();
  return step_of(trace, name)["columns"][static_cast<std::size_t>(place)];
}

const std::vector<Options> ways_to_add = {
    {},
    {"--weights", "torch"},
    {"--weights", "torch", "--d-model", "5", "--heads", "1", "--seed", "3"},
    {"--text", "The quick brown fox jumps over the lazy dog.", "--memory", "a dog barked"},
    {"--text", "cat", "--memory", "he was thirsty and the dog saw him", "--weights", "torch"}};

}  // namespace

TEST_CASE("without tanh a query has no say in additive attention, and with it it has", "[lessons][additive]") {
  for (const Options& options : ways_to_add) {
    CAPTURE(written(options));
    const Json trace = trace_of("16_additive", options);
    CHECK(difference_of(values_of(trace, "straight"), values_of(trace, "k_alone")) < 1e-6);
    CHECK(difference_of(values_of(trace, "weights"), values_of(trace, "unasked")) > 1e-3);
  }
}

TEST_CASE("one state's additive weights are its row of all, and general with W_Q^T W_K is Q K^T",
          "[lessons][additive]") {
  for (const Options& options : ways_to_add) {
    CAPTURE(written(options));
    const Json trace = trace_of("16_additive", options);
    const std::vector<double> weights = values_of(trace, "weights");
    const std::vector<double> all = values_of(trace, "all.weights");
    const std::size_t row = step_of(trace, "state")["attributes"]["start"].get<std::size_t>();
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(row * weights.size());
    // Exactly: both are the same sums of the same products, added in the same order, and rounded alike.
    CHECK(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(weights.size())) == weights);

    const std::vector<double> Q = values_of(trace, "Q");
    const std::vector<double> K = values_of(trace, "memory.K");
    const std::size_t head_dim = step_of(trace, "Q")["shape"][1];
    const std::vector<double> W_K = values_of(trace, "W_K");     // [head_dim, d_model]
    const std::vector<double> X = values_of(trace, "memory.X");  // [seq_len_kv, d_model]
    const std::vector<double> general = values_of(trace, "general.scores");
    const std::size_t d_model = W_K.size() / head_dim;
    const std::size_t seq_len_kv = X.size() / d_model;
    REQUIRE(general.size() == Q.size() / head_dim * seq_len_kv);
    for (std::size_t k = 0; k < general.size(); ++k) {
      const std::size_t i = k / seq_len_kv;
      const std::size_t j = k % seq_len_kv;
      double score = 0.0;
      double size = 0.0;  // of all that is added up
      for (std::size_t d = 0; d < head_dim; ++d) {
        score += Q[i * head_dim + d] * K[j * head_dim + d];
        for (std::size_t c = 0; c < d_model; ++c) {
          size += std::abs(Q[i * head_dim + d] * W_K[d * d_model + c] * X[j * d_model + c]);
        }
      }
      // (Q W_K) X^T against Q (W_K X^T). Sums run in double; three numbers are rounded to floats, Q W_K on one side, K
      // on the other, and the score, each by 2^-24 of itself at most.
      CHECK_THAT(general[k], WithinAbs(score, 3 * std::ldexp(size, -24)));
    }
  }
}

TEST_CASE("no additive score passes the sum of the sizes of v", "[lessons][additive]") {
  for (const Options& options : ways_to_add) {
    const Json trace = trace_of("16_additive", options);
    double bound = 0.0;
    for (const double v : values_of(trace, "v")) bound += std::abs(v);
    for (const double score : values_of(trace, "all.scores")) CHECK(std::abs(score) <= bound + 1e-6);
  }
  CHECK_THAT(words_of(page_of("16_additive", {})), ContainsSubstring("± Σ |v| = 8"));
}

TEST_CASE("in the crafted world a noun's state finds the verb of the source, and a verb's its nouns",
          "[lessons][additive]") {
  CHECK(looks_most_at(trace_of("16_additive", {}), "weights") == "sat");
  CHECK(looks_most_at(trace_of("16_additive", {"--memory", "a dog barked"}), "weights") == "barked");
  CHECK(looks_most_at(trace_of("16_additive", {"--text", "sat", "--memory", "a dog barked"}), "weights") == "dog");
  CHECK_THAT(words_of(page_of("16_additive", {})), ContainsSubstring("has just written \"monde\""));
}

TEST_CASE("the fixed row is the mean of the source whatever the text says, and a mask hides nothing of it",
          "[lessons][additive]") {
  const std::vector<double> fixed = values_of(trace_of("16_additive", {}), "fixed");
  CHECK(values_of(trace_of("16_additive", {"--text", "sat on it", "--mask", "causal"}), "fixed") == fixed);
  CHECK(values_of(trace_of("16_additive", {"--mask", "causal"}), "all.weights") ==
        values_of(trace_of("16_additive", {}), "all.weights"));
  CHECK_THAT(words_of(page_of("16_additive", {})),
             ContainsSubstring("Each of 6 words is 0.167 of it (of 60, 0.017) at every step. "
                               "(\"everyone\", a pronoun, is 0.500 of a noun.)"));
  CHECK_THAT(words_of(page_of("16_additive", {"--memory", "cat"})), ContainsSubstring("it is that word's own row"));
}

TEST_CASE("additive takes a product and a tanh a unit, dot a product a channel, and keeps one number a pair",
          "[lessons][additive]") {
  // 3 words that ask, 6 that are asked, 2 units by hand and 4 drawn ones; rows of 16 channels, or as many as said.
  const Json crafted = trace_of("16_additive", {});
  CHECK(values_of(crafted, "work") == std::vector<double>{36, 36, 36, 288, 0, 18});
  const Json torch = trace_of("16_additive", {"--weights", "torch"});
  CHECK(values_of(torch, "work") == std::vector<double>{72, 72, 72, 288, 0, 18});
  const Json wide = trace_of("16_additive", {"--weights", "torch", "--d-model", "64", "--heads", "2"});
  CHECK(values_of(wide, "work") == std::vector<double>{72, 72, 72, 1152, 0, 18});
  const std::string page = words_of(page_of("16_additive", {}));
  CHECK_THAT(page, ContainsSubstring("additive took 36 products and 36 tanh and kept 36; dot 288, 0 and 18: largest"));
  CHECK_THAT(page, ContainsSubstring("Dot takes more products, and won"));
  CHECK_THAT(words_of(page_of("16_additive", {"--weights", "torch", "--d-model", "3", "--heads", "1"})),
             ContainsSubstring("Dot takes as many products, and won"));
}

TEST_CASE("heads with keys of their own are lesson 10's, and shared ones are MHA with copied weights",
          "[lessons][shared]") {
  for (const Options& options : std::vector<Options>{{},
                                                     {"--mask", "causal", "--head", "3"},
                                                     {"--weights", "torch", "--text", "the cat sat"},
                                                     {"--weights", "torch", "--d-model", "18", "--heads", "6"},
                                                     {"--weights", "torch", "--d-model", "9", "--heads", "3"},
                                                     {"--text", "cat"}}) {
    CAPTURE(written(options));
    Options same_text = options;
    if (std::find(options.begin(), options.end(), "--text") == options.end()) {
      same_text.insert(same_text.end(), {"--text", "the cat sat on the mat."});
    }
    const Json trace = trace_of("17_shared_heads", same_text);
    const Json lesson_10 = trace_of("10_multi_head", same_text);
    const std::vector<double> mha = values_of(trace, "mha.weights");
    const std::size_t num_heads = step_of(trace, "mha.weights")["shape"][0];
    const std::size_t per_head = mha.size() / num_heads;
    for (std::size_t h = 0; h < num_heads; ++h) {
      const auto begin = mha.begin() + static_cast<std::ptrdiff_t>(h * per_head);
      CHECK(difference_of({begin, begin + static_cast<std::ptrdiff_t>(per_head)},
                          values_of(lesson_10, "head" + std::to_string(h + 1) + ".weights")) == 0.0);
    }
    CHECK(difference_of(values_of(trace, "copies.weights"), values_of(trace, "gqa.weights")) < 1e-6);
  }
}

TEST_CASE("query head h has the keys of head h / group, and tiled ones are others'", "[lessons][shared]") {
  const Json trace = trace_of("17_shared_heads", {});
  CHECK(values_of(trace, "asks") == std::vector<double>{1, 1, 2, 2, 1, 2, 1, 2});
  const std::vector<double> K = values_of(trace, "gqa.K");
  const std::vector<double> repeated = values_of(trace, "gqa.K_repeated");
  const std::vector<double> tiled = values_of(trace, "tiled.K");
  REQUIRE(repeated.size() == 2 * K.size());
  const std::size_t per_head = K.size() / 2;
  for (std::size_t k = 0; k < repeated.size(); ++k) {
    CHECK(repeated[k] == K[k / per_head / 2 * per_head + k % per_head]);
    CHECK(tiled[k] == K[k / per_head % 2 * per_head + k % per_head]);
  }
  CHECK(difference_of(values_of(trace, "tiled.weights"), values_of(trace, "gqa.weights")) > 0.1);
  CHECK_THAT(words_of(page_of("17_shared_heads", {})), ContainsSubstring("of 112 numbers"));
}

TEST_CASE("bytes are two rows of 4-byte numbers for each head of K and V", "[lessons][shared]") {
  const Json trace = trace_of("17_shared_heads", {});
  CHECK(values_of(trace, "bytes") == std::vector<double>{128, 64, 32});
  CHECK(values_of(trace, "text_bytes") == std::vector<double>{896, 448, 224});
  const Json wide = trace_of("17_shared_heads", {"--weights", "torch", "--d-model", "24", "--heads", "8"});
  CHECK(values_of(wide, "bytes") == std::vector<double>{192, 96, 24});
}

TEST_CASE("where heads make no groups GQA is MQA, and one head has nobody to share with", "[lessons][shared]") {
  const Options prime = {"--weights", "torch", "--d-model", "10", "--heads", "5"};
  const Json trace = trace_of("17_shared_heads", prime);
  CHECK(values_of(trace, "gqa.weights") == values_of(trace, "mqa.weights"));
  CHECK(difference_of(values_of(trace, "gqa.weights"), values_of(trace, "mha.weights")) > 1e-3);
  CHECK_THAT(words_of(page_of("17_shared_heads", prime)), ContainsSubstring("GQA is MQA here"));
  CHECK_THAT(words_of(page_of("17_shared_heads", prime)), ContainsSubstring("Here both give the same"));

  const Options one = {"--weights", "torch", "--d-model", "4", "--heads", "1"};
  const Json alone = trace_of("17_shared_heads", one);
  CHECK(values_of(alone, "mqa.weights") == values_of(alone, "mha.weights"));
  CHECK(values_of(alone, "bytes") == std::vector<double>{32, 32, 32});
  CHECK_THAT(words_of(page_of("17_shared_heads", one)), ContainsSubstring("one head, which has nobody to share with"));
}
