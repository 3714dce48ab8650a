#pragma once

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace attn::bench {

/// A rival that lives in a program of its own, and answers each line that it is sent with one line:
///
///   (at the start)                                NAME VERSION, or: absent
///   prepare SEQ_LEN full|causal THREADS FILE      ready HOW, after writing its context to FILE.context
///   time                                          milliseconds of one attention as prepared last
///   anything                                      failed WHY
///
/// FILE holds Q, K and V, [3, 8 heads, seq_len, 64] floats; the context is [8, seq_len, 64]. A rival that can compute
/// attention in several ways picks the fastest for what it is to prepare. What surrounds its attention (starting the
/// interpreter, calling the library) is not in its milliseconds.
class Child {
 public:
  explicit Child(const std::vector<std::string>& command);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Its first line, or nothing where it is absent or cannot be started.
  [[nodiscard]] const std::optional<std::string>& version() const { return version_; }

  /// Nothing once it has failed or ended. Then `failure` says why.
  [[nodiscard]] std::optional<std::string> ask(const std::string& line);
  [[nodiscard]] const std::string& failure() const { return failure_; }

 private:
  std::optional<std::string> read_line();

  pid_t process_ = -1;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
  std::optional<std::string> version_;
  std::string failure_;
};

}  // namespace attn::bench
