// A storm of power losses over one translation layer. A case is a drawn configuration with a script of requests; at
// changes drawn by chance the medium is forked as the loss leaves it, mounted, checked and used, and losses of these
// mount sessions are followed in the same way down to kMaxDepth, while the script goes on undisturbed. Everything
// follows from the case's seed and the losses before, so that to_string(CaseId) repeats any of them. Knows no layer: a
// Layer (tests/powerloss/layers) gives Flash, Session, Setup, draw() and what may be expected of it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/fixtures/dice.h"
#include "tests/fixtures/page_oracle.h"
#include "tests/fixtures/random_host.h"
#include "tests/fixtures/repetitions.h"
#include "tests/powerloss/case_id.h"
#include "tests/powerloss/exposure.h"
#include "tests/powerloss/hold_up.h"
#include "tests/powerloss/totals.h"

namespace ftlab::tests {

template <class Layer>
class Storm {
 public:
  static constexpr int kMaxDepth = 3;
  /// Requests after the first that was refused at the end of a volume's life.
  static constexpr std::uint32_t kRefusals = 12;
  /// Losses of one case; other configurations teach more.
  static constexpr std::uint64_t kMaxLosses = 1000;
  static constexpr std::uint64_t kMaxLossesEverywhere = repetitions(4000);

  /// At changes drawn by chance, or at every change of the script, torn in every way, and no losses after those.
  enum class At : std::uint8_t { drawn, every_change };

  explicit Storm(bool faults, At at = At::drawn) : faults_(faults), at_(at) {}

  /// One case; with `only` none but these losses.
  void run(std::uint64_t seed, const std::vector<Loss>* only = nullptr) {
    seed_ = seed;
    only_ = only;
    failed_ = worn_ = false;
    reached_ = 0;
    losses_before_ = totals_.losses;
    path_.clear();
    Dice dice(derive(seed, kSetup));
    draw(dice);
    ++totals_.cases;
    Flash flash(setup_.part);
    Layer::prepare(flash, setup_, dice);
    script(flash, dice);
    if (only_ != nullptr && reached_ < only_->size())
      fail(false, "the losses were not reached: these sources draw another case");
    if (worn_) ++totals_.worn;
  }

  [[nodiscard]] const CampaignTotals& totals() const { return totals_; }
  [[nodiscard]] std::string setup() const { return Layer::describe(setup_); }

 private:
  using Setup = typename Layer::Setup;
  using Flash = typename Layer::Flash;
  using Session = typename Layer::Session;
  enum Stream : std::uint64_t { kSetup, kHost, kExplore, kTornWrite, kAfter, kFaults };
  enum class Phase : std::uint8_t { formatting, working };

  /// A mount session whose changes are watched for losses to follow.
  struct Frame final : ChangeWatcher {
    Frame(Storm& owner, Flash& medium, PageOracle& truth, RandomHost& requests, std::uint64_t seed,
          std::uint32_t per_thousand)
        : storm(owner),
          flash(medium),
          oracle(truth),
          host(requests),
          dice(seed),
          chance(per_thousand),
          exposure(medium, owner.setup_.config) {
      flash.watch(this);
    }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;
    ~Frame() { flash.watch(nullptr); }
    void before_change(const PartOp& op) override {
      exposure.note(op);
      storm.consider(*this, op);
    }
    FtlStatus fill(Ftl& ftl) {
      return host.fill(ftl, oracle, [this, &ftl] {
        storm.lose_held(*this, ftl);
        begin_request();
      });
    }
    FtlStatus step(Ftl& ftl) {
      begin_request();
      const FtlStatus status = host.step(ftl, oracle);
      if (status == FtlStatus::ok) storm.lose_held(*this, ftl);
      return status;
    }
    void begin_request() {
      exposure.begin_request();
      held.reset();
      serves = true;
    }

    Storm& storm;
    Flash& flash;
    PageOracle& oracle;
    RandomHost& host;
    Dice dice;
    std::uint32_t chance;
    std::uint32_t changes = 0;
    std::uint32_t refusals = 0;
    Phase phase = Phase::working;
    Exposure<Layer> exposure;
    /// Where capacitors hold up, a loss waits until the request has been served, in which there is something to hold.
    struct Held {
      PartOp op;
      Loss loss;
    };
    std::optional<Held> held;
    bool serves = false;      ///< from the first request of the session on
    bool writes_out = false;  ///< the supply is gone already
  };

