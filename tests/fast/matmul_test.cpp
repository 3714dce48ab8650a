#include "fast/matmul.hpp"

#include "catch.hpp"
#include "fast/reference.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

namespace attn::fast {

namespace {

/// Sizes around every edge: of a vector, a tile and a block.
const std::vector<std::size_t> edges = {0,  1,  2,  3,  5,  6,  7,  8,  11, 12, 13, 15, 16, 17,  31,  32, 33,
                                        47, 48, 49, 63, 64, 65, 66, 79, 80, 95, 96, 97, 98, 127, 128, 129};

void check_product(Engine& engine, std::size_t rows, std::size_t columns, std::size_t depth, std::size_t threads,
                   const Kernels& kernels) {
  const bool a_transposed = engine() % 2 == 0;
  const bool b_transposed = engine() % 2 == 0;
  RandomProduct random(engine, rows, columns, depth, a_transposed, b_transposed);
  matmul(&random.product, 1, threads, kernels);
  const std::string difference = difference_from(expected_product(random.product), random.product);
  CAPTURE(kernels.level, rows, columns, depth, threads, a_transposed, b_transposed, difference);
  CHECK(difference.empty());
  CHECK(random.untouched_around_c());
}

}  // namespace

TEST_CASE("a blocked product is the textbook's, at sizes around every edge, on every level", "[fast][matmul]") {
  const Kernels& kernels = *GENERATE(from_range(kernels_here()));
  Engine engine(1);
  for (const std::size_t size : edges) {
    for (const std::size_t threads : {1U, 2U}) {
      check_product(engine, size, 19, 23, threads, kernels);
      check_product(engine, 19, size, 23, threads, kernels);
      check_product(engine, 19, 23, size, threads, kernels);
      check_product(engine, size, size, 5, threads, kernels);
    }
  }
}

TEST_CASE("a blocked product is the textbook's past the edge of each block", "[fast][matmul]") {
  const Kernels& kernels = *GENERATE(from_range(kernels_here()));
  Engine engine(2);
  for (const std::size_t size : {511U, 512U, 513U, 1023U, 1024U, 1025U, 1037U}) {
    check_product(engine, 7, 17, size, 1, kernels);
    check_product(engine, 70, 17, size, 1, kernels);
    check_product(engine, 7, size, 17, 1, kernels);
    check_product(engine, 97, size, 3, 2, kernels);
    check_product(engine, size, 17, 7, 2, kernels);
  }
  check_product(engine, 193, 1025, 513, 2, kernels);
  check_product(engine, 391, 403, 517, 1, kernels);  // so large that B is packed however it lies
  for (const std::size_t columns : {65U, 77U, 129U, 150U, 577U}) check_product(engine, 100, columns, 530, 1, kernels);
}

TEST_CASE("the pieces of a product hold each of its numbers once, and begin at whole tiles", "[fast][matmul]") {
  const std::size_t count = GENERATE(range(1U, 9U));
  for (const std::size_t rows : {0U, 1U, 5U, 6U, 7U, 13U, 64U, 97U, 600U}) {
    for (const std::size_t columns : {0U, 1U, 3U, 16U, 17U, 63U, 130U, 513U}) {
      for (const std::size_t tile_columns : {2U, 16U, 64U}) {
        CAPTURE(count, rows, columns, tile_columns);
        std::vector<int> written(rows * columns, 0);
        for (std::size_t index = 0; index < count; ++index) {
          const Piece piece = piece_of(rows, columns, 6, tile_columns, index, count);
          REQUIRE(piece.first_row + piece.rows <= rows);
          REQUIRE(piece.first_column + piece.columns <= columns);
          CHECK((piece.rows == 0 || piece.first_row % 6 == 0));
          CHECK((piece.columns == 0 || piece.first_column % tile_columns == 0));
          for (std::size_t i = 0; i < piece.rows; ++i) {
            for (std::size_t j = 0; j < piece.columns; ++j) {
              ++written[(piece.first_row + i) * columns + piece.first_column + j];
            }
          }
        }
        CHECK(std::count(written.begin(), written.end(), 1) == static_cast<std::ptrdiff_t>(written.size()));
      }
    }
  }
}

TEST_CASE("small whole numbers are multiplied exactly", "[fast][matmul]") {
  const std::vector<float> a = {1, 2, 3, 4, 5, 6};   // [2, 3]
  const std::vector<float> b = {1, 0, 2, 1, 0, -1};  // [3, 2]
  std::vector<float> c(4);
  const Product product{
      .rows = 2, .columns = 2, .depth = 3, .a = {a.data(), 3}, .b = {b.data(), 2}, .c = c.data(), .c_row = 2};
  matmul(&product, 1, 1);
  CHECK(c == std::vector<float>{5, -1, 14, -1});
  const std::vector<float> a_T = {1, 4, 2, 5, 3, 6};
  const std::vector<float> b_T = {1, 2, 0, 0, 1, -1};
  const Product other{
      .rows = 2, .columns = 2, .depth = 3, .a = {a_T.data(), 1, 2}, .b = {b_T.data(), 1, 3}, .c = c.data(), .c_row = 2};
  c.assign(4, 0.0F);
  matmul(&other, 1, 1);
  CHECK(c == std::vector<float>{5, -1, 14, -1});
}

TEST_CASE("a sum of nothing is 0, and no products are no work", "[fast][matmul]") {
  std::vector<float> c(6, 9.0F);
  const Product product{.rows = 2, .columns = 3, .depth = 0, .a = {}, .b = {}, .c = c.data(), .c_row = 3};
  matmul(&product, 1, 3);
  CHECK(c == std::vector<float>(6, 0.0F));
  matmul(nullptr, 0, 2);
}

TEST_CASE("the number of threads changes no bit of a product", "[fast][matmul]") {
  Engine engine(3);
  const auto [rows, columns, depth] = GENERATE(table<std::size_t, std::size_t, std::size_t>(
      {{256, 256, 256}, {100, 77, 530}, {1, 2048, 512}, {700, 31, 64}, {33, 700, 129}, {520, 520, 512}}));
  RandomProduct random(engine, rows, columns, depth, false, engine() % 2 == 0);
  matmul(&random.product, 1, 1);
  const std::vector<float> alone = random.c;
  for (std::size_t threads = 2; threads <= 8; ++threads) {
    std::fill(random.c.begin(), random.c.end(), 0.0F);
    matmul(&random.product, 1, threads);
    CAPTURE(rows, columns, depth, threads);
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t row = static_cast<std::size_t>(random.product.c - random.c.data()) + i * random.product.c_row;
      REQUIRE(std::memcmp(&random.c[row], &alone[row], columns * sizeof(float)) == 0);
    }
  }
}

