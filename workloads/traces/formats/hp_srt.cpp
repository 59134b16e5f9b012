// HP's SRT traces (hplajw and the others of 1992): an ASCII header up to the first form feed, then big-endian 32-bit
// records: bytes of the record, version << 16 | type, seconds, microseconds, two driver stamps, bytes, block in
// 256-byte sectors of the whole disk, device (major << 24 | disk << 8 | section), driver type, cylinder, flags (bit 0 =
// read), info, from version 4 on the queue length; a suspect I/O (type 4) has one more word. Addresses count over the
// disk, so sections of one disk do not overlap; the device of a record is its section.
#include <fmt/format.h>

#include <boost/endian/conversion.hpp>
#include <utility>

#include "common/input_error.h"
#include "workloads/traces/trace_formats.h"

namespace ftlab::workloads {
namespace {

constexpr char kFormFeed = '\f';
constexpr std::size_t kWord = 4;
constexpr std::uint32_t kPlainIo = 1;
constexpr std::uint32_t kSuspectIo = 4;
constexpr std::uint32_t kLargestRecord = 256;  // room for what unknown versions may add

std::uint32_t word(std::string_view bytes, std::size_t index) {
  return boost::endian::load_big_u32(reinterpret_cast<const unsigned char*>(bytes.data()) + kWord * index);
}

/// Bytes that a record of this id has at least; 0 for an id that no trace has.
std::uint32_t least_record_bytes(std::uint32_t id) {
  const std::uint32_t version = id >> 16;
  const std::uint32_t type = id & 0xffff;
  if (version < 1 || version > 4 || (type != kPlainIo && type != kSuspectIo)) return 0;
  return static_cast<std::uint32_t>(kWord * (13 + (version >= 4 ? 1 : 0) + (type == kSuspectIo ? 1 : 0)));
}

class HpSrt final : public TraceReader {
 public:
  explicit HpSrt(ByteInput input) : input_(std::move(input)) { skip_header(); }

  std::size_t next(std::span<TraceRecord> batch) override {
    std::size_t n = 0;
    while (n < batch.size() && input_.ensure(1)) read_record(batch[n++]);
    if (records_ == 0 && !batch.empty()) throw InputError(fmt::format("{}: holds no record", input_.name()));
    return n;
  }

  [[nodiscard]] std::string device_name(std::uint32_t device) const override { return fmt::format("0x{:08x}", device); }

  [[nodiscard]] std::string where(std::uint64_t place) const override {
    return fmt::format("{}: record {}", input_.name(), place);
  }

 private:
  void skip_header() {
    constexpr std::uint64_t kLargestHeader = 1 << 20;
    while (input_.ensure(1) && input_.position() < kLargestHeader) {
      const std::string_view window = input_.window();
      const std::size_t at = window.find(kFormFeed);
      input_.consume(at == std::string_view::npos ? window.size() : at + 1);
      if (at != std::string_view::npos) return;
    }
    throw InputError(
        fmt::format("{}: no form feed ends the header within 1 MiB; this is no HP SRT trace, or it is "
                    "damaged; set workload.format (or --format) if it is another",
                    input_.name()));
  }

  [[noreturn]] void refuse(std::string_view what) const {
    throw InputError(fmt::format("{}: record {} at byte {}: {}; the file is damaged or cut short, fetch it again",
                                 input_.name(), records_ + 1, input_.position(), what));
  }

  std::string_view whole_record() {
    if (!input_.ensure(2 * kWord))
      refuse(fmt::format("{} bytes are left, no record is so short", input_.window().size()));
    const std::uint32_t bytes = word(input_.window(), 0);
    const std::uint32_t id = word(input_.window(), 1);
    const std::uint32_t least = least_record_bytes(id);
    if (least == 0) refuse(fmt::format("id 0x{:x} is no I/O record of version 1 to 4", id));
    if (bytes < least || bytes > kLargestRecord) {
      refuse(fmt::format("{} bytes instead of {} for id 0x{:x}", bytes, least, id));
    }
    if (!input_.ensure(bytes)) {
      refuse(fmt::format("only {} of its {} bytes are left", input_.window().size(), bytes));
    }
    return input_.window().substr(0, bytes);
  }

  void read_record(TraceRecord& out) {
    constexpr std::uint64_t kSector = 256;
    constexpr std::int64_t kTicksPerMicrosecond = 10'000;
    constexpr std::int64_t kMicroseconds = 1'000'000;
    const std::string_view record = whole_record();
    const std::uint32_t microseconds = word(record, 3);
    if (microseconds >= kMicroseconds) refuse(fmt::format("{} microseconds are a second or more", microseconds));
    constexpr std::uint32_t kLongestSeconds = 400'000'000;  // 12 years; the clock of a run holds 28
    const std::uint32_t seconds = word(record, 2);
    if (seconds > kLongestSeconds) refuse(fmt::format("{} seconds after the start are more than 12 years", seconds));
    const Ticks time{(seconds * kMicroseconds + microseconds) * kTicksPerMicrosecond};
    if (records_ == 0) first_ = time;
    out.time = time - first_;
    out.length = word(record, 6);
    out.offset = word(record, 7) * kSector;
    out.device = word(record, 8);
    out.kind = (word(record, 11) & 1) != 0 ? RequestKind::read : RequestKind::write;
    if (out.length > kMaxTransferBytes)
      refuse(fmt::format("a transfer of {} bytes is larger than 256 MiB", out.length));
    input_.consume(record.size());
    out.place = ++records_;
  }

  ByteInput input_;
  std::uint64_t records_ = 0;
  Ticks first_{};
};

/// By the signature at the front, or by a form feed with a plausible record behind it.
bool looks_like_hp_srt(std::string_view head) {
  if (head.starts_with("$$TR_IOREC")) return true;
  const std::size_t at = head.find(kFormFeed);
  if (at == std::string_view::npos || head.size() - at - 1 < 2 * kWord) return false;
  const std::string_view record = head.substr(at + 1);
  const std::uint32_t least = least_record_bytes(word(record, 1));
  return least != 0 && word(record, 0) >= least && word(record, 0) <= kLargestRecord;
}

std::unique_ptr<TraceReader> make_hp_srt(ByteInput input, const ReaderOptions& /*options*/) {
  return std::make_unique<HpSrt>(std::move(input));
}

}  // namespace

const TraceFormat formats::hp_srt{
    .name = "hp_srt",
    .help = "HP SRT, binary (hplajw, cello, snake of 1992)",
    .out_of_order = false,
    .make_parser = nullptr,
    .make_binary = make_hp_srt,
    .looks_like = looks_like_hp_srt,
};

}  // namespace ftlab::workloads
