// Random requests of parts of pages, many of the same page in flight: with programs that fail, and with power losses.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "firmware/base/random.h"
#include "firmware/ftl/page/page_ftl.h"
#include "tests/fixtures/paged_part.h"
#include "tests/fixtures/parts_host.h"
#include "tests/fixtures/repetitions.h"

namespace ftlab::tests {
namespace {

constexpr std::uint32_t kPageBytes = 256;
constexpr std::uint32_t kAll = PartsHost::kParts;

class Session {
 public:
  Session(PartKind kind, std::uint32_t dies, std::uint64_t seed)
      : random_(seed + 1),
        part_(make_paged_part(kind,
                              {.dies = dies,
                               .segments = 24,
                               .pages = 8,
                               .page_bytes = kPageBytes,
                               .faults = {.program_one_in = 150, .erase_one_in = 500}},
                              seed)) {
    config_.selection = "greedy";
    config_.logical_pages =
        static_cast<std::uint32_t>(page::max_logical_pages(config_, part_->port().geometry()) * 7 / 10);
    host_ = std::make_unique<PartsHost>(config_.logical_pages, kPageBytes);
    boot();
    EXPECT_EQ(ftl_->format(0), FtlStatus::ok);
  }

  void boot() {
    arena_.assign(PageFtl::arena_bytes(part_->port(), config_), std::byte{});
    ftl_ = std::make_unique<PageFtl>(part_->port(), probe_, config_, arena_);
    ASSERT_EQ(ftl_->config_error(), nullptr);
  }
  void run(std::uint32_t requests, std::uint32_t depth) {
    for (std::uint32_t i = 0; i < requests && host_->first_failure == FtlStatus::ok; ++i) {
      ftl_->submit(next(), *host_);
      while (host_->in_flight() >= depth) ftl_->poll(*host_, UINT64_MAX);
      // Some come when others have got on.
      if (random_.below(4) == 0 && ftl_->in_flight() > 0) ftl_->poll(*host_, UINT64_MAX);
    }
  }
  void drain() {
    while (ftl_->in_flight() > 0) ftl_->poll(*host_, UINT64_MAX);
    ASSERT_EQ(host_->in_flight(), 0U);
    const char* broken = ftl_->self_check();
    ASSERT_EQ(broken, nullptr) << broken;
  }
  void lose_power(std::uint32_t requests, std::uint32_t depth) {
    part_->lose_power_within(400, random_.below(1U << 30), [this] { host_->lose_power(); });
    run(requests, depth);
    part_->power_cycle();
    host_->power_cycle();
    boot();
    ASSERT_EQ(ftl_->mount(0), FtlStatus::ok);
    host_->check_mounted(*ftl_);
  }

  Random random_;
  std::unique_ptr<PagedPart> part_;
  NullProbe probe_;
  PageConfig config_;
  std::vector<std::byte> arena_;
  std::unique_ptr<PageFtl> ftl_;
  std::unique_ptr<PartsHost> host_;

 private:
  /// Most requests go to a few pages, so that they meet.
  HostRequest next() {
    const std::uint32_t page = random_.below(4) != 0 ? random_.below(6) : random_.below(config_.logical_pages - 3);
    const std::uint32_t kind = random_.below(100);
    if (kind < 8) return host_->trim(page, 1 + random_.below(3));
    if (kind < 20) return host_->write(page * kAll, kAll);
    const std::uint32_t first = page * kAll + random_.below(kAll);
    const std::uint32_t parts = kind % 3 == 0 ? 1 + random_.below(2 * kAll) : 1;
    return kind < 35 ? host_->read(first, parts) : host_->write(first, parts);
  }
};

struct Medium {
  PartKind kind;
  std::uint32_t dies;
};

class PagePartsProperty : public testing::TestWithParam<Medium> {};

TEST_P(PagePartsProperty, requests_of_a_page_take_effect_in_their_order) {
  for (std::uint64_t seed = 0; seed < repetitions(4); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Session session(GetParam().kind, GetParam().dies, seed);
    for (const std::uint32_t depth : {1U, 4U, 16U, 60U}) {
      session.run(500, depth);
      session.drain();
      session.host_->check_live(*session.ftl_);
      if (HasFatalFailure()) return;
    }
    EXPECT_EQ(session.host_->first_failure, FtlStatus::ok);
    EXPECT_EQ(session.part_->illegal(), 0U);
  }
}

TEST_P(PagePartsProperty, programs_that_fail_change_nothing) {
  for (std::uint64_t seed = 0; seed < repetitions(16); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Session session(GetParam().kind, GetParam().dies, seed);
    session.part_->wear_out();
    session.boot();
    ASSERT_EQ(session.ftl_->format(0), FtlStatus::ok);
    for (int round = 0; round < 6 && session.host_->first_failure == FtlStatus::ok; ++round) {
      session.run(150, 40);
      session.drain();
      session.host_->check_live(*session.ftl_);
      if (HasFatalFailure()) return;
    }
    EXPECT_NE(session.host_->first_failure, FtlStatus::read_failed);
    EXPECT_EQ(session.part_->illegal(), 0U);
  }
}

TEST_P(PagePartsProperty, power_losses_leave_each_page_as_some_request_left_it) {
  for (std::uint64_t seed = 0; seed < repetitions(16); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Session session(GetParam().kind, GetParam().dies, seed);
    // Of an array programs fail meanwhile, too.
    if (GetParam().kind == PartKind::array && seed % 2 == 1) session.part_->wear_out();
    for (int round = 0; round < 6 && session.host_->first_failure == FtlStatus::ok; ++round) {
      session.lose_power(20 + session.random_.below(300), 1 + session.random_.below(40));
      if (HasFatalFailure()) return;
    }
    EXPECT_EQ(session.part_->illegal(), 0U);
  }
}

std::string name_of_medium(const testing::TestParamInfo<Medium>& info) {
  const PartKind kind = info.param.kind;
  return (kind == PartKind::array ? "array" : kind == PartKind::nor ? "nor" : "nand") + std::to_string(info.param.dies);
}

INSTANTIATE_TEST_SUITE_P(Media, PagePartsProperty,
                         testing::Values(Medium{PartKind::array, 1}, Medium{PartKind::array, 3},
                                         Medium{PartKind::nor, 2}, Medium{PartKind::nand, 2}),
                         name_of_medium);

}  // namespace
}  // namespace ftlab::tests
