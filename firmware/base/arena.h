// Bump allocator over memory that the caller supplies; sized once at construction, nothing is ever released.
// A null base only measures, so that arena_bytes() and the real layout are one and the same code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace ftlab {

class Arena {
 public:
  /// base == nullptr: measure only; every span handed out is then empty.
  Arena(std::byte* base, std::size_t size) : base_(base), size_(size) {}

  /// `count` value-initialised elements; an empty span when measuring or exhausted (see fits()).
  template <class T>
  std::span<T> take(std::size_t count) {
    const std::size_t at = (used_ + alignof(std::max_align_t) - 1) & ~(alignof(std::max_align_t) - 1);
    used_ = at + count * sizeof(T);
    if (base_ == nullptr || used_ > size_) return {};
    T* first = reinterpret_cast<T*>(base_ + at);
    std::uninitialized_value_construct_n(first, count);
    return {first, count};
  }

  /// One object, which is never destroyed; null when measuring or exhausted.
  template <class T, class... Args>
  T* make(Args&&... args) {
    static_assert(alignof(T) <= alignof(std::max_align_t) && std::is_trivially_destructible_v<T>);
    std::byte* at = take<std::byte>(sizeof(T)).data();
    return at == nullptr ? nullptr : ::new (static_cast<void*>(at)) T(std::forward<Args>(args)...);
  }

  [[nodiscard]] std::size_t used() const { return used_; }
  [[nodiscard]] bool fits() const { return base_ != nullptr && used_ <= size_; }

 private:
  std::byte* base_;
  std::size_t size_;
  std::size_t used_ = 0;
};

/// Makes an object in the arena, and what its layout() takes, if it has one; null when the arena only measures, or is
/// exhausted.
template <class Base, class Made, class Setup>
Base* make_laid_out(Arena& arena, const Setup& setup) {
  Made* made = arena.make<Made>(setup);
  if constexpr (requires(Made & m) { m.layout(arena); }) {
    if (made != nullptr)
      made->layout(arena);
    else
      Made(setup).layout(arena);
  }
  return made;
}

}  // namespace ftlab
