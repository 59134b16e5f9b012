// Every policy of firmware/policy on the page-mapped layer's log: random requests, many in flight, with programs that
// fail, losses of power and mounts. What the policies keep is held against the tables, and these against the log.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "firmware/base/random.h"
#include "firmware/ftl/fms/fms_on_dies.h"
#include "firmware/ftl/page/page_ftl.h"
#include "tests/fixtures/paged_part.h"
#include "tests/fixtures/parts_host.h"
#include "tests/fixtures/policies_on_dies.h"
#include "tests/fixtures/repetitions.h"

namespace ftlab::tests {
namespace {

constexpr std::uint32_t kPageBytes = 256;
constexpr std::uint32_t kAll = PartsHost::kParts;

struct Medium {
  PartKind kind;
  std::uint32_t dies;
};

FmsConfig drawn(std::uint64_t seed) {
  Random random(seed);
  return draw_policies_on_dies([&](std::uint32_t below) { return random.below(below); });
}

class Session {
 public:
  Session(const Medium& medium, std::uint64_t seed, const FmsConfig& fms)
      : random_(seed + 1),
        part_(make_paged_part(medium.kind,
                              {.dies = medium.dies,
                               .segments = 40,
                               .pages = 8,
                               .page_bytes = kPageBytes,
                               .faults = {.program_one_in = 400, .erase_one_in = 800}},
                              seed)),
        choice_(fms::choice_of(fms)) {
    config_.policies = &choice_;
    config_.checkpoint_every = seed % 3 == 0 ? 1 + random_.below(200) : 0;
    config_.logical_pages = static_cast<std::uint32_t>(page::max_logical_pages(config_, part_->port().geometry()) *
                                                       (5 + random_.below(4)) / 10);
    host_ = std::make_unique<PartsHost>(config_.logical_pages, kPageBytes);
    boot();
    EXPECT_EQ(ftl_->format(0), FtlStatus::ok);
  }
  void boot() {
    arena_.assign(PageFtl::arena_bytes(part_->port(), config_), std::byte{});
    ftl_ = std::make_unique<PageFtl>(part_->port(), probe_, config_, arena_);
    ASSERT_EQ(ftl_->config_error(), nullptr) << ftl_->config_error();
  }
  void run(std::uint32_t requests, std::uint32_t depth) {
    for (std::uint32_t i = 0; i < requests && host_->first_failure == FtlStatus::ok; ++i) {
      ftl_->submit(next(), *host_);
      while (host_->in_flight() >= depth) ftl_->poll(*host_, UINT64_MAX);
    }
  }
  void drain() {
    while (ftl_->in_flight() > 0) ftl_->poll(*host_, UINT64_MAX);
    check();
  }
  void lose_power(std::uint32_t requests, std::uint32_t depth) {
    part_->lose_power_within(600, random_.below(1U << 30), [this] { host_->lose_power(); });
    run(requests, depth);
    part_->power_cycle();
    host_->power_cycle();
    boot();
    ASSERT_EQ(ftl_->mount(0), FtlStatus::ok);
    host_->check_mounted(*ftl_);
    check();
  }
  void check() {
    const char* broken = ftl_->self_check();
    ASSERT_EQ(broken, nullptr) << broken;
  }

  Random random_;
  std::unique_ptr<PagedPart> part_;
  NullProbe probe_;
  fms::PolicyChoice choice_;
  PageConfig config_;
  std::vector<std::byte> arena_;
  std::unique_ptr<PageFtl> ftl_;
  std::unique_ptr<PartsHost> host_;

 private:
  /// Most writes go to a tenth of the pages.
  HostRequest next() {
    const std::uint32_t pages = config_.logical_pages - 3;
    const std::uint32_t page = random_.below(random_.below(4) != 0 ? 1 + pages / 10 : pages);
    const std::uint32_t kind = random_.below(100);
    if (kind < 3) return host_->trim(page, 1 + random_.below(3));
    if (kind < 8) return host_->read(page * kAll, kAll);
    HostRequest request = host_->write(page * kAll, kind < 12 ? 1 : kAll);
    request.hint.read_only = page % 7 == 0;
    return request;
  }
};

class PagePoliciesProperty : public testing::TestWithParam<Medium> {};

TEST_P(PagePoliciesProperty, policies_keep_what_the_log_holds_and_room_is_found) {
  for (std::uint64_t seed = 0; seed < repetitions(60); ++seed) {
    const FmsConfig fms = drawn(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + policies_text(fms));
    Session session(GetParam(), seed, fms);
    ASSERT_EQ(fms::check_on_dies(fms, session.part_->port().geometry()), nullptr);
    for (const std::uint32_t depth : {1U, 8U, 40U}) {
      session.run(session.config_.logical_pages, depth);
      session.drain();
      session.host_->check_live(*session.ftl_);
      if (HasFatalFailure()) return;
    }
    EXPECT_EQ(session.host_->first_failure, FtlStatus::ok);
    EXPECT_EQ(session.part_->illegal(), 0U);
    EXPECT_GT(session.ftl_->stats().cleanings, 0U);
  }
}

TEST_P(PagePoliciesProperty, power_losses_and_faults_leave_each_page_as_some_request_left_it) {
  for (std::uint64_t seed = 0; seed < repetitions(60); ++seed) {
    const FmsConfig fms = drawn(seed + 1000);
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + policies_text(fms));
    Session session(GetParam(), seed, fms);
    if (GetParam().kind == PartKind::array && seed % 2 == 1) session.part_->wear_out();
    for (int round = 0; round < 6 && session.host_->first_failure == FtlStatus::ok; ++round) {
      session.lose_power(20 + session.random_.below(600), 1 + session.random_.below(40));
      if (HasFatalFailure()) return;
    }
    EXPECT_EQ(session.part_->illegal(), 0U);
  }
}

std::string name_of_medium(const testing::TestParamInfo<Medium>& info) {
  const PartKind kind = info.param.kind;
  return (kind == PartKind::array ? "array" : kind == PartKind::nor ? "nor" : "nand") + std::to_string(info.param.dies);
}

INSTANTIATE_TEST_SUITE_P(Media, PagePoliciesProperty,
                         testing::Values(Medium{PartKind::array, 1}, Medium{PartKind::array, 3},
                                         Medium{PartKind::array, 8}, Medium{PartKind::nor, 2},
                                         Medium{PartKind::nand, 2}),
                         name_of_medium);

}  // namespace
}  // namespace ftlab::tests
