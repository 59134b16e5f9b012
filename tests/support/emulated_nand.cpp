// Legality is checked before anything happens; failures and cuts share the code that leaves pages half done.
#include "tests/support/emulated_nand.h"

#include <algorithm>
#include <cstring>

#include "tests/support/broken_promise.h"

namespace ftlab::tests {
namespace {

constexpr std::uint32_t kSpare = 32;
constexpr const char* kEraseOfBad = "erase of a segment with a bad mark";
constexpr const char* kProgramOfBad = "program in a segment with a bad mark";
constexpr const char* kEraseWasCut = "program in a segment whose erase was cut";
constexpr const char* kPageWasCut = "program of a page that was cut";
constexpr const char* kSecondProgram = "second program of a page";
constexpr const char* kNotAscending = "pages not programmed in ascending order";

}  // namespace

std::vector<std::uint8_t> flex_pairs(std::uint32_t pages) {
  std::vector<std::uint8_t> pair(pages);
  const auto join = [&](std::uint32_t lsb, std::uint32_t msb) {
    pair[lsb] = static_cast<std::uint8_t>(msb);
    pair[msb] = static_cast<std::uint8_t>(lsb);
  };
  for (std::uint32_t n = 0; n < 2; ++n) join(n, n + 4);
  for (std::uint32_t n = 2; n + 4 < pages; ++n)
    if (n % 4 >= 2) join(n, n + 6 < pages ? n + 6 : n + 4);
  return pair;
}

EmulatedNand::EmulatedNand(EmulatedNandOptions options)
    : options_(options), pairs_(flex_pairs(options.pages)), fault_dice_(options.faults.seed) {
  geometry_.segments = options_.segments;
  geometry_.segment_bytes = options_.pages * options_.page_bytes;
  geometry_.program_unit_bytes = options_.page_bytes;
  geometry_.spare_bytes = kSpare;
  geometry_.parallel_units = options_.parallel_units;
  geometry_.rated_erase_cycles = options_.rated_erase_cycles;
  geometry_.paired_page = pairs_;
  geometry_.slc_segments_per_unit = options_.slc_segments_per_unit;
  capabilities_.spare = true;
  capabilities_.queue_depth = 1;
  const auto blank = std::make_shared<Segment>();
  blank->data.assign(options_.store_content ? geometry_.segment_bytes : 0, std::byte{0xFF});
  blank->spare.assign(std::size_t{options_.pages} * kSpare, std::byte{0xFF});
  blank->state.assign(options_.pages, PageState::blank);
  blank->bits.assign(options_.pages, 0);
  image_.segments.assign(options_.segments, blank);
}

EmulatedNand::Segment& EmulatedNand::writable(std::uint32_t segment) {
  auto& slot = image_.segments[segment];
  if (slot.use_count() > 1) slot = std::make_shared<Segment>(*slot);
  return *slot;
}

bool EmulatedNand::is_slc(std::uint32_t segment) const {
  return segment % (options_.segments / options_.parallel_units) < options_.slc_segments_per_unit;
}

std::uint32_t EmulatedNand::pages_in(std::uint32_t segment) const {
  return is_slc(segment) ? options_.pages / 2 : options_.pages;
}

std::uint32_t EmulatedNand::failed_segments() const {
  return static_cast<std::uint32_t>(std::ranges::count_if(image_.segments, [](const auto& s) { return s->failed; }));
}

const char* EmulatedNand::broken_promise(const FlashOp& op) const {
  if (op.segment.value() >= geometry_.segments) return "segment beyond the device";
  if (op.kind == FlashOpKind::copy) return "copy without copy_back";
  if (op.after_ok) return "after_ok without chained";
  if (op.kind == FlashOpKind::check_bad || op.kind == FlashOpKind::mark_bad) return nullptr;
  if (op.kind == FlashOpKind::erase) {
    if (op.offset != 0 || op.length != 0) return "erase with offset or length";
    return image_.segments[op.segment.value()]->bad ? kEraseOfBad : nullptr;
  }
  if (op.offset / geometry_.program_unit_bytes >= pages_in(op.segment.value())) return "page outside the segment";
  return op.kind == FlashOpKind::read ? broken_read_promise(op) : broken_program_promise(op);
}

const char* EmulatedNand::broken_read_promise(const FlashOp& op) const {
  const std::uint32_t page_bytes = geometry_.program_unit_bytes;
  if (op.offset % page_bytes + op.length > page_bytes) return "read across a page's end";
  return (op.length == 0 ? op.spare_into != nullptr : op.into != nullptr) ? nullptr : "read without a buffer";
}

const char* EmulatedNand::broken_program_promise(const FlashOp& op) const {
  const std::uint32_t page_bytes = geometry_.program_unit_bytes;
  const std::uint32_t page = op.offset / page_bytes;
  const Segment& segment = *image_.segments[op.segment.value()];
  if (op.offset % page_bytes != 0 || op.length != page_bytes) return "program of less than a page";
  if (op.from == nullptr || op.spare_from == nullptr) return "program without data or spare bytes";
  if (segment.bad) return kProgramOfBad;
  if (segment.must_erase) return kEraseWasCut;
  if (segment.state[page] == PageState::half_way) return kPageWasCut;
  if (segment.state[page] != PageState::blank) return kSecondProgram;
  return page >= segment.next_page ? nullptr : kNotAscending;
}

std::optional<FlashStatus> EmulatedNand::answer_breach(const char* promise, const FlashOp& op) {
  const bool cells_answer = promise == kEraseWasCut || promise == kPageWasCut || promise == kSecondProgram ||
                            promise == kNotAscending || promise == kProgramOfBad || promise == kEraseOfBad;
  if (options_.on_breach == OnBreach::stop || (options_.on_breach == OnBreach::refuse && !cells_answer))
    stop_for_breach("emulated NAND", promise, op);
  if (options_.on_breach == OnBreach::refuse) {
    if (promise == kPageWasCut || promise == kSecondProgram)
      make_noise(writable(op.segment.value()), op.offset / options_.page_bytes);
    return op.kind == FlashOpKind::erase ? FlashStatus::erase_failed : FlashStatus::program_failed;
  }
  if (breach_ == nullptr) breach_ = promise;
  const bool bad = promise == kProgramOfBad || promise == kEraseOfBad;
  if (options_.on_breach == OnBreach::lenient && cells_answer && !bad) return std::nullopt;
  powered_ = false;
  return FlashStatus::timeout;
}

bool EmulatedNand::cut_now() { return cut_in_ != 0 && --cut_in_ == 0; }

bool EmulatedNand::fault_now(std::uint32_t segment, std::uint32_t chances) {
  const bool ordered = fault_in_ != 0 && (!fault_segment_ || *fault_segment_ == segment) && --fault_in_ == 0;
  return ordered || fault_dice_.happens(chances);
}

std::size_t EmulatedNand::submit(std::span<const FlashOp> ops) {
  std::size_t accepted = 0;
  for (const FlashOp& op : ops) {
    if (done_.size() >= capabilities_.queue_depth) break;
    ++accepted;
    FlashDone done{op.tag, FlashStatus::timeout, 0};
    const char* promise = powered_ ? broken_promise(op) : nullptr;
    const std::optional<FlashStatus> refused = promise != nullptr ? answer_breach(promise, op) : std::nullopt;
    if (refused) {
      done.status = *refused;
    } else if (powered_) {
      const bool changes = op.kind != FlashOpKind::read && op.kind != FlashOpKind::check_bad;
      if (watcher_ != nullptr && changes) watcher_->before_change(op);
      done = execute(op);
      done.tag = op.tag;
    }
    done_.push_back(done);
  }
  return accepted;
}

std::size_t EmulatedNand::reap(std::span<FlashDone> done, bool) {
  std::size_t n = 0;
  while (n < done.size() && n < done_.size()) {
    done[n] = done_[n];
    ++n;
  }
  done_.erase(done_.begin(), done_.begin() + static_cast<std::ptrdiff_t>(n));
  return n;
}

FlashDone EmulatedNand::execute(const FlashOp& op) {
  const std::uint32_t segment = op.segment.value();
  switch (op.kind) {
    case FlashOpKind::read:
      return read(op);
    case FlashOpKind::program:
      return {0, program(op), 0};
    case FlashOpKind::erase:
      return {0, erase(segment), 0};
    case FlashOpKind::check_bad:
      ++reads_;
      return {0, image_.segments[segment]->bad ? FlashStatus::bad_segment : FlashStatus::ok, 0};
    case FlashOpKind::mark_bad:
      return {0, mark_bad(segment), 0};
    case FlashOpKind::copy:
      break;
  }
  stop_for_breach("emulated NAND", "unknown operation", op);
}

FlashDone EmulatedNand::read(const FlashOp& op) {
  ++reads_;
  const Segment& segment = *image_.segments[op.segment.value()];
  const std::uint32_t page = op.offset / options_.page_bytes;
  const PageState state = segment.state[page];
  if (options_.faults.unstable && (state == PageState::torn || state == PageState::half_way))
    return read_unsure(op, state);
  if (op.into != nullptr) {
    if (options_.store_content)
      std::memcpy(op.into, segment.data.data() + op.offset, op.length);
    else
      std::memset(op.into, state == PageState::blank ? 0xFF : 0, op.length);
  }
  if (op.spare_into != nullptr) std::memcpy(op.spare_into, segment.spare.data() + std::size_t{page} * kSpare, kSpare);
  if (state == PageState::torn) return {0, FlashStatus::uncorrectable, 0};
  if (state == PageState::recovered) return {0, FlashStatus::corrected, kRecovered};
  if (segment.bits[page] > 0) return {0, FlashStatus::corrected, segment.bits[page]};
  return {0, FlashStatus::ok, 0};
}

/// Noise, mostly uncorrectable; at times ECC takes it for data, and what looks blank for noise.
FlashDone EmulatedNand::read_unsure(const FlashOp& op, PageState state) {
  const bool odd = dice_() % 4 == 0;
  const bool blank = state == PageState::half_way && !odd;
  const auto fill = [&](std::byte* into, std::uint32_t length) {
    for (std::uint32_t i = 0; i < length; ++i)
      into[i] = blank ? std::byte{0xFF} : static_cast<std::byte>(dice_() & 0xFF);
  };
  if (op.into != nullptr) fill(op.into, op.length);
  if (op.spare_into != nullptr) fill(op.spare_into, kSpare);
  if (blank) return {0, FlashStatus::ok, 0};
  const bool miscorrected = state == PageState::torn && odd;
  return {0, miscorrected ? FlashStatus::corrected : FlashStatus::uncorrectable, 1};
}

FlashStatus EmulatedNand::program(const FlashOp& op) {
  ++programs_;
  if (cut_now()) {
    powered_ = false;
    tear_program(op, tear_);
    return FlashStatus::timeout;
  }
  if (image_.segments[op.segment.value()]->refuses || fault_now(op.segment.value(), options_.faults.program_failures)) {
    fail(op.segment.value());
    tear_program(op, tear_of(options_.faults.trace));
    return FlashStatus::program_failed;
  }
  const Segment& segment = *image_.segments[op.segment.value()];
  const bool legal = !segment.must_erase && segment.state[op.offset / options_.page_bytes] == PageState::blank;
  tear_program(op, legal ? Tear::whole : Tear::half);
  return FlashStatus::ok;
}

void EmulatedNand::fail(std::uint32_t segment) {
  writable(segment).failed = true;
  writable(segment).refuses = options_.faults.refuse_ever_after;
}

void EmulatedNand::spoil_pair(Segment& segment, std::uint32_t page) {
  const std::uint32_t lsb = pairs_[page];
  if (lsb < page && segment.state[lsb] == PageState::whole) segment.state[lsb] = PageState::recovered;
}

void EmulatedNand::tear_program(const FlashOp& op, Tear tear) {
  Segment& segment = writable(op.segment.value());
  const std::uint32_t page = op.offset / options_.page_bytes;
  if (tear == Tear::none) {
    segment.state[page] = PageState::half_way;
    return;
  }
  segment.next_page = page + 1;
  if (tear != Tear::whole) {
    make_noise(segment, page);
    if (!is_slc(op.segment.value())) spoil_pair(segment, page);
    // The spare bytes may all have made it: the ECC result alone tells.
    if (tear == Tear::tail) std::memcpy(segment.spare.data() + std::size_t{page} * kSpare, op.spare_from, kSpare);
    return;
  }
  segment.state[page] = PageState::whole;
  if (options_.store_content) std::memcpy(segment.data.data() + op.offset, op.from, op.length);
  std::memcpy(segment.spare.data() + std::size_t{page} * kSpare, op.spare_from, kSpare);
}

void EmulatedNand::make_noise(Segment& segment, std::uint32_t page) {
  segment.state[page] = PageState::torn;
  for (std::uint32_t i = 0; i < kSpare; ++i) segment.spare[page * kSpare + i] = static_cast<std::byte>(dice_() & 0xFF);
  if (!options_.store_content) return;
  for (std::uint32_t i = 0; i < options_.page_bytes; ++i)
    segment.data[page * options_.page_bytes + i] = static_cast<std::byte>(dice_() & 0xFF);
}

void EmulatedNand::make_blank(Segment& segment, std::uint32_t page) {
  segment.state[page] = PageState::blank;
  segment.bits[page] = 0;
  std::fill_n(segment.spare.begin() + page * kSpare, kSpare, std::byte{0xFF});
  if (options_.store_content)
    std::fill_n(segment.data.begin() + page * options_.page_bytes, options_.page_bytes, std::byte{0xFF});
}

FlashStatus EmulatedNand::erase(std::uint32_t segment) {
  ++erases_;
  if (cut_now()) {
    powered_ = false;
    tear_erase(segment, tear_);
    return FlashStatus::timeout;
  }
  const bool worn = options_.endurance != 0 && image_.segments[segment]->erases >= options_.endurance;
  if (worn || image_.segments[segment]->refuses || fault_now(segment, options_.faults.erase_failures)) {
    fail(segment);
    const FailureTrace trace = options_.faults.trace;
    tear_erase(segment, trace == FailureTrace::half ? Tear::random : tear_of(trace));
    return FlashStatus::erase_failed;
  }
  tear_erase(segment, Tear::whole);
  return FlashStatus::ok;
}

/// As a driver does it: an erase, which in a segment that failed leaves something, then the mark.
FlashStatus EmulatedNand::mark_bad(std::uint32_t segment) {
  ++marks_;
  if (image_.segments[segment]->bad) return FlashStatus::ok;  // nothing may take a mark of the factory away
  const bool cut = cut_now();
  if (cut) powered_ = false;
  tear_mark(segment, cut ? tear_ : Tear::whole);
  if (cut) return FlashStatus::timeout;
  return image_.segments[segment]->bad ? FlashStatus::ok : FlashStatus::program_failed;
}

void EmulatedNand::tear_mark(std::uint32_t segment, Tear tear) {
  const bool failed = image_.segments[segment]->failed;
  tear_erase(segment, tear == Tear::whole && failed ? Tear::random : tear);
  if (tear == Tear::whole) writable(segment).bad = !failed || options_.marks_on_failed;
}

void EmulatedNand::lose_recovered_pages() {
  for (std::uint32_t id = 0; id < options_.segments; ++id)
    for (std::uint32_t page = 0; page < options_.pages; ++page)
      if (image_.segments[id]->state[page] == PageState::recovered) lose_page(id, page);
}

void EmulatedNand::lose_power_of(const EmulatedNand& other, const FlashOp& op, Tear tear, std::uint64_t seed) {
  image_ = other.image_;
  fault_dice_ = other.fault_dice_;
  fault_segment_ = other.fault_segment_;
  fault_in_ = other.fault_in_;
  breach_ = nullptr;
  watcher_ = nullptr;
  dice_ = MediumDice(seed);
  if (op.kind == FlashOpKind::program)
    tear_program(op, tear);
  else if (op.kind == FlashOpKind::mark_bad)
    tear_mark(op.segment.value(), tear);
  else
    tear_erase(op.segment.value(), tear);
  power_cycle();
}

void EmulatedNand::tear_erase(std::uint32_t id, Tear tear) {
  if (tear == Tear::none) return;
  Segment& segment = writable(id);
  segment.next_page = 0;
  segment.must_erase = tear != Tear::whole;
  if (tear == Tear::whole) ++segment.erases;
  for (std::uint32_t page = 0; page < options_.pages; ++page) {
    const bool first_half = page < options_.pages / 2;
    const std::uint64_t dice = dice_() % 3;
    if (tear == Tear::whole || (tear == Tear::half && first_half) || (tear == Tear::tail && !first_half) ||
        (tear == Tear::random && dice == 0))
      make_blank(segment, page);
    else if (tear == Tear::random && dice == 1)
      make_noise(segment, page);
  }
}

void EmulatedNand::scramble(std::uint32_t segment) {
  Segment& s = writable(segment);
  for (std::uint32_t page = 0; page < options_.pages; ++page) make_noise(s, page);
}

void EmulatedNand::cut_power_at(std::uint64_t n, Tear tear, std::uint64_t seed) {
  cut_in_ = n;
  tear_ = tear;
  dice_ = MediumDice(seed);
}

void EmulatedNand::power_cycle() {
  done_.clear();
  cut_in_ = 0;
  powered_ = true;
}

void EmulatedNand::reset(const Image& image) {
  power_cycle();
  image_ = image;
  tear_ = Tear::none;
  dice_ = MediumDice();
  fault_dice_ = MediumDice(options_.faults.seed);
  breach_ = nullptr;
  fault_in_ = 0;
  fault_segment_.reset();
  reads_ = programs_ = erases_ = marks_ = 0;
}

void EmulatedNand::fail_at(std::uint64_t n, std::optional<std::uint32_t> segment) {
  fault_in_ = n;
  fault_segment_ = segment;
}

}  // namespace ftlab::tests
