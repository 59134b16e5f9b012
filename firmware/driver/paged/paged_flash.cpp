#include "firmware/driver/paged/paged_flash.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace ftlab {

using paged::DecodedTag;
using paged::is_ok;
using paged::Steps;
using paged::TagKind;

namespace {

constexpr std::byte kErased{0xFF};

constexpr std::uint32_t kOwnTag = 0x100;

}  // namespace

std::size_t PagedFlash::arena_bytes(PartPort& port, const PagedFlashConfig& config) {
  Arena measure(nullptr, 0);
  NullProbe probe;
  PagedFlash(port, probe, config, {}).layout(measure);
  return measure.used();
}

PagedFlash::PagedFlash(PartPort& port, ProbePort& probe, const PagedFlashConfig& config, std::span<std::byte> arena)
    : groups_(port, config.segment_units),
      port_(config.segment_units == 1 ? port : groups_),
      probe_(probe),
      config_(config),
      page_layout_(paged::layout_of(port, config)),
      known_(*this, port_.geometry()),
      geometry_(paged::geometry_of(port, page_layout_, config)),
      pages_per_die_(geometry_.segments_per_die() * geometry_.pages_per_segment) {
  if (arena.empty()) return;
  Arena memory(arena.data(), arena.size());
  layout(memory);
}

void PagedFlash::layout(Arena& arena) {
  const std::size_t page = geometry_.page_bytes;
  dies_ = arena.take<Die>(geometry_.dies);
  held_ = arena.take<PartDone>(geometry_.dies);
  buffers_ = arena.take<std::byte>(config_.buffers * page);
  if (page_layout_.entries())
    previous_ = arena.take<std::byte>(geometry_.segments * std::size_t{page_layout_.beside_bytes()});
  known_.layout(arena, geometry_,
                !page_layout_.spare() ? paged::Resumed::freely
                : config_.resumes     ? paged::Resumed::noted
                                      : paged::Resumed::never);
  if (geometry_.pages_at_once > 1) waiting_.layout(arena, geometry_, config_.begun_units, page_layout_.beside_bytes());
  // Where a part takes nothing any more, every erase, program and copy is reported before anybody asks: of each segment
  // its erase, what ends after it, and each of its pages, none of which is programmed twice before that.
  ended_ = arena.take<FlashDone>(config_.buffers + geometry_.dies * std::size_t{kQueue} +
                                 geometry_.segments * (std::size_t{geometry_.pages_per_segment} + 2));
  for (std::uint32_t i = 0; i < geometry_.dies; ++i) {
    const auto queue = arena.take<Queued>(kQueue);
    const auto data = arena.take<std::byte>(page * geometry_.pages_at_once);
    const auto beside = arena.take<std::byte>(page_layout_.beside_bytes());
    if (dies_.empty()) continue;
    dies_[i].queue = queue;
    dies_[i].page = data;
    dies_[i].beside = beside;
  }
}

std::byte* PagedFlash::buffer(std::uint16_t index) {
  return index == FlashOp::kNoBuffer ? nullptr : buffers_.data() + std::size_t{index} * geometry_.page_bytes;
}

void PagedFlash::write_buffer(std::uint16_t index, std::uint32_t offset, std::span<const std::byte> from) {
  std::memcpy(buffer(index) + offset, from.data(), from.size());
}

void PagedFlash::read_buffer(std::uint16_t index, std::uint32_t offset, std::span<std::byte> into) {
  std::memcpy(into.data(), buffer(index) + offset, into.size());
}

void PagedFlash::submit(std::span<const FlashOp> ops) {
  if (!known_.loaded()) known_.load_notes();
  const Cause cause = probe_.cause();
  for (const FlashOp& op : ops) {
    Die& die = dies_[die_of(op.page)];
    while (die.count == kQueue) advance(true);
    die.queue[(die.first + die.count++) % kQueue] = {op, cause};
  }
  while (advance(false)) {
  }
}

std::size_t PagedFlash::collect(std::span<FlashDone> done) {
  if (ended_count_ == 0) {
    while (advance(false)) {
    }
  }
  std::size_t n = 0;
  for (; n < done.size() && ended_count_ > 0; --ended_count_, ++n) {
    done[n] = ended_[first_ended_];
    first_ended_ = first_ended_ + 1 == ended_.size() ? 0 : first_ended_ + 1;
  }
  return n;
}

