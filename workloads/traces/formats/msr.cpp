// MSR Cambridge CSV: timestamp,host,disk,type,offset,size,latency. Time in Windows FILETIME units of 100 ns, the rest
// in bytes; no header. The device is host.disk.
#include <boost/algorithm/string/predicate.hpp>

#include "workloads/traces/trace_formats.h"

namespace ftlab::workloads {
namespace {

class Msr final : public LineParser {
 public:
  bool parse(std::string_view line, TraceRecord& out) override {
    const Columns columns(line, Columns::Separator::comma);
    columns.expect(7, 7, "timestamp,host,disk,type,offset,size,latency");
    constexpr std::uint32_t kTicksPer100ns = 1000;
    out.time = origin_.whole(columns.whole(0, "timestamp"), kTicksPer100ns);
    static_cast<void>(columns.whole(2, "disk"));
    // Host and disk stand side by side in the line, so that one view names the device without a copy.
    const char* const host = columns.text(1).data();
    const char* const stop = columns.text(2).data() + columns.text(2).size();
    out.device = devices_.id({host, static_cast<std::size_t>(stop - host)});
    out.kind = kind(columns);
    static_cast<void>(columns.whole(6, "latency"));
    set_bytes(out, columns.whole(4, "offset"), columns.whole(5, "size"));
    return true;
  }

  [[nodiscard]] std::string device_name(std::uint32_t device) const override {
    std::string name = devices_.name(device);
    name[name.rfind(',')] = '.';
    return name;
  }

 private:
  static RequestKind kind(const Columns& columns) {
    if (boost::algorithm::iequals(columns.text(3), "Write")) return RequestKind::write;
    if (boost::algorithm::iequals(columns.text(3), "Read")) return RequestKind::read;
    columns.refuse(3, "type", "is neither Read nor Write");
  }

  TimeOrigin origin_;
  DeviceNames devices_;
};

std::unique_ptr<LineParser> make_msr(const ReaderOptions& /*options*/) { return std::make_unique<Msr>(); }

}  // namespace

const TraceFormat formats::msr{
    .name = "msr",
    .help = "MSR Cambridge CSV: timestamp,host,disk,type,offset,size,latency",
    .out_of_order = false,
    .make_parser = make_msr,
    .make_binary = nullptr,
    .looks_like = nullptr,
};

}  // namespace ftlab::workloads
