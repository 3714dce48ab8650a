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
