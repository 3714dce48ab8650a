#include "catch.hpp"
#include "lessons/run_lesson.hpp"
#include "lessons/texts.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

// What the pages of the lessons on threads and on the online softmax claim, as a reader gets them.

namespace {

std::string output_of(const std::string& lesson, const std::vector<std::string>& options) {
  const Ran ran = run_lesson(lesson, options);
  CAPTURE(lesson, written(options), ran.output);
  REQUIRE(ran.status == 0);
  return ran.output;
}

/// In one line, so that a sentence is found wherever it was broken.
std::string page_of(const std::string& lesson, const std::vector<std::string>& options) {
  std::string page;
  for (const char letter : output_of(lesson, options)) {
    const bool blank = letter == ' ' || letter == '\n';
    if (!blank || page.empty() || page.back() != ' ') page += blank ? ' ' : letter;
  }
  return page;
}

/// A step's values by row.
std::vector<std::vector<double>> rows_of(const nlohmann::json& trace, const std::string& name) {
  for (const auto& step : trace["steps"]) {
    if (step["name"] != name) continue;
    const std::size_t width = step["shape"].back();
    std::vector<std::vector<double>> rows;
    for (std::size_t k = 0; k < step["values"].size(); ++k) {
      if (k % width == 0) rows.emplace_back();
      const auto& value = step["values"][k];
      rows.back().push_back(value.is_number() ? value.get<double>() : std::stod(value.get<std::string>()));
    }
    return rows;
  }
  FAIL("there is no step " << name);
  return {};
}

nlohmann::json trace_of(const std::string& lesson, std::vector<std::string> options) {
  options.insert(options.end(), {"--face", "json"});
  return nlohmann::json::parse(output_of(lesson, options));
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

}  // namespace

TEST_CASE("pages about speed are the same for any number of threads, when times are left out", "[lessons][threads]") {
  for (const std::string lesson : {"26_threads", "27_online_softmax"}) {
    for (const std::vector<std::string>& options :
         std::vector<std::vector<std::string>>{{}, {"--weights", "torch"}, {"--text", "cat"}}) {
      const auto page_on = [&](const char* threads) {
        std::vector<std::string> more = options;
        more.insert(more.end(), {"--matmul", "blocked", "--threads", threads});
        return output_of(lesson, more);
      };
      const std::string one = page_on("1");
      CHECK(page_on("2") == one);
      CHECK(page_on("3") == one);
    }
  }
}

TEST_CASE("block by block the state is that of the keys so far, and gives the context of softmax",
          "[lessons][online]") {
  for (const std::string& text : proving_texts()) {
    for (const char* weights : {"crafted", "torch"}) {
      for (const char* mask : {"none", "causal"}) {
        const std::vector<std::string> options = {"--text", text, "--weights", weights, "--mask", mask};
        CAPTURE(written(options));
        const nlohmann::json trace = trace_of("27_online_softmax", options);
        const std::vector<double> row = rows_of(trace, "row")[0];
        const auto V = rows_of(trace, "V");
        const auto state = rows_of(trace, "state");
        const std::size_t keys = std::max<std::size_t>(3, (row.size() + 7) / 8);
        REQUIRE(state.size() == (row.size() + keys - 1) / keys);
        double before = -INFINITY;
        for (std::size_t b = 0; b < state.size(); ++b) {
          const std::size_t end = std::min((b + 1) * keys, row.size());
          const auto from = row.begin();
          const double largest = *std::max_element(from, from + static_cast<std::ptrdiff_t>(end));
          CHECK(state[b][0] == *std::max_element(from + static_cast<std::ptrdiff_t>(b * keys),
                                                 from + static_cast<std::ptrdiff_t>(end)));
          CHECK(state[b][1] == largest);
          CHECK_THAT(state[b][2], WithinAbs(std::exp(before - largest), 1e-6));
          double total = 0.0;
          std::vector<double> collected(V[0].size(), 0.0);
          for (std::size_t j = 0; j < end; ++j) {
            total += std::exp(row[j] - largest);
            for (std::size_t d = 0; d < V[0].size(); ++d) collected[d] += std::exp(row[j] - largest) * V[j][d];
          }
          CHECK_THAT(state[b][3], WithinRel(total, 1e-5));
          for (std::size_t d = 0; d < V[0].size(); ++d) CHECK_THAT(state[b][4 + d], WithinAbs(collected[d], 1e-4));
          before = largest;
        }
        CHECK(largest_difference(rows_of(trace, "online")[0], rows_of(trace, "whole")[0]) < 2e-6);
        const std::string page = page_of("27_online_softmax", options);
        CHECK_THAT(page, ContainsSubstring("at most e^-200, in a float 0; and 0 / 0 is nan."));
        CHECK_THAT(page, ContainsSubstring("differs from softmax(masked) V by less than 0.00001"));
      }
    }
  }
}

TEST_CASE("the page on the online softmax says which blocks rescale, stay, and are hidden", "[lessons][online]") {
  const std::string page = page_of("27_online_softmax", {});
  CHECK_THAT(page, ContainsSubstring("Its row comes in 3 blocks of 3 keys, the last with 1."));
  CHECK_THAT(page, ContainsSubstring("Block 2 has a larger score: all that was added up before shrinks to 0.0098"));
  CHECK_THAT(page, ContainsSubstring("In block 3 the largest stays: factor 1."));
  CHECK_THAT(page_of("27_online_softmax", {"--mask", "causal"}),
             ContainsSubstring("Blocks 2 and 3 have no score but -inf: powers e^-inf = 0"));
  CHECK_THAT(page_of("27_online_softmax", {"--head", "2"}), ContainsSubstring("In blocks 2 and 3 the largest stays"));
}

TEST_CASE("what is held and moved is counted in the table as in the sentences", "[lessons][online]") {
  const std::string page = page_of("27_online_softmax", {});
  CHECK_THAT(page,
             ContainsSubstring("The tables of 65536 words take 32 GiB, for one head; those of 7 words 392 bytes."));
  CHECK_THAT(page, ContainsSubstring("The kernel's workspace is 64 KiB a thread at any length."));
  CHECK_THAT(page, ContainsSubstring("= 17825792 bytes, fused 4 · 2 · 1024 · 64 · (1 + 16) = 8912896."));
  CHECK_THAT(page, ContainsSubstring("1024 words 8.000 0.062 17.000 8.500"));
  const nlohmann::json trace = trace_of("27_online_softmax", {});
  const double mebibyte = 1024.0 * 1024.0;
  CHECK(rows_of(trace, "held")[3] == std::vector<double>{8.0 * 65536.0 * 65536.0 / mebibyte, 65536.0 / mebibyte});
  CHECK(rows_of(trace, "moved")[1] == std::vector<double>{17825792.0 / mebibyte, 8912896.0 / mebibyte});
}

TEST_CASE("in the pieces that are drawn each cell has one thread, and each thread has cells side by side",
          "[lessons][threads]") {
  const nlohmann::json trace = trace_of("26_threads", {});
  for (const auto& [name, threads] :
       std::vector<std::pair<std::string, double>>{{"two", 2}, {"three", 3}, {"wide", 3}}) {
    CAPTURE(name);
    for (const auto& row : rows_of(trace, name + ".writes")) CHECK(row == std::vector<double>(row.size(), 1.0));
    double before = 1.0;
    double last = 0.0;
    for (const auto& row : rows_of(trace, name)) {
      for (const double thread : row) {
        CHECK((thread >= 1.0 && thread <= threads));
        last = std::max(last, thread);
      }
      CHECK(std::is_sorted(row.begin(), row.end()));
      CHECK(row.front() >= before);
      before = row.front();
    }
    CHECK(last == threads);
  }
  CHECK_THAT(page_of("26_threads", {}), ContainsSubstring("counted: 80 of 80, 80 of 80 and 78 of 78."));
}

TEST_CASE("results on several threads are those on one, bit for bit, whatever the text", "[lessons][threads]") {
  for (const std::string& text : proving_texts()) {
    for (const char* weights : {"crafted", "torch"}) {
      const std::string page = page_of("26_threads", {"--text", text, "--weights", weights});
      CHECK_THAT(page, ContainsSubstring("difference from one thread: 0 on two threads, 0 on three."));
      CHECK_THAT(page, ContainsSubstring("in the contexts of all heads: 0 on two threads, 0 on three."));
    }
  }
}

TEST_CASE("speedups are those of Amdahl's law", "[lessons][threads]") {
  const auto speedup = rows_of(trace_of("26_threads", {}), "speedup");
  const std::vector<double> s = {0.5, 0.1, 0.02};
  const std::vector<double> p = {1, 2, 4, 16, 256};
  for (std::size_t i = 0; i < s.size(); ++i) {
    for (std::size_t j = 0; j < p.size(); ++j) {
      CHECK_THAT(speedup[i][j], WithinRel(1.0 / (s[i] + (1.0 - s[i]) / p[j]), 1e-5));
    }
  }
  CHECK_THAT(page_of("26_threads", {}), ContainsSubstring("2 for s=0.5, 10 for s=0.1, 50 for s=0.02. With p=256 the "
                                                          "last is 42.0."));
}

TEST_CASE("heads are shared out in rounds", "[lessons][threads]") {
  const auto rounds = [](const std::string& heads) {
    return rows_of(trace_of("26_threads", {"--weights", "torch", "--d-model", "24", "--heads", heads}), "rounds");
  };
  CHECK(rounds("6") == std::vector<std::vector<double>>{{6, 3, 2, 2, 1}, {1, 2, 3, 3, 6}});
  CHECK(rounds("1") == std::vector<std::vector<double>>{{1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}});
  CHECK_THAT(page_of("26_threads", {"--weights", "torch", "--heads", "1"}), ContainsSubstring("no second thread can"));
}

TEST_CASE("counters near each other are on one cache line by their addresses, those apart on a line each",
          "[lessons][threads]") {
  CHECK_THAT(page_of("26_threads", {}),
             ContainsSubstring("on lines 0, 0, 0 and 0, those a line apart on lines 0, 1, 2 and 3."));
  const auto lines = rows_of(trace_of("26_threads", {}), "lines");
  CHECK(lines[0].back() < 1.0);
  CHECK(lines[1] == std::vector<double>{0, 1, 2, 3});
}
