// MobileBlockIOTraces CSV: proces,device,rw_flag,sector,size,timestamp. Sectors of 512 bytes, seconds; header line
// (spelled so), CR LF line ends. The process name may hold anything, commas too.
#include <algorithm>

#include "workloads/traces/trace_formats.h"

namespace ftlab::workloads {
namespace {

class Mobile final : public LineParser {
 public:
  bool parse(std::string_view line, TraceRecord& out) override {
    if (first_ && line == kHeader) return first_ = false;
    first_ = false;
    const Columns columns(line, Columns::Separator::comma);
    constexpr std::size_t kCommasInName = 9;
    columns.expect(6, 6 + kCommasInName, kHeader);
    const std::size_t device = columns.size() - 5;  // counted from the end: the name in front may hold commas
    static_cast<void>(columns.whole(device, "device"));
    out.device = devices_.id(columns.text(device));
    out.kind = kind(columns, device + 1);
    set_sectors(out, columns.whole(device + 2, "sector"), columns.whole(device + 3, "size"));
    constexpr double kTicksPerSecond = 1e10;
    out.time = origin_.decimal(columns.decimal(device + 4, "timestamp"), kTicksPerSecond);
    return true;
  }

  [[nodiscard]] std::string device_name(std::uint32_t device) const override { return devices_.name(device); }

 private:
  static constexpr std::string_view kHeader = "proces,device,rw_flag,sector,size,timestamp";

  /// The kernel's rwbs letters: the first one that tells the direction counts, as in "WS" or "RA".
  static RequestKind kind(const Columns& columns, std::size_t i) {
    const std::string_view flag = columns.text(i);
    const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
    if (!std::ranges::all_of(flag, is_capital)) columns.refuse(i, "rw_flag", "is not made of capital letters");
    if (flag.starts_with('W')) return RequestKind::write;
    if (flag.starts_with('R')) return RequestKind::read;
    if (flag.starts_with('D')) return RequestKind::trim;
    if (flag.starts_with('F')) return RequestKind::flush;
    columns.refuse(i, "rw_flag", "is none of R, W, D (trim), F (flush)");
  }

  bool first_ = true;
  TimeOrigin origin_;
  DeviceNames devices_;
};

std::unique_ptr<LineParser> make_mobile(const ReaderOptions& /*options*/) { return std::make_unique<Mobile>(); }

}  // namespace

const TraceFormat formats::mobile{
    .name = "mobile",
    .help = "MobileBlockIOTraces CSV: proces,device,rw_flag,sector,size,timestamp",
    .out_of_order = false,
    .make_parser = make_mobile,
    .make_binary = nullptr,
    .looks_like = nullptr,
};

}  // namespace ftlab::workloads