  void draw(Dice& dice) {
    for (;;) {
      setup_ = Layer::draw(dice, false);
      if (Layer::check(setup_) == nullptr) break;
    }
    // What cells make of a broken promise shows in the data alone, so that it has to be right all the same.
    setup_.part.on_breach = faults_ && dice.chance(200) ? OnBreach::lenient : OnBreach::power_off;
    if (!faults_) return;
    FaultPlan& plan = setup_.part.faults;
    plan.seed = derive(seed_, kFaults);
    if (dice.chance(600)) plan.program_failures = dice.between(1, 30) * dice.between(1, 60);
    if (dice.chance(600)) plan.erase_failures = dice.between(1, 200) * dice.between(1, 60);
    plan.refuse_ever_after = dice.chance(500);
    plan.trace = dice.one_of(kFailureTraces);
    plan.unstable = dice.chance(400);
  }

  void script(Flash& flash, Dice& dice) {
    Session session(flash, setup_.config);
    PageOracle oracle(setup_.config.logical_pages, session->page_bytes(), Layer::kRules);
    RandomHost host(derive(seed_, kHost), Layer::overlap(flash));
    Frame frame(*this, flash, oracle, host, derive(seed_, kExplore), dice.one_of(kChances));
    frame.phase = Phase::formatting;
    const FtlStatus formatted = session->format(0);
    frame.phase = Phase::working;
    if (formatted != FtlStatus::ok) {
      if (flash.failed_segments() == 0) fail(false, "format answered " + name_of(formatted));
      return;
    }
    if (dice.chance(700) && !proceed(frame, frame.fill(*session), *session)) return;
    const std::uint32_t requests = dice.between(50, 500);
    for (std::uint32_t i = 0; i < requests && !failed_ && frame.refusals <= kRefusals; ++i)
      if (!proceed(frame, frame.step(*session), *session) || !right(host.wrong())) return;
    if (failed_ || !sound(flash, *session) || !right(oracle.check_live(*session))) return;
    if (dice.chance(150)) {
      frame.phase = Phase::formatting;
      const FtlStatus again = session->format(host.now_ns());
      if (again != FtlStatus::ok && !failed_ && flash.failed_segments() == 0)
        fail(false, "the second format answered " + name_of(again));
    }
  }

  /// Whether the session goes on: the request was answered ok, or refused as it may be when segments have failed.
  bool proceed(Frame& frame, FtlStatus status, Ftl& ftl) {
    const Flash& flash = frame.flash;
    PageOracle& oracle = frame.oracle;
    if (failed_) return false;
    if (flash.breach() != nullptr && setup_.part.on_breach != OnBreach::lenient)
      return fail(false, std::string("promise broken: ") + flash.breach());
    if (status == FtlStatus::ok) return true;
    if (status == FtlStatus::read_failed && oracle.is_on_lost_page()) return right(oracle.refused(ftl));
    if (status != FtlStatus::read_only || !faults_ || flash.failed_segments() == 0)
      return fail(false, "a request was answered " + name_of(status));
    if (frame.refusals++ == 0 && !excused(flash)) ++totals_.early;
    worn_ = true;
    oracle.expose(frame.exposure.pages());
    return right(oracle.refused(ftl)) && right(oracle.check_live(ftl));
  }

  [[nodiscard]] bool excused(const Flash& flash) const {
    const std::uint32_t failed = flash.failed_segments();
    return faults_ && (failed >= kFailuresThatEndCopies || Layer::may_be_read_only(setup_, failed));
  }

  void consider(Frame& frame, const PartOp& op) {
    ++frame.changes;
    const std::size_t depth = path_.size();
    if (failed_ || depth == kMaxDepth || totals_.losses - losses_before_ >= max_losses()) return;
    if (only_ != nullptr) {
      if (depth < only_->size() && (*only_)[depth].change == frame.changes) lose_power(frame, op, (*only_)[depth]);
    } else if (at_ == At::every_change) {
      if (depth > 0) return;
      for (const TornWrite torn : kTornWrites)
        if (!failed_) lose_power(frame, op, {frame.changes, torn});
    } else if (frame.dice.chance(on_failed_segment(frame.flash, op) ? kChanceOnFailed : frame.chance)) {
      lose_power(frame, op, {frame.changes, frame.dice.one_of(kTornWrites)});
    }
  }

