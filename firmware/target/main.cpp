// The bare-metal image: the Flash Memory Server's policies on the page-mapped layer, on the Series 2+ driver, serving
// one mailbox. Puts things together; no behaviour of its own.
#include <cstddef>
#include <span>

#include "firmware/driver/paged/paged_flash.h"
#include "firmware/driver/series2plus/driver.h"
#include "firmware/ftl/fms/fms_config.h"
#include "firmware/ftl/page/page_ftl.h"
#include "firmware/ftl/serve.h"
#include "firmware/port/host_port.h"
#include "firmware/port/probe_port.h"
#include "firmware/target/board.h"
#include "firmware/target/clock.h"
#include "firmware/target/mailbox.h"
#include "firmware/target/pointer_port.h"

extern "C" {
constinit ftlab::target::Mailbox ftlab_mailbox{};
/// Enough for a 24 MB card in pages of 4 KiB; a card that needs more is refused with bad_config.
[[gnu::section(".arena"), gnu::used]] alignas(std::max_align_t) std::byte ftlab_arena[576 * 1024];
}

namespace ftlab::target {
namespace {

/// Share of the pages that cleaning can reclaim which is offered to the host, in percent.
constexpr std::uint32_t kOfferedPercent = 90;
constexpr std::uint32_t kPageBytes = 4096;
/// One request at a time, and what cleaning and a checkpoint need beside it.
constexpr std::uint32_t kBuffers = 4;
/// Pages of the host between two checkpoints, by which the policies' memory survives a mount.
constexpr std::uint32_t kCheckpointEvery = 2048;

/// The mailbox as a queue of one request; a request that formats is answered here.
class MailboxHost final : public HostPort {
 public:
  explicit MailboxHost(Ftl& ftl) : ftl_(ftl) {}

  Next next(HostRequest& request) override {
    // A request that is served stays posted until it is done.
    if (taken_ || ftlab_mailbox.state != MailboxState::posted) return Next::later;
    auto* const data = reinterpret_cast<std::byte*>(ftlab_mailbox.data);
    request = {HostRequestKind::read, 0, ftlab_mailbox.offset, ftlab_mailbox.length, data, data, {}};
    switch (ftlab_mailbox.request) {
      case MailboxRequest::read:
        break;
      case MailboxRequest::write:
        request.kind = HostRequestKind::write;
        break;
      case MailboxRequest::trim:
        request.kind = HostRequestKind::trim;
        break;
      case MailboxRequest::flush:
        request.kind = HostRequestKind::flush;
        break;
      case MailboxRequest::format:
        complete(0, ftl_.format(now_ns()));
        return Next::later;
      default:
        complete(0, FtlStatus::bad_config);
        return Next::later;
    }
    taken_ = true;
    return Next::request;
  }

  void complete(std::uint32_t /*tag*/, FtlStatus status) override {
    taken_ = false;
    ftlab_mailbox.status = static_cast<std::uint32_t>(status);
    ftlab_mailbox.state = MailboxState::done;
  }

  std::uint64_t now_ns() override { return Clock::now_ns(); }
  /// A client may post at any time; background work plans for a pause of ten seconds.
  std::uint64_t next_arrival_ns() override {
    constexpr std::uint64_t kIdleSlice = 10'000'000'000;
    return now_ns() + kIdleSlice;
  }
  void wait(std::uint64_t until_ns) override {
    if (until_ns > now_ns()) Clock::wait_for_interrupt();
  }

 private:
  Ftl& ftl_;
  bool taken_ = false;
};

void run() {
  PointerPort common(kCommonWindow);
  PointerPort attribute(kAttributeWindow);
  NullProbe probe;
  Series2PlusDriver driver(common, attribute, probe, {});
  if (driver.attach() != AttachStatus::ok) {
    ftlab_mailbox.status = static_cast<std::uint32_t>(FtlStatus::read_failed);
    return;
  }
  FmsConfig config;
  config.selection = "cat";
  config.redistribution = "fine_grained";
  config.idle_cleaning = true;
  const fms::PolicyChoice policies = fms::choice_of(config);
  VolumeConfig volume;
  volume.policies = &policies;
  volume.checkpoint_every = kCheckpointEvery;
  PagedFlashConfig part;
  part.page_bytes = kPageBytes;
  part.buffers = kBuffers;
  part.begun_units = volume::begun_units_of(volume);
  if (PagedFlash::check(driver, part) != nullptr || PagedFlash::arena_bytes(driver, part) > sizeof ftlab_arena) {
    ftlab_mailbox.status = static_cast<std::uint32_t>(FtlStatus::bad_config);
    return;
  }
  const std::span<std::byte> arena(ftlab_arena);
  constexpr std::size_t kAlign = alignof(std::max_align_t);
  const std::size_t of_part = (PagedFlash::arena_bytes(driver, part) + kAlign - 1) / kAlign * kAlign;
  PagedFlash flash(driver, probe, part, arena.first(of_part));
  volume.logical_pages =
      static_cast<std::uint32_t>(volume::max_logical_pages(volume, flash.geometry()) / 100) * kOfferedPercent;
  PageFtl ftl(flash, probe, volume, arena.subspan(of_part));
  ftlab_mailbox.status = static_cast<std::uint32_t>(ftl.mount(Clock::now_ns()));
  MailboxHost host(ftl);
  serve(ftl, host, probe);
}

}  // namespace
}  // namespace ftlab::target

extern "C" void ftlab_main() { ftlab::target::run(); }
