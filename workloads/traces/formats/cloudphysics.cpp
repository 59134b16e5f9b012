// CloudPhysics vscsi CSV: version,time,op,size,lbn. Microseconds, SCSI opcode in hexadecimal, bytes, 512-byte sectors;
// header line. Opcodes that move no data are passed over.
#include "workloads/traces/trace_formats.h"

namespace ftlab::workloads {
namespace {

class CloudPhysics final : public LineParser {
 public:
  bool parse(std::string_view line, TraceRecord& out) override {
    if (first_ && line == kHeader) return first_ = false;
    first_ = false;
    const Columns columns(line, Columns::Separator::comma);
    columns.expect(5, 5, kHeader);
    static_cast<void>(columns.whole(0, "version"));
    const std::uint64_t stamp = columns.whole(1, "time");
    const std::uint64_t opcode = columns.hex(2, "op");
    const std::uint64_t length = columns.whole(3, "size");
    const std::uint64_t sector = columns.whole(4, "lbn");
    constexpr std::uint64_t kLargestOpcode = 0xff;
    if (opcode > kLargestOpcode) columns.refuse(2, "op", "is no SCSI opcode");
    if (!set_kind(opcode, out)) return false;
    constexpr std::uint32_t kTicksPerMicrosecond = 10'000;
    out.time = origin_.whole(stamp, kTicksPerMicrosecond);
    out.device = 0;
    set_sectors(out, sector, 0);
    set_bytes(out, out.offset, length);
    return true;
  }

 private:
  static constexpr std::string_view kHeader = "version,time,op,size,lbn";

  /// SCSI block commands with 6-, 10-, 12- and 16-byte descriptors.
  static bool set_kind(std::uint64_t opcode, TraceRecord& out) {
    switch (opcode) {
      case 0x08:
      case 0x28:
      case 0xa8:
      case 0x88:
        return out.kind = RequestKind::read, true;
      case 0x0a:
      case 0x2a:
      case 0xaa:
      case 0x8a:
        return out.kind = RequestKind::write, true;
      case 0x35:
      case 0x91:
        return out.kind = RequestKind::flush, true;
      default:
        return false;
    }
  }

  bool first_ = true;
  TimeOrigin origin_;
};

std::unique_ptr<LineParser> make_cloudphysics(const ReaderOptions& /*options*/) {
  return std::make_unique<CloudPhysics>();
}

}  // namespace

const TraceFormat formats::cloudphysics{
    .name = "cloudphysics",
    .help = "CloudPhysics vscsi CSV: version,time,op,size,lbn",
    .out_of_order = false,
    .make_parser = make_cloudphysics,
    .make_binary = nullptr,
    .looks_like = nullptr,
};

}  // namespace ftlab::workloads
