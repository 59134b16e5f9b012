// MQSim and SSDsim ASCII: time device sector count type. Whole nanoseconds, sectors of 512 bytes; 1 reads, 0 writes.
#include <limits>

#include "workloads/traces/trace_formats.h"

namespace ftlab::workloads {
namespace {

class MqSim final : public LineParser {
 public:
  bool parse(std::string_view line, TraceRecord& out) override {
    const Columns columns(line, Columns::Separator::blanks);
    columns.expect(5, 5, "time device sector count type");
    constexpr std::uint32_t kTicksPerNanosecond = 10;
    out.time = origin_.whole(columns.whole(0, "time"), kTicksPerNanosecond);
    const std::uint64_t device = columns.whole(1, "device");
    if (device > std::numeric_limits<std::uint32_t>::max()) columns.refuse(1, "device", "is no number of a device");
    out.device = static_cast<std::uint32_t>(device);
    const std::uint64_t type = columns.whole(4, "type");
    if (type > 1) columns.refuse(4, "type", "is neither 0 (write) nor 1 (read)");
    out.kind = type == 1 ? RequestKind::read : RequestKind::write;
    set_sectors(out, columns.whole(2, "sector"), columns.whole(3, "count"));
    return true;
  }

 private:
  TimeOrigin origin_;
};

std::unique_ptr<LineParser> make_mqsim(const ReaderOptions& /*options*/) { return std::make_unique<MqSim>(); }

}  // namespace

const TraceFormat formats::mqsim{
    .name = "mqsim",
    .help = "MQSim and SSDsim ASCII: time(ns) device sector count type",
    .out_of_order = false,
    .make_parser = make_mqsim,
    .make_binary = nullptr,
    .looks_like = nullptr,
};

}  // namespace ftlab::workloads
