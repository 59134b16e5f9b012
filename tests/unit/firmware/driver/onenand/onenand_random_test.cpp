// Long random sequences against a plain copy of what the part must hold, in every mode the driver has; and the supply
// lost anywhere in them.
#include <deque>
#include <map>
#include <optional>

#include "tests/fixtures/repetitions.h"
#include "tests/unit/firmware/driver/onenand/onenand_fixture.h"

namespace ftlab::test {
namespace {

struct Mode {
  const char* name;
  const char* part;
  DriverWait wait;
  bool background;
  bool cache;
  bool sync;
  bool no_wait = false;
};

class OneNandRandom : public OneNandFixture, public testing::WithParamInterface<Mode> {
 protected:
  struct Shadow {
    std::map<std::uint32_t, Bytes> pages;  ///< main and spare bytes
    std::uint32_t next = 0;
  };

  void SetUp() override {
    const Mode& mode = GetParam();
    config_ = {.read_wait = mode.wait, .program_wait = mode.wait, .erase_wait = mode.wait};
    config_.background_erase = mode.background;
    config_.cache_program = mode.cache;
    config_.sync_burst = mode.sync;
    start(mode.part);
    const std::uint32_t half = driver_->geometry().segments / 2;
    segments_ = {0, 1, 2, half, half + 1, half + 2};
    for (const std::uint32_t s : segments_) ASSERT_EQ(erase(s), PartStatus::ok);
  }

  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() >> 4) % limit; }
  std::uint32_t pages_of(std::uint32_t segment) const {
    const bool slc = segment % (driver_->geometry().segments / driver_->geometry().parallel_units) == 0;
    return slc ? 64 : 128;
  }

  /// Operations of one submit; what they must do is already in the shadow.
  std::vector<PartOp> make_batch() {
    buffers_.clear();
    expected_.clear();
    std::vector<PartOp> ops;
    const std::uint32_t count = 1 + below(6);
    std::uint32_t segment = segments_[below(6)];
    const std::uint32_t kind = below(5);
    for (std::uint32_t i = 0; i < count; ++i) {
      // Those that are not waited for are under way on both dies.
      if (GetParam().no_wait) segment = segments_[below(6)];
      Shadow& shadow = shadow_[segment];
      expected_.emplace_back();
      if (kind <= 2 && shadow.next < pages_of(segment)) {
        const std::uint32_t p = shadow.next;
        shadow.next = p + 1 + (below(6) == 0 ? 1 : 0);
        buffers_.push_back(noise(kPage, below(1U << 20)));
        buffers_.push_back(noise(32, below(1U << 20)));
        const Bytes& spare = buffers_.back();
        const Bytes& main = buffers_[buffers_.size() - 2];
        shadow.pages[p] = main;
        shadow.pages[p].insert(shadow.pages[p].end(), spare.begin(), spare.end());
        ops.push_back(program_op(segment, p, main, spare));
      } else if (kind <= 2 || below(12) == 0) {
        shadow = {};
        ops.push_back({.kind = PartOpKind::erase, .segment = SegmentId{segment}});
        break;
      } else {
        const std::uint32_t p = below(pages_of(segment));
        buffers_.emplace_back();
        Bytes& main = buffers_.back();
        buffers_.emplace_back();
        ops.push_back(read_op(segment, p, main, &buffers_.back()));
        const auto found = shadow.pages.find(p);
        expected_.back() = found == shadow.pages.end() ? Bytes(kPage + 32, std::byte{0xFF}) : found->second;
      }
    }
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      ops[i].tag = i;
      ops[i].no_wait = GetParam().no_wait && ops[i].kind != PartOpKind::erase;
    }
    return ops;
  }

  std::minstd_rand random_{7};
  std::vector<std::uint32_t> segments_;
  std::map<std::uint32_t, Shadow> shadow_;
  std::deque<Bytes> buffers_;
  std::vector<std::optional<Bytes>> expected_;
};

TEST_P(OneNandRandom, part_holds_what_was_programmed) {
  for (std::uint64_t round = 0; round < tests::repetitions(1500); ++round) {
    const std::vector<PartOp> ops = make_batch();
    for (const PartDone& done : run(ops)) {
      ASSERT_EQ(done.status, PartStatus::ok) << round;
      const PartOp& op = ops[done.tag];
      if (op.kind != PartOpKind::read) continue;
      Bytes got(op.into, op.into + kPage);
      got.insert(got.end(), op.spare_into, op.spare_into + 32);
      ASSERT_EQ(got, *expected_[done.tag]) << round;
    }
  }
}

TEST_P(OneNandRandom, acknowledged_pages_survive_power_loss_anywhere) {
  for (unsigned loss = 1; loss <= tests::repetitions(119); ++loss) {
    random_.seed(loss);
    const std::uint32_t segment = 1;
    ASSERT_EQ(erase(segment), PartStatus::ok);
    // The supply goes during a program: some pages before, a while after its command.
    const std::uint32_t before = below(40);
    for (std::uint32_t p = 0; p < before; ++p) ASSERT_EQ(program(segment, p, page(p)), PartStatus::ok);
    port_->copy_to(hw::flexonenand::area::kDataRam, page(1));
    port_->write16(hw::flexonenand::reg::kStartAddress2, 0);
    port_->write16(hw::flexonenand::reg::kStartAddress1, segment);
    port_->write16(hw::flexonenand::reg::kStartAddress8, static_cast<std::uint16_t>(before << 2));
    port_->write16(hw::flexonenand::reg::kCommand, hw::flexonenand::command::kProgram);
    port_->delay_ns(below(2'000'000));
    power_cycle();
    std::uint32_t recovered = 0;
    for (std::uint32_t p = 0; p < before; ++p) {
      Bytes data;
      const PartDone done = read(segment, p, data);
      ASSERT_TRUE(done.status == PartStatus::ok || done.corrected_bits == kRecovered) << loss << " page " << p;
      ASSERT_EQ(data, page(p)) << loss << " page " << p;
      recovered += done.status == PartStatus::ok ? 0 : 1;
    }
    ASSERT_LE(recovered, 1U) << "one partner at most";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Modes, OneNandRandom,
    testing::Values(Mode{"linux", "flexonenand-4gb", DriverWait::interrupt, false, false, false},
                    Mode{"polled", "flexonenand-4gb", DriverWait::poll, false, true, false},
                    Mode{"dies", "flexonenand-8gb-ddp", DriverWait::interrupt, false, true, false},
                    Mode{"dies_overlapped", "flexonenand-8gb-ddp", DriverWait::interrupt, true, true, true},
                    Mode{"dies_overlapped_polled", "flexonenand-8gb-ddp", DriverWait::poll, true, false, true},
                    Mode{"dies_not_waited_for", "flexonenand-8gb-ddp", DriverWait::interrupt, true, false, false,
                         true}),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace ftlab::test