void PagedFlash::wait(std::uint64_t) {
  while (ended_count_ == 0 && advance(true)) {
  }
  // Nothing is under way that could be waited for.
  if (ended_count_ == 0) __builtin_trap();
}

bool PagedFlash::advance(bool wait) {
  const bool started = start_idle_dies();
  return take_ended(wait && !started) || started;
}

bool PagedFlash::start_idle_dies() {
  bool started = false;
  for (Die& die : dies_) {
    if (die.phase != Phase::idle || die.count == 0 || under_way_ >= port_.capabilities().queue_depth) continue;
    start(die);
    started = true;
  }
  return started;
}

bool PagedFlash::take_ended(bool wait) {
  if (!own_waits_ && held_count_ > 0) {
    // What follows may have to wait for an operation of our own, and then more is held back.
    const PartDone one = held_[--held_count_];
    step_ended(dies_[one.tag - 1], one);
    return true;
  }
  if (under_way_ == 0) return false;
  std::array<PartDone, 8> done;
  const std::size_t ended = port_.reap(done, wait);
  for (const PartDone& one : std::span(done).first(ended)) {
    --under_way_;
    if (one.tag == kOwnTag) {
      own_status_ = one.status;
      own_ended_ = true;
      continue;
    }
    if (own_waits_) {
      held_[held_count_++] = one;
      continue;
    }
    step_ended(dies_[one.tag - 1], one);
  }
  return ended > 0;
}

void PagedFlash::start(Die& die) {
  const FlashOp& op = die.queue[die.first].op;
  const std::uint32_t segment = segment_of(op.page);
  die.done = {op.kind, FlashStatus::ok, op.tag, op.page, op.target, {}};
  if (geometry_.pages_at_once > 1 && start_in_unit(die)) return;
  switch (op.kind) {
    case FlashOpKind::read:
    case FlashOpKind::copy: {
      if (page_layout_.bare() && op.kind == FlashOpKind::read && op.buffer == FlashOp::kNoBuffer)
        return finish(die, FlashStatus::ok);
      if (wants_part(op)) {
        const auto first = static_cast<std::uint32_t>(op.metadata.low);
        page_layout_.read_part(begin(die, Phase::reading), segment, index_of(op.page), first,
                               static_cast<std::uint32_t>(op.metadata.high), buffer(op.buffer), die.beside.data());
        return run(die);
      }
      std::byte* const into = op.kind == FlashOpKind::copy ? die.page.data() : buffer(op.buffer);
      page_layout_.read(begin(die, Phase::reading), segment, index_of(op.page), into, die.beside.data());
      return run(die);
    }
    case FlashOpKind::program: {
      if (!known_.may_program(op.page)) return finish(die, FlashStatus::program_failed);
      const std::byte* data = buffer(op.buffer);
      if (data == nullptr) {
        std::ranges::fill(die.page, kErased);
        data = die.page.data();
      }
      encode_beside(die, op.metadata, TagKind::page, data);
      page_layout_.program(begin(die, Phase::programming), segment, index_of(op.page), data, die.beside.data());
      return run(die);
    }
    case FlashOpKind::erase:
      begin(die, Phase::erasing).add(PartOpKind::erase, segment, 0, 0);
      return run(die);
    case FlashOpKind::check_bad:
      if (page_layout_.bare()) return finish(die, FlashStatus::ok);
      if (known_[segment].checked) return finish(die, known_[segment].bad ? FlashStatus::bad_segment : FlashStatus::ok);
      page_layout_.check_bad(begin(die, Phase::checking), segment, die.beside.data());
      return run(die);
    case FlashOpKind::mark_bad:
      known_[segment] = {.checked = true, .bad = true};
      if (no_supply_ || page_layout_.bare()) return finish_mark(die, false);
      if (page_layout_.spare())
        page_layout_.mark_bad(begin(die, Phase::marking), segment, die.beside.data());
      else
        page_layout_.check_bad(begin(die, Phase::before_marking), segment, die.beside.data());
      return run(die);
    case FlashOpKind::fence:
      return finish(die, FlashStatus::ok);
    case FlashOpKind::none:
      return finish(die, FlashStatus::illegal);
  }
}

