// Turns an address pattern into requests: length, reads mixed in, number of requests. Closed loop (arrival 0).
// Reads have streams of their own, so that reads mixed in do not change which pages are written in which order.
#pragma once

#include <array>
#include <boost/random/bernoulli_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstdint>
#include <memory>
#include <string_view>

#include "workloads/generators/generators.h"
#include "workloads/generators/layout.h"
#include "workloads/random_stream.h"
#include "workloads/request.h"

namespace ftlab::workloads {

class GeneratorSource final : public RequestSource {
 public:
  /// Throws InputError on a value outside its range.
  GeneratorSource(const GeneratorEntry& entry, const GeneratorConfig& config, std::uint64_t device_bytes,
                  std::uint64_t seed);

  std::size_t next(std::span<Request> batch) override;
  [[nodiscard]] std::uint64_t size_hint() const override { return size_hint_; }

 private:
  /// Slots drawn ahead, so that the virtual call is paid once per few hundred requests.
  struct Ahead {
    std::unique_ptr<AddressPattern> pattern;
    std::array<std::uint32_t, 256> slots{};
    std::size_t used = 256;
    std::uint32_t take();
  };
  std::uint32_t next_read_slot();

  GeneratorLayout layout_;
  SlotRoles roles_;
  Ahead writes_;
  Ahead reads_;
  RandomEngine mix_engine_;
  RandomEngine read_only_engine_;
  boost::random::bernoulli_distribution<double> is_read_;
  boost::random::bernoulli_distribution<double> is_read_only_;
  boost::random::uniform_int_distribution<std::uint32_t> read_only_pick_;
  std::uint64_t left_ = 0;        ///< requests still to come, those of the warm-up aside
  std::uint64_t to_warm_up_ = 0;  ///< bytes still to be written before
  std::uint64_t size_hint_ = 0;
};

}  // namespace ftlab::workloads
