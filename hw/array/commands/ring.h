// A queue in a ring that grows when it must. Knows nothing of what it holds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace ftlab::hw::array {

template <class T>
class Ring {
 public:
  Ring() : Ring(16) {}
  /// `capacity`: a power of two.
  explicit Ring(std::size_t capacity) : slots_(capacity) {}

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] bool full() const { return count_ == slots_.size(); }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] std::size_t capacity() const { return slots_.size(); }
  /// From the oldest.
  [[nodiscard]] T& operator[](std::size_t i) { return slots_[(first_ + i) & (slots_.size() - 1)]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return slots_[(first_ + i) & (slots_.size() - 1)]; }
  [[nodiscard]] T& front() { return slots_[first_]; }
  [[nodiscard]] T& back() { return (*this)[count_ - 1]; }

  void push(T&& value) { append() = std::move(value); }
  /// A new youngest one, to be written over: it is whatever was there.
  T& append() {
    if (full()) [[unlikely]]
      grow();
    return slots_[(first_ + count_++) & (slots_.size() - 1)];
  }
  void append(std::span<const T> values) {
    while (slots_.size() - count_ < values.size()) grow();
    const std::size_t next = (first_ + count_) & (slots_.size() - 1);
    const std::size_t before_wrap = std::min(values.size(), slots_.size() - next);
    std::copy_n(values.begin(), before_wrap, slots_.begin() + static_cast<std::ptrdiff_t>(next));
    std::copy(values.begin() + static_cast<std::ptrdiff_t>(before_wrap), values.end(), slots_.begin());
    count_ += values.size();
  }
  T pop_front() {
    T value = std::move(slots_[first_]);
    first_ = (first_ + 1) & (slots_.size() - 1);
    --count_;
    return value;
  }
  /// Leaves them where they are, to be written over.
  void drop_front(std::size_t count = 1) {
    first_ = (first_ + count) & (slots_.size() - 1);
    count_ -= count;
  }
  T pop_back() { return std::move((*this)[--count_]); }
  void clear() {
    while (!empty()) pop_back();
  }

 private:
  [[gnu::noinline, gnu::cold]] void grow() {
    std::vector<T> more(2 * slots_.size());
    for (std::size_t i = 0; i < count_; ++i) more[i] = std::move((*this)[i]);
    slots_.swap(more);
    first_ = 0;
  }

  std::vector<T> slots_;
  std::size_t first_ = 0;
  std::size_t count_ = 0;
};

}  // namespace ftlab::hw::array
