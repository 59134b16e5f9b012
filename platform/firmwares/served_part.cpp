#include "platform/firmwares/served_part.h"

#include <fmt/format.h>

#include <cmath>

#include "common/input_error.h"
#include "platform/study/page_sizes.h"
#include "platform/study/params.h"

namespace ftlab::platform {
namespace {

/// Throws InputError for keys that mean nothing on such a part.
void check_keys(const Study& study, const FirmwarePorts& ports) {
  const bool array = ports.array != nullptr;
  const bool can_overlap =
      !array && ports.part->capabilities().background_erase && ports.part->geometry().parallel_units > 1;
  if (study.ftl.erase == Erasing::overlap && !can_overlap) {
    throw InputError(study.where_of("ftl.erase") +
                     (array
                          ? "an array erases on its dies by itself; leave the key out"
                          : "\"overlap\" needs devices that erase side by side, and this part has one; use \"wait\""));
  }
  if (study.ftl.data_checksum && (array || ports.part->geometry().spare_bytes != 0)) {
    throw InputError(study.where_of("ftl.data_checksum") +
                     "a checksum of each page is for NOR parts: the pages of NAND parts have ECC; leave the key out");
  }
}

/// As far as the first character that no key has.
std::string_view first_name(std::string_view text) { return text.substr(0, text.find_first_of(" ,:;")); }

/// Of what says how many segments there are.
std::string where_of_segments(const Study& study) {
  for (const FileOverride& changed : study.part_overrides)
    if (changed.key.starts_with("segments")) return fmt::format("{}: {}: ", changed.origin, changed.key);
  return study.where_of("part");
}

}  // namespace

bool is_about_segments(std::string_view reason) { return first_name(reason) == "segments"; }

std::string where_of_reason(const Study& study, std::string_view reason, std::string_view key) {
  const std::string_view first = first_name(reason);
  for (const std::string& named :
       {fmt::format("{}.{}", firmware_of(study).table.name, first), fmt::format("ftl.{}", first), std::string(first)})
    if (find_param(named) != nullptr) return study.where_of(named);
  for (std::size_t at = reason.find("ftl."); at != reason.npos; at = reason.find("ftl.", at + 1)) {
    const std::string named(first_name(reason.substr(at)));
    const Param* param = find_param(named);
    if (param != nullptr && !is_default(*param, study)) return study.where_of(named);
  }
  return is_about_segments(reason) ? where_of_segments(study) : study.where_of(key);
}

std::uint32_t utilization_ppb(const Study& study) {
  constexpr double kWhole = 1e9;
  const bool all = firmware_of(study).scenarios_take_all && study.workload.kind == "scenario";
  return static_cast<std::uint32_t>(std::lround((all ? 1.0 : study.ftl.utilization) * kWhole));
}

std::unique_ptr<ServedPart> serve_part(const Study& study, const FirmwarePorts& ports, PagedFlashConfig wish,
                                       ServedPages pages) {
  constexpr std::uint32_t kNorPageBytes = 4096;
  check_keys(study, ports);
  if (ports.array != nullptr) return std::make_unique<ServedPart>(*ports.array);
  const PartGeometry& part = ports.part->geometry();
  const bool nor = part.spare_bytes == 0;
  wish.data_checksum = study.ftl.data_checksum;
  wish.keeps_content = study.platform.store_content;
  wish.page_bytes = nor || pages == ServedPages::of_study ? static_cast<std::uint32_t>(study.ftl.page_bytes) : 0;
  if (nor && wish.page_bytes == 0) wish.page_bytes = kNorPageBytes;
  const char* reason = PagedFlash::check(*ports.part, wish);
  if (reason == nullptr) return std::make_unique<ServedPart>(*ports.part, ports.probe, wish);
  const auto works = [&](std::uint32_t bytes) {
    PagedFlashConfig other = wish;
    other.page_bytes = bytes;
    return PagedFlash::check(*ports.part, other) == nullptr;
  };
  const auto sizes = page_sizes_that(works);
  if (sizes.empty() || study.ftl.page_bytes == 0) {
    throw InputError(fmt::format("{}{} (ftl.page_bytes = {}, segments of {} KiB)",
                                 where_of_reason(study, reason, "ftl.firmware"), reason, wish.page_bytes,
                                 part.segment_bytes / kKiB));
  }
  const std::string beside = nor ? "" : fmt::format(", and {} beside them for the firmware", part.spare_bytes);
  throw InputError(fmt::format("{}{} bytes: {}; {} of it has {} bytes{}; {}", study.where_of("ftl.page_bytes"),
                               wish.page_bytes, reason, nor ? "a segment" : "a page",
                               nor ? part.segment_bytes : part.program_unit_bytes, beside, use_one_of(sizes)));
}

}  // namespace ftlab::platform
