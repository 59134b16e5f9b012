// Damage at rest: a used volume is flushed and switched off, something on it is spoiled, and it is mounted again. What
// the host then sees of it is counted by kind of damage. Silent is what must not happen wherever the metadata can know:
// a page that holds neither what it should nor an error. What was reported stays so while the others are overwritten,
// and through a checkpoint and another mount. Afterwards every page is written anew, and then all must be right.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fixtures/dice.h"
#include "tests/fixtures/page_oracle.h"
#include "tests/fixtures/random_host.h"
#include "tests/powerloss/case_id.h"
#include "tests/powerloss/damage_kind.h"
#include "tests/powerloss/totals.h"

namespace ftlab::tests {

template <class Layer>
class DamageAtRest {
 public:
  void run(std::uint64_t seed) {
    ++totals_.cases;
    seed_ = seed;
    Dice dice(derive(seed, 0));
    do {
      setup_ = Layer::draw(dice, false);
    } while (Layer::check(setup_) != nullptr);
    setup_.part.on_breach = OnBreach::refuse;  // cells that are spoiled cannot take what they should
    Flash flash(setup_.part);
    Layer::prepare(flash, setup_, dice);
    PageOracle oracle(setup_.config.logical_pages, Session(flash, setup_.config)->page_bytes(), Layer::kRules);
    RandomHost host(derive(seed, 1), Layer::overlap(flash));
    checkpointed_ = dice.chance(500);
    if (!use(flash, oracle, host, dice)) return;
    flash.power_cycle();
    const auto& kinds = Layer::kDamages;
    const auto& kind = kinds[seed % std::size(kinds)];
    kind_ = kind.name;
    kind.apply(flash,
               {.page_bytes = oracle.page_bytes(),
                .data_checksum = Layer::has_data_checksum(setup_),
                .logical_pages = setup_.config.logical_pages,
                .segment_units = segment_units()},
               dice);
    const Outcome outcome = look(flash, oracle, host, dice.chance(500));
    const bool known = kind.known_by == KnownBy::metadata ||
                       (kind.known_by == KnownBy::data_checksum && Layer::has_data_checksum(setup_)) ||
                       (kind.known_by == KnownBy::checkpoint && checkpointed_);
    totals_.outcomes[std::string(kind.name) + (known ? "" : unknown(kind.known_by))].count(outcome);
    if (outcome == Outcome::silent && known) fail(true, "silent");
    if (outcome == Outcome::refused) fail(true, "the volume is disowned");
  }

  [[nodiscard]] const CampaignTotals& totals() const { return totals_; }
  [[nodiscard]] std::string setup() const { return Layer::describe(setup_); }

 private:
  using Flash = typename Layer::Flash;
  using Session = typename Layer::Session;
  static constexpr std::uint32_t kOverwrites = 3;

  static const char* unknown(KnownBy by) {
    if (by == KnownBy::nobody) return ", as an interrupted erase leaves it";
    return by == KnownBy::data_checksum ? ", without data checksum" : ", maybe written since the last checkpoint";
  }

  [[nodiscard]] std::uint32_t segment_units() const {
    if constexpr (requires { Layer::segment_units(setup_); })
      return Layer::segment_units(setup_);
    else
      return 1;
  }

  bool use(Flash& flash, PageOracle& oracle, RandomHost& host, Dice& dice) {
    Session session(flash, setup_.config);
    FtlStatus status = session->format(0);
    // Soon after the format there are few copies of anything.
    const bool fresh = dice.chance(100);
    if (status == FtlStatus::ok && !fresh && dice.chance(800)) status = host.fill(*session, oracle);
    const std::uint32_t requests = fresh ? dice.below(5) : dice.between(20, 600);
    for (std::uint32_t i = 0; i < requests && status == FtlStatus::ok; ++i) status = host.step(*session, oracle);
    // What a layer still has in its buffers comes first.
    if (status == FtlStatus::ok) status = session->write_out(host.now_ns());
    if (status == FtlStatus::ok && checkpointed_) status = write_checkpoint(*session, oracle, host);
    if (status == FtlStatus::ok) status = session->write_out(host.now_ns());
    oracle.acknowledge_flush();
    if (status != FtlStatus::ok) fail(false, "a request was answered " + name_of(status));
    return status == FtlStatus::ok;
  }

  /// Of all that was written, with the next flush at the latest, if the layer writes any.
  FtlStatus write_checkpoint(Ftl& ftl, PageOracle& oracle, RandomHost& host) {
    if constexpr (requires { Layer::segments_of_checkpoint(setup_); }) {
      checkpointed_ = false;
      for (std::uint32_t i = 0; i < setup_.config.checkpoint_every && !checkpointed_; ++i) {
        const std::uint64_t before = ftl.stats().log_erases;
        if (const FtlStatus status = host.write_page(ftl, oracle, 0); status != FtlStatus::ok) return status;
        checkpointed_ = ftl.stats().log_erases == before + Layer::segments_of_checkpoint(setup_);
      }
      return FtlStatus::ok;
    } else {
      return host.trim_first_page(ftl, oracle);
    }
  }

