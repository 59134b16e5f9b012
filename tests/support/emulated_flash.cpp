// Legality is checked before anything happens; tearing shares the code of whole operations.
#include "tests/support/emulated_flash.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "tests/support/broken_promise.h"

namespace ftlab::tests {
EmulatedFlash::EmulatedFlash(EmulatedFlashOptions options) : options_(options) {
  const FlashGeometry& g = options_.geometry;
  const auto blank =
      std::make_shared<std::vector<std::byte>>(options_.store_content ? g.segment_bytes : 0, std::byte{0xFF});
  image_.segments.assign(g.segments, blank);
  image_.erases.assign(g.segments, 0);
}

std::uint64_t EmulatedFlash::random() {
  random_state_ ^= random_state_ << 13;
  random_state_ ^= random_state_ >> 7;
  random_state_ ^= random_state_ << 17;
  return random_state_;
}

std::vector<std::byte>& EmulatedFlash::writable(std::uint32_t segment) {
  auto& slot = image_.segments[segment];
  if (slot.use_count() > 1) slot = std::make_shared<std::vector<std::byte>>(*slot);
  return *slot;
}

void EmulatedFlash::check_legal(const FlashOp& op) const {
  const FlashGeometry& g = options_.geometry;
  require_kept(op.segment.value() < g.segments, "emulated flash", "segment beyond the device", op);
  require_kept(op.kind != FlashOpKind::copy, "emulated flash", "copy without copy_back", op);
  require_kept(!op.after_ok || options_.capabilities.chained, "emulated flash", "after_ok without chained", op);
  for (const PendingErase& e : background_)
    require_kept(e.segment != op.segment.value(), "emulated flash", "operation on a segment with an unreaped erase",
                 op);
  if (op.kind == FlashOpKind::erase) {
    require_kept(op.offset == 0 && op.length == 0, "emulated flash", "erase with offset or length", op);
    return;
  }
  require_kept(op.length > 0 && op.offset <= g.segment_bytes && op.length <= g.segment_bytes - op.offset,
               "emulated flash", "range outside the segment", op);
  if (op.kind == FlashOpKind::read) {
    require_kept(op.into != nullptr, "emulated flash", "read without a buffer", op);
    return;
  }
  require_kept(op.from != nullptr, "emulated flash", "program without data", op);
  require_kept(op.offset % g.program_unit_bytes == 0 && op.length % g.program_unit_bytes == 0, "emulated flash",
               "program not in multiples of program_unit_bytes", op);
  if (!options_.store_content) return;
  const std::byte* have = image_.segments[op.segment.value()]->data() + op.offset;
  for (std::uint32_t i = 0; i < op.length; ++i)
    if ((op.from[i] & ~have[i]) != std::byte{0})
      require_kept(false, "emulated flash", "program would set a cleared bit", op);
}

bool EmulatedFlash::cut_now() { return cut_in_ != 0 && --cut_in_ == 0; }

bool EmulatedFlash::fault_now(std::uint32_t segment) {
  return fault_in_ != 0 && (!fault_segment_ || *fault_segment_ == segment) && --fault_in_ == 0;
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
    check_legal(op);
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
  while (n < done.size() && !done_.empty()) {
    done[n++] = done_.front();
    done_.pop_front();
  }
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
  if (unreadable_ == op.segment.value()) {
    std::fill_n(op.into, op.length, std::byte{0xA5});
    return FlashStatus::uncorrectable;
  }
  if (options_.store_content)
    std::memcpy(op.into, image_.segments[op.segment.value()]->data() + op.offset, op.length);
  else
    std::memset(op.into, 0xFF, op.length);
  return FlashStatus::ok;
}

FlashStatus EmulatedFlash::program(const FlashOp& op) {
  ++programs_;
  if (cut_now()) {
    tear_program(op, tear_);
    powered_ = false;
    return FlashStatus::timeout;
  }
  if (fault_now(op.segment.value())) {
    tear_program(op, Tear::half);
    return FlashStatus::program_failed;
  }
  tear_program(op, Tear::whole);
  return FlashStatus::ok;
}

void EmulatedFlash::tear_program(const FlashOp& op, Tear tear) {
  if (!options_.store_content || tear == Tear::none) return;
  std::byte* at = writable(op.segment.value()).data() + op.offset;
  // A word is the smallest thing a part programs: shorter programs tear inside it.
  const std::uint32_t half = op.length > 2 ? op.length / 4 * 2 : op.length / 2;
  const std::uint32_t from = tear == Tear::tail ? half : 0;
  const std::uint32_t to = tear == Tear::half ? half : op.length;
  if (tear == Tear::random) {
    for (std::uint32_t i = 0; i < op.length; ++i) at[i] &= op.from[i] | static_cast<std::byte>(random() & 0xFF);
    return;
  }
  for (std::uint32_t i = from; i < to; ++i) at[i] &= op.from[i];
}

FlashStatus EmulatedFlash::erase(std::uint32_t segment) {
  ++erases_;
  if (cut_now()) {
    tear_erase(segment, tear_);
    if (tear_ == Tear::whole) ++image_.erases[segment];
    powered_ = false;
    return FlashStatus::timeout;
  }
  ++image_.erases[segment];
  if (fault_now(segment) || (options_.endurance != 0 && image_.erases[segment] > options_.endurance)) {
    tear_erase(segment, Tear::half);
    return FlashStatus::erase_failed;
  }
  tear_erase(segment, Tear::whole);
  return FlashStatus::ok;
}

void EmulatedFlash::tear_erase(std::uint32_t segment, Tear tear) {
  if (!options_.store_content || tear == Tear::none) return;
  std::vector<std::byte>& data = writable(segment);
  const auto half = static_cast<std::ptrdiff_t>(data.size() / 2);
  switch (tear) {
    case Tear::half:
      std::fill(data.begin(), data.begin() + half, std::byte{0xFF});
      break;
    case Tear::tail:
      std::fill(data.begin() + half, data.end(), std::byte{0xFF});
      break;
    case Tear::random:
      for (std::byte& b : data) b |= static_cast<std::byte>(random() & 0xFF);
      break;
    default:
      std::fill(data.begin(), data.end(), std::byte{0xFF});
      break;
  }
}

void EmulatedFlash::cut_power_at(std::uint64_t n, Tear tear, std::uint64_t seed) {
  cut_in_ = n;
  tear_ = tear;
  random_state_ = seed * 0x9E3779B97F4A7C15U + 1;
}

void EmulatedFlash::power_cycle() {
  powered_ = false;
  while (!background_.empty()) finish_background(0);
  done_.clear();
  cut_in_ = 0;
  powered_ = true;
}

void EmulatedFlash::fail_at(std::uint64_t n, std::optional<std::uint32_t> segment) {
  fault_in_ = n;
  fault_segment_ = segment;
}

void EmulatedFlash::save(const std::string& path) const {
  std::ofstream out(path, std::ios::binary);
  for (std::size_t s = 0; s < image_.segments.size(); ++s) {
    out.write(reinterpret_cast<const char*>(&image_.erases[s]), sizeof image_.erases[s]);
    out.write(reinterpret_cast<const char*>(image_.segments[s]->data()),
              static_cast<std::streamsize>(image_.segments[s]->size()));
  }
  if (!out) {
    std::fprintf(stderr, "emulated flash: cannot write %s\n", path.c_str());
    std::abort();
  }
}

void EmulatedFlash::load(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  for (std::uint32_t s = 0; s < image_.segments.size(); ++s) {
    in.read(reinterpret_cast<char*>(&image_.erases[s]), sizeof image_.erases[s]);
    std::vector<std::byte>& data = writable(s);
    in.read(reinterpret_cast<char*>(data.data()), static_cast<std::streamsize>(data.size()));
  }
  if (!in) {
    std::fprintf(stderr, "emulated flash: cannot read %s\n", path.c_str());
    std::abort();
  }
}

}  // namespace ftlab::tests
