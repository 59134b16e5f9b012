#include "firmware/target/inspection.h"

#include "firmware/target/clock.h"
#include "firmware/target/queue_registers.h"

namespace ftlab::target {

constinit Report report;

namespace {

constinit const Ftl* inspected = nullptr;
constinit const FlexFs* inspected_flexfs = nullptr;

void send() { queue_register(hw::host_queue::reg::kReport) = address_of(&report); }

}  // namespace

void publish(const Ftl& ftl, const FlexFs* flexfs) {
  report.page_bytes = ftl.page_bytes();
  report.capacity_bytes = ftl.capacity_bytes();
  report.volume_segments = ftl.segments();
  inspected = &ftl;
  inspected_flexfs = flexfs;
  send();
}

[[noreturn]] void refuse(FtlStatus status, const char* reason) {
  report.status = static_cast<std::uint32_t>(status);
  report.reason = address_of(reason);
  send();
  for (;;) Clock::wait_for_interrupt();
}

}  // namespace ftlab::target

extern "C" {

[[gnu::used]] void ftlab_inspect_segment(std::uint32_t segment, std::uint32_t fields[5]) {
  const ftlab::SegmentInfo info = ftlab::target::inspected->segment(ftlab::SegmentId{segment});
  fields[0] = static_cast<std::uint32_t>(info.state);
  fields[1] = info.erase_count;
  fields[2] = info.valid_pages;
  fields[3] = info.used_pages;
  fields[4] = info.stream;
}

[[gnu::used]] const char* ftlab_inspect_invariants() { return ftlab::target::inspected->self_check(); }

[[gnu::used]] void ftlab_inspect_unanswered(ftlab::FtlStats* stats) { *stats = ftlab::target::inspected->unanswered(); }

[[gnu::used]] void ftlab_inspect_stats(ftlab::FtlStats* stats) { *stats = ftlab::target::inspected->stats(); }

[[gnu::used]] void ftlab_inspect_flexfs(ftlab::flexfs::FlexFsStats* stats) {
  *stats = ftlab::target::inspected_flexfs->flexfs_stats();
}
}
