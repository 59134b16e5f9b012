#include "workloads/generators/uniform.h"

#include <boost/random/uniform_int_distribution.hpp>

#include "workloads/random_stream.h"

namespace ftlab::workloads {
namespace {

class Uniform final : public AddressPattern {
 public:
  Uniform(const SlotSet& slots, std::uint64_t seed) : slots_(slots), engine_(seed), pick_(0, slots.count - 1) {}

  void draw(std::span<std::uint32_t> out) override {
    for (std::uint32_t& slot : out) slot = slots_[pick_(engine_)];
  }

 private:
  const SlotSet& slots_;
  RandomEngine engine_;
  boost::random::uniform_int_distribution<std::uint32_t> pick_;
};

}  // namespace

std::unique_ptr<AddressPattern> make_uniform(const SlotSet& slots, const GeneratorConfig& /*config*/,
                                             std::uint64_t /*layout_seed*/, std::uint64_t draw_seed) {
  return std::make_unique<Uniform>(slots, draw_seed);
}

}  // namespace ftlab::workloads
