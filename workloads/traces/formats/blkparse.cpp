// blkparse default text: maj,min cpu seq time pid action rwbs sector + count [process]. Seconds, sectors of 512 bytes.
// One request makes several events; one action stands for it. Ends at the summary that blkparse prints.
#include "workloads/traces/trace_formats.h"

namespace ftlab::workloads {
namespace {

class Blkparse final : public LineParser {
 public:
  explicit Blkparse(char action) : action_(action) {}

  bool parse(std::string_view line, TraceRecord& out) override {
    // The summary: "CPU0 (8,16):" or, on one CPU, "Total (8,16):", then indented lines to the end of the file.
    in_summary_ = in_summary_ || ((line.starts_with("CPU") || line.starts_with("Total")) && line.ends_with(':'));
    if (in_summary_) return false;
    const Columns columns(line, Columns::Separator::blanks);
    constexpr std::size_t kAnyMore = 16;
    columns.expect(7, kAnyMore, "maj,min cpu sequence time pid action rwbs sector + count [process]");
    if (columns.text(0).find(',') == std::string_view::npos) columns.refuse(0, "maj,min", "is no device number");
    static_cast<void>(columns.whole(1, "cpu"));
    static_cast<void>(columns.whole(2, "sequence"));
    const double seconds = columns.decimal(3, "time");
    static_cast<void>(columns.whole(4, "pid"));
    if (columns.text(5) != std::string_view(&action_, 1)) return false;
    const bool has_address = columns.size() > 9 && columns.text(8) == "+";
    if (!set_kind(columns.text(6), has_address, out)) return false;
    out.device = devices_.id(columns.text(0));
    constexpr double kTicksPerSecond = 1e10;
    out.time = origin_.decimal(seconds, kTicksPerSecond);
    out.offset = out.length = 0;
    if (has_address) set_sectors(out, columns.whole(7, "sector"), columns.whole(9, "count"));
    return true;
  }

  [[nodiscard]] std::string device_name(std::uint32_t device) const override { return devices_.name(device); }

 private:
  /// false: a command that carries no address of the medium (SCSI pass-through and the like).
  static bool set_kind(std::string_view rwbs, bool has_address, TraceRecord& out) {
    const auto has = [rwbs](char c) { return rwbs.find(c) != std::string_view::npos; };
    if (has_address && has('W')) return out.kind = RequestKind::write, true;
    if (has_address && has('R')) return out.kind = RequestKind::read, true;
    if (has_address && has('D')) return out.kind = RequestKind::trim, true;
    if (!has_address && has('F')) return out.kind = RequestKind::flush, true;
    return false;
  }

  char action_;
  bool in_summary_ = false;
  TimeOrigin origin_;
  DeviceNames devices_;
};

std::unique_ptr<LineParser> make_blkparse(const ReaderOptions& options) {
  return std::make_unique<Blkparse>(options.action);
}

}  // namespace

const TraceFormat formats::blkparse{
    .name = "blkparse",
    .help = "blkparse text, one action per request (default D)",
    .out_of_order = true,
    .make_parser = make_blkparse,
    .make_binary = nullptr,
    .looks_like = nullptr,
};

}  // namespace ftlab::workloads