  /// `again`: what is reported must be so after a checkpoint and another mount, too, before it is written again.
  Outcome look(Flash& flash, PageOracle& oracle, RandomHost& host, bool again) {
    Session session(flash, setup_.config);
    const FtlStatus mounted = session->mount(host.now_ns());
    if (mounted == FtlStatus::read_failed) return Outcome::reported;
    if (mounted != FtlStatus::ok) return Outcome::refused;
    if (const char* broken = session->self_check()) fail(false, broken);
    const std::vector<PageOracle::Found> found = look_at_all(*session, oracle);
    if (std::ranges::count(found, PageOracle::Found::wrong) > 0) return Outcome::silent;
    const bool reported = std::ranges::count(found, PageOracle::Found::reported) > 0;
    if (reported && again)
      mount_again(flash, *session, oracle, host, found);
    else
      rewrite(flash, *session, oracle, host);
    return reported ? Outcome::reported : Outcome::good;
  }

  static std::vector<PageOracle::Found> look_at_all(Ftl& ftl, const PageOracle& oracle) {
    std::vector<PageOracle::Found> found(oracle.pages());
    for (std::uint32_t page = 0; page < found.size(); ++page) found[page] = oracle.look_at(ftl, page);
    return found;
  }

  /// The pages that are right, so that cleaning moves what is left of the others.
  FtlStatus write_on(Ftl& ftl, PageOracle& oracle, RandomHost& host, const std::vector<PageOracle::Found>& found) {
    Dice dice(derive(seed_, 2));
    FtlStatus status = FtlStatus::ok;
    for (std::uint32_t left = kOverwrites * oracle.pages(); left > 0 && status == FtlStatus::ok; --left)
      if (const std::uint32_t page = dice.below(oracle.pages()); found[page] == PageOracle::Found::right)
        status = host.write_page(ftl, oracle, page);
    return status;
  }

  /// All pages but the first, which is written for the checkpoint, are found as they were.
  void mount_again(Flash& flash, Ftl& ftl, PageOracle& oracle, RandomHost& host,
                   const std::vector<PageOracle::Found>& before) {
    FtlStatus status = write_on(ftl, oracle, host, before);
    if (status == FtlStatus::ok) status = write_checkpoint(ftl, oracle, host);
    if (status == FtlStatus::ok) status = ftl.write_out(host.now_ns());
    if (status == FtlStatus::read_only) return;
    if (status != FtlStatus::ok) return fail(false, "a write beside what is lost was answered " + name_of(status));
    flash.power_cycle();
    Session session(flash, setup_.config);
    if (status = session->mount(host.now_ns()); status != FtlStatus::ok)
      return fail(false, "the second mount answered " + name_of(status));
    const std::vector<PageOracle::Found> found = look_at_all(*session, oracle);
    if (!std::equal(found.begin() + 1, found.end(), before.begin() + 1)) fail(true, "another mount finds otherwise");
    rewrite(flash, *session, oracle, host);
  }

  /// What is damaged can be written again, and stays.
  void rewrite(Flash& flash, Ftl& ftl, PageOracle& oracle, RandomHost& host) {
    FtlStatus filled = host.fill(ftl, oracle);
    if (filled == FtlStatus::ok && Layer::kRules.writes_need_flush) filled = ftl.write_out(host.now_ns());
    if (filled == FtlStatus::read_only) return;
    if (filled != FtlStatus::ok) return fail(false, "a write was answered " + name_of(filled));
    if (std::string wrong = oracle.check_live(ftl); !wrong.empty())
      return fail(true, wrong + " after it was rewritten");
    flash.power_cycle();
    Session session(flash, setup_.config);
    const FtlStatus mounted = session->mount(host.now_ns());
    if (mounted != FtlStatus::ok) return fail(false, "the mount after the next writes answered " + name_of(mounted));
    if (std::string wrong = oracle.check_mounted(*session); !wrong.empty()) fail(true, wrong + " after the next mount");
  }

  void fail(bool lost, const std::string& what) {
    const CaseId id{std::string(Layer::kName) + "+damage", seed_, {}};
    totals_.add({to_string(id), kind_ + ": " + what, Layer::describe(setup_), lost});
  }

  std::uint64_t seed_ = 0;
  std::string kind_ = "none yet";
  bool checkpointed_ = false;  ///< everything that was written
  typename Layer::Setup setup_{};
  CampaignTotals totals_;
};

}  // namespace ftlab::tests
