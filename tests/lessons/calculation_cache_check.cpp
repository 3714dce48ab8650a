// Numbers that say whether a line was in a cache.

#include "lessons/calculation_check.hpp"

#include <cmath>
#include <regex>
#include <set>
#include <vector>

/// "1, because line 18 (addresses 72 to 75) was used at 3, then 2 other lines of its set, which holds 2"
void CalculationCheck::check_access(const Place& at, const std::string& said, const std::string& whole) {
  static const std::regex form(
      R"(([01]), because line (\d+) \(addresses (\d+) to (\d+)\) (?:is used for the first time|)"
      R"(was used at (\d+), then (\d+) other lines? of its set, which holds (\d+)))");
  std::smatch found;
  if (!std::regex_match(said, found, form)) return problems.push_back("cannot be read: " + whole);
  const std::vector<double>& addresses = trace_.step(at.step->inputs[0]).values;
  const double size = at.step->attributes.at("line");
  const double sets = at.step->attributes.at("sets");
  const double places = at.step->attributes.at("places");
  const auto line_at = [&](std::size_t k) { return std::floor(addresses[k] / size); };
  const auto number = [&](std::size_t group) { return std::stod(found[group].str()); };
  const double line = line_at(at.column);
  require(
      number(1) == at.value() && number(2) == line && number(3) == line * size && number(4) == line * size + size - 1,
      "another line: " + whole);
  std::size_t after = at.column;  // the access after the last that used this line
  while (after > 0 && line_at(after - 1) != line) --after;
  if (!found[5].matched) return require(after == 0 && number(1) == 1.0, "it was used before: " + whole);
  require(after > 0 && number(5) + 1.0 == static_cast<double>(after), "not used there: " + whole);
  std::set<double> others;
  for (std::size_t k = after; k < at.column; ++k) {
    if (std::fmod(line_at(k), sets) == std::fmod(line, sets)) others.insert(line_at(k));
  }
  const auto count = static_cast<double>(others.size());
  require(number(6) == count && number(7) == places && number(1) == (count >= places ? 1.0 : 0.0),
          "not so many lines: " + whole);
}
