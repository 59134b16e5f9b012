// Every configuration that check() accepts, at the largest logical size, must go on taking requests for ever: each case
// draws one, fills it, overwrites it several times and mounts it anew in between, and refuses what is out of place. No
// fault, no power loss.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/fixtures/dice.h"
#include "tests/fixtures/page_oracle.h"
#include "tests/fixtures/random_host.h"
#include "tests/powerloss/case_id.h"
#include "tests/powerloss/keeps_all.h"
#include "tests/powerloss/totals.h"

namespace ftlab::tests {

template <class Layer>
class Fullest {
 public:
  void run(std::uint64_t seed) {
    ++totals_.cases;
    Dice dice(derive(seed, 0));
    do {
      setup_ = Layer::draw(dice, true);
    } while (Layer::check(setup_) != nullptr);
    setup_.part.on_breach = OnBreach::power_off;
    Flash flash(setup_.part);
    Layer::prepare(flash, setup_, dice);
    PageOracle oracle(setup_.config.logical_pages, Session(flash, setup_.config)->page_bytes(), Layer::kRules);
    RandomHost host(derive(seed, 1), Layer::overlap(flash));
    std::string wrong = first_session(flash, oracle, host);
    for (int mount = 0; mount < kMounts && wrong.empty(); ++mount) {
      flash.power_cycle();
      wrong = session_keeps_all<Layer>(flash, setup_.config, oracle, host, kOverwrites * setup_.config.logical_pages,
                                       mount % 2 == 1);
    }
    if (wrong.empty()) return;
    if (flash.breach() != nullptr) wrong = std::string("promise broken: ") + flash.breach();
    const CaseId id{std::string(Layer::kName) + "+fullest", seed, {}};
    totals_.add({to_string(id), wrong, Layer::describe(setup_), wrong.starts_with("page")});
  }

  [[nodiscard]] const CampaignTotals& totals() const { return totals_; }
  [[nodiscard]] std::string setup() const { return Layer::describe(setup_); }

 private:
  using Flash = typename Layer::Flash;
  using Session = typename Layer::Session;
  static constexpr int kMounts = 3;
  static constexpr std::uint32_t kOverwrites = 3;

  static bool refuses(Ftl& ftl, std::uint64_t at, FtlStatus status) {
    std::array<std::byte, 2> bytes{};
    return ftl.read(at, bytes, 0) == status && ftl.write(at, bytes, {}, 0) == status &&
           ftl.trim(at, UINT64_MAX, 0) == status;
  }
  std::string first_session(Flash& flash, PageOracle& oracle, RandomHost& host) {
    Session session(flash, setup_.config);
    if (!refuses(*session, 0, FtlStatus::not_formatted) || session->flush(0) != FtlStatus::not_formatted)
      return "a request was served before the format";
    if (const FtlStatus s = session->format(0); s != FtlStatus::ok) return "format answered " + name_of(s);
    for (const std::uint64_t last : {session->capacity_bytes() - 1, UINT64_MAX})
      if (!refuses(*session, last, FtlStatus::out_of_range)) return "a request beyond the end was served";
    if (const FtlStatus s = host.fill(*session, oracle); s != FtlStatus::ok)
      return "filling was answered " + name_of(s);
    if (!hold_up<Layer>(*session, oracle, 0)) return "what was answered found no place";
    return oracle.check_live(*session);
  }

  typename Layer::Setup setup_{};
  CampaignTotals totals_;
};

}  // namespace ftlab::tests
