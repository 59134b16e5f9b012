#include "workloads/generators/sequential.h"

namespace ftlab::workloads {
namespace {

class Sequential final : public AddressPattern {
 public:
  explicit Sequential(const SlotSet& slots) : slots_(slots) {}

  void draw(std::span<std::uint32_t> out) override {
    for (std::uint32_t& slot : out) {
      slot = slots_[next_];
      if (++next_ == slots_.count) next_ = 0;
    }
  }

 private:
  const SlotSet& slots_;
  std::uint32_t next_ = 0;
};

}  // namespace

std::unique_ptr<AddressPattern> make_sequential(const SlotSet& slots, const GeneratorConfig& /*config*/,
                                                std::uint64_t /*layout_seed*/, std::uint64_t /*draw_seed*/) {
  return std::make_unique<Sequential>(slots);
}

}  // namespace ftlab::workloads
