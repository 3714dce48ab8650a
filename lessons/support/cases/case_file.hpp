#pragma once

#include "tensor/close.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// A tensor as its line in a case file declares it.
struct CaseTensor {
  struct Formula {  // of a hashed input: its values are not written down
    std::uint64_t seed = 0;
    double amplitude = 0.0;
  };

  std::string name;
  std::string type = "float32";  // float32, float64, float16, int64, int32, uint8 or bool
  bool is_output = false;
  std::optional<Formula> formula = std::nullopt;
};

/// One case: an operator with named inputs, and the outputs that somebody computed from them.
/// lessons/README.md describes the format.
struct CaseFile {
  std::string name;
  std::string op;
  std::string source;
  std::map<std::string, std::string> attrs;
  Tolerance stated_tolerance{.atol = 1e-5, .rtol = 1e-5};  // what the file says; this, when it says nothing
  Tolerance tolerance{.atol = 1e-5, .rtol = 1e-5};         // what outputs are held to
  bool has_float64 = false;  // then the tolerance is at least 1e-5 absolute and relative, because a Tensor is float
  std::map<std::string, Tensor> inputs;
  std::map<std::string, Tensor> outputs;
  std::vector<std::string> comments;    // in order, without their #
  std::vector<CaseTensor> declared;     // inputs and outputs in the order of the file
  std::vector<std::string> attr_order;  // names of attributes, in the order of the file

  [[nodiscard]] bool has_input(const std::string& input_name) const { return inputs.count(input_name) > 0; }
  [[nodiscard]] bool has_output(const std::string& output_name) const { return outputs.count(output_name) > 0; }

  /// Throw std::invalid_argument, naming what the case has, when it is not there.
  [[nodiscard]] const Tensor& input(const std::string& input_name) const;
  [[nodiscard]] const Tensor& output(const std::string& output_name) const;

  /// An attribute that is a whole number, or a number; `otherwise` when it is absent.
  /// Throw std::invalid_argument, naming the attribute and its value, when it is no such number.
  [[nodiscard]] long long integer(const std::string& attribute, long long otherwise) const;
  [[nodiscard]] double number(const std::string& attribute, double otherwise) const;
  /// A number that is computed with as a float: none so large or so small that a float would be inf, or 0.
  [[nodiscard]] float float_number(const std::string& attribute, float otherwise) const;
  /// An attribute that is a word; `otherwise` when it is absent.
  [[nodiscard]] std::string word(const std::string& attribute, const std::string& otherwise) const;
};

/// How many numbers one case may hold, and a step of its computation: 64 MiB of floats.
inline constexpr std::size_t most_case_numbers = std::size_t{1} << 24U;

/// Reads a case from its text. `where` names it in messages.
///
/// What a Tensor cannot hold is never rounded in silence: a whole number beyond 2^24 and an input beyond the range of
/// float are refused. A float64 is rounded to the nearest float (which is why such a case is held to 1e-5), and a
/// float64 output beyond the range of float becomes infinite, as our own result would.
///
/// Throws std::invalid_argument, "FILE:LINE: what, the word found, what was expected", when the text does not follow
/// the format. Takes memory for what the text holds, never for what it only announces.
[[nodiscard]] CaseFile parse_case(std::string_view text, const std::string& where);

/// Reads a .case file, or standard input for "-".
/// Throws std::invalid_argument as parse_case does, and when the file cannot be read or is larger than 256 MiB.
[[nodiscard]] CaseFile read_case(const std::string& path);

/// The case as text. Reading it back gives the same case: the same floats, bit for bit (but for the kind of a nan).
/// A hashed input is written as its formula.
[[nodiscard]] std::string case_text(const CaseFile& written);

}  // namespace attn
