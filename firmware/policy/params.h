// A policy's own parameters: a struct and its rows (common/fields.h) in the policy's file, seen from outside as a block
// of bytes and rows that lead into it. Knows no policy.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "common/fields.h"

namespace ftlab::fms {

struct ParamBlock {
  static constexpr std::size_t kBytes = 32;

  template <class Params>
  [[nodiscard]] Params& as() {
    check_size<Params>();
    return *std::launder(reinterpret_cast<Params*>(bytes.data()));
  }
  template <class Params>
  [[nodiscard]] const Params& as() const {
    check_size<Params>();
    return *std::launder(reinterpret_cast<const Params*>(bytes.data()));
  }
  /// The members' initialisers are the defaults.
  template <class Params>
  static void fill(ParamBlock& block) {
    check_size<Params>();
    ::new (static_cast<void*>(block.bytes.data())) Params{};
  }

  alignas(std::uint64_t) std::array<std::byte, kBytes> bytes{};

 private:
  template <class Params>
  static constexpr void check_size() {
    static_assert(sizeof(Params) <= kBytes && alignof(Params) <= alignof(std::uint64_t), "make ParamBlock larger");
    static_assert(std::is_trivially_copyable_v<Params> && std::is_trivially_destructible_v<Params>);
  }
};

/// Row `i` of P::kFields, as a row of the block that holds a P::Params.
template <class P, std::size_t i>
constexpr Field<ParamBlock> block_field() {
  using Params = typename P::Params;
  Field<ParamBlock> row;
  static_cast<FieldText&>(row) = P::kFields[i];
  row.at = [](ParamBlock& block) { return P::kFields[i].at(block.as<Params>()); };
  if (P::kFields[i].get != nullptr)
    row.get = [](const ParamBlock& block) { return P::kFields[i].get(block.as<Params>()); };
  if (P::kFields[i].set != nullptr)
    row.set = [](ParamBlock& block, std::size_t name) { P::kFields[i].set(block.as<Params>(), name); };
  return row;
}

template <class P, std::size_t... i>
constexpr auto block_fields_of(std::index_sequence<i...>) {
  return std::array{block_field<P, i>()...};
}

template <class P>
inline constexpr auto kBlockFields = block_fields_of<P>(std::make_index_sequence<std::size(P::kFields)>{});

}  // namespace ftlab::fms