  static bool on_failed_segment(const Flash& flash, const PartOp& op) {
    if (op.kind == PartOpKind::program) return false;
    if constexpr (requires { flash.has_failed(0); }) return flash.has_failed(op.segment.value());
    return false;
  }

  [[nodiscard]] std::uint64_t max_losses() const { return at_ == At::drawn ? kMaxLosses : kMaxLossesEverywhere; }

  /// The loss that was put off until the firmware has written out what it answered.
  void lose_held(Frame& frame, Ftl& ftl) {
    if (!frame.held || failed_) return;
    const typename Frame::Held held = *frame.held;
    frame.held.reset();
    if (write_out(frame, ftl)) lose_now(frame, held.op, held.loss);
  }

  bool write_out(Frame& frame, Ftl& ftl) {
    frame.writes_out = true;
    const bool written = hold_up<Layer>(ftl, frame.oracle, frame.host.now_ns());
    frame.writes_out = false;
    return written;
  }

  void lose_power(Frame& frame, const PartOp& op, Loss loss) {
    if (!holds_up<Layer>() || !frame.serves || frame.phase == Phase::formatting) return lose_now(frame, op, loss);
    if (!frame.held && !frame.writes_out) frame.held = {op, loss};
  }

  void lose_now(Frame& frame, const PartOp& op, Loss loss) {
    ++totals_.losses;
    path_.push_back(loss);
    if (only_ != nullptr) {
      report(op);
      reached_ = std::max(reached_, path_.size());
    }
    const std::uint64_t seed = seed_of_path();
    Flash& flash = flash_at(path_.size());
    flash.lose_power_of(frame.flash, op, loss.torn, derive(seed, kTornWrite));
    PageOracle oracle = frame.oracle;
    oracle.expose(frame.exposure.pages());
    const std::uint32_t lost_before = oracle.exposed_and_lost();
    RandomHost host = frame.host;
    host.go_on(derive(seed, kAfter));
    Dice dice(seed);
    if (recover(flash, oracle, host, frame.phase, dice)) remount(flash, oracle, host);
    if (oracle.exposed_and_lost() != lost_before) ++totals_.excused;
    path_.pop_back();
  }

  /// For whoever repeats a case.
  void report(const PartOp& op) const {
    constexpr const char* kKinds[] = {"read", "program", "erase", "copy", "check of the marker", "bad-block marker"};
    std::printf("power lost at change %u: %s in segment %u, offset %u, length %u, torn: %s\n", path_.back().change,
                kKinds[static_cast<std::size_t>(op.kind)], op.segment.value(), op.offset, op.length,
                std::string(kTornWriteNames[static_cast<std::size_t>(path_.back().torn)]).c_str());
  }

  /// True: a later mount is worth a look.
  bool recover(Flash& flash, PageOracle& oracle, RandomHost& host, Phase phase, Dice& dice) {
    Session session(flash, setup_.config);
    Frame frame(*this, flash, oracle, host, derive(seed_of_path(), kExplore), 4);
    frame.phase = phase;
    FtlStatus mounted = session->mount(host.now_ns());
    if (phase == Phase::formatting && (mounted != FtlStatus::ok || !holds(*session, oracle))) {
      // What a format left that was stopped may look like the rest of a damaged volume. Formatting again must work.
      if (mounted == FtlStatus::read_failed) mounted = FtlStatus::not_formatted;
      // Segments that the format found failing, and marked, are too few left of.
      if (mounted == FtlStatus::no_space && leaves_anything() && flash.failed_segments() > 0) return false;
      if (mounted != FtlStatus::not_formatted && mounted != FtlStatus::ok)
        return fail(false, "after a format the mount answered " + name_of(mounted));
      oracle.begin_anew();
      // Where the format could not note down that it began, a part of the old volume may be left.
      const bool part = (faults_ || leaves_anything()) && mounted == FtlStatus::ok && !holds(*session, oracle);
      if (mounted == FtlStatus::not_formatted || part) mounted = session->format(host.now_ns());
      if (mounted != FtlStatus::ok && flash.failed_segments() > 0) return false;
    }
    frame.phase = Phase::working;
    if (flash.breach() != nullptr && setup_.part.on_breach != OnBreach::lenient)
      return fail(false, std::string("promise broken by the mount: ") + flash.breach());
    if (mounted != FtlStatus::ok) return fail(false, "the mount answered " + name_of(mounted));
    if (!sound(flash, *session)) return false;
    if constexpr (Layer::kMountMovesRecovered)
      if (flash.failed_segments() == 0) flash.lose_recovered_pages();
    if (!right(oracle.check_mounted(*session, setup_.part.faults.unstable))) return false;
    const std::uint32_t requests = dice.chance(30) ? dice.between(100, 400) : dice.between(0, 25);
    for (std::uint32_t i = 0; i < requests && !failed_ && frame.refusals <= kRefusals; ++i)
      if (!proceed(frame, frame.step(*session), *session) || !right(host.wrong())) break;
    return !failed_ && sound(flash, *session) && right(oracle.check_live(*session)) && write_out(frame, *session);
  }

