// Requests of the host whose pages the units of a part read and program at the same time, one page per unit.
// Knows volume and requests; where a page goes, and what a written one changes in the tables, are the layer's.
//
// Whatever else programs or erases, cleaning and checkpoints included, comes after wait_for_all(): it never sees a page
// half way. A page whose program failed is written anew before its request completes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/port/host_port.h"
#include "firmware/volume/host_requests.h"
#include "firmware/volume/segment_pool.h"
#include "firmware/volume/volume.h"
#include "firmware/volume/write_frontier.h"

namespace ftlab {

/// Where a page of the host goes.
struct Placement {
  StreamId stream = 0;
  PageMetadata page;
};

class RequestsInFlight {
 public:
  static constexpr std::uint32_t kMaxUnits = FlashIo::kMaxStarted;

  /// What a layer knows.
  class Layer {
   public:
    Layer() = default;
    Layer(const Layer&) = delete;
    Layer& operator=(const Layer&) = delete;

    virtual Placement place(std::uint32_t lpn) = 0;
    /// Writes the page, cleaning where there is no room; durable when ok.
    virtual FtlStatus write(const Placement& where, const std::byte* data) = 0;
    /// The page is durable at `ppn`.
    virtual void written(const PageMetadata& page, std::uint32_t ppn) = 0;

   protected:
    ~Layer() = default;
  };

  RequestsInFlight(Volume& volume, SegmentPool& pool, WriteFrontier& frontier, HostRequests& requests, Layer& layer)
      : v_(volume), pool_(pool), frontier_(frontier), requests_(requests), layer_(layer) {}

  /// Whether the part has units that work at the same time.
  [[nodiscard]] static bool possible(const FlashGeometry& geometry, const FlashCapabilities& can) {
    return can.no_wait && geometry.parallel_units > 1 && geometry.parallel_units <= kMaxUnits;
  }
  /// Nothing is in flight.
  void clear();

  /// A read, or a write of whole pages, that the volume admits. Completes through host.complete(), now or later.
  void submit(const HostRequest& request, HostPort& host);
  /// Requests taken and not completed.
  [[nodiscard]] std::uint32_t count() const { return count_; }
  /// Completes what has ended; lets time pass until one page has, but not beyond `until_ns`.
  void poll(HostPort& host, std::uint64_t until_ns);
  /// Waits for all pages; their requests complete.
  void wait_for_all();

 private:
  struct Page {
    bool busy = false;
    bool is_write = false;
    std::uint8_t request = 0;
    StreamId stream = 0;  ///< write
    PageMetadata page;    ///< write; of a read its lpn alone
    std::uint32_t ppn = kUnmapped;
    const std::byte* data = nullptr;  ///< write
    std::uint32_t length = 0;         ///< bytes for the host
  };
  struct Request {
    bool taken = false;
    bool more = false;  ///< not all of its pages were started
    std::uint32_t tag = 0;
    std::uint32_t open_pages = 0;
    FtlStatus status = FtlStatus::ok;
  };

  std::uint8_t take_request(std::uint32_t tag);
  void page_ended(std::uint8_t request, FtlStatus status);
  void complete_if_done(Request& request);

  FtlStatus read(std::uint32_t lpn, std::uint32_t at, std::span<std::byte> into, std::uint8_t request);
  FtlStatus write(std::uint32_t lpn, const std::byte* data, std::uint8_t request);
  void start(std::uint32_t unit, const Page& page);

  /// Waits for what the unit does, if anything.
  void wait_for(std::uint32_t unit);
  /// The same where the page is in flight.
  void wait_for_page(std::uint32_t lpn);
  /// False: it has not ended, and was not to be waited for.
  bool finish(std::uint32_t unit, bool wait);
  void finish_write(const Page& page, FlashStatus status);
  void rewrite_failed();

  Volume& v_;
  SegmentPool& pool_;
  WriteFrontier& frontier_;
  HostRequests& requests_;
  Layer& layer_;
  HostPort* host_ = nullptr;
  std::array<Page, kMaxUnits> pages_{};             ///< by unit
  std::array<Request, kMaxUnits + 1> in_flight_{};  ///< each but the one being taken has a page on some unit
  std::array<Page, kMaxUnits> failed_{};            ///< programs that failed, to be written anew
  std::uint32_t failed_count_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace ftlab
