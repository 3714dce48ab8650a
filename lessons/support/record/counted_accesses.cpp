#include "support/record/counted_accesses.hpp"

#include "attention/embedding.hpp"
#include "support/record/cache_simulator.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <fmt/core.h>

#include <array>

namespace attn {

namespace {

constexpr std::size_t matrix_size = small_size * small_size;

Region region_of(std::size_t address) {
  return static_cast<Region>(address / matrix_size);
}

const Tensor& value(const Board& board, const std::string& name) {
  return board.trace().step(name).value;
}

Tensor as_tensor(const AccessLog& log) {
  Tensor addresses({log.size()});
  for (std::size_t k = 0; k < log.size(); ++k) addresses(k) = static_cast<float>(log[k]);
  return addresses;
}

/// [accesses]: 1 for a miss.
Tensor misses_of(const AccessLog& log) {
  Cache cache(small_cache);
  Tensor misses({log.size()});
  for (std::size_t k = 0; k < log.size(); ++k) misses(k) = cache.access(log[k]) ? 1.0F : 0.0F;
  return misses;
}

/// [3, accesses]
Tensor whose_accesses(const AccessLog& log) {
  Tensor whose({counted_regions.size(), log.size()});
  for (std::size_t k = 0; k < log.size(); ++k) {
    const Region region = region_of(log[k]);
    whose(static_cast<std::size_t>(region == Region::copy ? Region::B : region), k) = 1.0F;
  }
  return whose;
}

/// Records the sum of each row as a row of its own, [1, rows]; its name.
std::string record_counts(Board& board, const std::string& step, const std::string& name) {
  board.record(name, sum(value(board, step), -1), sum(step, -1));
  const std::string row = name + "_row";
  board.record(row, reshape(value(board, name), {1, counted_regions.size()}),
               reshape(name).with_columns(board.trace().step(step).rows));
  return row;
}

/// Records the rows of all ways below each other, and at the right what each adds up to.
void record_table(Board& board, const std::vector<std::string>& rows, const std::string& name) {
  std::vector<std::string> ways;
  std::vector<Tensor> values;
  for (const std::string& row : rows) values.push_back(value(board, row));
  for (const Way way : counted_ways) ways.emplace_back(name_of(way));
  const std::string parts = name + "_by_matrix";
  const std::string all = name + "_all";
  board.record(parts, concat(values, 0), concat(rows, 0).with_rows(ways));
  board.record(name + "_sums", sum(value(board, parts), -1), sum(parts, -1));
  board.record(all, reshape(value(board, name + "_sums"), {ways.size(), 1}),
               reshape(name + "_sums").with_rows(ways).with_columns({"all"}));
  board.record(name, concat({value(board, parts), value(board, all)}, 1), concat({parts, all}, 1));
}

}  // namespace

std::size_t first_address(Region region) {
  return static_cast<std::size_t>(region) * matrix_size;
}

std::string name_of_address(std::size_t address) {
  constexpr std::array names = {"A", "B", "C", "copy"};
  const Region region = region_of(address);
  const std::size_t place = address - first_address(region);
  const std::size_t row = region == Region::copy ? small_tile_columns : small_size;
  return fmt::format("{}[{},{}]", names[static_cast<std::size_t>(region)], place / row, place % row);
}

AccessLog accesses_of(Way way) {
  AccessLog log;
  std::vector<float> memory(counted_regions.size() * matrix_size + small_block * small_tile_columns);
  const auto numbers = [&](Region region) {
    return WatchedFloats(memory.data() + first_address(region), first_address(region), log);
  };
  const Grid<WatchedFloats> a = {numbers(Region::A), small_size};
  const Grid<WatchedFloats> b = {numbers(Region::B), small_size};
  const Grid<WatchedFloats> c = {numbers(Region::C), small_size};
  const ProductSizes sizes = {.rows = small_size, .columns = small_size, .depth = small_size};
  const BlockSizes block = {.columns = small_block, .depth = small_block};
  if (way == Way::ijk) product_ijk(a, b, c, sizes);
  if (way == Way::ikj) product_ikj(a, b, c, sizes);
  if (way == Way::blocked) product_blocked(a, b, c, sizes, block);
  if (way == Way::tiled) product_tiled(a, b, c, sizes, block);
  if (way == Way::packed) product_packed(a, b, c, numbers(Region::copy), sizes, block);
  return log;
}

std::string steps_of(Way way) {
  return std::string(name_of(way)).substr(2) + ".";
}

void record_accesses(Board& board) {
  std::vector<std::string> accesses;
  std::vector<std::string> misses;
  for (const Way way : counted_ways) {
    const std::string own = steps_of(way);
    const AccessLog log = accesses_of(way);
    board.record(own + "addresses", as_tensor(log), given());
    board.record(own + "misses", misses_of(log), cache_misses(own + "addresses", small_cache));
    board.record(own + "whose", whose_accesses(log), given().with_rows({"A", "B", "C"}));
    board.record(own + "missed", multiply(value(board, own + "whose"), value(board, own + "misses")),
                 multiply(own + "whose", own + "misses"));
    accesses.push_back(record_counts(board, own + "whose", own + "accessed_by"));
    misses.push_back(record_counts(board, own + "missed", own + "missed_by"));
  }
  record_table(board, accesses, "accesses");
  record_table(board, misses, "misses");
}

void record_first(Board& board, Way way, std::size_t count) {
  const std::string own = steps_of(way);
  std::vector<std::string> rows;
  for (const char* step : {"addresses", "misses"}) {
    const std::string first = own + "first_" + step;
    board.record(first, slice(value(board, own + step), 0, 0, count), slice(own + step, 0, 0, count));
    rows.push_back(first + "_row");
    board.record(rows.back(), reshape(value(board, first), {1, count}), reshape(first));
  }
  board.record(own + "first", concat({value(board, rows[0]), value(board, rows[1])}, 0),
               concat(rows, 0).with_rows({"address", "miss"}));
}

std::vector<std::string> first_names(Way way, std::size_t count) {
  std::vector<std::string> names;
  for (const std::size_t address : accesses_of(way)) {
    if (names.size() < count) names.push_back(name_of_address(address));
  }
  return names;
}

void record_fetched(Board& board, Way way, std::size_t i) {
  const std::string own = steps_of(way);
  const AccessLog log = accesses_of(way);
  // B is read once for each row of A, so a number's read for row i is read i of it.
  Tensor reads({matrix_size});
  std::vector<std::size_t> seen(matrix_size);
  for (std::size_t k = 0; k < log.size(); ++k) {
    if (region_of(log[k]) != Region::B) continue;
    const std::size_t place = log[k] - first_address(Region::B);
    if (seen[place]++ == i) reads(place) = static_cast<float>(k);
  }
  board.record(own + "B_reads", reads, given());
  board.record(own + "misses_column", reshape(value(board, own + "misses"), {log.size(), 1}), reshape(own + "misses"));
  board.record(own + "B_misses", gather(value(board, own + "misses_column"), reads),
               gather(own + "misses_column", own + "B_reads"));
  board.record(own + "B", reshape(value(board, own + "B_misses"), {small_size, small_size}), reshape(own + "B_misses"));
}

}  // namespace attn
