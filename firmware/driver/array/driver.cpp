#include "firmware/driver/array/driver.h"

#include <algorithm>
#include <cstddef>

namespace ftlab {

namespace array_regs = hw::array;

namespace {

// An operation is laid out as its descriptor, and what is reported as its completion, so that neither is converted.
static_assert(sizeof(FlashOp) == sizeof(array_regs::Descriptor));
static_assert(offsetof(FlashOp, kind) == offsetof(array_regs::Descriptor, op));
static_assert(offsetof(FlashOp, report) == offsetof(array_regs::Descriptor, report));
static_assert(offsetof(FlashOp, tag) == offsetof(array_regs::Descriptor, tag));
static_assert(offsetof(FlashOp, page) == offsetof(array_regs::Descriptor, page));
static_assert(offsetof(FlashOp, target) == offsetof(array_regs::Descriptor, target));
static_assert(offsetof(FlashOp, buffer) == offsetof(array_regs::Descriptor, buffer));
static_assert(offsetof(FlashOp, new_metadata) == offsetof(array_regs::Descriptor, new_metadata));
static_assert(offsetof(FlashOp, metadata) == offsetof(array_regs::Descriptor, metadata));
static_assert(sizeof(FlashDone) == sizeof(array_regs::Completion));
static_assert(offsetof(FlashDone, kind) == offsetof(array_regs::Completion, op));
static_assert(offsetof(FlashDone, status) == offsetof(array_regs::Completion, status));
static_assert(offsetof(FlashDone, tag) == offsetof(array_regs::Completion, tag));
static_assert(offsetof(FlashDone, page) == offsetof(array_regs::Completion, page));
static_assert(offsetof(FlashDone, target) == offsetof(array_regs::Completion, target));
static_assert(offsetof(FlashDone, corrected_bits) == offsetof(array_regs::Completion, corrected_bits));
static_assert(offsetof(FlashDone, must_move) == offsetof(array_regs::Completion, must_move));
static_assert(offsetof(FlashDone, metadata) == offsetof(array_regs::Completion, metadata));
static_assert(static_cast<int>(FlashOpKind::mark_bad) == static_cast<int>(array_regs::Op::mark_bad));
static_assert(static_cast<int>(FlashOpKind::check_bad) == static_cast<int>(array_regs::Op::check));
static_assert(static_cast<int>(FlashOpKind::fence) == static_cast<int>(array_regs::Op::fence));
static_assert(static_cast<int>(FlashOpKind::copy) == static_cast<int>(array_regs::Op::copy));
static_assert(static_cast<int>(FlashStatus::illegal) == static_cast<int>(array_regs::Status::illegal));
static_assert(static_cast<int>(FlashStatus::program_failed) == static_cast<int>(array_regs::Status::program_failed));

}  // namespace

std::uint32_t ArrayDriver::read32(std::uint32_t address) {
  const std::uint32_t low = registers_.read16(address);
  return low | static_cast<std::uint32_t>(registers_.read16(address + 2)) << 16;
}

ArrayAttachStatus ArrayDriver::attach() {
  if (read32(array_regs::reg::kMagicAt) != array_regs::kMagic ||
      registers_.read16(array_regs::reg::kVersionAt) != array_regs::kVersion)
    return ArrayAttachStatus::wrong_device;
  geometry_.segments = read32(array_regs::reg::kSegments);
  geometry_.pages_per_segment = read32(array_regs::reg::kPagesPerSegment);
  geometry_.page_bytes = read32(array_regs::reg::kPageBytes);
  geometry_.pages_at_once = registers_.read16(array_regs::reg::kPagesAtOnce);
  geometry_.lsb_every = registers_.read16(array_regs::reg::kLsbEvery);
  geometry_.dies = std::uint32_t{registers_.read16(array_regs::reg::kChannels)} *
                   registers_.read16(array_regs::reg::kDiesPerChannel);
  geometry_.rated_erase_cycles = read32(array_regs::reg::kRatedCycles);
  const std::uint16_t kept = registers_.read16(array_regs::reg::kContent);
  const auto content = static_cast<array_regs::Content>(kept & array_regs::kContentMask);
  geometry_.holds_up = (kept & array_regs::kHoldsUp) != 0;
  geometry_.keeps_metadata = content != array_regs::Content::none;
  geometry_.buffers =
      data_ != nullptr && content == array_regs::Content::bytes ? registers_.read16(array_regs::reg::kBufferSlots) : 0;
  const std::uint64_t pages = std::uint64_t{geometry_.segments} * geometry_.pages_per_segment;
  if (geometry_.dies == 0 || geometry_.segments == 0 || geometry_.segments % geometry_.dies != 0 ||
      pages >= array_regs::kNoPage)
    return ArrayAttachStatus::bad_geometry;
  const std::uint16_t suspend = (config_.suspend_programs ? array_regs::control::kSuspendPrograms : 0U) |
                                (config_.suspend_erases ? array_regs::control::kSuspendErases : 0U);
  registers_.write16(array_regs::reg::kControl, suspend);
  registers_.write16(array_regs::reg::kOvertaking, static_cast<std::uint16_t>(config_.overtaking_reads));
  registers_.write16(array_regs::reg::kGather, static_cast<std::uint16_t>(config_.gather));
  return ArrayAttachStatus::ok;
}

void ArrayDriver::submit(std::span<const FlashOp> ops) {
  const std::size_t at_once = config_.bursts ? kAtOnce : 1;
  while (!ops.empty()) {
    const auto burst = ops.first(std::min(at_once, ops.size()));
    registers_.copy_to(array_regs::kDescriptors, std::as_bytes(burst));
    ops = ops.subspan(burst.size());
  }
}

std::size_t ArrayDriver::collect(std::span<FlashDone> done) {
  if (readable_ == 0) readable_ = registers_.read16(array_regs::reg::kStatus) >> array_regs::status::kReadableShift;
  const std::size_t n = std::min({std::size_t{readable_}, done.size(), kAtOnce});
  if (n == 0) return 0;
  registers_.copy_from(array_regs::kCompletions, std::as_writable_bytes(done.first(n)));
  readable_ -= static_cast<std::uint32_t>(n);
  return n;
}

void ArrayDriver::wait(std::uint64_t until_ns) {
  const std::uint64_t now = clock_.now_ns();
  if (until_ns <= now) return;
  // Ten years: the line rises before, or the caller broke its contract with the array.
  constexpr std::uint64_t kForever = 300'000'000'000'000'000ULL;
  const WaitResult result = registers_.wait_until({.address = array_regs::reg::kStatus,
                                                   .mask = array_regs::status::kLine,
                                                   .expected = array_regs::status::kLine,
                                                   .style = WaitStyle::ready_interrupt,
                                                   .poll_interval_ns = 0,
                                                   .deadline_ns = std::min(until_ns - now, kForever)});
  readable_ = result.value >> array_regs::status::kReadableShift;
}

void ArrayDriver::write_buffer(std::uint16_t buffer, std::uint32_t offset, std::span<const std::byte> from) {
  if (data_ == nullptr || from.empty()) return;
  // The bus has words alone: of the first and of the last one a byte may have to stay.
  std::uint32_t address = buffer * geometry_.page_bytes + offset;
  if (address % 2 != 0) {
    const std::uint16_t word = data_->read16(address - 1);
    data_->write16(address - 1,
                   static_cast<std::uint16_t>((word & 0xFF) | std::to_integer<std::uint16_t>(from.front()) << 8));
    from = from.subspan(1);
    ++address;
  }
  const std::size_t words = from.size() / 2 * 2;
  if (words > 0) data_->copy_to(address, from.first(words));
  if (words < from.size()) {
    const std::uint32_t last = address + static_cast<std::uint32_t>(words);
    const std::uint16_t word = data_->read16(last);
    data_->write16(last, static_cast<std::uint16_t>((word & 0xFF00) | std::to_integer<std::uint16_t>(from.back())));
  }
}

void ArrayDriver::read_buffer(std::uint16_t buffer, std::uint32_t offset, std::span<std::byte> into) {
  if (data_ == nullptr || into.empty()) return;
  // The bus has words alone: of the first and of the last one a byte may be wanted.
  std::uint32_t address = buffer * geometry_.page_bytes + offset;
  if (address % 2 != 0) {
    into.front() = static_cast<std::byte>(data_->read16(address - 1) >> 8);
    into = into.subspan(1);
    ++address;
  }
  const std::size_t words = into.size() / 2 * 2;
  if (words > 0) data_->copy_from(address, into.first(words));
  if (words < into.size()) {
    into.back() = static_cast<std::byte>(data_->read16(address + static_cast<std::uint32_t>(words)) & 0xFF);
  }
}

}  // namespace ftlab
