#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

/// The options that a program understands: a list of rows, what each means, and where its value goes. It reads the
/// arguments and writes the list for --help. CLI11 does the work; this header keeps it to one file.
class CommandLine {
 public:
  enum class Outcome { run, show_help, show_version };
  using Take = std::function<void(const std::string&)>;
  template <typename Choice>
  using Choices = std::vector<std::pair<std::string, Choice>>;

  CommandLine();
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// The heading of the rows that follow.
  void group(const char* heading);
  /// One row: its name, what --help calls its value, what it means, where the value goes. A value is taken as soon as
  /// it is read: of several bad ones the first is told, of equal options the last counts.
  void row(const char* name, const char* value, const char* meaning, const Take& take);
  void flag(const char* name, const char* meaning, const std::function<void()>& take);
  /// The last rows: --help and --version.
  void help_and_version();

  template <typename Text>
  void words(const char* name, const char* value, const char* meaning, Text& to) {
    row(name, value, meaning, [&to](const std::string& typed) { to = typed; });
  }
  template <typename Number>
  void number(const char* name, const char* meaning, Number& to, std::uint64_t smallest, std::uint64_t largest) {
    row(name, "N", meaning,
        [=, &to](const std::string& typed) { to = static_cast<Number>(whole_number(name, typed, smallest, largest)); });
  }
  template <typename Choice>
  void choice(const char* name, const char* value, const char* meaning, Choice& to, const Choices<Choice>& choices) {
    row(name, value, meaning, [=, &to](const std::string& typed) {
      std::vector<std::string> known;
      for (const auto& [word, meant] : choices) known.push_back(word);
      to = choices[index_of(name, typed, known)].second;
    });
  }

  /// Arguments that are no option are taken here. Without this they are refused with a word on what was meant.
  void others(const Take& take);

  /// Reads the arguments that follow the program's name. An option takes its value as `--seed 3` or `--seed=3`; only
  /// the second form allows a value that looks like an option. Nothing after --help or --version is read.
  /// Throws std::invalid_argument, one clear line, for anything unknown, missing or out of bounds.
  [[nodiscard]] Outcome read(const std::vector<std::string>& arguments);

  /// The options by group, one line each.
  [[nodiscard]] std::string describe() const;

 private:
  static std::uint64_t whole_number(const char* name, std::string_view value, std::uint64_t smallest,
                                    std::uint64_t largest);
  static std::size_t index_of(const char* name, const std::string& value, const std::vector<std::string>& choices);

  struct Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace attn
