#include "platform/machine/driver_timing.h"

#include <stdexcept>
#include <vector>

#include "common/input_error.h"
#include "platform/machine/machine.h"
#include "platform/study/study_files.h"

namespace ftlab::platform {
namespace {

class Meter {
 public:
  Meter(Processor& cpu, PartPort& flash)
      : cpu_(cpu), flash_(flash), page_(flash.geometry().program_unit_bytes), spare_(flash.geometry().spare_bytes) {}

  /// The segment is erased before and after.
  OperationTimes measure(SegmentId segment, const std::vector<std::uint32_t>& pages) {
    (void)timed({.kind = PartOpKind::erase, .segment = segment});
    OperationTimes times;
    for (const std::uint32_t page : pages) times.write_us += timed(on_page(PartOpKind::program, segment, page));
    for (const std::uint32_t page : pages) times.read_us += timed(on_page(PartOpKind::read, segment, page));
    times.write_us /= static_cast<double>(pages.size());
    times.read_us /= static_cast<double>(pages.size());
    times.erase_us = timed({.kind = PartOpKind::erase, .segment = segment});
    return times;
  }

 private:
  PartOp on_page(PartOpKind kind, SegmentId segment, std::uint32_t page) {
    PartOp op;
    op.kind = kind;
    op.segment = segment;
    op.offset = page * static_cast<std::uint32_t>(page_.size());
    op.length = static_cast<std::uint32_t>(page_.size());
    if (kind == PartOpKind::read) {
      op.into = page_.data();
      op.spare_into = spare_.data();
    } else {
      op.from = page_.data();
      op.spare_from = spare_.data();
    }
    return op;
  }

  double timed(const PartOp& op) {
    const Ticks before = cpu_.now();
    const PartStatus status = run_one(flash_, op);
    if (status != PartStatus::ok && status != PartStatus::corrected) {
      throw std::runtime_error("a driver operation failed while it was timed");
    }
    return to_seconds(cpu_.now() - before) * 1e6;
  }

  Processor& cpu_;
  PartPort& flash_;
  std::vector<std::byte> page_;
  std::vector<std::byte> spare_;
};

SegmentId good_mlc_segment(PartPort& flash) {
  const PartGeometry& geometry = flash.geometry();
  for (std::uint32_t s = geometry.slc_segments_per_unit; s < geometry.segments; ++s) {
    if (run_one(flash, {.kind = PartOpKind::check_bad, .segment = SegmentId{s}}) == PartStatus::ok) {
      return SegmentId{s};
    }
  }
  throw std::runtime_error("every segment of the part is bad");
}

DriverTimes measure_on(Processor& cpu, PartPort* part, const std::string& part_where) {
  if (part == nullptr || part->geometry().paired_page.empty() || part->geometry().slc_segments_per_unit == 0) {
    throw InputError(part_where + "SLC and MLC are compared on parts that have both; use a Flex-OneNAND");
  }
  PartPort& flash = *part;
  const PartGeometry& geometry = flash.geometry();
  std::vector<std::uint32_t> lsb;
  std::vector<std::uint32_t> all;
  for (std::uint32_t page = 0; page < geometry.paired_page.size(); ++page) {
    if (geometry.paired_page[page] > page) lsb.push_back(page);
    all.push_back(page);
  }
  // An SLC segment numbers its pages without gaps.
  const std::vector<std::uint32_t> slc(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(lsb.size()));
  Meter meter(cpu, flash);
  const SegmentId mlc = good_mlc_segment(flash);
  DriverTimes times;
  times.slc = meter.measure(SegmentId{0}, slc);
  times.mlc_lsb = meter.measure(mlc, lsb);
  times.mlc_both = meter.measure(mlc, all);
  return times;
}

}  // namespace

DriverTimes measure_driver(const Study& study) {
  const ProcessorProfile host = load_host(study);
  DriverTimes times;
  Machine machine(device_factory(study, host, false), processor_factory(study, host), [&](Machine& built) {
    built.attach();
    times = measure_on(built.processor(), built.device().part(), study.part_where);
  });
  machine.run();
  return times;
}

}  // namespace ftlab::platform
