#include "support/cases/case_comparison.hpp"

#include "board/digits.hpp"
#include "support/cases/case_numbers.hpp"
#include "tensor/layout.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace attn {

namespace {

/// The largest difference among the numbers that are not close enough.
Difference worst_beyond(const Tensor& got, const Tensor& want, Tolerance tolerance, std::size_t& beyond) {
  Difference worst;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const float g = got.values()[i];
    const float w = want.values()[i];
    if (is_close(static_cast<double>(g), static_cast<double>(w), tolerance)) continue;
    const double difference = largest_difference(Tensor({}, g), Tensor({}, w)).largest;
    if (beyond++ == 0 || difference > worst.largest) {
      worst = {.largest = difference, .where = index_at(got.shape(), i), .got = g, .want = w};
    }
  }
  return worst;
}

std::string names_of(const std::map<std::string, Tensor>& tensors) {
  std::string names;
  for (const auto& [name, value] : tensors) names += fmt::format("{}{}", names.empty() ? "" : " ", name);
  return names;
}

}  // namespace

std::vector<ComparedOutput> compare_outputs(const CaseFile& file, const std::map<std::string, Tensor>& ours) {
  std::vector<ComparedOutput> compared;
  for (const CaseTensor& declared : file.declared) {
    if (!declared.is_output) continue;
    const auto found = ours.find(declared.name);
    if (found == ours.end()) {
      throw std::invalid_argument(
          fmt::format("{} has no output {}; it has: {}", file.op, declared.name, names_of(ours)));
    }
    const Tensor& got = found->second;
    const Tensor& want = file.output(declared.name);
    ComparedOutput one{.name = declared.name, .got = got.shape(), .want = want.shape(), .worst = {}};
    one.numbers = want.size();
    if (one.got == one.want) {
      const Difference beyond = worst_beyond(got, want, file.tolerance, one.beyond);
      one.worst = one.beyond > 0 ? beyond : largest_difference(got, want);
      one.holds = one.beyond == 0;
    }
    compared.push_back(std::move(one));
  }
  return compared;
}

bool all_hold(const std::vector<ComparedOutput>& compared) {
  return std::all_of(compared.begin(), compared.end(), [](const ComparedOutput& one) { return one.holds; });
}

std::string tolerance_text(const CaseFile& file) {
  const Tolerance& held = file.tolerance;
  const Tolerance& stated = file.stated_tolerance;
  const std::string text = fmt::format("{} + {} |theirs|", held.atol, held.rtol);
  if (held.atol == stated.atol && held.rtol == stated.rtol) return text;
  return fmt::format("{}, not {} + {} |theirs|, because the case is in float64 and we compute in float32", text,
                     stated.atol, stated.rtol);
}

std::string comparison_text(const ComparedOutput& compared) {
  const bool renamed = !compared.step.empty() && compared.step != compared.name;
  const std::string name = renamed ? fmt::format("{} (on the page: {})", compared.name, compared.step) : compared.name;
  if (compared.got != compared.want) {
    return fmt::format("{}: ours is {}, theirs {}", name, to_string(compared.got), to_string(compared.want));
  }
  if (compared.numbers == 0) return fmt::format("{}: {}, no numbers", name, to_string(compared.got));
  const Difference& worst = compared.worst;
  const std::string how_many =
      compared.beyond == 0 ? "" : fmt::format("{} of {} numbers are too far off; ", compared.beyond, compared.numbers);
  const std::string where = worst.where.empty() ? "" : fmt::format(", at {}", to_string(worst.where));
  return fmt::format("{}: {}largest difference {}{}: ours {}, theirs {}", name, how_many,
                     std::isfinite(worst.largest) ? difference_text(worst.largest) : "is no number", where,
                     number_text(worst.got, "float32"), number_text(worst.want, "float32"));
}

}  // namespace attn
