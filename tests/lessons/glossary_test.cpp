#include "catch.hpp"
#include "lessons/run_lesson.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <string>
#include <vector>

// lessons/glossary.txt, as a reader sees it: a term, its sentence, and the lesson that teaches it.

namespace {

constexpr std::size_t sentence_column = 22;

struct Entry {
  std::string term;
  std::string sentence;  // or "see" and another term
  std::string lesson;    // its number; none after "see"
};

struct Glossary {
  std::vector<Entry> entries;
  std::vector<std::string> problems;  // of its form
};

Glossary read_glossary(std::istream& text) {
  Glossary glossary;
  const auto wrong = [&](const std::string& what, const std::string& line) {
    glossary.problems.push_back(what + ": " + line);
  };
  for (std::string line; std::getline(text, line);) {
    if (line.size() > 80) wrong("wider than 80 columns", line);
    if (line.size() <= sentence_column) {
      wrong("no sentence", line);
      continue;
    }
    const std::string left = line.substr(0, sentence_column);
    const std::size_t last = left.find_last_not_of(' ');
    if (last != std::string::npos) {
      if (last + 2 > sentence_column - 1) wrong("the term is too long for its column", line);
      glossary.entries.push_back({.term = left.substr(0, last + 1), .sentence = "", .lesson = ""});
    }
    if (glossary.entries.empty() || !glossary.entries.back().lesson.empty()) {
      wrong("a line without a term", line);
      continue;
    }
    Entry& entry = glossary.entries.back();
    std::string words = line.substr(sentence_column);
    if (words[0] == ' ') wrong("not in its column", line);
    const std::size_t gap = words.find("  ");
    if (gap != std::string::npos) {
      entry.lesson = words.substr(words.find_first_not_of(' ', gap));
      words.resize(gap);
      if (line.size() != 80) wrong("the lesson's number does not end in column 80", line);
    }
    entry.sentence += (entry.sentence.empty() ? "" : " ") + words;
  }
  return glossary;
}

Glossary glossary_of_lessons() {
  std::ifstream file(LESSON_SOURCES_DIR "/glossary.txt");
  REQUIRE(file.good());
  return read_glossary(file);
}

std::string small(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

/// "embedding_table" and "embeddings" as the glossary has them.
bool has(const std::set<std::string>& terms, const std::string& name) {
  std::string words = name;
  std::replace(words.begin(), words.end(), '_', ' ');
  for (const std::string& written : {name, words}) {
    if (terms.count(written) == 1) return true;
    if (written.ends_with('s') && terms.count(written.substr(0, written.size() - 1)) == 1) return true;
  }
  return false;
}

/// All terms; of "Q, K, V" each.
std::set<std::string> terms_of(const Glossary& glossary) {
  std::set<std::string> terms;
  for (const Entry& entry : glossary.entries) {
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = entry.term.find(", ", begin)) != std::string::npos; begin = end + 2) {
      terms.insert(entry.term.substr(begin, end - begin));
    }
    terms.insert(entry.term.substr(begin));
  }
  return terms;
}

}  // namespace

TEST_CASE("the glossary is sorted, in columns, one sentence for each term", "[glossary]") {
  const Glossary glossary = glossary_of_lessons();
  for (const std::string& problem : glossary.problems) CHECK(problem == "");
  REQUIRE(glossary.entries.size() > 40);
  for (std::size_t k = 0; k < glossary.entries.size(); ++k) {
    const auto& [term, sentence, lesson] = glossary.entries[k];
    CAPTURE(term, sentence, lesson);
    if (k > 0) CHECK(small(glossary.entries[k - 1].term) < small(term));
    if (sentence.starts_with("see ")) {
      const auto meant = std::find_if(glossary.entries.begin(), glossary.entries.end(),
                                      [&, &said = sentence](const Entry& e) { return "see " + e.term == said; });
      REQUIRE(meant != glossary.entries.end());
      CHECK(!meant->lesson.empty());
      CHECK(lesson.empty());
      continue;
    }
    CHECK(std::isupper(static_cast<unsigned char>(sentence[0])) != 0);
    CHECK(sentence.find_first_of(".!?") == sentence.size() - 1);
    CHECK(sentence.size() < 130);
  }
}

TEST_CASE("each term names a lesson that there is, and each lesson teaches a term that stands on its page",
          "[glossary]") {
  const Glossary glossary = glossary_of_lessons();
  std::set<std::string> numbers;
  for (const std::string& lesson : lesson_names()) {
    const std::string number = lesson.substr(0, lesson.find('_'));
    numbers.insert(number);
    const std::string page = small(run_lesson(lesson, {}).output);
    const bool teaches = std::any_of(glossary.entries.begin(), glossary.entries.end(), [&](const Entry& entry) {
      return entry.lesson == number && page.find(small(entry.term)) != std::string::npos;
    });
    CAPTURE(lesson);
    CHECK(teaches);
  }
  for (const Entry& entry : glossary.entries) {
    CAPTURE(entry.term, entry.lesson);
    CHECK((entry.sentence.starts_with("see ") || numbers.count(entry.lesson) == 1));
  }
}

TEST_CASE("every step of the tour, every size and the words of the subject are in the glossary", "[glossary]") {
  const std::set<std::string> terms = terms_of(glossary_of_lessons());
  const nlohmann::json trace = nlohmann::json::parse(run_lesson("00_tour", {"--face", "json"}).output);
  REQUIRE(trace["steps"].size() > 20);
  for (const auto& step : trace["steps"]) {
    const auto name = step["name"].get<std::string>();
    const std::string of_a_head = name.starts_with("head") ? name.substr(name.find('.') + 1) : name;
    // The tour's own: rows that it cuts out and lays beside each other.
    if (of_a_head.starts_with("look") || of_a_head.ends_with("row") || of_a_head.find('.') != std::string::npos)
      continue;
    CAPTURE(of_a_head);
    CHECK(has(terms, of_a_head));
  }
  for (const char* word : {"d_model",
                           "num_heads",
                           "head_dim",
                           "seq_len",
                           "attention",
                           "self-attention",
                           "multi-head attention",
                           "query",
                           "key",
                           "value",
                           "token",
                           "id",
                           "vocabulary",
                           "embedding",
                           "attention score",
                           "weight",
                           "dot product",
                           "softmax",
                           "head",
                           "causal mask",
                           "padding",
                           "weighted sum",
                           "output projection",
                           "linear map",
                           "one-hot",
                           "transpose"}) {
    CAPTURE(word);
    CHECK(has(terms, word));
  }
  CHECK(has(terms, "compute"));  // which stands in the code of most pages
}

TEST_CASE("lessons/run glossary prints it", "[glossary]") {
  std::ifstream file(LESSON_SOURCES_DIR "/glossary.txt");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const Ran ran = run_lessons_run("glossary");
  CHECK(ran.status == 0);
  CHECK(ran.output == text);
}
