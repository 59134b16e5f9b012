#include "workloads/generators/hot_cold.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/random/bernoulli_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "common/input_error.h"
#include "workloads/random_stream.h"

namespace ftlab::workloads {
namespace {

class HotCold final : public AddressPattern {
 public:
  /// The first `hot` members of `order` are the hot set.
  HotCold(std::vector<std::uint32_t> order, std::uint32_t hot, double hot_access, std::uint64_t seed)
      : order_(std::move(order)),
        engine_(seed),
        is_hot_(hot_access),
        hot_(0, hot == 0 ? 0 : hot - 1),
        cold_(hot == order_.size() ? 0 : hot, static_cast<std::uint32_t>(order_.size() - 1)) {
    classes_.assign(order_.empty() ? 0 : std::ranges::max(order_) + 1, kCold);
    for (std::uint32_t i = 0; i < hot; ++i) classes_[order_[i]] = kHot;
  }

  void draw(std::span<std::uint32_t> out) override {
    for (std::uint32_t& slot : out) slot = order_[is_hot_(engine_) ? hot_(engine_) : cold_(engine_)];
  }
  [[nodiscard]] std::uint8_t class_of(std::uint32_t slot) const override { return classes_[slot]; }

 private:
  static constexpr std::uint8_t kHot = 1;
  static constexpr std::uint8_t kCold = 2;

  std::vector<std::uint32_t> order_;
  std::vector<std::uint8_t> classes_;  ///< by slot
  RandomEngine engine_;
  boost::random::bernoulli_distribution<double> is_hot_;
  boost::random::uniform_int_distribution<std::uint32_t> hot_;
  boost::random::uniform_int_distribution<std::uint32_t> cold_;
};

}  // namespace

std::unique_ptr<AddressPattern> make_hot_cold(const SlotSet& slots, const GeneratorConfig& config,
                                              std::uint64_t layout_seed, std::uint64_t draw_seed) {
  const auto hot = static_cast<std::uint32_t>(std::llround(config.hot_data * slots.count));
  if (hot == 0 && config.hot_access > 0) {
    throw InputError(
        fmt::format("workload.hot_data: {} of {} pages is no page at all, yet {:.3g} of the accesses go "
                    "there; use a larger share",
                    config.hot_data, slots.count, config.hot_access));
  }
  if (hot == slots.count && config.hot_access < 1) {
    throw InputError(
        fmt::format("workload.hot_data: {} of {} pages leaves no cold page for the other accesses; use a "
                    "smaller share",
                    config.hot_data, slots.count));
  }
  std::vector<std::uint32_t> order(slots.count);
  for (std::uint32_t i = 0; i < slots.count; ++i) order[i] = slots[i];
  if (config.hot_place == HotPlace::scattered) scatter_to_front(order, hot, layout_seed);
  return std::make_unique<HotCold>(std::move(order), hot, config.hot_access, draw_seed);
}

}  // namespace ftlab::workloads
