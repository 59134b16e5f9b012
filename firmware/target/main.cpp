// The bare-metal image: the Flash Memory Server on the Series 2+ driver, serving one mailbox.
// Puts things together; no behaviour of its own.
#include <cstddef>
#include <span>

#include "firmware/driver/series2plus/driver.h"
#include "firmware/ftl/fms/fms.h"
#include "firmware/port/probe_port.h"
#include "firmware/target/board.h"
#include "firmware/target/clock.h"
#include "firmware/target/mailbox.h"
#include "firmware/target/pointer_port.h"

extern "C" {
constinit ftlab::target::Mailbox ftlab_mailbox{};
/// Enough for a 24 MB card in pages of 4 KiB; a card that needs more is refused with bad_config.
[[gnu::section(".arena"), gnu::used]] alignas(std::max_align_t) std::byte ftlab_arena[136 * 1024];
}

namespace ftlab::target {
namespace {

/// Share of the pages that cleaning can reclaim which is offered to the host, in percent.
constexpr std::uint32_t kOfferedPercent = 90;

FtlStatus serve(Ftl& ftl, const Mailbox& mailbox) {
  const std::uint64_t now = Clock::now_ns();
  auto* const data = reinterpret_cast<std::byte*>(mailbox.data);
  switch (mailbox.request) {
    case MailboxRequest::read:
      return ftl.read(mailbox.offset, {data, mailbox.length}, now);
    case MailboxRequest::write:
      return ftl.write(mailbox.offset, std::span<const std::byte>(data, mailbox.length), {}, now);
    case MailboxRequest::trim:
      return ftl.trim(mailbox.offset, mailbox.length, now);
    case MailboxRequest::flush:
      return ftl.flush(now);
    case MailboxRequest::format:
      return ftl.format(now);
  }
  return FtlStatus::bad_config;
}

/// Never returns: requests are served as they are posted, waiting time goes to background work.
[[noreturn]] void serve_forever(Ftl& ftl) {
  constexpr std::uint64_t kIdleSlice = 10'000'000'000;
  for (;;) {
    if (ftlab_mailbox.state == MailboxState::posted) {
      ftlab_mailbox.status = static_cast<std::uint32_t>(serve(ftl, ftlab_mailbox));
      ftlab_mailbox.state = MailboxState::done;
    } else if (ftl.idle(Clock::now_ns(), Clock::now_ns() + kIdleSlice) > Clock::now_ns()) {
      Clock::wait_for_interrupt();
    }
  }
}

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
  config.logical_pages = fms::max_logical_pages(config, driver.geometry()) / 100 * kOfferedPercent;
  Fms fms(driver, probe, config, ftlab_arena);
  FtlStatus status = fms.mount(Clock::now_ns());
  if (status == FtlStatus::not_formatted) status = fms.format(Clock::now_ns());
  ftlab_mailbox.status = static_cast<std::uint32_t>(status);
  serve_forever(fms);
}

}  // namespace
}  // namespace ftlab::target

extern "C" void ftlab_main() { ftlab::target::run(); }
