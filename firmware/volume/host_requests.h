// What every layer does with the requests of a host: bounds, splitting into pages, reading by the tables, filling up
// parts of pages, trims. Knows no policy: how a whole page is written is the layer's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "firmware/volume/request_pages.h"
#include "firmware/volume/volume.h"

namespace ftlab {

class HostRequests {
 public:
  explicit HostRequests(Volume& volume) : v_(volume) {}

  /// ok, or why the request cannot be one.
  [[nodiscard]] FtlStatus admit(std::uint64_t offset, std::uint64_t length) const;
  /// Counts a request.
  void begin();

  FtlStatus read(std::uint64_t offset, std::span<std::byte> into);
  /// `write_page(lpn, data)`: an FtlStatus; durable when ok. Parts of pages are filled up with what the page holds.
  template <class WritePage>
  FtlStatus write(std::uint64_t offset, std::span<const std::byte> from, WritePage&& write_page) {
    RequestPages parts(offset, from.size(), v_.config.page_bytes);
    while (const auto part = parts.next()) {
      const std::byte* data = from.data() + part->done;
      if (part->length != v_.config.page_bytes) {
        const FtlStatus merged = merge(*part, data);
        if (merged != FtlStatus::ok) return merged;
        data = v_.merge_buffer.data();
      }
      const FtlStatus status = write_page(part->lpn, data);
      if (status != FtlStatus::ok) return status;
      count_written(part->length);
    }
    return FtlStatus::ok;
  }
  /// Takes the whole pages of the range off the tables. A page that a mount would bring back, or find lost, is written
  /// as erased bytes instead: a newer copy decides then.
  template <class WritePage>
  FtlStatus trim(std::uint64_t offset, std::uint64_t length, WritePage&& write_page) {
    const auto [first, end] = RequestPages::whole(offset, length, v_.config.page_bytes);
    for (std::uint32_t lpn = first; lpn < end; ++lpn) {
      if (const auto done = trim_page(lpn)) {
        if (*done != FtlStatus::ok) return *done;
        continue;
      }
      const FtlStatus status = write_page(lpn, erased_page());
      if (status != FtlStatus::ok) return status;
      ++v_.stats.pages_trimmed;
    }
    return FtlStatus::ok;
  }

 private:
  /// From byte `at` of the page.
  FtlStatus read_page(std::uint32_t lpn, std::uint32_t at, std::span<std::byte> into);
  // A page served, whole or in part.
  void count_read(std::uint32_t bytes);
  void count_written(std::uint32_t bytes);
  FtlStatus merge(const RequestPages::Part& part, const std::byte* data);
  /// nullopt: only a newer copy keeps the page from coming back.
  std::optional<FtlStatus> trim_page(std::uint32_t lpn);
  const std::byte* erased_page();

  Volume& v_;
};

}  // namespace ftlab
