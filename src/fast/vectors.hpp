#pragma once

// A vector: as many floats as one instruction handles. A kernel includes this and is compiled once for each level of
// the processor (level.hpp), so everything here is private to the file that includes it.

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <utility>

namespace attn::fast {
namespace {

#if defined(ATTENTION_PLAIN_LOOPS) || !defined(__GNUC__)
inline constexpr const char* level_name = "plain loops";
inline constexpr std::size_t lanes = 1;  // no vectors: plain loops, one float at a time
inline constexpr std::size_t tile_vectors = 2;
#elif defined(__AVX512F__)
inline constexpr const char* level_name = "AVX-512";
inline constexpr std::size_t lanes = 16;  // AVX-512 has 32 registers
inline constexpr std::size_t tile_vectors = 4;
#elif defined(__AVX2__)
inline constexpr const char* level_name = "AVX2";
inline constexpr std::size_t lanes = 8;  // AVX2 has 16
inline constexpr std::size_t tile_vectors = 2;
#elif defined(__aarch64__)
inline constexpr const char* level_name = "NEON";
inline constexpr std::size_t lanes = 4;  // Arm has 32
inline constexpr std::size_t tile_vectors = 4;
#else
inline constexpr const char* level_name = "base";
inline constexpr std::size_t lanes = 4;  // every x86-64 has 16, and many another processor
inline constexpr std::size_t tile_vectors = 2;
#endif

#if defined(ATTENTION_PLAIN_LOOPS) || !defined(__GNUC__)
using Vector = float;
using Integers = int;
using Bits = unsigned;

template <int half, int... lane>
Vector interleave(Vector a, Vector b, std::integer_sequence<int, lane...> /*lanes*/) {
  return half == 0 ? a : b;
}
#else
using Vector = float __attribute__((vector_size(lanes * sizeof(float))));
using Integers = int __attribute__((vector_size(lanes * sizeof(int))));
using Bits = unsigned __attribute__((vector_size(lanes * sizeof(unsigned))));  // of a Vector, to be counted with

/// a0 b0 a1 b1 ... of the first halves of a and b (half 0), or of the second halves (half 1).
template <int half, int... lane>
Vector interleave(Vector a, Vector b, std::integer_sequence<int, lane...> /*lanes*/) {
  constexpr int size = sizeof...(lane);
  return __builtin_shufflevector(a, b, (lane / 2 + half * size / 2 + (lane % 2) * size)...);
}
#endif

/// In memory a vector need not begin at a multiple of its size.
inline Vector load(const float* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof(vector));
  return vector;
}

inline void store(float* to, Vector vector) {
  std::memcpy(to, &vector, sizeof(vector));
}

inline Vector broadcast(float number) {
  return number - Vector{};
}

/// 0, 1, 2, ...: each lane's own number.
inline Integers lane_numbers() {
  std::array<int, lanes> numbers{};
  for (std::size_t l = 0; l < lanes; ++l) numbers[l] = static_cast<int>(l);
  return std::bit_cast<Integers>(numbers);
}

inline std::size_t smaller(std::size_t a, std::size_t b) {
  return a < b ? a : b;
}

inline Vector greater(Vector a, Vector b) {
  return a > b ? a : b;
}

}  // namespace
}  // namespace attn::fast
