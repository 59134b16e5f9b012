// The device put together from its parts; inspection.
#include "hw/array/core.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "hw/array/bus/access_meter.h"
#include "hw/array/bus/common_window.h"
#include "hw/array/bus/data_window.h"
#include "hw/array/bus/supply.h"
#include "hw/array/commands/controller.h"
#include "hw/array/context.h"
#include "hw/array/image/image.h"
#include "hw/base/energy.h"

namespace ftlab::hw {
namespace {

/// A page that becomes a programmed one.
void blank(array::Context& device, std::uint32_t page) {
  device.pages.put_metadata(page, array::kErasedMetadata);
  device.pages.put_data(page, nullptr);
}

}  // namespace

struct ArrayCore::Parts {
  Parts(const ArraySpec& spec, const DeviceOptions& options)
      : device(spec, options),
        meter(options.observe_accesses ? options.observer : nullptr),
        controller(device, options),
        common(device, meter, supply, controller) {
    if (device.pages.content() == array::Content::bytes) data.emplace(device, meter, supply);
  }

  [[nodiscard]] const array::Segment& segment_of(std::uint32_t page) const {
    return device.segments[device.segments.segment_of(page)];
  }
  [[nodiscard]] bool programmed(std::uint32_t page) const {
    return device.programmed(segment_of(page), device.segments.locate(page).page);
  }

