// Any traffic on the bus of a NAND array: descriptors of all kinds, registers, bursts anywhere, supply, time, images.
// Short-lived cells, many bit errors. The first byte picks what is kept of pages, and how the part works; with bytes it
// has all that ages: errors by a power law, reads in steps, erases in steps.
#include <array>
#include <chrono>
#include <cstring>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "common/toml/toml_file.h"
#include "hw/array/core.h"
#include "hw/regs/array_regs.h"
#include "tests/fuzz/devices/watcher.h"
#include "tests/fuzz/support/input.h"

namespace {

using namespace ftlab;
using fuzz::Input;
using fuzz::require;
namespace regs = hw::array;

void let_age(hw::ArraySpec& part) {
  part.errors.base = 0;
  part.errors.model = hw::ErrorLaw::power_law;
  part.errors.power_law = {3e-3, 1e-3, 1, 1e-3, 0.5, 0.5, 1e-3, 0.5, 1};
  part.read_retry = {{{0.7, 1, 1}, {0.4, 3, 2}}, std::chrono::microseconds{10}};
  part.erase_steps = {part.timing.erase, {0, 3}, {{0.9, 0.1}, {0.2, 0.8}}};
}

hw::ArraySpec tiny_array(regs::Content content) {
  auto file = spec::TomlFile::load(FTLAB_DATA_FILES "/hw/parts/array-mlc.toml");
  for (const auto& [key, value] :
       {std::pair{"channels", "2"}, std::pair{"dies_per_channel", "2"}, std::pair{"planes", "2"},
        std::pair{"segments", "32"}, std::pair{"pages_per_segment", "5"}, std::pair{"page_bytes", "2048"},
        std::pair{"controller.buffer_slots", "2"}}) {
    file.set(key, value, "fuzz");
  }
  hw::ArraySpec part = hw::load_array_spec(file);
  part.content = content;
  part.endurance.rated_cycles = 3;
  part.endurance.median_ratio = 1.5;
  part.errors.base = 1e-3;
  part.variation = {.die = 0.05, .segment = 0.05};
  part.initial_bad_share = 0.1;
  if (content == regs::Content::bytes) let_age(part);
  return part;
}

/// A die that senses the next page while one crosses, is left alone by reads near the end of what it does, and draws
/// how long it reads.
hw::ArraySpec with_reads(hw::ArraySpec part) {
  part.timing.read_cache = std::chrono::microseconds{3};
  part.timing.program_left = part.timing.program[0] / 2;
  part.timing.erase_left = part.timing.erase / 3;
  if (!part.read_retry.any()) part.timing.read_distribution = hw::ReadDistribution::exponential;
  return part;
}

/// Planes that work as one, and wordlines that one program takes, of pages that the firmware maps in halves.
hw::ArraySpec in_one_shot(regs::Content content) {
  auto file = spec::TomlFile::load(FTLAB_DATA_FILES "/hw/parts/array-tlc-2021.toml");
  for (const auto& [key, value] :
       {std::pair{"channels", "2"}, std::pair{"dies_per_channel", "2"}, std::pair{"planes", "2"},
        std::pair{"planes_at_once", "2"}, std::pair{"segments", "64"}, std::pair{"pages_per_segment", "6"},
        std::pair{"page_bytes", "4096"}, std::pair{"controller.buffer_slots", "13"},
        std::pair{"controller.power_loss_protection", "true"}}) {
    file.set(key, value, "fuzz");
  }
  std::string reason;
  hw::ArraySpec part = *hw::in_units(hw::load_array_spec(file), 2048, reason);
  part.content = content;
  part.endurance.rated_cycles = 3;
  part.initial_bad_share = 0.1;
  if (content == regs::Content::bytes) let_age(part);
  return part;
}

class ArrayBus : public fuzz::WatchedBus<ArrayBus, hw::ArrayCore, 39> {
 public:
  using WatchedBus::WatchedBus;

  void step(Input& in) {
    switch (in.below(12)) {
      case 0:
        return burst(in);
      case 1:
        return configure(in);
      case 2:
        return in.one_in(2) ? core_.lose_power(now_) : core_.restore_power(now_);
      case 3:
        return reload();
      case 4:
      case 5:
        return collect(in);
      case 6:
      case 7:
        return wait(in);
      default:
        return descriptors(in);
    }
  }

