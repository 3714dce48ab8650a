#pragma once

#include <cstddef>
#include <vector>

namespace attn {

/// The addresses that were read or written, in their order, counted in numbers and not in bytes.
using AccessLog = std::vector<std::size_t>;

/// A number in memory that notes when it is read or written.
class WatchedFloat {
 public:
  WatchedFloat(float& number, std::size_t address, AccessLog& log) : number_(number), address_(address), log_(log) {}

  operator float() const {
    log_.push_back(address_);
    return number_;
  }
  void operator=(float value) const {
    log_.push_back(address_);
    number_ = value;
  }
  void operator=(const WatchedFloat& other) const { *this = static_cast<float>(other); }
  void operator+=(float value) const { *this = *this + value; }  // a read and a write

 private:
  float& number_;
  std::size_t address_;
  AccessLog& log_;
};

/// What stands where a pointer to floats would: the loops that run on it leave a list of what they touched.
class WatchedFloats {
 public:
  WatchedFloats(float* numbers, std::size_t address, AccessLog& log)
      : numbers_(numbers), address_(address), log_(&log) {}

  WatchedFloat operator[](std::size_t k) const { return {numbers_[k], address_ + k, *log_}; }
  WatchedFloats operator+(std::size_t k) const { return {numbers_ + k, address_ + k, *log_}; }

 private:
  float* numbers_;
  std::size_t address_;
  AccessLog* log_;
};

}  // namespace attn