  static constexpr bool leaves_anything() {
    return requires { Layer::kStoppedFormatLeavesAnything; };
  }

  /// Whether the volume is the one that the oracle knows; it learns nothing.
  static bool holds(Ftl& ftl, PageOracle oracle) { return oracle.check_mounted(ftl).empty(); }

  void remount(Flash& flash, PageOracle& oracle, RandomHost& host) {
    flash.power_cycle();
    Session session(flash, setup_.config);
    const FtlStatus mounted = session->mount(host.now_ns());
    if (mounted != FtlStatus::ok) {
      fail(false, "the next mount answered " + name_of(mounted));
      return;
    }
    if (!sound(flash, *session)) return;
    (void)right(oracle.check_mounted(*session, setup_.part.faults.unstable));
  }

  bool sound(Flash& flash, Ftl& ftl) {
    if (flash.breach() != nullptr && setup_.part.on_breach != OnBreach::lenient)
      return fail(false, std::string("promise broken: ") + flash.breach());
    const char* broken = ftl.self_check();
    return broken == nullptr || fail(false, broken);
  }
  bool right(const std::string& wrong) { return wrong.empty() || fail(true, wrong); }

  /// False, for whoever returns it.
  bool fail(bool lost, const std::string& what) {
    if (failed_) return false;
    failed_ = true;
    const CaseId id{std::string(Layer::kName) + (faults_ ? "+faults" : ""), seed_, path_};
    totals_.add({to_string(id), what, Layer::describe(setup_), lost});
    return false;
  }

  [[nodiscard]] std::uint64_t seed_of_path() const {
    std::uint64_t seed = derive(seed_, kAfter);
    for (const Loss& loss : path_) seed = derive(seed, loss.change, static_cast<std::uint64_t>(loss.torn));
    return seed;
  }

  /// A medium for each depth, made once per case.
  Flash& flash_at(std::size_t depth) {
    if (pool_seed_ != seed_ || pool_.empty()) {
      pool_.clear();
      pool_seed_ = seed_;
    }
    while (pool_.size() < depth) pool_.push_back(std::make_unique<Flash>(setup_.part));
    return *pool_[depth - 1];
  }

  /// Losses followed, of a thousand changes of the script.
  static constexpr std::uint32_t kChances[] = {10, 40, 160};
  /// Of a thousand erases and bad-block markers of segments that failed, which are few.
  static constexpr std::uint32_t kChanceOnFailed = 600;

  bool faults_;
  At at_;
  std::uint64_t seed_ = 0;
  const std::vector<Loss>* only_ = nullptr;
  Setup setup_{};
  std::vector<Loss> path_;
  std::vector<std::unique_ptr<Flash>> pool_;
  std::uint64_t pool_seed_ = ~std::uint64_t{0};
  std::uint64_t losses_before_ = 0;  ///< this case
  std::size_t reached_ = 0;          ///< of the losses of `only_`
  bool failed_ = false;
  bool worn_ = false;
  CampaignTotals totals_;
};

}  // namespace ftlab::tests
