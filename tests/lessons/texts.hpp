#pragma once

#include <string>
#include <vector>

/// Sentences that pages and traces are proven with: those of the lessons, and those that are hard to print.
[[nodiscard]] inline std::vector<std::string> proving_texts() {
  std::string sixty_words = "the quick brown fox jumps over the lazy dog";
  while (sixty_words.size() < 320) sixty_words += " and the cat sat on the mat";
  std::string unknown_words;  // more than there are spare rows
  for (char a = 'a'; a < 'k'; ++a) {
    for (char b = 'a'; b < 'h'; ++b) unknown_words += std::string("zq") + a + b + " ";
  }
  return {
      "the cat sat on the mat.",
      "He drank his tea because he was thirsty.",
      "Orange is my favorite fruit",
      "The dog barked very loudly.",
      "Bonjour tout le monde",
      "The quick brown fox jumps over the lazy dog.",
      "Kedi paspasın üstüne oturdu.",
      "¿Qué es la atención?",
      "naïve café, 猫が座った 👩‍👩‍👧 ok",
      "cat",
      "?",
      "cat cat cat cat",
      "she said \"a [b], c#2\" = 9 + 9 - (x) / 3",
      "Donaudampfschifffahrtsgesellschaft saw internationalization",
      "tab\there\x01 and \x1b[31m red",
      sixty_words,
      unknown_words,
  };
}

/// Sentences that a page has hardly room for: long words, wide ones, signs that are spelled out or shown as escapes.
[[nodiscard]] inline std::vector<std::string> texts_hard_to_fit() {
  const auto word = [](std::size_t length, char letter) { return std::string(length, letter); };
  const auto repeated = [](const std::string& piece, std::size_t count) {
    std::string text;
    for (std::size_t k = 0; k < count; ++k) text += piece;
    return text;
  };
  return {
      word(20, 'a') + "ing " + word(20, 'b') + " sat",
      word(29, 'a') + "s " + word(30, 'b') + "ed " + word(26, 'c') + "ly sat.",
      word(40, 'a') + " " + word(40, 'b') + " sat on " + word(38, 'c'),
      repeated(word(39, 'q') + " ", 5),
      "the " + word(2000, 'x') + " " + word(2000, 'y') + " sat",
      word(40, 'x'),
      repeated("9", 30) + " " + repeated("8", 38) + " 0 1 2",
      repeated("猫", 3) + repeated("ア", 19) + " " + repeated("イ", 20) + " " + repeated("カ", 60),
      "e" + repeated("\u0301", 50) + " x" + repeated("\u0301", 5) + repeated("yz", 19),
      repeated("é", 20) + " " + repeated("ü", 19) + " " + repeated("ß", 40),
      repeated("don't-", 8) + "don't " + repeated("3.14", 9),
      repeated("\x01", 12) + " a\u3164" + repeated("b\u00AD", 9) + "c \u202E" + repeated("\u2066", 9),
      "👩‍👩‍👧 👍🏽 🇩🇪🇫🇷 ❤️ 1️⃣ " + repeated("👩‍👩‍👧‍👦", 5),
      repeated("\" [ ] # , \\ \" ' ", 3),
      "https://example.org/" + word(60, 'a') + " see " + word(36, 'b'),
      repeated("the " + word(24, 'm') + "ly " + word(30, 'n') + " ", 9),
  };
}
