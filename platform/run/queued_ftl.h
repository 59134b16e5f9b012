// The layer of a firmware on a core, one request of which is as good as another: they go to the host queue, and
// completions come from there. Knows no report; what the firmware counts is its heirs' to say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/ftl/ftl.h"
#include "platform/machine/core/core_processor.h"

namespace ftlab::platform {

class QueuedFtl : public Ftl {
 public:
  FtlStatus format(std::uint64_t now_ns) override;
  FtlStatus mount(std::uint64_t now_ns) override;
  FtlStatus read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t now_ns) override;
  FtlStatus write(std::uint64_t offset, std::span<const std::byte> from, WriteHint hint, std::uint64_t now_ns) override;
  FtlStatus trim(std::uint64_t offset, std::uint64_t length, std::uint64_t now_ns) override;
  FtlStatus flush(std::uint64_t now_ns) override;
  /// The firmware does what it has to while its processor lets time pass.
  std::uint64_t idle(std::uint64_t now_ns, std::uint64_t until_ns) override;

  void submit(const HostRequest& request, HostPort& host) override;
  void poll(HostPort& host, std::uint64_t until_ns) override;
  [[nodiscard]] std::uint32_t in_flight() const override { return processor_.queue().unanswered(); }

  [[nodiscard]] std::uint64_t capacity_bytes() const override { return capacity_bytes_; }
  [[nodiscard]] std::uint32_t page_bytes() const override { return page_bytes_; }

 protected:
  QueuedFtl(CoreProcessor& processor, std::uint64_t capacity_bytes, std::uint32_t page_bytes)
      : processor_(processor), capacity_bytes_(capacity_bytes), page_bytes_(page_bytes) {}
  ~QueuedFtl() = default;

 private:
  FtlStatus run(HostQueue::Request request);

  CoreProcessor& processor_;
  const std::uint64_t capacity_bytes_;
  const std::uint32_t page_bytes_;
};

}  // namespace ftlab::platform
