#pragma once

namespace attn {

/// A source file as it was when the program was built.
struct EmbeddedSource {
  const char* name;  // "lessons/00_tour.cpp"
  const char* text;
};

// Each ends with an entry of null pointers. embed_sources.cmake writes them.
extern const EmbeddedSource lesson_sources[];     // the lesson's own file
extern const EmbeddedSource attention_sources[];  // src/attention

}  // namespace attn
