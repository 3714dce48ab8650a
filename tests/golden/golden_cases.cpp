#include "golden/golden_cases.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

namespace attn {

namespace {

template <typename Walk>
std::vector<std::string> cases_in(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : Walk(folder)) {
    if (entry.path().extension() == ".case") paths.push_back(entry.path().string());
  }
  if (paths.empty()) throw std::runtime_error(fmt::format("{}: there are no .case files", folder));
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

std::string golden_path(const std::string& below_golden) {
  return std::string(GOLDEN_DIR) + "/" + below_golden;
}

std::vector<std::string> golden_cases(const std::string& folder) {
  return cases_in<std::filesystem::directory_iterator>(golden_path(folder));
}

std::vector<std::string> all_golden_cases() {
  return cases_in<std::filesystem::recursive_directory_iterator>(GOLDEN_DIR);
}

}  // namespace attn
