// Requests of a host that are in flight together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "firmware/ftl/ftl.h"
#include "tests/powerloss/dice.h"
#include "tests/powerloss/page_oracle.h"

namespace ftlab::tests {

/// Which requests a layer takes before it has answered those before.
enum class Overlap : std::uint8_t {
  none,
  of_a_page,  ///< any
};

class Burst final : public HostPort {
 public:
  /// At most so many requests are sent.
  Burst(PageOracle& oracle, std::uint32_t max_requests) : oracle_(oracle) { sent_.reserve(max_requests); }

  /// The first page of a request of the burst; 0: there is none.
  [[nodiscard]] std::uint32_t page_of(std::uint32_t request) const {
    return sent_.empty() ? 0 : sent_[request % sent_.size()].page;
  }
  void write(Ftl& ftl, std::uint32_t page, std::uint32_t pages, std::uint32_t content, std::uint64_t now_ns) {
    write_units(ftl, page * PageOracle::kUnits, pages * PageOracle::kUnits, content, now_ns);
  }
  void write_units(Ftl& ftl, std::uint32_t unit, std::uint32_t units, std::uint32_t content, std::uint64_t now_ns) {
    const std::uint32_t page = unit / PageOracle::kUnits;
    Sent& sent = add(page, (unit + units - 1) / PageOracle::kUnits - page + 1);
    note_versions(sent);
    oracle_.begin_write(unit, units, content, sent.data);
    sent.changes = oracle_.changes();
    note_versions(sent);
    HostRequest request = request_for(sent);
    request.kind = HostRequestKind::write;
    request.offset = std::uint64_t{unit} * oracle_.unit_bytes();
    request.length = sent.data.size();
    request.from = sent.data.data();
    request.hint = {.stream = content % 5, .data_class = static_cast<std::uint8_t>(content % 4)};
    submit(ftl, request, now_ns);
  }
  void trim(Ftl& ftl, std::uint32_t page, std::uint32_t pages, std::uint64_t now_ns) {
    Sent& sent = add(page, pages);
    note_versions(sent);
    oracle_.begin_trim(page, pages);
    sent.changes = oracle_.changes();
    note_versions(sent);
    HostRequest request = request_for(sent);
    request.kind = HostRequestKind::trim;
    submit(ftl, request, now_ns);
  }
  void read(Ftl& ftl, std::uint32_t page, std::uint32_t pages, std::uint64_t now_ns) {
    Sent& sent = add(page, pages);
    sent.reads = true;
    sent.data.resize(page_bytes() * pages);
    sent.first_newer = versions_.size();
    for (std::uint32_t i = 0; i < pages; ++i) sent.expected.push_back(oracle_.last(page + i));
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
    // Behind a write that is refused, which version is the last one is not settled.
    if (wrong_.empty() && refused.empty()) wrong_ = wrong_read_;
    oracle_.set_refused(std::move(refused), versions_);
    return status;
  }
  /// Empty: every request completed once, and reads brought nothing older than what the host had
  /// written last when it sent them.
  [[nodiscard]] const std::string& wrong() const { return wrong_; }

  Next next(HostRequest&) override { return Next::ended; }
  void complete(std::uint32_t tag, FtlStatus status) override {
    Sent& sent = sent_[tag];
    ++sent.completions;
    sent.status = status;
    if (status != FtlStatus::ok) return;
    if (!sent.reads) return oracle_.acknowledge(sent.changes);
    for (std::uint32_t i = 0; i < sent.pages; ++i) {
      const auto bytes = std::span(sent.data).subspan(i * page_bytes(), page_bytes());
      const std::uint32_t page = sent.page + i;
      const auto has = [&](const auto& newer) {
        return newer.first == page && oracle_.holds(bytes, page, newer.second);
      };
      if (!oracle_.holds(bytes, page, sent.expected[i]) &&
          std::none_of(versions_.begin() + static_cast<std::ptrdiff_t>(sent.first_newer), versions_.end(), has))
        wrong_read_ = "a read in flight brought an older version of page " + std::to_string(page);
    }
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
    std::vector<PageOracle::Version> expected;  ///< read: what the host had sent last by then
    std::size_t first_newer = 0;                ///< read: what it sent later
    std::vector<std::byte> data;
  };

  void note_versions(const Sent& sent) {
    for (std::uint32_t page = sent.page; page < sent.page + sent.pages; ++page)
      versions_.push_back({page, oracle_.last(page)});
  }
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
  std::vector<Sent> sent_;         ///< its capacity is never exceeded, so that data and addresses stay
  PageOracle::Versions versions_;  ///< that were the last ones before and after each change, in order
  std::string wrong_;
  std::string wrong_read_;
  std::uint64_t now_ns_ = 0;
};

}  // namespace ftlab::tests