  void look_ahead() {
    WatchedBus::look_ahead();
    for (std::uint32_t segment = 0; segment < 32; ++segment) {
      require(core_.next_page(segment) <= pages(), "a segment has no more pages than it has");
    }
    const std::uint32_t page = 5 * pages() + core_.next_page(5) - (core_.next_page(5) > 0 ? 1 : 0);
    require(!core_.holds_page(page, now_) || core_.is_readable(page), "what is held can be read");
    const std::vector<Ticks> dies = core_.die_times();
    TickSum worked{};
    for (const auto& operation : core_.operation_totals()) worked += operation.die_time;
    require(std::accumulate(dies.begin(), dies.end(), TickSum{}) == worked, "dies work for what is done");
    for (const Ticks channel : core_.channel_times(now_))
      require(channel >= Ticks::zero() && channel <= now_, "a channel is taken no longer than there is");
  }

 private:
  [[nodiscard]] std::uint32_t pages() const { return core_.spec().pages_per_segment; }

  void configure(Input& in) {
    switch (in.below(5)) {
      case 0:
      case 1:
        return write(regs::reg::kControl, in.word());
      case 2:
        return write(regs::reg::kGather, in.word() % 8);
      case 3:
        return age(in);
      default:
        return write(regs::reg::kOvertaking, in.word() % 4);
    }
  }

  /// Once, with nothing under way.
  void age(Input& in) {
    if (aged_ || core_.next_status_change(now_) != kNever || !core_.spec().errors.any()) return;
    aged_ = true;
    core_.store_data(now_, in.byte(), in.word());
  }

  void descriptors(Input& in) {
    std::array<regs::Descriptor, 8> burst;
    const std::size_t count = 1 + in.below(burst.size());
    for (regs::Descriptor& d : std::span(burst).first(count)) {
      d.op = static_cast<regs::Op>(in.below(8));
      const std::uint8_t wishes = in.byte();
      d.report = wishes & 1U;
      d.new_metadata = wishes >> 1 & 1U;
      const std::uint32_t segment = in.below(33);
      const std::uint32_t target = in.below(32);
      // Mostly the page that may be programmed next.
      const bool any = in.one_in(4);
      d.page = segment * pages() + (any || segment == 32 ? in.below(pages() + 1) : core_.next_page(segment));
      d.target = target * pages() + (in.one_in(8) ? in.below(pages() + 1) : core_.next_page(target));
      const std::uint32_t slots = core_.spec().buffer_slots;
      d.buffer = in.one_in(2) ? static_cast<std::uint16_t>(in.below(slots + 1)) : regs::kNoBuffer;
      d.metadata[0] = in.byte();
    }
    booked(core_.common().write(now_, regs::kDescriptors, std::as_bytes(std::span(burst).first(count))));
  }

  void burst(Input& in) {
    hw::AddressWindow& window = *core_.windows()[in.below(core_.windows().size())];
    const std::uint32_t at = in.dword() % 0x12000;
    const auto part = std::span(buffer_).first(in.word() % buffer_.size());
    const bool repeat = in.one_in(4);
    if (in.one_in(2)) return booked(window.read(now_, at, part, repeat));
    booked(window.write(now_, at, part, repeat));
  }

  void collect(Input& in) {
    std::array<regs::Completion, 4> completions;
    const auto part = std::span(completions).first(1 + in.below(4));
    booked(core_.common().read(now_, regs::kCompletions, std::as_writable_bytes(part)));
  }

  void reload() {
    std::stringstream image;
    core_.save_image(image);
    core_.load_image(image, "fuzz");
  }

  void write(std::uint32_t at, std::uint16_t value) {
    booked(core_.common().write(now_, at, std::as_bytes(std::span(&value, 1))));
  }

  std::array<std::byte, 600> buffer_{};
  bool aged_ = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr int kSteps = 96;
  Input in(data, size);
  static const hw::ArraySpec parts[] = {tiny_array(regs::Content::none),
                                        tiny_array(regs::Content::tag),
                                        tiny_array(regs::Content::bytes),
                                        with_reads(tiny_array(regs::Content::none)),
                                        with_reads(tiny_array(regs::Content::tag)),
                                        with_reads(tiny_array(regs::Content::bytes)),
                                        in_one_shot(regs::Content::none),
                                        in_one_shot(regs::Content::tag),
                                        in_one_shot(regs::Content::bytes)};
  ArrayBus bus(parts[in.below(std::size(parts))]);
  bus.run(in, kSteps);
  return 0;
}
