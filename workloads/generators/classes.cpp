#include "workloads/generators/classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/random/discrete_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "common/input_error.h"
#include "workloads/random_stream.h"

namespace ftlab::workloads {
namespace {

using SlotPick = boost::random::uniform_int_distribution<std::uint32_t>;

class Classes final : public AddressPattern {
 public:
  /// One range of places in `order` per class.
  Classes(std::vector<std::uint32_t> order, std::vector<SlotPick> ranges, const std::vector<double>& access,
          std::uint64_t seed)
      : order_(std::move(order)), ranges_(std::move(ranges)), engine_(seed), which_(access) {
    classes_.assign(std::ranges::max(order_) + 1, 0);
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      for (std::uint32_t at = ranges_[i].a(); at <= ranges_[i].b(); ++at) {
        classes_[order_[at]] = static_cast<std::uint8_t>(std::min<std::size_t>(i + 1, 255));
      }
    }
  }

  void draw(std::span<std::uint32_t> out) override {
    for (std::uint32_t& slot : out) slot = order_[ranges_[which_(engine_)](engine_)];
  }
  [[nodiscard]] std::uint8_t class_of(std::uint32_t slot) const override { return classes_[slot]; }

 private:
  std::vector<std::uint32_t> order_;
  std::vector<std::uint8_t> classes_;  ///< by slot
  std::vector<SlotPick> ranges_;
  RandomEngine engine_;
  boost::random::discrete_distribution<std::size_t, double> which_;
};

void check(const GeneratorConfig& config) {
  const auto sum = [](const std::vector<double>& list) { return std::accumulate(list.begin(), list.end(), 0.0); };
  const auto is_negative = [](double share) { return !(share >= 0); };
  constexpr double kRounding = 1e-6;
  if (config.class_access.empty() || config.class_access.size() != config.class_data.size()) {
    throw InputError(
        fmt::format("workload.class_access: {} classes, but workload.class_data has {}; name a share of "
                    "both for every class",
                    config.class_access.size(), config.class_data.size()));
  }
  if (std::ranges::any_of(config.class_access, is_negative) || std::abs(sum(config.class_access) - 1) > kRounding) {
    throw InputError(
        fmt::format("workload.class_access: the shares sum to {:.6g} instead of 1", sum(config.class_access)));
  }
  if (std::ranges::any_of(config.class_data, is_negative) || sum(config.class_data) > 1 + kRounding) {
    throw InputError(
        fmt::format("workload.class_data: the shares sum to {:.6g}, more than all data", sum(config.class_data)));
  }
}

}  // namespace

std::unique_ptr<AddressPattern> make_classes(const SlotSet& slots, const GeneratorConfig& config,
                                             std::uint64_t layout_seed, std::uint64_t draw_seed) {
  check(config);
  std::vector<SlotPick> ranges;
  std::uint32_t used = 0;
  for (std::size_t i = 0; i < config.class_data.size(); ++i) {
    // Rounding each class on its own may exceed the whole by a slot; the last classes give way.
    const auto wanted = static_cast<std::uint32_t>(std::llround(config.class_data[i] * slots.count));
    const std::uint32_t size = std::min(wanted, slots.count - used);
    if (size == 0) {
      throw InputError(fmt::format("workload.class_data: class {} of {:.3g} of {} pages has no page; use larger shares",
                                   i + 1, config.class_data[i], slots.count));
    }
    ranges.emplace_back(used, used + size - 1);
    used += size;
  }
  std::vector<std::uint32_t> order(slots.count);
  for (std::uint32_t i = 0; i < slots.count; ++i) order[i] = slots[i];
  scatter_to_front(order, used, layout_seed);
  return std::make_unique<Classes>(std::move(order), std::move(ranges), config.class_access, draw_seed);
}

}  // namespace ftlab::workloads
