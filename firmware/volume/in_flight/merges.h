// Writes of parts of pages: the rest of a page is read into the buffer of its own program. Only requests of the same
// page wait for that: a write shares the program, unless a read has to see the page before; the others come in their
// turn once the program is queued. Knows neither requests nor where pages go.
//
// Invariant: a page is being merged from the first part on until its program is queued, once at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/volume/in_flight/failed_writes.h"
#include "firmware/volume/in_flight/workbench.h"
#include "firmware/volume/in_flight/write_buffer.h"

namespace ftlab::volume {

class Merges {
 public:
  Merges(Workbench& bench, const FailedWrites& failed, const WriteBuffer& buffer)
      : bench_(bench), failed_(failed), buffer_(buffer) {}

  /// `pages`: in flight at most.
  void layout(Arena& arena, std::uint32_t pages);
  void clear();

  /// Some page is being merged.
  [[nodiscard]] bool any() const { return count_ > 0; }
  /// One of the pages from `first` on, up to `end`, is being merged.
  [[nodiscard]] bool any_in(std::uint32_t first, std::uint32_t end) const;

  /// What is to be done with a page on its way, before anything else is asked of this.
  struct Step {
    enum class Kind : std::uint8_t {
      none,
      read,   ///< from where it lies now
      write,  ///< out of its buffer
      fail,   ///< the rest of the page is lost
    };
    Kind kind = Kind::none;
    std::uint16_t tag = 0;
  };

  /// A write of a part of a page; `from`: its bytes, or null where the part keeps none.
  [[nodiscard]] Step write_part(std::uint16_t tag, const std::byte* from);
  /// A read, or a write of a whole page with its bytes. False: its page is not being merged. True: its turn comes.
  bool wait_behind(std::uint16_t tag, const std::byte* from = nullptr);

  // --- while reports are taken: nothing is queued ---
  /// The rest of the page was read, or cannot be.
  void rest_read(std::uint16_t tag, bool readable);
  /// To be read again: its place was given up meanwhile.
  void read_again(std::uint16_t tag) { due_.put(tag); }

  /// Something can go on.
  [[nodiscard]] bool due() const { return next_turn_ != kNone || due_.count > 0; }
  /// Of the first that can, when no failed write waits.
  [[nodiscard]] Step go_on();

  /// Those that share the program of `tag`, which itself is left out.
  template <class Act>
  void for_each_that_shares(std::uint16_t tag, Act&& act) const {
    for (std::uint16_t other = entries_[tag].next; other != kNone;) {
      const std::uint16_t next = entries_[other].next;
      act(other);
      other = next;
    }
  }

 private:
  static constexpr std::uint16_t kNone = 0xFFFF;

  struct Entry {
    const std::byte* from = nullptr;
    std::uint16_t next = kNone;  ///< that shares the program, or that waits
    // Of the first part of a page:
    std::uint16_t last = kNone;  ///< that shares the program
    std::uint16_t first_waiting = kNone;
    std::uint16_t last_waiting = kNone;
    std::uint16_t next_in_bucket = kNone;
    bool covered = false;  ///< the whole page is written: no rest is needed
    bool rest_read = false;
    bool readable = false;
  };
  /// Pages with something to do, in their order.
  struct Due {
    std::span<std::uint16_t> tags;  ///< a ring
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    void put(std::uint16_t tag) { tags[(first + count++) % tags.size()] = tag; }
    std::uint16_t take() {
      const std::uint16_t tag = tags[first];
      first = first + 1 == tags.size() ? 0 : first + 1;
      --count;
      return tag;
    }
  };

  [[nodiscard]] std::uint16_t& bucket_of(std::uint32_t lpn) { return buckets_[lpn % buckets_.size()]; }
  /// The first part of the page that is being merged, or kNone.
  [[nodiscard]] std::uint16_t find(std::uint32_t lpn) const;
  Step begin(std::uint16_t tag);
  void follow(std::uint16_t first_part, std::uint16_t tag);
  void read_rest(std::uint16_t tag);
  /// It is in another buffer.
  void copy_rest(std::uint16_t tag);
  void erase_buffer(std::uint16_t tag);
  Step finish(std::uint16_t tag);
  /// What waited for the page, as if it came now.
  Step take_turn(std::uint16_t tag);
  void put_in_buffer(std::uint16_t buffer, std::uint16_t tag);
  Step write(std::uint16_t tag);

  Workbench& bench_;
  const FailedWrites& failed_;
  const WriteBuffer& buffer_;
  std::span<Entry> entries_;          ///< of each tag
  std::span<std::uint16_t> buckets_;  ///< first parts, by their page
  std::uint32_t count_ = 0;
  std::uint16_t next_turn_ = kNone;  ///< of those that waited for a page that is merged now
  Due due_;
};

}  // namespace ftlab::volume
