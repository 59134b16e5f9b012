#include "platform/firmwares/volume_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "common/input_error.h"
#include "platform/firmwares/logical_pages.h"
#include "platform/study/page_sizes.h"

namespace ftlab::platform {
namespace {

void require_page_size(const Study& study, const FlashPort& flash, const FlashGeometry& geometry, VolumeConfig volume) {
  const auto fits = [&](std::uint32_t bytes) {
    volume.page_bytes = bytes;
    return check_part(volume, geometry, flash.capabilities()) == nullptr;
  };
  if (fits(volume.page_bytes)) return;
  const std::vector<std::uint32_t> work = page_sizes_that(fits);
  if (work.empty()) return;  // the part cannot be served at all, which the layer says
  const char* medium = is_nand(geometry) ? ", because a page of the part is the mapping unit" : "";
  throw InputError(fmt::format("{}{} bytes do not suit this part with segments of {} KiB{}; {}",
                               study.where_of("ftl.page_bytes"), study.ftl.page_bytes, geometry.segment_bytes / kKiB,
                               medium, use_one_of(work)));
}

}  // namespace

std::uint32_t logical_pages_of(const Study& study, const FirmwarePorts& ports, const VolumeWish& wish) {
  const FlashGeometry& geometry = wish.geometry;
  require_page_size(study, ports.flash, geometry, wish.volume);
  const std::uint32_t data = data_segments(geometry);
  const std::uint32_t segments = data - std::min(data, ports.bad_reserve);
  if (data == 0) return 0;  // which the layer says
  if (segments <= wish.low_water) {
    throw InputError(
        fmt::format("{}{} segments in reserve leave none of the {} data segments of this part; use at most {}, or "
                    "a larger part",
                    study.where_of("ftl.low_water"), wish.low_water, segments, segments > 1 ? segments - 1 : 0));
  }
  const std::uint32_t slots = usable_slots(geometry, wish.volume.page_bytes, wish.volume.data_checksum);
  const std::uint32_t most = max_logical_pages(wish.volume, geometry, ports.bad_reserve);
  const auto pages = [&](double utilization) {
    return logical_pages_for(utilization, segments, wish.low_water, slots);
  };
  if (pages(study.ftl.utilization) <= most) return pages(study.ftl.utilization);
  int percent = static_cast<int>(study.ftl.utilization * 100);
  while (percent > 0 && pages(percent / 100.0) > most) --percent;
  const std::string way_out = percent > 0 ? fmt::format("use at most {:.2f} (ftl.spare_factor {:.2f}), or lower",
                                                        percent / 100.0, 1 - percent / 100.0)
                                          : std::string("lower");
  throw InputError(fmt::format("{}{:g} leaves cleaning no room on {} segments of {} KiB; {} {}",
                               study.where_of("ftl.utilization"), study.ftl.utilization, geometry.segments,
                               geometry.segment_bytes / kKiB, way_out, wish.lower));
}

}  // namespace ftlab::platform
