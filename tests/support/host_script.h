// A random host: writes, partial writes, trims and flushes against an FTL, every step told to an oracle.
#pragma once

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <vector>

#include "firmware/ftl.h"
#include "tests/support/oracle.h"

namespace ftlab::tests {

class HostScript {
 public:
  HostScript(std::uint64_t seed, std::uint64_t capacity, std::uint32_t page_bytes)
      : random_(seed), capacity_(capacity), page_(page_bytes) {}

  /// One random request; its answer. Acknowledged to the oracle when ok.
  FtlStatus step(Ftl& ftl, Oracle& oracle) {
    now_ns_ += draw(1, 1'000'000);
    const std::uint32_t kind = draw(0, 99);
    FtlStatus status = FtlStatus::ok;
    if (kind < 5) {
      status = ftl.flush(now_ns_);
      if (status == FtlStatus::ok) oracle.flushed();
    } else if (kind < 12) {
      const std::uint64_t offset = draw(0, static_cast<std::uint32_t>(capacity_ - 1));
      const std::uint64_t length = std::min<std::uint64_t>(draw(1, 3 * page_), capacity_ - offset);
      oracle.begin_trim(offset, length);
      status = ftl.trim(offset, length, now_ns_);
      if (status == FtlStatus::ok) oracle.acknowledge();
    } else {
      // Four writes of five go to the first fifth of the pages.
      const auto pages = static_cast<std::uint32_t>(capacity_ / page_);
      const std::uint32_t lpn = draw(0, 4) != 0 ? draw(0, pages / 5) : draw(0, pages - 1);
      std::uint64_t offset = std::uint64_t{lpn} * page_;
      std::uint64_t length = page_;
      if (kind < 30) {
        offset += draw(0, page_ - 1);
        length = draw(1, 2 * page_);
      }
      length = std::min(length, capacity_ - offset);
      data_.resize(length);
      for (std::byte& b : data_) b = static_cast<std::byte>(draw(0, 255));
      oracle.begin_write(offset, data_);
      status = ftl.write(offset, data_, {.stream = 0, .read_only = kind >= 95}, now_ns_);
      if (status == FtlStatus::ok) oracle.acknowledge();
    }
    return status;
  }

  [[nodiscard]] std::uint64_t now_ns() const { return now_ns_; }

 private:
  std::uint32_t draw(std::uint32_t from, std::uint32_t to) {
    return boost::random::uniform_int_distribution<std::uint32_t>(from, to)(random_);
  }

  boost::random::mt19937_64 random_;
  std::uint64_t capacity_;
  std::uint32_t page_;
  std::uint64_t now_ns_ = 0;
  std::vector<std::byte> data_;
};

}  // namespace ftlab::tests
