#pragma once

#include <string>

namespace attn {

/// Do both names lead to one file? Files that are not there yet are the same when their names lead to the same place.
/// Devices and pipes are no files.
[[nodiscard]] bool is_same_file(const std::string& a, const std::string& b);

}  // namespace attn
