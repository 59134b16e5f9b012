// DiskSim ASCII: time device block count flags. Time in ms, blocks of 512 bytes, flags hexadecimal with bit 0 = read.
#include <limits>

#include "workloads/traces/trace_formats.h"

namespace ftlab::workloads {
namespace {

class DiskSim final : public LineParser {
 public:
  bool parse(std::string_view line, TraceRecord& out) override {
    const Columns columns(line, Columns::Separator::blanks);
    columns.expect(5, 5, "time device block count flags");
    constexpr double kTicksPerMillisecond = 1e7;
    out.time = origin_.decimal(columns.decimal(0, "time"), kTicksPerMillisecond);
    const std::uint64_t device = columns.whole(1, "device");
    if (device > std::numeric_limits<std::uint32_t>::max()) columns.refuse(1, "device", "is no number of a device");
    out.device = static_cast<std::uint32_t>(device);
    out.kind = (columns.hex(4, "flags") & 1) != 0 ? RequestKind::read : RequestKind::write;
    set_sectors(out, columns.whole(2, "block"), columns.whole(3, "count"));
    return true;
  }

 private:
  TimeOrigin origin_;
};

std::unique_ptr<LineParser> make_disksim(const ReaderOptions& /*options*/) { return std::make_unique<DiskSim>(); }

}  // namespace

const TraceFormat formats::disksim{
    .name = "disksim",
    .help = "DiskSim ASCII: time(ms) device block count flags",
    .out_of_order = false,
    .make_parser = make_disksim,
    .make_binary = nullptr,
    .looks_like = nullptr,
};

}  // namespace ftlab::workloads
