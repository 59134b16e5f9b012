// The page-mapped layer of arrays with the port below it that serves a NOR or NAND part as one, as one layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "firmware/driver/paged/paged_flash.h"
#include "firmware/ftl/page/page_ftl.h"

namespace ftlab::tests {

struct PagedConfig : PageConfig {
  PagedFlashConfig part;
  /// What `policies` points to, where that is not null: for copies of this, too.
  std::shared_ptr<const fms::PolicyChoice> choice;
};

class PagedLayer final : public Ftl {
 public:
  static std::size_t arena_bytes(FlashPort& flash, const PagedConfig& config) {
    NullProbe probe;
    PagedFlash port(flash, probe, part_of(config), {});
    return port_bytes(flash, config) + PageFtl::arena_bytes(port, config);
  }

  PagedLayer(FlashPort& flash, ProbePort& probe, const PagedConfig& config, std::span<std::byte> arena)
      : port_(flash, probe, part_of(config), arena.first(port_bytes(flash, config))),
        ftl_(port_, probe, config, arena.subspan(port_bytes(flash, config))) {}

  [[nodiscard]] const char* config_error() const { return ftl_.config_error(); }
  FtlStatus format(std::uint64_t now_ns) override { return ftl_.format(now_ns); }
  FtlStatus mount(std::uint64_t now_ns) override { return ftl_.mount(now_ns); }
  FtlStatus read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t now_ns) override {
    return ftl_.read(offset, into, now_ns);
  }
  FtlStatus write(std::uint64_t offset, std::span<const std::byte> from, WriteHint hint,
                  std::uint64_t now_ns) override {
    return ftl_.write(offset, from, hint, now_ns);
  }
  FtlStatus trim(std::uint64_t offset, std::uint64_t length, std::uint64_t now_ns) override {
    return ftl_.trim(offset, length, now_ns);
  }
  FtlStatus flush(std::uint64_t now_ns) override { return ftl_.flush(now_ns); }
  std::uint64_t idle(std::uint64_t now_ns, std::uint64_t until_ns) override { return ftl_.idle(now_ns, until_ns); }
  void submit(const HostRequest& request, HostPort& host) override { ftl_.submit(request, host); }
  [[nodiscard]] std::uint32_t in_flight() const override { return ftl_.in_flight(); }
  void poll(HostPort& host, std::uint64_t until_ns) override { ftl_.poll(host, until_ns); }
  [[nodiscard]] std::uint64_t capacity_bytes() const override { return ftl_.capacity_bytes(); }
  [[nodiscard]] std::uint32_t page_bytes() const override { return ftl_.page_bytes(); }
  [[nodiscard]] const FtlStats& stats() const override { return ftl_.stats(); }
  [[nodiscard]] std::uint32_t segments() const override { return ftl_.segments(); }
  [[nodiscard]] SegmentInfo segment(SegmentId id) const override { return ftl_.segment(id); }
  [[nodiscard]] const char* self_check() const override { return ftl_.self_check(); }

 private:
  static PagedFlashConfig part_of(const PagedConfig& config) {
    PagedFlashConfig part = config.part;
    part.begun_units = page::begun_units_of(config);
    return part;
  }
  static std::size_t port_bytes(FlashPort& flash, const PagedConfig& config) {
    constexpr std::size_t kAlign = alignof(std::max_align_t);
    return (PagedFlash::arena_bytes(flash, part_of(config)) + kAlign - 1) / kAlign * kAlign;
  }

  PagedFlash port_;
  PageFtl ftl_;
};

}  // namespace ftlab::tests