bool PagedFlash::wants_part(const FlashOp& op) const {
  return op.kind == FlashOpKind::read && !page_layout_.entries() && op.metadata.high < geometry_.page_bytes;
}

Steps& PagedFlash::begin(Die& die, Phase phase) {
  die.phase = phase;
  die.steps.clear();
  return die.steps;
}

void PagedFlash::run(Die& die) {
  die.next_step = 0;
  submit_step(die);
}

void PagedFlash::submit_step(Die& die) {
  PartOp& op = die.steps.ops[die.next_step++];
  op.tag = number_of(die) + 1;
  op.no_wait = port_.capabilities().no_wait && (op.kind == PartOpKind::read || op.kind == PartOpKind::program);
  ++under_way_;
  const CauseScope cause(probe_, die.queue[die.first].cause);
  // Refused only by a queue that is full, which it is not.
  if (port_.submit({&op, 1}) != 1) __builtin_trap();
}

void PagedFlash::step_ended(Die& die, const PartDone& done) {
  if (done.status == PartStatus::write_protected || done.status == PartStatus::no_vpp ||
      done.status == PartStatus::timeout)
    no_supply_ = true;
  if (done.status == PartStatus::corrected) {
    die.done.status = FlashStatus::corrected;
    die.done.corrected_bits = std::max<std::uint16_t>(die.done.corrected_bits, done.corrected_bits);
    die.done.must_move = die.done.must_move || done.corrected_bits > config_.refresh.bits;
  }
  if (is_ok(done.status) && die.next_step < die.steps.count) return submit_step(die);
  phase_ended(die, done.status);
}

void PagedFlash::phase_ended(Die& die, PartStatus status) {
  const FlashOp& op = die.queue[die.first].op;
  const std::uint32_t segment = segment_of(op.page);
  switch (die.phase) {
    case Phase::idle:
      return;
    case Phase::reading:
      return geometry_.pages_at_once > 1 ? unit_sensed(die, status) : page_read(die, status);
    case Phase::programming:
      if (geometry_.pages_at_once > 1) {
        const std::uint32_t last = op.kind == FlashOpKind::copy ? op.target : op.page;
        known_.programmed(last, is_ok(status));
        return unit_ended(die, *waiting_.find(number_of(die), last), is_ok(status));
      }
      known_.programmed(op.kind == FlashOpKind::copy ? op.target : op.page, is_ok(status));
      // A copy whose source could not be read has said so before.
      return finish(die, is_ok(status) ? die.done.status : FlashStatus::program_failed);
    case Phase::settling:
      // What was not made sure of reads as it likes the next time: nothing may lie behind it.
      if (!is_ok(status)) known_[segment].refused = true;
      return finish(die, die.done.status);
    case Phase::erasing:
      known_.erased(segment, is_ok(status));
      return finish(die, is_ok(status) ? FlashStatus::ok : FlashStatus::erase_failed);
    case Phase::checking:
      known_[segment].checked = true;
      known_[segment].bad = page_layout_.is_bad(segment, status, die.beside);
      return finish(die, known_[segment].bad ? FlashStatus::bad_segment : FlashStatus::ok);
    case Phase::before_marking:
      if (!is_ok(status) || !page_layout_.can_mark(segment, die.beside)) return finish_mark(die, false);
      page_layout_.mark_bad(begin(die, Phase::marking), segment, die.beside.data());
      return run(die);
    case Phase::marking:
      return finish_mark(die, is_ok(status));
  }
}

void PagedFlash::page_read(Die& die, PartStatus status) {
  const FlashOp& op = die.queue[die.first].op;
  const std::byte* const data = op.kind == FlashOpKind::copy ? die.page.data() : buffer(op.buffer);
  const DecodedTag tag = is_ok(status) ? decode_beside(die, data) : DecodedTag{};
  if (op.kind == FlashOpKind::copy) {
    // What was not read for another reason than its state can still be read later.
    if (!is_ok(status) && status != PartStatus::uncorrectable) return finish(die, FlashStatus::program_failed);
    return start_copy_program(die, tag.intact && !tag.lost);
  }
  if (tag.intact) die.done.metadata = tag.metadata;
  if (!tag.blank && (!tag.intact || tag.lost)) die.done.status = FlashStatus::uncorrectable;
  if (!judge_end(die, tag)) finish(die, die.done.status);
}

