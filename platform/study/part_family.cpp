#include "platform/study/part_family.h"

#include <algorithm>
#include <bit>

#include "firmware/driver/array/config.h"
#include "firmware/driver/paged/unit_tag.h"
#include "firmware/driver/series2plus/config.h"
#include "hw/array/spec/spec.h"
#include "hw/onenand/spec/choices.h"
#include "hw/regs/onenand_regs.h"
#include "hw/series2plus/spec/choices.h"
#include "platform/study/field_rows.h"

namespace ftlab::platform {
namespace {

template <class Config, const auto& kFields>
void add_keys(const PartFamily& family, std::vector<Param>& rows) {
  append_rows(rows, {"", {}, std::string(family.name)}, std::span<const Field<Config>>(kFields), InConfigs<Config>{});
}
template <class Config, const auto& kFields>
void add_driver_keys(const PartFamily& family, std::vector<Param>& rows) {
  append_rows(rows, {"driver", {}, std::string(family.name)}, std::span<const Field<Config>>(kFields),
              InConfigs<Config>{});
}

void measure_array(const spec::TomlFile& part, PartKind& kind) {
  const auto count_of = [&part](std::string_view key) {
    return static_cast<std::uint32_t>(part.get_in(key, "1", 1, 1e8));
  };
  kind.segments = count_of("segments");
  kind.dies = count_of("channels") * count_of("dies_per_channel");
  kind.drive = !part.keys("link").empty();
  if (part.has("content") && part.get_string("content") == "bytes")
    kind.data_ram_pages = count_of("controller.buffer_slots");
  const auto optional_count = [&](std::string_view key) { return part.has_quantity(key, "1") ? count_of(key) : 1U; };
  kind.pages_at_once = optional_count("planes_at_once") * optional_count("one_shot_pages");
  kind.page_bytes = static_cast<std::uint32_t>(part.get_in("page_bytes", "B", 1, 1e8));
  const std::uint32_t units = std::bit_floor(std::max(1U, hw::kMaxPagesAtOnce / std::max(1U, kind.pages_at_once)));
  kind.min_unit_bytes = std::max(kind.page_bytes / std::min(units, hw::kMaxUnitsOfPage),
                                 static_cast<std::uint32_t>(part.get_in("errors.codeword_bytes", "B", 1, 1e8)));
}

void measure_onenand(const spec::TomlFile& /*part*/, PartKind& kind) {
  constexpr std::uint32_t kSpareBytes = hw::flexonenand::kSectorsPerPage * hw::flexonenand::spare_slot::kUserBytes;
  kind.page_bytes = hw::flexonenand::kPageBytes;
  kind.min_unit_bytes = paged::smallest_page(kind.page_bytes, kSpareBytes);
}

constexpr const PartFamily* kFamilies[] = {&kOneNandFamily, &kCardFamily, &kArrayFamily};

}  // namespace

constexpr PartFamily kOneNandFamily{
    .name = "flexonenand", .keys = add_keys<hw::OneNandChoices, hw::kOneNandFields>, .measure = measure_onenand};
constexpr PartFamily kCardFamily{.name = "series2plus",
                                 .keys = add_keys<hw::CardChoices, hw::kCardFields>,
                                 .driver_keys = add_driver_keys<Series2PlusDriverConfig, kSeries2PlusDriverFields>,
                                 .of_new_studies = true};
constexpr PartFamily kArrayFamily{.name = "array",
                                  .driver_keys = add_driver_keys<ArrayDriverConfig, kArrayDriverFields>,
                                  .measure = measure_array,
                                  .array = true};

std::span<const PartFamily* const> part_families() { return kFamilies; }

const PartFamily* find_part_family(std::string_view name) {
  const auto found = std::ranges::find(kFamilies, name, &PartFamily::name);
  return found == std::end(kFamilies) ? nullptr : *found;
}

}  // namespace ftlab::platform
