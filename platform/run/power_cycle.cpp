#include "platform/run/power_cycle.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "firmware/ftl/serve.h"

namespace ftlab::platform {
namespace {

const char* failed_mount(FtlStatus status) {
  switch (status) {
    case FtlStatus::not_formatted:
      return "the mount after a loss of power finds no format";
    case FtlStatus::read_failed:
      return "the mount after a loss of power cannot read what it needs";
    case FtlStatus::bad_config:
      return "the mount after a loss of power finds a volume of another size";
    default:
      return "the mount after a loss of power fails: the medium takes data nowhere";
  }
}

std::uint64_t torn_programs(const LedgerTotals& totals) {
  return totals.by_operation(hw::DeviceOpKind::word_program).torn +
         totals.by_operation(hw::DeviceOpKind::buffer_program).torn;
}

std::uint64_t torn_erases(const LedgerTotals& totals) { return totals.by_operation(hw::DeviceOpKind::erase).torn; }

MountWork work_in(const LedgerTotals& totals) {
  const auto count = [&totals](hw::DeviceOpKind kind) { return totals.by_operation(kind).count; };
  using enum hw::DeviceOpKind;
  return {.energy = totals.by_cause(Cause::mount).energy,
          .reads = count(array_read) + count(load),
          .programs = count(word_program) + count(buffer_program),
          .erases = count(erase)};
}

/// What firmware counts when it queues it, and a device that sums its operations has taken off.
void add_undone(FtlStats& undone, const LedgerTotals& queued, const LedgerTotals& left, std::uint32_t page_bytes) {
  for (std::uint32_t c = 0; c < kCauses; ++c) {
    const auto cell = [c](const LedgerTotals& totals, hw::DeviceOpKind kind) -> const LedgerCell& {
      return totals.ops[static_cast<std::size_t>(kind)][c];
    };
    const auto cause = static_cast<Cause>(c);
    constexpr hw::DeviceOpKind kErase = hw::DeviceOpKind::erase;
    (cause == Cause::metadata ? undone.log_erases : undone.erases) +=
        cell(queued, kErase).count - cell(left, kErase).count;
    constexpr hw::DeviceOpKind kProgram = hw::DeviceOpKind::buffer_program;
    const std::uint64_t pages = (cell(queued, kProgram).bytes - cell(left, kProgram).bytes) / page_bytes;
    if (cause == Cause::clean || cause == Cause::refresh) undone.pages_copied += pages;
    if (cause == Cause::wear_level) undone.pages_swapped += pages;
  }
}

}  // namespace

PowerCycles::PowerCycles(const PowerChoices& plan, Machine& machine, OperationSink* sink, PlacesOfAnswered places)
    : machine_(machine),
      sink_(sink),
      by_operation_(plan, machine, [this] { arm(); }),
      places_of_answered_(std::move(places)) {
  for (const double s : plan.loss_at_s) at_.push_back(ticks_from_ns(s * 1e9));
  for (const double n : plan.loss_at_request) at_requests_.push_back(static_cast<std::uint64_t>(n));
  std::ranges::sort(at_);
  for (const double n : plan.loss_at_instruction) at_instructions_.push_back(static_cast<std::uint64_t>(n));
  std::ranges::sort(at_requests_);
  std::ranges::sort(at_instructions_);
  record_.protects = machine.device().holds_up();
  record_.planned = at_.size() + at_requests_.size() + at_instructions_.size() + by_operation_.planned();
}

void PowerCycles::come_to_rest() {
  if (record_.planned == 0 || machine_.device().operations() == nullptr) return;
  Processor& processor = machine_.processor();
  for (;;) {
    const Ticks change = processor.hint->next_status_change(processor.now());
    if (change == kNever) return;
    processor.sleep_until(change);
  }
}

void PowerCycles::watch(ClientOptions& options) {
  if (at_requests_.empty()) return;
  options.completed = [this](std::uint64_t requests) {
    // Behind a link several answers reach the host between two that the firmware gives.
    if (next_request_ == at_requests_.size() || requests < at_requests_[next_request_]) return;
    by_request_ = true;
    machine_.processor().lose_power_at(machine_.processor().now());
    machine_.processor().advance(Ticks::zero());
  };
}

void PowerCycles::begin_phase(const char* name) {
  if (sink_ != nullptr) sink_->begin_phase(name);
}

void PowerCycles::arm() {
  const Ticks by_time = next_ < at_.size() ? start_ + at_[next_] : kNever;
  machine_.processor().lose_power_at(std::min(by_time, by_operation_.next_due()));
  machine_.processor().lose_power_behind(next_instruction());
}

void PowerCycles::plan_none() {
  machine_.processor().lose_power_at(kNever);
  machine_.processor().lose_power_behind(Processor::kNoInstruction);
}

void PowerCycles::take_planned() {
  if (std::exchange(by_request_, false)) {
    ++next_request_;
    return;
  }
  const Ticks now = machine_.processor().now();
  const Ticks due = by_operation_.next_due();
  if (next_ < at_.size() && start_ + at_[next_] <= std::min(due, now)) {
    ++next_;
  } else if (due <= now) {
    by_operation_.take_due();
  } else if (const auto totals = machine_.processor().core_totals();
             totals && totals->instructions >= next_instruction()) {
    ++next_instruction_;
  }  // Otherwise nobody has planned it.
}

bool PowerCycles::serve(Ftl& ftl, Host& host, StorageClient& client, const StartUp& start_up) {
  Processor& processor = machine_.processor();
  start_ = processor.now();
  if (const auto totals = processor.core_totals()) executed_before_ = totals->instructions;
  page_bytes_ = ftl.page_bytes();
  by_operation_.begin();
  processor.measures(true);
  arm();
  const Cause cause = processor.cause();
  for (Ftl* serving = &ftl; serving != nullptr;) {
    try {
      if (record_.protects) {
        processor.when_power_fails([this, serving, &client] { look(*serving, client); });
        processor.hold_power(true);
      }
      ftlab::serve(*serving, client, processor);
      // At the end of life a flush may fail; the record says so.
      (void)serving->write_out(processor.now_ns());
      processor.hold_power(false);
      if (processor.failed_at() == kNever) {
        by_operation_.end();
        processor.measures(false);
        plan_none();
        return true;
      }
    } catch (const PowerLost&) {
      // What follows waits, and a thread of the kernel must not while it handles an exception.
    }
    serving = mount_again(*serving, host, client, start_up);
    processor.set_cause(cause);
  }
  by_operation_.end();
  return false;
}

std::optional<std::uint64_t> PowerCycles::bytes_in_ram() {
  const std::optional<std::vector<std::uint32_t>> places = places_of_answered_();
  if (!places) return {};
  const Ticks now = machine_.processor().now();
  const auto missing =
      std::ranges::count_if(*places, [&](std::uint32_t page) { return !machine_.device().holds_page(page, now); });
  return static_cast<std::uint64_t>(missing) * page_bytes_;
}

void PowerCycles::look(const Ftl& serving, const StorageClient& client) {
  const Ticks now = machine_.processor().now();
  at_loss_ = {now, client.unanswered(), {}, bytes_in_ram()};
  if (!record_.protects) return;
  at_loss_.counted = serving.stats();
  machine_.device().advance_to(now);
  machine_.ledger().collect_accesses();
  held_.emplace(machine_, sink_, now);
}

HeldUp PowerCycles::hold_up(Ftl& serving) {
  Processor& processor = machine_.processor();
  processor.set_cause(Cause::mount);
  processor.when_power_fails({});
  processor.fail();
  processor.hold_power(true);
  // What finds no place any more at the end of its life is lost all the same.
  (void)serving.write_out(processor.now_ns());
  processor.hold_power(false);
  processor.forget_failure();
  const FtlStats more = host_pages_between(at_loss_.counted, serving.stats());
  at_loss_.unanswered.pages_written += more.pages_written;
  at_loss_.unanswered.pages_read += more.pages_read;
  at_loss_.unanswered.pages_trimmed += more.pages_trimmed;
  machine_.device().advance_to(processor.now());
  machine_.ledger().collect_accesses();
  const HeldUp held{processor.now() - at_loss_.at, held_->until(processor.now())};
  held_.reset();
  return held;
}

Ftl* PowerCycles::mount_again(Ftl& serving, Host& host, StorageClient& client, const StartUp& start_up) {
  Processor& processor = machine_.processor();
  if (processor.failed_at() == kNever) look(serving, client);
  begin_phase("mount");
  client.drop();
  std::optional<HeldUp> held;
  if (record_.protects) held = hold_up(serving);
  FtlStats undone = at_loss_.unanswered;
  std::optional<std::uint64_t> bytes_in_ram = at_loss_.bytes_in_ram;
  Ticks lost = at_loss_.at;
  for (;; lost = processor.now()) {
    take_planned();
    record_.losses.push_back({.at = lost - start_,
                              .requests = host.totals().requests,
                              .in_flight = host.in_flight(),
                              .torn_programs = 0,
                              .torn_erases = 0,
                              .bytes_in_ram = std::exchange(bytes_in_ram, std::nullopt),
                              .held_up = std::exchange(held, std::nullopt),
                              .mount = {},
                              .work = {},
                              .mounted = false});
    Ftl* mounted = nullptr;
    FtlStatus status = FtlStatus::ok;
    try {
      status = lose_and_mount(host, start_up, std::exchange(undone, {}), mounted);
    } catch (const PowerLost&) {
      mounted = nullptr;
    }
    record_.losses.back().mount = processor.now() - lost;
    record_.losses.back().work = work_so_far() - work_before_;
    if (mounted == nullptr) continue;
    if (status != FtlStatus::ok) {
      plan_none();
      host.give_up(failed_mount(status), processor.now());
      return nullptr;
    }
    record_.losses.back().mounted = true;
    if (const char* broken = mounted->self_check())
      throw std::logic_error(std::string("FTL invariant broken after a mount: ") + broken);
    client.serve_by(*mounted);
    begin_phase("measure");
    return mounted;
  }
}

MountWork PowerCycles::work_so_far() {
  machine_.device().advance_to(machine_.processor().now());
  machine_.ledger().collect_accesses();
  return work_in(machine_.ledger().totals());
}

FtlStatus PowerCycles::lose_and_mount(Host& host, const StartUp& start_up, FtlStats undone, Ftl*& mounted) {
  Processor& processor = machine_.processor();
  // Books what has been queued under the cause that the firmware left behind.
  processor.set_cause(Cause::mount);
  machine_.ledger().collect_accesses();
  const LedgerTotals queued = machine_.ledger().totals();
  machine_.device().lose_power(processor.now());
  machine_.ledger().take_off_undone();
  if (machine_.device().operations() != nullptr) add_undone(undone, queued, machine_.ledger().totals(), page_bytes_);
  const LedgerTotals& left = machine_.ledger().totals();
  record_.losses.back().torn_programs = torn_programs(left) - torn_programs(queued);
  record_.losses.back().torn_erases = torn_erases(left) - torn_erases(queued);
  const MountWork work = work_in(left);
  const std::size_t losses = record_.losses.size();
  // What it had queued and did not spend is known now.
  if (losses > 1 && !record_.losses[losses - 2].mounted) record_.losses[losses - 2].work = work - work_before_;
  work_before_ = work;
  machine_.device().restore_power(processor.now());
  host.resend();
  arm();
  Ftl& ftl = start_up(undone);
  const FtlStatus status = ftl.mount(processor.now_ns());
  mounted = &ftl;
  return status;
}

}  // namespace ftlab::platform