TEST_CASE("products of several heads are computed together, and each is its own", "[fast][matmul]") {
  Engine engine(4);
  std::vector<std::unique_ptr<RandomProduct>> heads;
  std::vector<Product> products;
  for (std::size_t h = 0; h < 5; ++h) {
    heads.push_back(std::make_unique<RandomProduct>(engine, 40 + h, 50, 60 + 7 * h, h % 2 == 0, h % 3 == 0));
    products.push_back(heads.back()->product);
  }
  const std::size_t threads = GENERATE(1U, 2U, 7U, 16U);
  matmul(products.data(), products.size(), threads);
  for (const auto& head : heads) CHECK(difference_from(expected_product(head->product), head->product).empty());
}

TEST_CASE("NaN and infinity go through a product as in the textbook: 0 times infinity is NaN", "[fast][matmul]") {
  const Kernels& kernels = *GENERATE(from_range(kernels_here()));
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  Engine engine(5);
  for (const float special : {infinity, -infinity, nan}) {
    for (const std::size_t columns : {1U, 16U, 17U, 70U}) {
      RandomProduct random(engine, 9, columns, 20, false, columns == 17);
      random.a[static_cast<std::size_t>(random.product.a.at(4, 7) - random.a.data())] = special;
      const std::size_t zero = static_cast<std::size_t>(random.product.b.at(7, columns / 2) - random.b.data());
      random.b[zero] = 0.0F;  // meets `special` in row 4
      matmul(&random.product, 1, 1, kernels);
      CAPTURE(kernels.level, special, columns);
      CHECK(difference_from(expected_product(random.product), random.product).empty());
    }
  }
}

TEST_CASE("what lies in the gaps between rows never reaches a result", "[fast][matmul]") {
  const Kernels& kernels = *GENERATE(from_range(kernels_here()));
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const std::size_t columns = GENERATE(1U, 5U, 16U, 23U, 64U, 77U);
  std::vector<float> a(8 * 12, nan);
  std::vector<float> b(10 * (columns + 3), nan);
  std::vector<float> c(8 * columns, nan);
  for (std::size_t i = 0; i < 8; ++i) std::fill_n(a.begin() + static_cast<std::ptrdiff_t>(i * 12), 10, 1.0F);
  for (std::size_t k = 0; k < 10; ++k) {
    std::fill_n(b.begin() + static_cast<std::ptrdiff_t>(k * (columns + 3)), columns, 2.0F);
  }
  const Product product{.rows = 8,
                        .columns = columns,
                        .depth = 10,
                        .a = {a.data(), 12},
                        .b = {b.data(), columns + 3},
                        .c = c.data(),
                        .c_row = columns};
  matmul(&product, 1, 1, kernels);
  CHECK(c == std::vector<float>(8 * columns, 20.0F));
}

}  // namespace attn::fast
