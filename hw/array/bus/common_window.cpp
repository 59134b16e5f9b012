#include "hw/array/bus/common_window.h"

#include <algorithm>
#include <cstring>

namespace ftlab::hw::array {
namespace {

constexpr std::uint16_t kOpenBus = 0xFFFF;
constexpr std::size_t kRecord = sizeof(Descriptor);
static_assert(kRecord == sizeof(Completion));

std::vector<std::uint16_t> identity_of(const ArraySpec& spec, Content content) {
  std::vector<std::uint16_t> words(reg::kIdentityBytes / 2);
  const auto put = [&](std::uint32_t address, std::uint32_t value) {
    words[address / 2] = static_cast<std::uint16_t>(value);
  };
  const auto put32 = [&](std::uint32_t address, std::uint32_t value) {
    put(address, value & 0xFFFF);
    put(address + 2, value >> 16);
  };
  put32(reg::kMagicAt, kMagic);
  put(reg::kVersionAt, kVersion);
  put(reg::kChannels, spec.channels);
  put(reg::kDiesPerChannel, spec.dies_per_channel);
  put(reg::kPlanes, spec.planes);
  put32(reg::kSegments, spec.segments);
  put32(reg::kPagesPerSegment, spec.pages_per_segment);
  put32(reg::kPageBytes, spec.page_bytes);
  put32(reg::kRatedCycles, spec.endurance.rated_cycles);
  put(reg::kBitsPerCell, spec.bits_per_cell);
  put(reg::kContent, static_cast<std::uint32_t>(content) | (spec.power_loss_protection ? kHoldsUp : 0U));
  put(reg::kBufferSlots, content == Content::bytes ? spec.buffer_slots : 0);
  put(reg::kPagesAtOnce, spec.pages_at_once);
  put(reg::kLsbEvery, spec.fills_lsb_alone() ? spec.bits_per_cell : 0);
  return words;
}

}  // namespace

CommonWindow::CommonWindow(const Context& device, AccessMeter& meter, const Supply& supply, Controller& controller)
    : AddressWindow({.name = "common", .bytes = kWindowBytes, .shows_array = true, .paced = false}),
      word_(device.spec.timing.word),
      descriptor_(device.spec.timing.descriptor),
      meter_(meter),
      supply_(supply),
      controller_(controller),
      identity_(identity_of(device.spec, device.pages.content())) {}

BusResult CommonWindow::write_burst(const Burst& burst, std::span<const std::byte> from) {
  if (burst.address >= kDescriptors && burst.address < kCompletions) return write_descriptors(burst, from);
  if (burst.address + from.size() > kDescriptors && !burst.repeat && burst.address < kDescriptors) {
    return {{}, BusError::misaligned};
  }
  const Ticks time = time_of(from.size());
  meter_.count(DeviceOpKind::register_access, burst.address, from.size(), burst.now, time);
  if (!supply_.on()) return {time, BusError::none};
  controller_.advance_to(burst.now);
  for (std::size_t i = 0; i < from.size(); i += 2) {
    const std::uint32_t address = burst.address + (burst.repeat ? 0 : static_cast<std::uint32_t>(i));
    std::uint16_t value = 0;
    std::memcpy(&value, &from[i], sizeof value);
    if (address == reg::kControl) controller_.configure(value);
    if (address == reg::kGather) controller_.gather(value);
    if (address == reg::kOvertaking) controller_.let_overtake(value);
  }
  return {time, BusError::none};
}

BusResult CommonWindow::write_descriptors(const Burst& burst, std::span<const std::byte> from) {
  if (burst.address != kDescriptors || burst.repeat || from.size() % kRecord != 0) return {{}, BusError::misaligned};
  if (from.size() > kMaxBurst * kRecord) return {{}, BusError::out_of_range};
  const Ticks time = descriptor_ * static_cast<std::int64_t>(from.size() / kRecord);
  meter_.count(DeviceOpKind::register_access, burst.address, from.size(), burst.now, time);
  if (supply_.on()) {
    controller_.advance_to(burst.now);
    controller_.submit(burst.now, from);
  }
  return {time, BusError::none};
}

BusResult CommonWindow::read_cycle(Ticks now, std::uint32_t address, std::span<std::byte> into) {
  if (address == kCompletions) return read_burst({.now = now, .address = address}, into);
  // As a burst of one word, and faster: firmware that waits looks at the status twice an operation.
  meter_.count(DeviceOpKind::register_access, address, sizeof(std::uint16_t), now, word_);
  std::uint16_t word = kOpenBus;
  if (supply_.on()) {
    controller_.advance_to(now);
    word = word_at(now, address);
  }
  std::memcpy(into.data(), &word, sizeof word);
  return {word_, BusError::none};
}

BusResult CommonWindow::read_burst(const Burst& burst, std::span<std::byte> into) {
  if (burst.address == kCompletions && !burst.repeat) return read_completions(burst, into);
  const BusResult result = begin_read(burst, into);
  for (std::size_t i = 0; supply_.on() && i < into.size(); i += 2) {
    const std::uint16_t word = word_at(burst.now, burst.address + (burst.repeat ? 0 : static_cast<std::uint32_t>(i)));
    std::memcpy(&into[i], &word, sizeof word);
  }
  return result;
}

BusResult CommonWindow::read_completions(const Burst& burst, std::span<std::byte> into) {
  if (into.size() % kRecord != 0) return {{}, BusError::misaligned};
  const BusResult result = begin_read(burst, into);
  for (; supply_.on() && !into.empty(); into = into.subspan(kRecord)) {
    static constexpr Completion kNone;
    const Completion* const next = controller_.collect(burst.now);
    std::memcpy(into.data(), next != nullptr ? next : &kNone, kRecord);
  }
  return result;
}

BusResult CommonWindow::begin_read(const Burst& burst, std::span<std::byte> into) {
  const Ticks time = time_of(into.size());
  meter_.count(DeviceOpKind::register_access, burst.address, into.size(), burst.now, time);
  if (supply_.on())
    controller_.advance_to(burst.now);
  else
    std::fill(into.begin(), into.end(), std::byte{0xFF});
  return {time, BusError::none};
}

std::uint16_t CommonWindow::status_at(Ticks now) const {
  const std::uint32_t readable = controller_.completions().count_readable(now);
  const bool busy = controller_.busy(now);
  // As Controller::line() has it, without another look at times.
  const bool line = readable > 0 && (readable >= controller_.gathers() || !busy);
  return static_cast<std::uint16_t>((busy ? status::kBusy : 0U) | (line ? status::kLine : 0U) |
                                    std::min<std::uint32_t>(readable, status::kMaxReadable) << status::kReadableShift);
}

std::uint16_t CommonWindow::word_at(Ticks now, std::uint32_t address) const {
  if (address == reg::kStatus) return status_at(now);
  if (address < reg::kIdentityBytes) return identity_[address / 2];
  switch (address) {
    case reg::kControl:
      return controller_.control();
    case reg::kGather:
      return controller_.gathers();
    case reg::kOvertaking:
      return controller_.overtaking();
    default:
      return kOpenBus;
  }
}

}  // namespace ftlab::hw::array
