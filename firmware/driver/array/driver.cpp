#include "firmware/driver/array/driver.h"

#include <algorithm>

namespace ftlab {

namespace array_regs = hw::array;

namespace {

array_regs::Descriptor descriptor_of(const ArrayOp& op) {
  const std::uint8_t flags =
      (op.report ? array_regs::flag::kReport : 0U) | (op.new_metadata ? array_regs::flag::kNewMetadata : 0U);
  return {static_cast<array_regs::Op>(op.kind), flags, op.tag, op.page, op.target, op.buffer, 0,
          {op.metadata.low, op.metadata.high}};
}

ArrayDone done_of(const array_regs::Completion& completion) {
  return {static_cast<ArrayOpKind>(completion.op),
          static_cast<ArrayStatus>(completion.status),
          completion.tag,
          completion.page,
          completion.target,
          {completion.metadata[0], completion.metadata[1]}};
}

static_assert(static_cast<int>(ArrayOpKind::mark_bad) == static_cast<int>(array_regs::Op::mark_bad));
static_assert(static_cast<int>(ArrayOpKind::check_bad) == static_cast<int>(array_regs::Op::check));
static_assert(static_cast<int>(ArrayOpKind::copy) == static_cast<int>(array_regs::Op::copy));
static_assert(static_cast<int>(ArrayStatus::illegal) == static_cast<int>(array_regs::Status::illegal));
static_assert(static_cast<int>(ArrayStatus::program_failed) == static_cast<int>(array_regs::Status::program_failed));

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
  geometry_.dies = std::uint32_t{registers_.read16(array_regs::reg::kChannels)} *
                   registers_.read16(array_regs::reg::kDiesPerChannel);
  geometry_.rated_erase_cycles = read32(array_regs::reg::kRatedCycles);
  const auto content = static_cast<array_regs::Content>(registers_.read16(array_regs::reg::kContent));
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
  return ArrayAttachStatus::ok;
}

void ArrayDriver::submit(std::span<const ArrayOp> ops) {
  const std::size_t at_once = config_.bursts ? kAtOnce : 1;
  while (!ops.empty()) {
    const auto burst = ops.first(std::min(at_once, ops.size()));
    std::ranges::transform(burst, descriptors_.begin(), descriptor_of);
    registers_.copy_to(array_regs::kDescriptors, std::as_bytes(std::span(descriptors_).first(burst.size())));
    ops = ops.subspan(burst.size());
  }
}

std::size_t ArrayDriver::collect(std::span<ArrayDone> done) {
  const std::size_t readable = registers_.read16(array_regs::reg::kReadable);
  const std::size_t n = std::min({readable, done.size(), kAtOnce});
  if (n == 0) return 0;
  const auto records = std::span(completions_).first(n);
  registers_.copy_from(array_regs::kCompletions, std::as_writable_bytes(records));
  std::ranges::transform(records, done.begin(), done_of);
  return n;
}

void ArrayDriver::wait(std::uint64_t until_ns) {
  const std::uint64_t now = clock_.now_ns();
  if (until_ns <= now) return;
  // Ten years: the line rises before, or the caller broke its contract with the array.
  constexpr std::uint64_t kForever = 300'000'000'000'000'000ULL;
  (void)registers_.wait_until({.address = array_regs::reg::kStatus,
                               .mask = array_regs::status::kCompletions,
                               .expected = array_regs::status::kCompletions,
                               .style = WaitStyle::ready_interrupt,
                               .poll_interval_ns = 0,
                               .deadline_ns = std::min(until_ns - now, kForever)});
}

void ArrayDriver::write_buffer(std::uint16_t buffer, std::span<const std::byte> data) {
  if (data_ != nullptr) data_->copy_to(buffer * geometry_.page_bytes, data);
}

void ArrayDriver::read_buffer(std::uint16_t buffer, std::uint32_t offset, std::span<std::byte> into) {
  if (data_ != nullptr) data_->copy_from(buffer * geometry_.page_bytes + offset, into);
}

}  // namespace ftlab