  array::Context device;
  array::AccessMeter meter;
  array::Supply supply;
  array::Controller controller;
  array::CommonWindow common;
  std::optional<array::DataWindow> data;
};

ArrayCore::ArrayCore(const ArraySpec& spec, const DeviceOptions& options)
    : parts_(std::make_unique<Parts>(spec, options)), windows_{&parts_->common} {
  if (parts_->data) windows_.push_back(&*parts_->data);
}

ArrayCore::~ArrayCore() = default;

AddressWindow& ArrayCore::common() { return parts_->common; }

bool ArrayCore::line_level(Ticks now) const { return parts_->controller.line(now); }

Ticks ArrayCore::next_ready_edge(Ticks now) const {
  const Ticks from = parts_->controller.line_from();
  return from > now ? from : kNever;
}

Ticks ArrayCore::next_status_change(Ticks now) const { return parts_->controller.next_change(now); }

void ArrayCore::advance_to(Ticks now) { parts_->controller.advance_to(now); }

Ticks ArrayCore::next_begin(Ticks now) const { return parts_->controller.next_begin(now); }

void ArrayCore::lose_power(Ticks now) {
  if (!parts_->supply.on()) return;
  parts_->controller.lose_power(now);
  parts_->supply.lose(now);
  std::fill(parts_->device.buffer.begin(), parts_->device.buffer.end(), std::byte{0xFF});
}

void ArrayCore::restore_power(Ticks now) {
  if (!parts_->supply.on()) parts_->supply.restore(now);
}

const AccessTotals& ArrayCore::access_totals() const { return parts_->meter.totals(); }

const OperationTotals& ArrayCore::operation_totals() const { return parts_->controller.meter().totals(); }

const UndoneTotals& ArrayCore::undone_totals() const { return parts_->controller.meter().undone(); }

std::vector<Ticks> ArrayCore::die_times(Ticks until) const {
  std::vector<Ticks> times(parts_->controller.timeline().dies());
  for (std::uint32_t i = 0; i < times.size(); ++i) times[i] = parts_->controller.worked_by(i, until);
  return times;
}

std::vector<Ticks> ArrayCore::channel_times(Ticks until) const {
  const array::Timeline& timeline = parts_->controller.timeline();
  std::vector<Ticks> times(timeline.channels());
  for (std::uint32_t i = 0; i < times.size(); ++i) times[i] = timeline.channel_time(i, until);
  return times;
}

const array::PageReadsByType& ArrayCore::page_reads() const { return parts_->device.retry.counts(); }

void ArrayCore::watch_passages(PassageObserver* observer) { parts_->controller.watch_passages(observer); }

StateEnergy ArrayCore::state_energy(Ticks until) const {
  return {long_energy_of(spec().power.standby_nw * spec().dies(), parts_->supply.powered_time(until)), {}, {}};
}

std::uint32_t ArrayCore::erase_count(std::uint32_t segment) const {
  return parts_->device.segments[segment].erase_count;
}

const ArraySpec& ArrayCore::spec() const { return parts_->device.spec; }

array::Content ArrayCore::content() const { return parts_->device.pages.content(); }

bool ArrayCore::is_bad(std::uint32_t segment) const {
  return parts_->device.segments[segment].has(array::segment_flag::kBad);
}

std::uint32_t ArrayCore::next_page(std::uint32_t segment) const { return parts_->device.segments[segment].next_page; }

std::uint32_t ArrayCore::endurance_limit(std::uint32_t segment) const { return parts_->device.segments[segment].limit; }

bool ArrayCore::is_readable(std::uint32_t page) const {
  return parts_->device.readable(parts_->segment_of(page), page);
}

bool ArrayCore::holds_page(std::uint32_t page, Ticks now) {
  return parts_->programmed(page) && is_readable(page) && !parts_->controller.is_coming(page, now);
}

array::Metadata ArrayCore::metadata(std::uint32_t page) const {
  return parts_->programmed(page) ? parts_->device.pages.metadata(page) : array::kErasedMetadata;
}

void ArrayCore::peek(std::uint64_t address, std::span<std::byte> into) const {
  const std::uint32_t page_bytes = spec().page_bytes;
  while (!into.empty()) {
    const auto page = static_cast<std::uint32_t>(address / page_bytes);
    const std::size_t offset = address % page_bytes;
    const std::size_t n = std::min(into.size(), page_bytes - offset);
    const std::span<const std::byte> data = parts_->device.pages.data(page);
    if (!parts_->programmed(page)) {
      std::memset(into.data(), 0xFF, n);
    } else if (data.empty()) {
      std::memset(into.data(), 0, n);
    } else {
      std::memcpy(into.data(), &data[offset], n);
    }
    into = into.subspan(n);
    address += n;
  }
}

void ArrayCore::poke(std::uint64_t address, std::span<const std::byte> from) {
  array::Context& device = parts_->device;
  if (device.pages.content() != array::Content::bytes) return;
  const std::uint32_t page_bytes = spec().page_bytes;
  while (!from.empty()) {
    const auto page = static_cast<std::uint32_t>(address / page_bytes);
    const std::size_t offset = address % page_bytes;
    const std::size_t n = std::min(from.size(), page_bytes - offset);
    const array::PageAddress at = device.segments.locate(page);
    array::Segment& segment = device.segments[at.segment];
    if (segment.has(array::segment_flag::kLsbAlone) && !device.programmed(segment, at.page)) {
      for (std::uint32_t left = 0; left < segment.next_page; ++left)
        if (!device.programmed(segment, left)) blank(device, page - at.page + left);
      segment.flags &= static_cast<std::uint8_t>(~array::segment_flag::kLsbAlone);
    }
    // Whole program units.
    const std::uint32_t end = (at.page / spec().pages_at_once + 1) * spec().pages_at_once;
    for (; segment.next_page < end; ++segment.next_page) blank(device, page - at.page + segment.next_page);
    std::memcpy(&device.pages.edit(page)[offset], from.data(), n);
    from = from.subspan(n);
    address += n;
  }
}

void ArrayCore::set_erase_count(std::uint32_t segment, std::uint32_t cycles) {
  array::Segment& state = parts_->device.segments[segment];
  state.erase_count = cycles;
  state.flags &= static_cast<std::uint8_t>(~(array::segment_flag::kProgramFails | array::segment_flag::kEraseFails));
  parts_->device.wear.age(segment, state);
}

void ArrayCore::store_data(Ticks now, double days_at_reference, std::uint32_t page_reads) {
  const std::uint64_t sensed_pages = spec().pages_per_segment / spec().pages_of_row();
  const std::uint64_t reads = std::min<std::uint64_t>(sensed_pages * page_reads, UINT32_MAX);
  parts_->device.exposure.store(now, days_at_reference, static_cast<std::uint32_t>(reads));
}

void ArrayCore::save_image(std::ostream& out) const { array::save_image(out, parts_->device); }

void ArrayCore::load_image(std::istream& in, const std::string& name) {
  array::load_image(in, name, parts_->device);
  parts_->controller.forget();
}

}  // namespace ftlab::hw
