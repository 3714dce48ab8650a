#include "board/json_face.hpp"

#include "catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace attn {

namespace {

bool holds(const std::string& json, const std::string& part) {
  return json.find(part) != std::string::npos;
}

/// The numbers of the only step, as texts.
std::vector<std::string> values_in(const std::string& json) {
  const std::size_t begin = json.find("\"values\": [") + 11;
  const std::string list = json.substr(begin, json.find(']', begin) - begin);
  std::vector<std::string> values;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(", ", at), list.size());
    values.push_back(list.substr(at, end - at));
    at = end + 2;
  }
  return values;
}

std::string json_of(const Tensor& tensor) {
  Board board({.name = "00_test", .sources = {}, .options = {}});
  board.record("m", tensor, given());
  return render_json(board);
}

}  // namespace

TEST_CASE("a trace is written step by step, whole", "[json]") {
  Board board({.name = "05_scores", .sources = {}, .options = {{"text", "a \"b\""}, {"seed", std::size_t{7}}}});
  board.record("tokens", Tensor::vector({4, 5}), tokenize({"a", "\""}));
  board.record("Q", Tensor::matrix({{1, 0.5F}, {-2, 0}}), given().with_rows({"a", "\""}));
  board.record("scaled", Tensor::matrix({{0.5F, 0.25F}, {-1, 0}}), scale("Q", 0.5F));
  CHECK(render_json(board) ==
        "{\"format\": \"attention-steps/1\", \"lesson\": \"05_scores\", "
        "\"options\": {\"text\": \"a \\\"b\\\"\", \"seed\": 7},\n"
        " \"steps\": [\n"
        "  {\"name\": \"tokens\", \"op\": \"tokenize\", \"inputs\": [], \"attributes\": {},\n"
        "   \"formula\": \"\", \"rows\": [\"a\", \"\\\"\"],\n"
        "   \"columns\": [], \"shape\": [2],\n"
        "   \"values\": [4, 5]},\n"
        "  {\"name\": \"Q\", \"op\": \"given\", \"inputs\": [], \"attributes\": {},\n"
        "   \"formula\": \"\", \"rows\": [\"a\", \"\\\"\"],\n"
        "   \"columns\": [\"0\", \"1\"], \"shape\": [2, 2],\n"
        "   \"values\": [1, 0.5, -2, 0]},\n"
        "  {\"name\": \"scaled\", \"op\": \"scale\", \"inputs\": [\"Q\"], \"attributes\": {\"factor\": 0.5},\n"
        "   \"formula\": \"Q * 0.5\", \"rows\": [\"a\", \"\\\"\"],\n"
        "   \"columns\": [\"0\", \"1\"], \"shape\": [2, 2],\n"
        "   \"values\": [0.5, 0.25, -1, 0]}\n"
        " ]}\n");
}

TEST_CASE("a board on which nothing was written is a trace without steps", "[json]") {
  CHECK(render_json(Board({.name = "x", .sources = {}, .options = {}})) ==
        "{\"format\": \"attention-steps/1\", \"lesson\": \"x\", \"options\": {},\n \"steps\": [\n ]}\n");
}

TEST_CASE("no rows, no columns and no axes are lists like others", "[json]") {
  CHECK(holds(json_of(Tensor({0, 3})), "\"shape\": [0, 3],\n   \"values\": []"));
  CHECK(holds(json_of(Tensor({}, 2.5F)), "\"shape\": [],\n   \"values\": [2.5]"));
}

TEST_CASE("numbers read back as the same float, bit by bit", "[json][law]") {
  using Limits = std::numeric_limits<float>;
  std::vector<float> floats = {0.0F,
                               -0.0F,
                               0.1F,
                               1.0F / 3.0F,
                               16777216.0F,
                               16777217.0F,
                               1e30F,
                               1e-30F,
                               Limits::max(),
                               Limits::lowest(),
                               Limits::min(),
                               Limits::denorm_min(),
                               -Limits::denorm_min(),
                               Limits::epsilon(),
                               1e-39F,
                               123456.789F};
  std::mt19937 engine(5);
  while (floats.size() < 5000) {
    const auto bits = static_cast<std::uint32_t>(engine());
    float number = 0.0F;
    std::memcpy(&number, &bits, sizeof number);
    if (std::isfinite(number)) floats.push_back(number);
  }
  const auto values = values_in(json_of(Tensor({floats.size()}, floats)));
  REQUIRE(values.size() == floats.size());
  for (std::size_t k = 0; k < floats.size(); ++k) {
    const float read = std::strtof(values[k].c_str(), nullptr);
    CAPTURE(values[k], floats[k]);
    CHECK(std::memcmp(&read, &floats[k], sizeof read) == 0);
    CHECK(values[k].find_first_not_of("0123456789+-.e") == std::string::npos);
    CHECK(values[k].back() != '.');
  }
}

TEST_CASE("what JSON has no number for is a string", "[json]") {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(values_in(json_of(Tensor::vector({inf, -inf, nan, -nan}))) ==
        std::vector<std::string>{"\"inf\"", "\"-inf\"", "\"nan\"", "\"nan\""});
}

TEST_CASE("texts are escaped so that every parser reads them back", "[json]") {
  Board board({.name = "x", .sources = {}, .options = {{"text", "a\\b\"c\n\t\x1b\x7f/é猫👩"}}});
  CHECK(holds(render_json(board), "\"text\": \"a\\\\b\\\"c\\u000a\\u0009\\u001b\\u007f/é猫👩\""));
  const std::string ascii = render_json(board, true);
  CHECK(holds(ascii, "/\\u00e9\\u732b\\ud83d\\udc69\""));
  CHECK(std::all_of(ascii.begin(), ascii.end(), [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
}

TEST_CASE("what is not seen of a text is an escape in the trace too", "[json]") {
  Board board({.name = "x", .sources = {}, .options = {{"text", "a\u3164b c\u00ADd \u202Ee \U000E0041 👩\u200D🚀"}}});
  CHECK(holds(render_json(board), "\"text\": \"a\\u3164b c\\u00add \\u202ee \\udb40\\udc41 👩\u200D🚀\""));
  CHECK(holds(render_json(board, /*ascii=*/true), "\\ud83d\\udc69\\u200d\\ud83d\\ude80"));
}

TEST_CASE("options are words or numbers of any kind", "[json]") {
  Board board({.name = "x", .sources = {}, .options = {{"a", 0.5}, {"b", -3}, {"c", "3"}}});
  board.option("d", Value::difference(0.25));
  board.option("b", std::size_t{4});
  CHECK(holds(render_json(board), "\"options\": {\"a\": 0.5, \"b\": 4, \"c\": \"3\", \"d\": 0.25}"));
}

}  // namespace attn
