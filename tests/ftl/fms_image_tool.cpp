// Half of a test: one session of the FMS on a medium saved in a file, in a process of its own.
// fms_image_tool write|check IMAGE SEED: `check` replays the same script into the oracle alone and reads back.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/fixtures/fms_fixture.h"
#include "tests/fixtures/random_host.h"

using namespace ftlab;
using namespace ftlab::tests;

namespace {

constexpr int kRequests = 300;

FmsVolume config() {
  FmsVolume c = small_config();
  c.logical_pages = 70;
  c.selection = "cost_benefit";
  c.redistribution = "segment_based";
  return c;
}

/// Accepts every request and does nothing: the oracle then knows what ought to be there.
class NoFtl final : public Ftl {
 public:
  FtlStatus format(std::uint64_t) override { return FtlStatus::ok; }
  FtlStatus mount(std::uint64_t) override { return FtlStatus::ok; }
  FtlStatus read(std::uint64_t, std::span<std::byte>, std::uint64_t) override { return FtlStatus::ok; }
  FtlStatus write(std::uint64_t, std::span<const std::byte>, WriteHint, std::uint64_t) override {
    return FtlStatus::ok;
  }
  FtlStatus trim(std::uint64_t, std::uint64_t, std::uint64_t) override { return FtlStatus::ok; }
  FtlStatus flush(std::uint64_t) override { return FtlStatus::ok; }
  std::uint64_t idle(std::uint64_t, std::uint64_t) override { return kNoIdleWork; }
  [[nodiscard]] std::uint64_t capacity_bytes() const override { return 0; }
  [[nodiscard]] std::uint32_t page_bytes() const override { return 0; }
  [[nodiscard]] const FtlStats& stats() const override { return stats_; }
  [[nodiscard]] std::uint32_t segments() const override { return 0; }
  [[nodiscard]] SegmentInfo segment(SegmentId) const override { return {}; }
  [[nodiscard]] const char* self_check() const override { return nullptr; }

 private:
  FtlStats stats_;
};

int fail(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return fail("usage: fms_image_tool write|check IMAGE SEED");
  const bool check = std::string(argv[1]) == "check";
  EmulatedFlash flash(small_part());
  if (check) flash.load(argv[2]);
  FmsSession session(flash, config());
  if ((check ? session->mount(0) : session->format(0)) != FtlStatus::ok) return fail("cannot mount or format");
  PageOracle oracle(config().logical_pages, config().page_bytes, {});
  RandomHost host(std::strtoull(argv[3], nullptr, 10));
  NoFtl nothing;
  for (int i = 0; i < kRequests; ++i)
    if (host.step(check ? static_cast<Ftl&>(nothing) : *session, oracle) != FtlStatus::ok)
      return fail("request failed");
  if (const char* broken = session->self_check()) return fail(broken);
  if (const std::string wrong = oracle.check_mounted(*session); !wrong.empty()) return fail(wrong);
  if (!check) flash.save(argv[2]);
  return 0;
}