bool PagedFlash::judge_end(Die& die, const DecodedTag& tag) {
  const FlashOp& op = die.queue[die.first].op;
  const std::uint32_t segment = segment_of(op.page);
  const std::uint32_t index = index_of(op.page);
  if (op.buffer != FlashOp::kNoBuffer || known_[segment].erased || page_layout_.bare()) return false;
  const bool intact_before = known_.is_intact_before(op.page);
  const bool torn = known_.judge(op.page, tag);
  if (torn) die.done.status = FlashStatus::uncorrectable;
  if (page_layout_.spare()) return false;
  // An entry that a power loss left half cleared reads as it likes until it is cleared again; so would the next page's,
  // which may have data without an entry.
  Steps& steps = begin(die, Phase::settling);
  const std::span<std::byte> previous = previous_.subspan(segment * die.beside.size(), die.beside.size());
  if (torn) {
    if (intact_before) page_layout_.program_entry(steps, segment, index - 1, previous.data());
    encode_beside(die, {}, TagKind::void_, nullptr);
    page_layout_.program_entry(steps, segment, index, die.beside.data());
  } else if (tag.intact) {
    std::ranges::copy(die.beside, previous.begin());
    if (index + 1 == geometry_.pages_per_segment) page_layout_.program_entry(steps, segment, index, previous.data());
  }
  if (steps.count == 0) return false;
  run(die);
  return true;
}

std::uint32_t PagedFlash::data_check(const std::byte* data) const {
  probe_.count(Work::checksum_byte, geometry_.page_bytes);
  return crc32c(data, geometry_.page_bytes);
}

void PagedFlash::encode_beside(Die& die, const FlashMetadata& metadata, TagKind kind, const std::byte* data) {
  if (page_layout_.bare()) return;
  paged::DataCheck check;
  if (config_.data_checksum) check = data != nullptr ? data_check(data) : 0;
  paged::encode(metadata, kind, die.beside, check);
}

DecodedTag PagedFlash::decode_beside(const Die& die, const std::byte* data) const {
  if (!geometry_.keeps_metadata) return {.intact = true, .metadata = {~0ULL, ~0ULL}};
  DecodedTag tag = paged::decode(die.beside, config_.data_checksum);
  if (!config_.data_checksum || data == nullptr || !tag.intact || tag.lost) return tag;
  tag.lost = tag.data_check != data_check(data);
  return tag;
}

void PagedFlash::start_copy_program(Die& die, bool readable) {
  const FlashOp& op = die.queue[die.first].op;
  if (!known_.may_program(op.target)) return finish(die, FlashStatus::program_failed);
  const FlashMetadata metadata = op.new_metadata ? op.metadata : decode_beside(die, nullptr).metadata;
  if (!readable) die.done.status = FlashStatus::uncorrectable;
  encode_beside(die, metadata, readable ? TagKind::page : TagKind::lost, readable ? die.page.data() : nullptr);
  page_layout_.program(begin(die, Phase::programming), segment_of(op.target), index_of(op.target), die.page.data(),
                       die.beside.data());
  run(die);
}

PartStatus PagedFlash::run_to_end(PartOp op) {
  op.tag = kOwnTag;
  own_ended_ = false;
  own_waits_ = true;
  ++under_way_;
  if (port_.submit({&op, 1}) != 1) __builtin_trap();
  while (!own_ended_) take_ended(true);
  own_waits_ = false;
  return own_status_;
}

void PagedFlash::finish_mark(Die& die, bool taken) {
  finish(die, taken || !die.queue[die.first].op.report ? FlashStatus::ok : FlashStatus::program_failed);
}

void PagedFlash::finish(Die& die, FlashStatus status) {
  die.done.status = status;
  report(die.done, die.queue[die.first].op.report);
  pop(die);
}

void PagedFlash::report(const FlashDone& done, bool asked) {
  if (!asked && is_ok(done.status)) return;
  // More failures than there are places: nobody collects them.
  if (ended_count_ == ended_.size()) __builtin_trap();
  const std::size_t place = std::size_t{first_ended_} + ended_count_++;
  ended_[place < ended_.size() ? place : place - ended_.size()] = done;
}

void PagedFlash::pop(Die& die) {
  die.first = (die.first + 1) % kQueue;
  --die.count;
  die.phase = Phase::idle;
}

}  // namespace ftlab
