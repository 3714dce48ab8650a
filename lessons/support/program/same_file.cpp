#include "support/program/same_file.hpp"

#include <filesystem>
#include <system_error>

namespace attn {

bool is_same_file(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return false;
  std::error_code no_such_file;
  if (std::filesystem::exists(a, no_such_file)) {
    return std::filesystem::is_regular_file(a, no_such_file) && std::filesystem::equivalent(a, b, no_such_file);
  }
  const auto place = [&no_such_file](const std::string& file) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file, no_such_file), no_such_file);
  };
  return !place(a).empty() && place(a) == place(b);
}

}  // namespace attn
