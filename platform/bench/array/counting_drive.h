// The least that a page-mapped drive under greedy cleaning can cost: it counts pages, and knows no time, no energy, no
// requests and no bus. One write frontier, uniform pages. Whole runs are held against it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ftlab::platform {

class CountingDrive {
 public:
  static constexpr std::uint32_t kReserve = 64;  ///< free segments that are kept

  /// The host has the pages of so many of the segments.
  CountingDrive(std::uint32_t segments, std::uint32_t host_segments, std::uint32_t pages_per_segment)
      : per_segment_(pages_per_segment),
        pages_(host_segments * pages_per_segment),
        place_of_(pages_, kNone),
        page_at_(std::size_t{segments} * pages_per_segment, kNone),
        valid_(segments),
        next_(segments + pages_per_segment + 1),
        before_(segments + pages_per_segment + 1),
        lists_(segments) {
    for (std::uint32_t list = lists_; list < next_.size(); ++list) next_[list] = before_[list] = list;
    for (std::uint32_t segment = segments; segment-- > 1;) free_.push_back(segment);
  }

  [[nodiscard]] std::uint32_t pages() const { return pages_; }
  [[nodiscard]] std::uint64_t writes() const { return writes_; }
  [[nodiscard]] std::uint64_t programs() const { return programs_; }

  void write(std::uint32_t page) {
    ++writes_;
    program(page);
    while (free_.size() < kReserve) clean();
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  /// Full segments lie in a list by their valid pages. The lists' heads come behind the segments.
  void take_out(std::uint32_t segment) {
    next_[before_[segment]] = next_[segment];
    before_[next_[segment]] = before_[segment];
  }
  void put_in(std::uint32_t segment) {
    const std::uint32_t head = lists_ + valid_[segment];
    next_[segment] = head;
    before_[segment] = before_[head];
    next_[before_[head]] = segment;
    before_[head] = segment;
    if (valid_[segment] < lowest_) lowest_ = valid_[segment];
  }

  void program(std::uint32_t page) {
    ++programs_;
    if (const std::uint32_t old = place_of_[page]; old != kNone) {
      page_at_[old] = kNone;
      const std::uint32_t segment = old / per_segment_;
      --valid_[segment];
      if (segment != open_) {
        take_out(segment);
        put_in(segment);
      }
    }
    if (filled_ == per_segment_) {
      put_in(open_);
      open_ = free_.back();
      free_.pop_back();
      filled_ = 0;
    }
    const std::uint32_t place = open_ * per_segment_ + filled_++;
    place_of_[page] = place;
    page_at_[place] = page;
    ++valid_[open_];
  }

  void clean() {
    while (next_[lists_ + lowest_] == lists_ + lowest_) ++lowest_;
    const std::uint32_t victim = next_[lists_ + lowest_];
    take_out(victim);
    // Out of all lists: what it gives away joins none.
    next_[victim] = before_[victim] = victim;
    for (std::uint32_t i = 0; i < per_segment_; ++i) {
      const std::uint32_t page = page_at_[victim * per_segment_ + i];
      if (page == kNone) continue;
      move(page);
    }
    valid_[victim] = 0;
    free_.push_back(victim);
  }

  /// As program(), of a page of the victim.
  void move(std::uint32_t page) {
    page_at_[place_of_[page]] = kNone;
    place_of_[page] = kNone;
    program(page);
  }

  std::uint32_t per_segment_;
  std::uint32_t pages_;
  std::vector<std::uint32_t> place_of_;  ///< of each page of the host
  std::vector<std::uint32_t> page_at_;   ///< at each place; none: free or overwritten
  std::vector<std::uint32_t> valid_;     ///< of each segment
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> before_;
  std::uint32_t lists_;
  std::uint32_t lowest_ = 0;  ///< no list below has any
  std::vector<std::uint32_t> free_;
  std::uint32_t open_ = 0;
  std::uint32_t filled_ = 0;
  std::uint64_t writes_ = 0;
  std::uint64_t programs_ = 0;
};

}  // namespace ftlab::platform
