// Segments stand a few erases only: every policy and scheme is written until the volume takes no more. Until then all
// data is right; from then on it can be read, live and after mounts, and the answer is read_only. Power is cycled on
// the way.
#pragma once

#include <cstdint>
#include <string>

#include "tests/fixtures/dice.h"
#include "tests/fixtures/page_oracle.h"
#include "tests/fixtures/random_host.h"
#include "tests/powerloss/case_id.h"
#include "tests/powerloss/exposure.h"
#include "tests/powerloss/hold_up.h"
#include "tests/powerloss/totals.h"

namespace ftlab::tests {

template <class Layer>
class EndOfLife {
 public:
  void run(std::uint64_t seed) {
    ++totals_.cases;
    Dice dice(derive(seed, 0));
    do {
      setup_ = Layer::draw(dice, false);
    } while (Layer::check(setup_) != nullptr);
    setup_.part.on_breach = OnBreach::power_off;
    setup_.part.endurance = dice.between(4, 40);
    // Spread about the endurance, as segments of a part are.
    setup_.part.faults.erase_failures = dice.between(0, 30'000);
    setup_.part.faults.program_failures = dice.chance(500) ? dice.between(0, 300) : 0;
    setup_.part.faults.refuse_ever_after = true;
    setup_.part.faults.trace = dice.one_of(kFailureTraces);
    setup_.part.faults.seed = derive(seed, 2);
    Flash flash(setup_.part);
    Layer::prepare(flash, setup_, dice);
    std::string wrong = live(flash, seed, dice);
    if (flash.breach() != nullptr) wrong = std::string("promise broken: ") + flash.breach();
    if (wrong.empty()) return;
    const CaseId id{std::string(Layer::kName) + "+life", seed, {}};
    totals_.add({to_string(id), wrong, Layer::describe(setup_), wrong.starts_with("page")});
  }

  [[nodiscard]] const CampaignTotals& totals() const { return totals_; }
  [[nodiscard]] std::string setup() const { return Layer::describe(setup_); }

 private:
  using Flash = typename Layer::Flash;
  using Session = typename Layer::Session;
  static constexpr std::uint32_t kMaxRequests = 400'000;

  /// What the request under way exposes.
  struct Watch final : ChangeWatcher {
    Watch(Flash& medium, const typename Layer::Setup& setup) : flash(medium), exposure(medium, setup.config) {
      flash.watch(this);
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch() { flash.watch(nullptr); }
    void before_change(const PartOp& op) override { exposure.note(op); }
    Flash& flash;
    Exposure<Layer> exposure;
  };

  std::string live(Flash& flash, std::uint64_t seed, Dice& dice) {
    RandomHost host(derive(seed, 1), Layer::overlap(flash));
    {
      Session first(flash, setup_.config);
      const FtlStatus formatted = first->format(0);
      if (formatted != FtlStatus::ok) return flash.failed_segments() > 0 ? "" : "format answered " + name_of(formatted);
    }
    PageOracle oracle(setup_.config.logical_pages, Session(flash, setup_.config)->page_bytes(), Layer::kRules);
    Watch watch(flash, setup_);
    for (std::uint32_t done = 0; done < kMaxRequests;) {
      Session session(flash, setup_.config);
      if (const FtlStatus s = session->mount(host.now_ns()); s != FtlStatus::ok)
        return "the mount answered " + name_of(s);
      if (std::string wrong = oracle.check_mounted(*session); !wrong.empty()) return wrong;
      FtlStatus status = FtlStatus::ok;
      for (std::uint32_t i = dice.between(50, 1500); i > 0 && status == FtlStatus::ok; --i, ++done) {
        watch.exposure.begin_request();
        status = host.step(*session, oracle);
      }
      if (const char* broken = session->self_check()) return broken;
      if (!host.wrong().empty()) return host.wrong();
      if (status != FtlStatus::ok) return ended(watch, *session, status, oracle, host);
      if (std::string wrong = oracle.check_live(*session); !wrong.empty()) return wrong;
      if (!hold_up<Layer>(*session, oracle, host.now_ns())) return excuse();
      flash.power_cycle();
    }
    return "the end of life never came";
  }

  std::string ended(Watch& watch, Ftl& ftl, FtlStatus status, PageOracle& oracle, RandomHost& host) {
    Flash& flash = watch.flash;
    if (status != FtlStatus::read_only) return "the end of life was answered " + name_of(status);
    if (flash.failed_segments() == 0) return "read-only, and no segment has failed";
    if (!excused(flash)) ++totals_.early;
    ++totals_.worn;
    oracle.expose(watch.exposure.pages());
    if (std::string wrong = oracle.refused(ftl); !wrong.empty()) return wrong;
    if (std::string wrong = oracle.check_live(ftl); !wrong.empty()) return wrong + " when the volume is read-only";
    if (!hold_up<Layer>(ftl, oracle, host.now_ns())) return excuse();
    for (int mount = 0; mount < 3; ++mount) {
      flash.power_cycle();
      Session session(flash, setup_.config);
      if (const FtlStatus s = session->mount(host.now_ns()); s != FtlStatus::ok)
        return "after the end of life the mount answered " + name_of(s);
      if (std::string wrong = oracle.check_mounted(*session); !wrong.empty()) return wrong + " after the end of life";
      const FtlStatus written = host.fill(*session, oracle, [&watch] { watch.exposure.begin_request(); });
      if (written != FtlStatus::ok && written != FtlStatus::read_only)
        return "after the end of life a write was answered " + name_of(written);
      if (written != FtlStatus::ok) oracle.expose(watch.exposure.pages());
      if (std::string wrong = oracle.refused(*session); !wrong.empty()) return wrong + " after the end of life";
      if (std::string wrong = oracle.check_live(*session); !wrong.empty()) return wrong + " in a volume filled anew";
      if (!hold_up<Layer>(*session, oracle, host.now_ns())) return excuse();
    }
    if (oracle.exposed_and_lost() > 0) ++totals_.excused;
    return {};
  }

  /// Answered writes are left in data RAM, for which the volume has no place any more.
  std::string excuse() {
    ++totals_.excused;
    return {};
  }

  [[nodiscard]] bool excused(const Flash& flash) const {
    const std::uint32_t failed = flash.failed_segments();
    return failed >= kFailuresThatEndCopies || Layer::may_be_read_only(setup_, failed);
  }

  typename Layer::Setup setup_{};
  CampaignTotals totals_;
};

}  // namespace ftlab::tests
