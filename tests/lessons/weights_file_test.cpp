#include "support/weights_file.hpp"

#include "catch.hpp"
#include "support/world.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>

namespace attn {

namespace {

/// A file of weights that is removed afterwards.
class WeightsFile {
 public:
  explicit WeightsFile(const std::string& text) {
    ::close(::mkstemp(name_.data()));
    std::ofstream(name_, std::ios::binary) << text;
  }
  WeightsFile(const WeightsFile&) = delete;
  WeightsFile& operator=(const WeightsFile&) = delete;
  ~WeightsFile() { ::unlink(name_.c_str()); }

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_ = "/tmp/weights.XXXXXX";
};

World small_world() {
  Options options;
  options.weights = Options::Weights::torch;
  options.d_model = 6;
  options.num_heads = 3;
  options.text = "the cat\u3164 sat";
  return make_world(options);
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  return text.replace(text.find(old), old.size(), by);
}

/// What is said of a file, without its name.
std::string refusal(const std::string& text) {
  const WeightsFile file(text);
  try {
    static_cast<void>(file_world(file.name()));
  } catch (const std::invalid_argument& error) {
    return replaced(error.what(), "\"" + file.name() + "\"", "FILE");
  }
  return "";
}

}  // namespace

TEST_CASE("weights that are saved are read back bit by bit", "[weights]") {
  const World saved = small_world();
  // As written, and as editors on Windows save it: with a byte order mark and with returns.
  const std::string text = weights_text(saved);
  std::string with_returns = "\xEF\xBB\xBF";
  for (const char letter : text) with_returns += letter == '\n' ? std::string("\r\n") : std::string(1, letter);
  for (const std::string& written : {text, with_returns}) {
    const WeightsFile file(written);
    const World read = file_world(file.name());
    CHECK(read.d_model == 6);
    CHECK(read.num_heads == 3);
    CHECK(read.embedding_table.values() == saved.embedding_table.values());
    CHECK(read.weights.W_Q.values() == saved.weights.W_Q.values());
    CHECK(read.weights.W_K.values() == saved.weights.W_K.values());
    CHECK(read.weights.W_V.values() == saved.weights.W_V.values());
    CHECK(read.weights.W_O.values() == saved.weights.W_O.values());
    CHECK(read.weights.b_O.values() == saved.weights.b_O.values());
  }
}

TEST_CASE("a file that holds no weights says what is missing, and where", "[weights][errors]") {
  CHECK_THAT(refusal(""), ContainsSubstring("FILE: the file has no embedding_table"));
  CHECK_THAT(refusal("heads 4\n"), ContainsSubstring("FILE, line 1: the file has no embedding_table"));
  CHECK(refusal("W_Q 1 2\n1 1e99\n") ==
        "FILE, line 2: row 0 of W_Q needs numbers that a float can hold, and \"1e99\" is none");
  CHECK(refusal("W_Q 1 2\n1 0,5\n") ==
        "FILE, line 2: row 0 of W_Q needs numbers that a float can hold, and \"0,5\" is none");
  CHECK_THAT(refusal("\x1b[31m\n"), ContainsSubstring("FILE, line 1: expected the name of a matrix, not \"␛[31m\":"));
  CHECK_THAT(refusal(replaced(weights_text(small_world()), "heads 3", "heads 4")),
             ContainsSubstring("d_model (6) must be divisible by num_heads (4)"));
}

}  // namespace attn
