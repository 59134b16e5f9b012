// Legality is checked before anything happens; tearing shares the code of whole operations.
#include "tests/support/emulated_flash.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>

#include "tests/support/broken_promise.h"

namespace ftlab::tests {
namespace {

constexpr const char* kSetsABit = "program would set a cleared bit";

}  // namespace

EmulatedFlash::EmulatedFlash(EmulatedFlashOptions options) : options_(options), fault_dice_(options.faults.seed) {
  const FlashGeometry& g = options_.geometry;
  const auto blank = std::make_shared<Segment>();
  blank->data.assign(options_.store_content ? g.segment_bytes : 0, std::byte{0xFF});
  image_.segments.assign(g.segments, blank);
}

EmulatedFlash::Segment& EmulatedFlash::writable(std::uint32_t segment) {
  auto& slot = image_.segments[segment];
  if (slot.use_count() > 1) slot = std::make_shared<Segment>(*slot);
  return *slot;
}

std::uint32_t EmulatedFlash::failed_segments() const {
  return static_cast<std::uint32_t>(std::ranges::count_if(image_.segments, [](const auto& s) { return s->failed; }));
}

const char* EmulatedFlash::broken_promise(const FlashOp& op) const {
  const FlashGeometry& g = options_.geometry;
  if (op.segment.value() >= g.segments) return "segment beyond the device";
  if (op.kind == FlashOpKind::copy) return "copy without copy_back";
  if (op.after_ok && !options_.capabilities.chained) return "after_ok without chained";
  for (const PendingErase& e : background_)
    if (e.segment == op.segment.value()) return "operation on a segment with an unreaped erase";
  if (op.kind == FlashOpKind::erase) return op.offset == 0 && op.length == 0 ? nullptr : "erase with offset or length";
  if (op.length == 0 || op.offset > g.segment_bytes || op.length > g.segment_bytes - op.offset)
    return "range outside the segment";
  if (op.kind == FlashOpKind::read) return op.into != nullptr ? nullptr : "read without a buffer";
  return broken_program_promise(op);
}

const char* EmulatedFlash::broken_program_promise(const FlashOp& op) const {
  if (op.from == nullptr) return "program without data";
  const std::uint32_t unit = options_.geometry.program_unit_bytes;
  if (op.offset % unit != 0 || op.length % unit != 0) return "program not in multiples of program_unit_bytes";
  if (!options_.store_content) return nullptr;
  const Segment& segment = *image_.segments[op.segment.value()];
  const std::byte* have = segment.data.data() + op.offset;
  const std::byte* want = op.from;
  std::byte set{0};
  if (segment.unstable.empty()) {
    for (std::uint32_t i = 0, n = op.length; i < n; ++i) set |= want[i] & ~have[i];
  } else {
    const std::byte* unsure = segment.unstable.data() + op.offset;
    for (std::uint32_t i = 0, n = op.length; i < n; ++i) set |= want[i] & ~have[i] & ~unsure[i];
  }
  return set == std::byte{0} ? nullptr : kSetsABit;
}

std::optional<FlashStatus> EmulatedFlash::answer_breach(const char* promise, const FlashOp& op) {
  const bool cells_answer = promise == kSetsABit;
  if (options_.on_breach == OnBreach::stop || (options_.on_breach == OnBreach::refuse && !cells_answer))
    stop_for_breach("emulated flash", promise, op);
  if (options_.on_breach == OnBreach::refuse) {
    tear_program(op, Tear::whole);  // the bits that can be cleared are
    return FlashStatus::program_failed;
  }
  if (breach_ == nullptr) breach_ = promise;
  if (options_.on_breach == OnBreach::lenient && cells_answer) return std::nullopt;
  powered_ = false;
  return FlashStatus::timeout;
}

bool EmulatedFlash::cut_now() { return cut_in_ != 0 && --cut_in_ == 0; }

bool EmulatedFlash::fault_now(std::uint32_t segment, std::uint32_t chances) {
  const bool ordered = fault_in_ != 0 && (!fault_segment_ || *fault_segment_ == segment) && --fault_in_ == 0;
  const bool failed = ordered || fault_dice_.happens(chances);
  if (failed) fail(segment);
  return failed;
}

void EmulatedFlash::fail(std::uint32_t id) {
  Segment& segment = writable(id);
  segment.failed = true;
  segment.refuses = options_.faults.refuse_ever_after;
}

std::size_t EmulatedFlash::submit(std::span<const FlashOp> ops) {
  std::size_t accepted = 0;
  FlashStatus before = FlashStatus::ok;
  for (const FlashOp& op : ops) {
    if (done_.size() + background_.size() >= options_.capabilities.queue_depth) break;
    ++accepted;
    if (!powered_) {
      done_.push_back({op.tag, FlashStatus::timeout});
      continue;
    }
    if (op.after_ok && before != FlashStatus::ok) {
      done_.push_back({op.tag, FlashStatus::skipped});
      continue;
    }
    if (const char* promise = broken_promise(op)) {
      if (const auto answer = answer_breach(promise, op)) {
        before = *answer;
        done_.push_back({op.tag, before});
        continue;
      }
    }
    if (watcher_ != nullptr && op.kind != FlashOpKind::read) watcher_->before_change(op);
    // Whoever submits a tagged erase means to work on meanwhile.
    if (op.kind == FlashOpKind::erase && op.tag != 0 && options_.capabilities.background_erase) {
      background_.push_back({op.segment.value(), op.tag, options_.erase_delay});
      continue;
    }
    before = execute(op);
    done_.push_back({op.tag, before});
    age_background(false);
  }
  return accepted;
}

std::size_t EmulatedFlash::reap(std::span<FlashDone> done, bool wait) {
  if (done_.empty() && wait && !background_.empty()) age_background(true);
  std::size_t n = 0;
  while (n < done.size() && n < done_.size()) {
    done[n] = done_[n];
    ++n;
  }
  done_.erase(done_.begin(), done_.begin() + static_cast<std::ptrdiff_t>(n));
  return n;
}

void EmulatedFlash::age_background(bool finish_one) {
  for (PendingErase& e : background_)
    if (e.operations_left > 0) --e.operations_left;
  for (std::size_t i = 0; i < background_.size();) {
    if (background_[i].operations_left == 0 || !powered_ || finish_one) {
      finish_background(i);
      finish_one = false;
    } else {
      ++i;
    }
  }
}

void EmulatedFlash::finish_background(std::size_t index) {
  const PendingErase e = background_[index];
  background_.erase(background_.begin() + static_cast<std::ptrdiff_t>(index));
  if (!powered_) {
    tear_erase(e.segment, tear_);
    done_.push_back({e.tag, FlashStatus::timeout});
    return;
  }
  done_.push_back({e.tag, erase(e.segment)});
}

FlashStatus EmulatedFlash::execute(const FlashOp& op) {
  if (op.kind == FlashOpKind::erase) return erase(op.segment.value());
  if (op.kind == FlashOpKind::program) return program(op);
  ++reads_;
  if (!unreadable_.empty() && std::ranges::count(unreadable_, op.segment.value()) > 0) {
    std::fill_n(op.into, op.length, std::byte{0xA5});
    return FlashStatus::uncorrectable;
  }
  read(op);
  return FlashStatus::ok;
}

void EmulatedFlash::read(const FlashOp& op) {
  if (!options_.store_content) {
    std::memset(op.into, 0xFF, op.length);
    return;
  }
  const Segment& segment = *image_.segments[op.segment.value()];
  std::memcpy(op.into, segment.data.data() + op.offset, op.length);
  if (segment.unstable.empty()) return;
  for (std::uint32_t i = 0; i < op.length; ++i) {
    const std::byte unsure = segment.unstable[op.offset + i];
    if (unsure != std::byte{0}) op.into[i] ^= unsure & static_cast<std::byte>(dice_() & 0xFF);
  }
}

FlashStatus EmulatedFlash::program(const FlashOp& op) {
  ++programs_;
  if (cut_now()) {
    tear_program(op, tear_);
    powered_ = false;
    return FlashStatus::timeout;
  }
  if (image_.segments[op.segment.value()]->refuses) return FlashStatus::program_failed;
  if (fault_now(op.segment.value(), options_.faults.program_failures)) {
    tear_program(op, tear_of(options_.faults.trace));
    return FlashStatus::program_failed;
  }
  tear_program(op, Tear::whole);
  return FlashStatus::ok;
}

void EmulatedFlash::tear_program(const FlashOp& op, Tear tear) {
  if (!options_.store_content || tear == Tear::none) return;
  Segment& segment = writable(op.segment.value());
  std::byte* at = segment.data.data() + op.offset;
  // A word is the smallest thing a part programs: shorter programs tear inside it.
  const std::uint32_t half = op.length > 2 ? op.length / 4 * 2 : op.length / 2;
  const std::uint32_t from = tear == Tear::tail ? half : 0;
  const std::uint32_t to = tear == Tear::half ? half : op.length;
  if (tear == Tear::random) {
    if (options_.faults.unstable) segment.unstable.resize(segment.data.size());
    for (std::uint32_t i = 0; i < op.length; ++i) {
      const std::byte before = at[i];
      at[i] &= op.from[i] | static_cast<std::byte>(dice_() & 0xFF);
      if (options_.faults.unstable) segment.unstable[op.offset + i] |= before & ~op.from[i];
    }
    return;
  }
  const auto clear = [&](std::byte* into) {
    std::transform(into + from, into + to, op.from + from, into + from, std::bit_and<>());
  };
  clear(at);
  if (!segment.unstable.empty()) clear(segment.unstable.data() + op.offset);
}

FlashStatus EmulatedFlash::erase(std::uint32_t segment) {
  ++erases_;
  if (cut_now()) {
    tear_erase(segment, tear_);
    powered_ = false;
    return FlashStatus::timeout;
  }
  const bool worn = options_.endurance != 0 && image_.segments[segment]->erases >= options_.endurance;
  if (image_.segments[segment]->refuses) return FlashStatus::erase_failed;
  if (worn) fail(segment);
  if (worn || fault_now(segment, options_.faults.erase_failures)) {
    ++writable(segment).erases;
    tear_erase(segment, tear_of(options_.faults.trace));
    return FlashStatus::erase_failed;
  }
  tear_erase(segment, Tear::whole);
  return FlashStatus::ok;
}

void EmulatedFlash::tear_erase(std::uint32_t id, Tear tear) {
  if (tear == Tear::none) return;
  Segment& segment = writable(id);
  if (tear == Tear::whole) {
    ++segment.erases;
    segment.unstable.clear();
  }
  if (!options_.store_content) return;
  std::vector<std::byte>& data = segment.data;
  const auto half = static_cast<std::ptrdiff_t>(data.size() / 2);
  switch (tear) {
    case Tear::half:
      std::fill(data.begin(), data.begin() + half, std::byte{0xFF});
      break;
    case Tear::tail:
      std::fill(data.begin() + half, data.end(), std::byte{0xFF});
      break;
    case Tear::random:
      if (options_.faults.unstable) segment.unstable.resize(data.size());
      for (std::size_t i = 0; i < data.size(); ++i) {
        if (options_.faults.unstable) segment.unstable[i] |= ~data[i];
        data[i] |= static_cast<std::byte>(dice_() & 0xFF);
      }
      break;
    default:
      std::fill(data.begin(), data.end(), std::byte{0xFF});
      break;
  }
}

void EmulatedFlash::lose_power_of(const EmulatedFlash& other, const FlashOp& op, Tear tear, std::uint64_t seed) {
  image_ = other.image_;
  background_ = other.background_;
  fault_dice_ = other.fault_dice_;
  fault_segment_ = other.fault_segment_;
  fault_in_ = other.fault_in_;
  breach_ = nullptr;
  watcher_ = nullptr;
  tear_ = tear;
  dice_ = MediumDice(seed);
  if (op.kind == FlashOpKind::program)
    tear_program(op, tear);
  else
    tear_erase(op.segment.value(), tear);
  power_cycle();
}

void EmulatedFlash::cut_power_at(std::uint64_t n, Tear tear, std::uint64_t seed) {
  cut_in_ = n;
  tear_ = tear;
  dice_ = MediumDice(seed);
}

void EmulatedFlash::power_cycle() {
  powered_ = false;
  while (!background_.empty()) finish_background(0);
  done_.clear();
  cut_in_ = 0;
  powered_ = true;
}

void EmulatedFlash::reset(const Image& image) {
  power_cycle();
  image_ = image;
  tear_ = Tear::none;
  dice_ = MediumDice();
  fault_dice_ = MediumDice(options_.faults.seed);
  breach_ = nullptr;
  fault_in_ = 0;
  fault_segment_.reset();
  unreadable_.clear();
  reads_ = programs_ = erases_ = 0;
}

void EmulatedFlash::fail_at(std::uint64_t n, std::optional<std::uint32_t> segment) {
  fault_in_ = n;
  fault_segment_ = segment;
}

void EmulatedFlash::save(const std::string& path) const {
  std::ofstream out(path, std::ios::binary);
  for (std::size_t s = 0; s < image_.segments.size(); ++s) {
    const Segment& segment = *image_.segments[s];
    out.write(reinterpret_cast<const char*>(&segment.erases), sizeof segment.erases);
    out.write(reinterpret_cast<const char*>(segment.data.data()), static_cast<std::streamsize>(segment.data.size()));
  }
  if (!out) {
    std::fprintf(stderr, "emulated flash: cannot write %s\n", path.c_str());
    std::abort();
  }
}

void EmulatedFlash::load(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  for (std::uint32_t s = 0; s < image_.segments.size(); ++s) {
    Segment& segment = writable(s);
    in.read(reinterpret_cast<char*>(&segment.erases), sizeof segment.erases);
    in.read(reinterpret_cast<char*>(segment.data.data()), static_cast<std::streamsize>(segment.data.size()));
  }
  if (!in) {
    std::fprintf(stderr, "emulated flash: cannot read %s\n", path.c_str());
    std::abort();
  }
}

}  // namespace ftlab::tests
