// What `check` accepts works: configurations drawn from all that it accepts, at their largest logical size, are
// overwritten several times and mounted again in between, and no write is refused for want of space.
#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <string>

#include "tests/fixtures/emulated_nand.h"
#include "tests/fixtures/fms_fixture.h"
#include "tests/fixtures/policy_params.h"

namespace ftlab::tests {
namespace {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  std::uint32_t operator()(std::uint32_t from, std::uint32_t to) {
    return boost::random::uniform_int_distribution<std::uint32_t>(from, to)(random_);
  }
  template <class Entry>
  std::string_view name_of(const fms::PolicyList<Entry>& table) {
    return table[(*this)(0, static_cast<std::uint32_t>(table.size()) - 1)].name;
  }

 private:
  boost::random::mt19937_64 random_;
};

FmsConfig draw_policies(Draw& draw, std::uint32_t most_water) {
  FmsConfig config;
  config.trigger = draw.name_of(fms::triggers());
  config.clean_at_once = draw(1, 3);
  config.selection = draw.name_of(fms::selections());
  config.redistribution = draw.name_of(fms::redistributions());
  config.wear_leveling = draw.name_of(fms::wear_levelers());
  config.params.set("swap_from", draw(1, 6));
  config.params.set("swap_spread", draw(1, 4));
  config.low_water = draw(1, most_water);
  config.high_water = draw(1, most_water);
  config.age_clock = draw(0, 1) == 0 ? FmsConfig::AgeClock::writes : FmsConfig::AgeClock::time;
  config.read_only_placement = draw.name_of(fms::placements());
  config.erase_mode = draw(0, 1) == 0 ? FmsConfig::EraseMode::wait : FmsConfig::EraseMode::overlap;
  config.idle_cleaning = draw(0, 1) == 0;
  config.idle_water = draw(0, 5);
  config.idle_min_ns = 0;
  match_partitions(config);
  config.shared.partitions = 2;
  return config;
}

std::string text_of(const FmsConfig& c, std::uint32_t segments) {
  return std::string(c.trigger) + " " + std::to_string(c.clean_at_once) + " " + std::string(c.selection) + " " +
         std::string(c.redistribution) + " " + std::string(c.wear_leveling) + " low " + std::to_string(c.low_water) +
         " high " + std::to_string(c.high_water) + " segments " + std::to_string(segments) + " page_bytes " +
         std::to_string(c.page_bytes) + " pages " + std::to_string(c.logical_pages) +
         (c.erase_mode == FmsConfig::EraseMode::overlap ? " overlap" : "") + " " + std::string(c.read_only_placement) +
         (c.idle_cleaning ? " idle" : "");
}

/// What went wrong, or nothing.
std::string overwrite(FlashPort& flash, const FmsConfig& config, Draw& draw) {
  std::vector<std::byte> page(config.page_bytes);
  std::vector<std::uint32_t> newest(config.logical_pages);
  std::uint64_t now = 0;
  for (std::uint32_t round = 0; round < 3; ++round) {
    FmsSession session(flash, config);
    if ((round == 0 ? session->format(now) : session->mount(now)) != FtlStatus::ok) return "cannot mount";
    const std::uint32_t hot = draw(1, config.logical_pages);
    for (std::uint32_t i = 0; i < 4 * config.logical_pages; ++i) {
      const bool fill = round == 0 && i < config.logical_pages;
      const std::uint32_t lpn = fill ? i : draw(0, (draw(0, 3) == 0 ? config.logical_pages : hot) - 1);
      const std::uint32_t content = ++newest[lpn] * 131 + lpn;
      for (std::uint32_t at = 0; at + 4 <= page.size(); at += 4) std::memcpy(page.data() + at, &content, 4);
      now += draw(1, 1000);
      const WriteHint hint{.stream = 0, .read_only = draw(0, 3) == 0};
      const FtlStatus status = session->write(std::uint64_t{lpn} * config.page_bytes, page, hint, now);
      if (status != FtlStatus::ok)
        return "round " + std::to_string(round) + " write " + std::to_string(i) + " answered " +
               std::to_string(static_cast<int>(status));
      if (draw(0, 15) == 0) (void)session->idle(now, now + 1000);
    }
    if (const char* broken = session->self_check()) return broken;
    if (session->flush(now) != FtlStatus::ok) return "cannot flush";
    for (std::uint32_t lpn = 0; lpn < config.logical_pages; ++lpn) {
      std::uint32_t content = 0;
      const FtlStatus status =
          session->read(std::uint64_t{lpn} * config.page_bytes, std::as_writable_bytes(std::span(&content, 1)), now);
      if (status != FtlStatus::ok || content != newest[lpn] * 131 + lpn) return "page " + std::to_string(lpn) + " lost";
    }
  }
  return {};
}

TEST(FmsFullVolume, low_water_above_high_water_refuses_no_write) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    FmsConfig config = small_config();
    config.selection = "cost_benefit";
    config.redistribution = "fine_grained";
    config.low_water = 2;
    config.high_water = 1;
    config.logical_pages = fms::max_logical_pages(config, small_part().geometry);
    EmulatedFlash flash(small_part());
    ASSERT_EQ(fms::check(config, flash.geometry(), flash.capabilities()), nullptr);
    Draw draw(seed);
    for (int i = 0; i < 4; ++i) ASSERT_EQ(overwrite(flash, config, draw), "") << "seed " << seed;
  }
}

TEST(FmsFullVolume, on_nor_every_accepted_configuration_takes_every_write) {
  Draw draw(71);
  int accepted = 0;
  while (accepted < 400) {
    EmulatedFlashOptions part = small_part();
    part.geometry.segments = draw(3, 20);
    part.erase_delay = draw(0, 60);
    FmsConfig config = draw_policies(draw, 6);
    config.page_bytes = 64U << draw(0, 5);
    config.logical_pages = fms::max_logical_pages(config, part.geometry);
    if (fms::check(config, part.geometry, part.capabilities) != nullptr) continue;
    ++accepted;
    EmulatedFlash flash(part);
    ASSERT_EQ(overwrite(flash, config, draw), "") << text_of(config, part.geometry.segments);
  }
}

TEST(FmsFullVolume, on_nand_every_accepted_configuration_takes_every_write) {
  Draw draw(72);
  int accepted = 0;
  while (accepted < 400) {
    EmulatedNandOptions part;
    part.segments = draw(4, 24);
    part.pages = 4 * draw(2, 6);
    part.slc_segments_per_unit = draw(0, 1);
    FmsConfig config = draw_policies(draw, 6);
    config.page_bytes = part.page_bytes;
    EmulatedNand flash(part);
    config.logical_pages = fms::max_logical_pages(config, flash.geometry());
    if (fms::check(config, flash.geometry(), flash.capabilities()) != nullptr) continue;
    ++accepted;
    ASSERT_EQ(overwrite(flash, config, draw), "") << text_of(config, part.segments);
  }
}

}  // namespace
}  // namespace ftlab::tests
