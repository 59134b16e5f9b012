// Requests of a host that are in flight together, each on pages of its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "firmware/ftl/ftl.h"
#include "tests/powerloss/dice.h"
#include "tests/powerloss/page_oracle.h"

namespace ftlab::tests {

class Burst final : public HostPort {
 public:
  /// At most so many requests are sent.
  Burst(PageOracle& oracle, std::uint32_t max_requests) : oracle_(oracle) { sent_.reserve(max_requests); }

  /// Whether no request of the burst is on the pages.
  [[nodiscard]] bool are_free(std::uint32_t page, std::uint32_t pages) const {
    return std::ranges::none_of(
        sent_, [&](const Sent& sent) { return page < sent.page + sent.pages && sent.page < page + pages; });
  }
  void write(Ftl& ftl, std::uint32_t page, std::uint32_t pages, std::uint32_t content, std::uint64_t now_ns) {
    Sent& sent = add(page, pages);
    oracle_.begin_write(page * PageOracle::kUnits, pages * PageOracle::kUnits, content, sent.data);
    sent.changes = oracle_.changes();
    HostRequest request = request_for(sent);
    request.kind = HostRequestKind::write;
    request.from = sent.data.data();
    submit(ftl, request, now_ns);
  }
  void read(Ftl& ftl, std::uint32_t page, std::uint32_t pages, std::uint64_t now_ns) {
    Sent& sent = add(page, pages);
    sent.reads = true;
    sent.data.resize(page_bytes() * pages);
    HostRequest request = request_for(sent);
    request.into = sent.data.data();
    submit(ftl, request, now_ns);
  }
  /// Until all are completed. The first answer that is not ok; those refused are left to the oracle.
  FtlStatus finish(Ftl& ftl) {
    while (ftl.in_flight() > 0) ftl.poll(*this, UINT64_MAX);
    FtlStatus status = FtlStatus::ok;
    PageOracle::Changes refused;
    for (const Sent& sent : sent_) {
      if (sent.completions != 1) wrong_ = "a request completed " + std::to_string(sent.completions) + " times";
      if (sent.status == FtlStatus::ok) continue;
      if (status == FtlStatus::ok) status = sent.status;
      refused.insert(refused.end(), sent.changes.begin(), sent.changes.end());
    }
    oracle_.set_refused(std::move(refused));
    return status;
  }
  /// Empty: every request completed once, and reads brought what the host wrote last.
  [[nodiscard]] const std::string& wrong() const { return wrong_; }

  Next next(HostRequest&) override { return Next::ended; }
  void complete(std::uint32_t tag, FtlStatus status) override {
    Sent& sent = sent_[tag];
    ++sent.completions;
    sent.status = status;
    if (status != FtlStatus::ok) return;
    if (!sent.reads) return oracle_.acknowledge(sent.changes);
    for (std::uint32_t i = 0; i < sent.pages; ++i)
      if (!oracle_.is_last(sent.page + i, std::span(sent.data).subspan(i * page_bytes(), page_bytes())))
        wrong_ = "a read in flight brought another version of page " + std::to_string(sent.page + i);
  }
  std::uint64_t now_ns() override { return now_ns_; }
  std::uint64_t next_arrival_ns() override { return UINT64_MAX; }
  void wait(std::uint64_t until_ns) override { now_ns_ = std::max(now_ns_, until_ns); }

 private:
  struct Sent {
    std::uint32_t page = 0;
    std::uint32_t pages = 0;
    std::uint32_t completions = 0;
    bool reads = false;
    FtlStatus status = FtlStatus::ok;
    PageOracle::Changes changes;
    std::vector<std::byte> data;
  };

  [[nodiscard]] std::size_t page_bytes() const { return std::size_t{oracle_.unit_bytes()} * PageOracle::kUnits; }
  Sent& add(std::uint32_t page, std::uint32_t pages) {
    sent_.emplace_back();
    sent_.back().page = page;
    sent_.back().pages = pages;
    return sent_.back();
  }
  [[nodiscard]] HostRequest request_for(const Sent& sent) const {
    HostRequest request;
    request.tag = static_cast<std::uint32_t>(&sent - sent_.data());
    request.offset = sent.page * page_bytes();
    request.length = sent.pages * page_bytes();
    return request;
  }
  void submit(Ftl& ftl, const HostRequest& request, std::uint64_t now_ns) {
    now_ns_ = now_ns;
    ftl.submit(request, *this);
  }

  PageOracle& oracle_;
  std::vector<Sent> sent_;  ///< its capacity is never exceeded, so that data and addresses stay
  std::string wrong_;
  std::uint64_t now_ns_ = 0;
};

}  // namespace ftlab::tests
