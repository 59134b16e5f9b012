// Checkpoints of the page-mapped layer that are whole, and that no firmware has written: a map that names places where
// no page can lie is refused, and the mount finds everything all the same.
#include <gtest/gtest.h>

#include <cstring>
#include <span>

#include "firmware/volume/format/checkpoint_page.h"
#include "tests/fixtures/array_volume.h"

namespace ftlab::tests {
namespace {

constexpr std::uint32_t kPages = 16;  ///< of a segment
constexpr std::uint32_t kPageBytes = 1024;
constexpr std::uint32_t kSegments = 24;

class PageCheckpointCrafted : public ArrayVolume {
 protected:
  PageCheckpointCrafted() {
    make({.segments = kSegments,
          .pages_per_segment = kPages,
          .page_bytes = kPageBytes,
          .dies = 1,
          .rated_erase_cycles = 1000,
          .buffers = 64,
          .keeps_metadata = true});
    config_.checkpoint_every = 100;
    fill_share(0.8);
    begin_volume();
    // Some pages more than a checkpoint: a segment is being filled.
    write(config_.checkpoint_every + 5);
  }

  void write(std::uint32_t pages) {
    for (std::uint32_t i = 0; i < pages; ++i) put(next_++ % config_.logical_pages);
  }

  /// The only page of the checkpoint: the map fits into it.
  [[nodiscard]] std::uint32_t checkpoint() const {
    std::uint32_t found = kSegments * kPages;
    for (std::uint32_t page = 0; page < kSegments * kPages; page += kPages)
      if ((array_->metadata_of(page).low & 0xFFFFFFFFU) == volume::kCheckpointLpn) found = page;
    EXPECT_LT(found, kSegments * kPages);
    return found;
  }
  [[nodiscard]] bool is_blank(std::uint32_t page) const { return array_->metadata_of(page).high == ~0ULL; }
  /// A place behind the last page of the segment that was being filled.
  [[nodiscard]] std::uint32_t place_not_programmed() const {
    for (std::uint32_t page = 0; page < kSegments * kPages; ++page)
      if (is_blank(page) && !is_blank(page / kPages * kPages) && page / kPages != checkpoint() / kPages) return page;
    ADD_FAILURE() << "no segment is being filled";
    return 0;
  }
  [[nodiscard]] std::uint32_t mapped(std::uint32_t lpn) {
    Le32 ppn;
    std::memcpy(&ppn, array_->bytes_of(checkpoint()).data() + sizeof(volume::CheckpointHead) + 4 * lpn, sizeof ppn);
    return ppn;
  }
  /// The checkpoint says that the page lies there, and is whole.
  void craft(std::uint32_t lpn, std::uint32_t ppn) {
    const std::span<std::byte> bytes = array_->bytes_of(checkpoint());
    const Le32 stored = ppn;
    std::memcpy(bytes.data() + sizeof(volume::CheckpointHead) + 4 * lpn, &stored, sizeof stored);
    volume::CheckpointHead head;
    std::memcpy(&head, bytes.data(), sizeof head);
    volume::seal_page(bytes, head);
  }

  void expect_everything_after_a_mount() {
    mount();
    expect_all_right();
    write(40);
    expect_all_right();
  }

  std::uint32_t next_ = 0;
};

TEST_F(PageCheckpointCrafted, one_finds_what_lies_behind_a_page_that_was_spoiled_and_one_that_was_left_out) {
  const std::uint32_t first = mapped(0) / kPages * kPages;
  for (const std::uint32_t page : {first, first + 1}) put(volume::lpn_of(array_->metadata_of(page)));
  ASSERT_FALSE(is_blank(first + 2));
  array_->lose_page(first);
  array_->blank_page(first + 1);
  expect_everything_after_a_mount();
}

TEST_F(PageCheckpointCrafted, one_that_says_what_is_so_is_taken) {
  craft(3, mapped(3));
  const std::uint64_t reads = array_->reads();
  mount();
  EXPECT_LT(array_->reads() - reads, 3 * kSegments) << "every page was read";
}

TEST_F(PageCheckpointCrafted, one_that_names_a_place_behind_the_last_page_of_a_segment_is_refused) {
  craft(3, place_not_programmed());
  expect_everything_after_a_mount();
}

TEST_F(PageCheckpointCrafted, one_that_names_a_place_programmed_since_for_another_page_is_refused) {
  craft(3, place_not_programmed() - 1);
  expect_everything_after_a_mount();
}

TEST_F(PageCheckpointCrafted, one_that_names_a_place_twice_is_refused) {
  craft(3, mapped(4));
  expect_everything_after_a_mount();
}

TEST_F(PageCheckpointCrafted, one_that_names_a_place_of_the_checkpoint_is_refused) {
  craft(3, checkpoint());
  expect_everything_after_a_mount();
}

TEST_F(PageCheckpointCrafted, one_that_names_a_place_beyond_the_array_is_refused) {
  craft(3, kSegments * kPages + 7);
  expect_everything_after_a_mount();
}

}  // namespace
}  // namespace ftlab::tests
