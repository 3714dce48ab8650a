#include "lessons/checker/ops.hpp"

#include <cmath>
#include <set>
#include <vector>

namespace checker {

/// Looks back from each address: a set of `places` lines has let a line go when so many others of the set were used
/// since.
Expected cache_misses(const Step& step) {
  const Array& addresses = *step.inputs[0];
  const std::size_t size = step.whole_attribute("line");
  const std::size_t sets = step.whole_attribute("sets");
  require(addresses.rank() == 1 && size > 0 && sets > 0, "no cache of {} sets of lines of {} has {}", sets, size,
          addresses.shape);
  std::vector<std::size_t> lines;
  for (const double address : addresses.values) {
    require(address >= 0.0 && address == std::floor(address), "{} is no address", address);
    lines.push_back(static_cast<std::size_t>(address) / size);
  }
  Expected expected(addresses.shape);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    std::set<std::size_t> since;
    std::size_t before = k;
    while (before > 0 && lines[before - 1] != lines[k]) {
      --before;
      if (lines[before] % sets == lines[k] % sets) since.insert(lines[before]);
    }
    const bool is_first = before == 0;
    expected.moved(is_first || since.size() >= step.whole_attribute("places") ? 1.0 : 0.0);
  }
  return expected;
}

}  // namespace checker
