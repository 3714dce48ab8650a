#include "golden/case_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace attn {

namespace {

// from_chars takes the decimal point that the file has, whatever the locale; a stream or strtod might not.
template <typename Number>
std::errc parse_all(const std::string& word, Number& number) {
  const char* end = word.data() + word.size();
  const std::from_chars_result result = std::from_chars(word.data(), end, number);
  if (result.ec == std::errc() && result.ptr != end) return std::errc::invalid_argument;
  return result.ec;
}

class Reader {
 public:
  Reader(const std::string& text, std::string where) : where_(std::move(where)) {
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line)) {
      if (!line.empty() && line.front() == '#') continue;
      std::istringstream words(line);
      words_.insert(words_.end(), std::istream_iterator<std::string>(words), std::istream_iterator<std::string>());
    }
  }

  CaseFile read() {
    CaseFile result;
    for (;;) {
      const std::string keyword = next("a keyword or end");
      if (keyword == "end") break;
      if (keyword == "case") {
        result.name = next("a name");
      } else if (keyword == "op") {
        result.op = next("an operator");
      } else if (keyword == "source") {
        result.source = next("a source");
      } else if (keyword == "attr") {
        std::string name = next("an attribute's name");
        result.attrs[std::move(name)] = next("an attribute's value");
      } else if (keyword == "tolerance") {
        result.tolerance.atol = number<double>("an absolute tolerance");
        result.tolerance.rtol = number<double>("a relative tolerance");
      } else if (keyword == "input") {
        read_tensor(result, result.inputs, /*hashed=*/false);
      } else if (keyword == "hashed") {
        read_tensor(result, result.inputs, /*hashed=*/true);
      } else if (keyword == "output") {
        read_tensor(result, result.outputs, /*hashed=*/false);
      } else {
        fail("a keyword or end", keyword);
      }
    }
    if (position_ != words_.size()) fail("nothing after end", words_[position_]);
    if (result.has_float64) {
      result.tolerance.atol = std::max(result.tolerance.atol, 1e-5);
      result.tolerance.rtol = std::max(result.tolerance.rtol, 1e-5);
    }
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    throw std::runtime_error(fmt::format("{}: expected {} and found '{}'", where_, expected, found));
  }

  const std::string& next(const char* expected) {
    if (position_ == words_.size()) fail(expected, "the end of the file");
    return words_[position_++];
  }

  template <typename Number>
  Number number(const char* expected) {
    const std::string& word = next(expected);
    Number value{};
    if (parse_all(word, value) != std::errc()) fail(expected, word);
    return value;
  }

  // One element of type `dtype`, as a float.
  float element(const std::string& dtype) {
    if (dtype == "float32" || dtype == "float16") {
      const std::string& word = next("a number");
      float value = 0.0F;
      if (parse_all(word, value) != std::errc()) fail("a float32", word);
      return value;
    }
    if (dtype == "float64") return static_cast<float>(number<double>("a number"));
    const auto value = number<std::int64_t>("a whole number");
    if (dtype == "bool" && value != 0 && value != 1) fail("0 or 1", std::to_string(value));
    constexpr std::int64_t exact = std::int64_t{1} << 24U;
    if (value < -exact || value > exact) fail("a whole number that a float holds exactly", std::to_string(value));
    return static_cast<float>(value);
  }

  void read_tensor(CaseFile& result, std::map<std::string, Tensor>& tensors, bool hashed) {
    const std::string name = next("a tensor's name");
    const std::string dtype = next("a type");
    static const std::vector<std::string> known = {"float32", "float64", "float16", "int64", "int32", "uint8", "bool"};
    if (std::find(known.begin(), known.end(), dtype) == known.end()) fail("a type such as float32", dtype);
    if (dtype == "float64") result.has_float64 = true;
    if (tensors.count(name) > 0) fail("each name once", name);

    Shape shape(number<std::uint8_t>("a rank"));
    for (std::size_t& size : shape) size = number<std::size_t>("a size");

    // Values are appended one by one, so a wrong size ends at the end of the file and never takes memory for itself.
    const std::size_t count = element_count(shape);
    std::vector<float> values;
    if (hashed) {
      const auto seed = number<std::uint64_t>("a seed");
      const auto amplitude = number<double>("an amplitude");
      for (std::size_t i = 0; i < count; ++i) values.push_back(hashed_value(seed, i, amplitude));
    } else {
      for (std::size_t i = 0; i < count; ++i) values.push_back(element(dtype));
    }
    tensors.emplace(name, Tensor(std::move(shape), std::move(values)));
  }

  // Number i of a tensor given by a formula: 24 well-mixed bits of seed and i, spread over +-amplitude.
  static float hashed_value(std::uint64_t seed, std::uint64_t i, double amplitude) {
    std::uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    z = z ^ (z >> 31U);
    return static_cast<float>((static_cast<double>(z >> 40U) / 8388608.0 - 1.0) * amplitude);
  }

  std::string where_;
  std::vector<std::string> words_;
  std::size_t position_ = 0;
};

const Tensor& find(const std::map<std::string, Tensor>& tensors, const std::string& wanted, const char* role,
                   const std::string& case_name) {
  const auto found = tensors.find(wanted);
  if (found != tensors.end()) return found->second;
  std::string names;
  for (const auto& [name, tensor] : tensors) names += " " + name;
  throw std::invalid_argument(fmt::format("case {}: there is no {} {}; it has:{}", case_name, role, wanted, names));
}

}  // namespace

const Tensor& CaseFile::input(const std::string& input_name) const {
  return find(inputs, input_name, "input", name);
}

const Tensor& CaseFile::output(const std::string& output_name) const {
  return find(outputs, output_name, "output", name);
}

long long CaseFile::integer(const std::string& attribute, long long otherwise) const {
  const auto found = attrs.find(attribute);
  if (found == attrs.end()) return otherwise;
  long long value = 0;
  if (parse_all(found->second, value) != std::errc()) {
    throw std::invalid_argument(
        fmt::format("case {}: attribute {} is '{}' and no whole number", name, attribute, found->second));
  }
  return value;
}

double CaseFile::number(const std::string& attribute, double otherwise) const {
  const auto found = attrs.find(attribute);
  if (found == attrs.end()) return otherwise;
  double value = 0.0;
  if (parse_all(found->second, value) != std::errc()) {
    throw std::invalid_argument(
        fmt::format("case {}: attribute {} is '{}' and no number", name, attribute, found->second));
  }
  return value;
}

CaseFile parse_case(const std::string& text, const std::string& where) {
  return Reader(text, where).read();
}

CaseFile read_case(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be read", path));
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return parse_case(text, path);
}

std::string golden_path(const std::string& below_golden) {
  return std::string(GOLDEN_DIR) + "/" + below_golden;
}

std::vector<std::string> golden_cases(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(golden_path(folder))) {
    if (entry.path().extension() == ".case") paths.push_back(entry.path().string());
  }
  if (paths.empty()) throw std::runtime_error(fmt::format("{}: there are no .case files", golden_path(folder)));
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace attn
