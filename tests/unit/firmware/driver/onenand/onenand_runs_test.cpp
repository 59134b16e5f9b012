// Operations of one submit that overlap: same data, less time, failures reported for the right page.
#include <gmock/gmock.h>

#include "tests/unit/firmware/driver/onenand/onenand_fixture.h"

namespace ftlab::test {
namespace {

class OneNandRuns : public OneNandFixture {
 protected:
  static constexpr std::uint32_t kPages = 16;

  /// Programs kPages pages in one submit; microseconds it took.
  double program_all(std::uint32_t segment, std::vector<PartDone>& done) {
    std::vector<Bytes> data;
    for (std::uint32_t p = 0; p < kPages; ++p) data.push_back(page(p));
    std::vector<PartOp> ops;
    for (std::uint32_t p = 0; p < kPages; ++p) {
      ops.push_back(program_op(segment, p, data[p]));
      ops.back().tag = p;
    }
    const Ticks before = port_->now;
    done = run(ops);
    return to_seconds(port_->now - before) * 1e6;
  }
  double read_all(std::uint32_t segment, std::vector<PartDone>& done, std::vector<Bytes>& data) {
    data.assign(kPages, {});
    std::vector<PartOp> ops;
    for (std::uint32_t p = 0; p < kPages; ++p) {
      ops.push_back(read_op(segment, p, data[p]));
      ops.back().tag = p;
    }
    const Ticks before = port_->now;
    done = run(ops);
    return to_seconds(port_->now - before) * 1e6;
  }
  void expect_page(std::uint32_t segment, std::uint32_t page, const Bytes& written) {
    Bytes data;
    EXPECT_EQ(read(segment, page, data).status, PartStatus::ok) << page;
    EXPECT_EQ(data, written) << page;
  }
  void expect_content(std::uint32_t segment) {
    for (std::uint32_t p = 0; p < kPages; ++p) expect_page(segment, p, page(p));
  }
  void start_cached(std::uint32_t erased) {
    config_.cache_program = true;
    start();
    ASSERT_EQ(erase(erased), PartStatus::ok);
  }
};

TEST_F(OneNandRuns, cache_program_overlaps_transfer_and_array) {
  std::vector<PartDone> done;
  start();
  ASSERT_EQ(erase(3), PartStatus::ok);
  const double plain = program_all(3, done);
  config_.cache_program = true;
  ASSERT_EQ(attach(), OneNandAttachStatus::ok);
  ASSERT_EQ(erase(4), PartStatus::ok);
  const double cached = program_all(4, done);
  for (std::uint32_t p = 0; p < kPages; ++p) {
    EXPECT_EQ(done[p].status, PartStatus::ok);
    EXPECT_EQ(done[p].tag, p);
  }
  expect_content(3);
  expect_content(4);
  EXPECT_LT(cached, plain - 15 * 100) << "a transfer of about 150 us is hidden in every page but the last";
}

TEST_F(OneNandRuns, failing_page_of_a_cache_run_is_reported_and_so_are_the_others) {
  hw::OneNandSpec spec = perfect(load_onenand("flexonenand-4gb"));
  spec.endurance.rated_mlc = 5;
  spec.endurance.median_ratio = 1.1;
  spec.endurance.spread = 0.01;
  config_.cache_program = true;
  start(spec);
  bool met = false;
  for (std::uint32_t s = 1; s < 40; ++s) {
    for (int cycle = 0; cycle < 20; ++cycle) {
      if (erase(s) != PartStatus::ok) break;
      std::vector<PartDone> done;
      program_all(s, done);
      Bytes data;
      bool failed = false;
      for (std::uint32_t p = 0; p < kPages; ++p) {
        EXPECT_EQ(done[p].tag, p);
        if (done[p].status == PartStatus::ok) continue;
        EXPECT_EQ(done[p].status, PartStatus::program_failed);
        failed = true;
      }
      met = met || failed;
      if (!failed) {
        expect_content(s);
      }
    }
  }
  EXPECT_TRUE(met);
}

TEST_F(OneNandRuns, refused_page_of_a_cache_run_fails_alone) {
  start_cached(3);
  ASSERT_EQ(program(3, 1, page(1)), PartStatus::ok);
  const Bytes data = page(2);
  const auto done = run({program_op(3, 0, data), program_op(3, 2, data), program_op(3, 3, data)});
  EXPECT_EQ(done[0].status, PartStatus::program_failed) << "page 0 comes after page 1";
  EXPECT_EQ(done[1].status, PartStatus::ok);
  EXPECT_EQ(done[2].status, PartStatus::ok);
  expect_page(3, 2, data);
}

TEST_F(OneNandRuns, refused_page_inside_a_cache_run_leaves_the_page_before_alone) {
  start_cached(0);
  const Bytes data = page(2);
  std::vector<PartOp> ops;
  for (std::uint32_t p = 61; p < 66; ++p) ops.push_back(program_op(0, p, data));
  const auto done = run(ops);
  for (std::uint32_t i = 0; i < 5; ++i) {
    EXPECT_EQ(done[i].status, i < 3 ? PartStatus::ok : PartStatus::program_failed) << "an SLC segment has 64 pages";
  }
  expect_page(0, 63, data);
}

TEST_F(OneNandRuns, locked_segment_is_reported_and_the_part_does_not_reset) {
  start_cached(3);
  port_->write16(hw::flexonenand::reg::kStartBlock, 3);
  port_->write16(hw::flexonenand::reg::kCommand, hw::flexonenand::command::kLock);
  port_->delay_ns(1'000'000);
  std::vector<PartDone> done;
  program_all(3, done);
  for (const PartDone& one : done) EXPECT_EQ(one.status, PartStatus::write_protected);
  ASSERT_EQ(erase(4), PartStatus::ok);
  program_all(4, done);
  expect_content(4);
}

TEST_F(OneNandRuns, superload_overlaps_reads) {
  std::vector<PartDone> done;
  std::vector<Bytes> data;
  start();
  ASSERT_EQ(erase(3), PartStatus::ok);
  program_all(3, done);
  config_.sync_burst = true;
  ASSERT_EQ(attach(), OneNandAttachStatus::ok);
  const double together = read_all(3, done, data);
  for (std::uint32_t p = 0; p < kPages; ++p) {
    EXPECT_EQ(done[p].status, PartStatus::ok);
    EXPECT_EQ(done[p].tag, p);
    EXPECT_EQ(data[p], page(p)) << p;
  }
  Bytes one;
  const Ticks before = port_->now;
  for (std::uint32_t p = 0; p < kPages; ++p) read(3, p, one);
  EXPECT_LT(together, to_seconds(port_->now - before) * 1e6 - 15 * 10) << "array time is hidden behind the transfer";
}

TEST_F(OneNandRuns, refused_load_fails_alone_at_any_place_of_a_run) {
  config_.sync_burst = true;
  start();
  ASSERT_EQ(erase(3), PartStatus::ok);
  for (std::uint32_t p = 0; p < 10; ++p) ASSERT_EQ(program(3, p, page(p)), PartStatus::ok);
  constexpr std::uint32_t kMsb[] = {4, 5, 8, 9};  // an LSB page would get a second chance
  for (std::size_t refused = 0; refused < 4; ++refused) {
    ASSERT_EQ(erase(4), PartStatus::ok);
    ASSERT_EQ(program(4, 0, page(9)), PartStatus::ok) << "DataRAM holds no loaded page";
    std::vector<Bytes> data(4);
    std::vector<PartOp> ops;
    ops.reserve(data.size());
    for (std::uint32_t p = 0; p < 4; ++p) ops.push_back(read_op(3, kMsb[p], data[p]));
    ops[refused].segment = SegmentId{0};
    ops[refused].offset = 64 * kPage;  // an SLC segment has 64 pages
    const auto done = run(ops);
    for (std::uint32_t p = 0; p < 4; ++p) {
      EXPECT_EQ(done[p].status, p == refused ? PartStatus::uncorrectable : PartStatus::ok) << refused << ' ' << p;
      if (p != refused) {
        EXPECT_EQ(data[p], page(kMsb[p])) << refused << ' ' << p;
      }
    }
  }
}

TEST_F(OneNandRuns, refused_last_page_of_a_cache_run_says_nothing_of_the_next_program) {
  start_cached(0);
  ASSERT_EQ(erase(5), PartStatus::ok);
  const Bytes data = page(2);
  const auto done = run({program_op(0, 62, data), program_op(0, 63, data), program_op(0, 64, data)});
  EXPECT_EQ(done[1].status, PartStatus::ok);
  EXPECT_EQ(done[2].status, PartStatus::program_failed) << "an SLC segment has 64 pages";
  EXPECT_EQ(program(5, 0, data), PartStatus::ok);
}

TEST_F(OneNandRuns, synchronous_bursts_are_faster_than_single_cycles) {
  std::vector<PartDone> done;
  start();
  ASSERT_EQ(erase(3), PartStatus::ok);
  program_all(3, done);
  Bytes data;
  const Ticks a = port_->now;
  read(3, 0, data);
  const Ticks async = port_->now - a;
  config_.sync_burst = true;
  ASSERT_EQ(attach(), OneNandAttachStatus::ok);
  const Ticks b = port_->now;
  read(3, 0, data);
  EXPECT_EQ(data, page(0));
  EXPECT_LT(port_->now - b, async * 0.6);
}

}  // namespace
}  // namespace ftlab::test
