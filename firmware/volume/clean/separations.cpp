// The table of separations: a new one is a file in separate/ and a line here.
#include <array>

#include "firmware/volume/clean/separate/future.h"
#include "firmware/volume/clean/separate/oracle.h"
#include "firmware/volume/clean/separate/recency.h"
#include "firmware/volume/clean/separate/sepbit.h"
#include "firmware/volume/clean/separation.h"

namespace ftlab::volume {
namespace {

std::uint32_t one_pool(const VolumeConfig&) { return 1; }
std::uint32_t pool_zero(const VolumeConfig&, std::uint32_t) { return 0; }
std::uint32_t frontiers(const VolumeConfig& config) { return config.frontiers == VolumeConfig::Frontiers::one ? 1 : 2; }

/// Separate streams, cleaned as one.
bool together(const VolumeConfig& config) { return config.pool_choice == "together"; }

std::uint32_t classes(const VolumeConfig& config) { return together(config) ? 1 : config.classes; }
std::uint32_t class_streams(const VolumeConfig& config) { return config.classes * frontiers(config); }
std::uint32_t class_of(const VolumeConfig& config, std::uint32_t stream) {
  return together(config) ? 0 : stream % config.classes;
}

std::uint32_t two(const VolumeConfig& config) { return together(config) ? 1 : Recency::kPools; }
std::uint32_t two_streams(const VolumeConfig& config) { return Recency::kPools * frontiers(config); }
std::uint32_t hot_or_cold(const VolumeConfig& config, std::uint32_t stream) {
  return together(config) ? 0 : stream % Recency::kPools;
}

std::uint32_t future_streams(const VolumeConfig&) { return Future::kClasses; }

std::uint32_t six(const VolumeConfig&) { return SepBit::kClasses; }

constexpr std::array kSeparations{
    SeparationEntry{"none", "all pages together", one_pool, frontiers, pool_zero, 1, nullptr},
    SeparationEntry{"oracle", "by the class of data that the workload tells", classes, class_streams, class_of, 1,
                    make_separation<Oracle>},
    SeparationEntry{"recency", "hot and cold by how soon pages are written again", two, two_streams, hot_or_cold, 2,
                    make_separation<Recency>},
    SeparationEntry{"sepbit", "six classes by the time that pages will probably live", one_pool, six, pool_zero, 4,
                    make_separation<SepBit>},
    SeparationEntry{"future", "by when pages will be written again, which only a simulation knows", one_pool,
                    future_streams, pool_zero, Future::kClasses, make_separation<Future>},
};

}  // namespace

std::span<const SeparationEntry> separations() { return kSeparations; }

}  // namespace ftlab::volume
