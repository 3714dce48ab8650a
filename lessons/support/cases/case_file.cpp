#include "support/cases/case_file.hpp"

#include "support/cases/case_numbers.hpp"
#include "support/program/quoted.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <system_error>

namespace attn {

namespace {

constexpr std::size_t largest_file = std::size_t{256} << 20U;  // bytes

const Tensor& find(const std::map<std::string, Tensor>& tensors, const std::string& wanted, const char* role,
                   const std::string& case_name) {
  const auto found = tensors.find(wanted);
  if (found != tensors.end()) return found->second;
  std::string names;
  for (const auto& [name, tensor] : tensors) names += " " + name;
  throw std::invalid_argument(
      fmt::format("case {}: there is no {} {}; it has:{}", case_name, role, wanted, names.empty() ? " none" : names));
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

std::string read_all(std::FILE* stream, const std::string& where) {
  std::string text;
  std::array<char, 1 << 16> block{};
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), stream)) {
    text.append(block.data(), count);
    if (text.size() > largest_file) {
      throw std::invalid_argument(
          fmt::format("{}: the file is larger than {} bytes: give fewer numbers, or some by a formula, as hashed does",
                      where, largest_file));
    }
  }
  if (std::ferror(stream) != 0) {
    throw std::invalid_argument(fmt::format("{}: cannot be read: {}", where, std::strerror(errno)));
  }
  return text;
}

void append_values(std::string& text, const Tensor& tensor, const std::string& type) {
  const std::size_t row = tensor.rank() == 0 ? 1 : std::max<std::size_t>(tensor.shape().back(), 1);
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    text += number_text(tensor.values()[i], type);
    text += (i + 1) % row == 0 ? '\n' : ' ';
  }
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
  const std::errc error = parse_number(found->second, value);
  if (error == std::errc::result_out_of_range) {
    throw std::invalid_argument(fmt::format("case {}: attribute {} is '{}', and must be a whole number of 64 bits",
                                            name, attribute, found->second));
  }
  if (error != std::errc()) {
    throw std::invalid_argument(fmt::format("case {}: attribute {} is '{}', and must be a whole number such as 3", name,
                                            attribute, found->second));
  }
  return value;
}

double CaseFile::number(const std::string& attribute, double otherwise) const {
  const auto found = attrs.find(attribute);
  if (found == attrs.end()) return otherwise;
  double value = 0.0;
  if (parse_number(found->second, value) != std::errc()) {
    throw std::invalid_argument(
        fmt::format("case {}: attribute {} is '{}', and must be a number such as 0.5", name, attribute, found->second));
  }
  return value;
}

float CaseFile::float_number(const std::string& attribute, float otherwise) const {
  const double value = number(attribute, static_cast<double>(otherwise));
  const auto rounded = static_cast<float>(value);
  if (std::isfinite(value) && (!std::isfinite(rounded) || (rounded == 0.0F && value != 0.0))) {
    throw std::invalid_argument(fmt::format("case {}: attribute {} is '{}', and must be a number that a float can hold",
                                            name, attribute, word(attribute, "")));
  }
  return rounded;
}

std::string CaseFile::word(const std::string& attribute, const std::string& otherwise) const {
  const auto found = attrs.find(attribute);
  return found == attrs.end() ? otherwise : found->second;
}

CaseFile read_case(const std::string& path) {
  if (path == "-") return parse_case(read_all(stdin, "standard input"), "standard input");
  const std::string where = shown_file(path);
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (!file) throw std::invalid_argument(fmt::format("{}: cannot be opened: {}", where, std::strerror(errno)));
  return parse_case(read_all(file.get(), where), where);
}

std::string case_text(const CaseFile& written) {
  std::string text;
  for (const std::string& comment : written.comments) text += fmt::format("#{}\n", comment);
  text += fmt::format("case {}\nop {}\n", written.name, written.op);
  if (!written.source.empty()) text += fmt::format("source {}\n", written.source);
  for (const std::string& attribute : written.attr_order) {
    text += fmt::format("attr {} {}\n", attribute, written.attrs.at(attribute));
  }
  text += fmt::format("tolerance {} {}\n", written.stated_tolerance.atol, written.stated_tolerance.rtol);
  for (const CaseTensor& tensor : written.declared) {
    const Tensor& value = tensor.is_output ? written.output(tensor.name) : written.input(tensor.name);
    text += tensor.formula ? "hashed" : tensor.is_output ? "output" : "input";
    text += fmt::format(" {} {} {}", tensor.name, tensor.type, value.rank());
    for (const std::size_t size : value.shape()) text += fmt::format(" {}", size);
    if (tensor.formula) {
      text += fmt::format(" {} {}\n", tensor.formula->seed, tensor.formula->amplitude);
    } else {
      text += '\n';
      append_values(text, value, tensor.type);
    }
  }
  return text + "end\n";
}

}  // namespace attn
