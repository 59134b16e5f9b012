// SPC text (Financial1.spc, WebSearch1.spc): ASU,LBA,size,opcode,timestamp[,more]. LBA in 512-byte blocks, size in
// bytes, seconds, R or W in either case; no header. The device is the application storage unit.
#include <limits>

#include "workloads/traces/trace_formats.h"

namespace ftlab::workloads {
namespace {

class Spc final : public LineParser {
 public:
  bool parse(std::string_view line, TraceRecord& out) override {
    const Columns columns(line, Columns::Separator::comma);
    constexpr std::size_t kAnyMore = 16;
    columns.expect(5, kAnyMore, "ASU,LBA,size,opcode,timestamp");
    const std::uint64_t unit = columns.whole(0, "ASU");
    if (unit > std::numeric_limits<std::uint32_t>::max()) columns.refuse(0, "ASU", "is no number of a storage unit");
    out.device = static_cast<std::uint32_t>(unit);
    out.kind = kind(columns);
    constexpr double kTicksPerSecond = 1e10;
    out.time = origin_.decimal(columns.decimal(4, "timestamp"), kTicksPerSecond);
    const std::uint64_t length = columns.whole(2, "size");
    set_sectors(out, columns.whole(1, "LBA"), 0);
    set_bytes(out, out.offset, length);
    return true;
  }

 private:
  static RequestKind kind(const Columns& columns) {
    const std::string_view opcode = columns.text(3);
    if (opcode == "W" || opcode == "w") return RequestKind::write;
    if (opcode == "R" || opcode == "r") return RequestKind::read;
    columns.refuse(3, "opcode", "is neither R nor W");
  }

  TimeOrigin origin_;
};

std::unique_ptr<LineParser> make_spc(const ReaderOptions& /*options*/) { return std::make_unique<Spc>(); }

}  // namespace

const TraceFormat formats::spc{
    .name = "spc",
    .help = "SPC text: ASU,LBA,size,opcode,timestamp",
    .out_of_order = false,
    .make_parser = make_spc,
    .make_binary = nullptr,
    .looks_like = nullptr,
};

}  // namespace ftlab::workloads
