// A NAND array on a bus, for tests: descriptors as a driver would write them, a clock, completions, and a record of
// what the observer saw.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/toml/toml_file.h"
#include "hw/array/core.h"
#include "hw/array/spec/spec.h"
#include "hw/base/energy.h"
#include "hw/regs/array_regs.h"

namespace ftlab::hw::array {

inline bool operator==(const Completion& a, const Completion& b) { return std::memcmp(&a, &b, sizeof a) == 0; }
inline std::ostream& operator<<(std::ostream& out, const Completion& c) {
  return out << "op " << static_cast<int>(c.op) << " status " << static_cast<int>(c.status) << " tag " << c.tag
             << " page " << c.page << " bits " << c.corrected_bits << " metadata " << c.metadata[0];
}

}  // namespace ftlab::hw::array

namespace ftlab::hw::testing {

using array::Completion;
using array::Descriptor;
using array::Op;
using array::Status;

using ArrayOverrides = std::vector<std::pair<std::string, std::string>>;

inline Ticks us(double value) { return ticks_from_ns(value * 1000); }

/// Small and without chance: two channels of two dies with two planes, eight segments of six pages each plane, round
/// times, limits at the rated cycles and out of reach.
inline ArrayOverrides small_array() {
  return {{"channels", "2"},
          {"dies_per_channel", "2"},
          {"planes", "2"},
          {"segments", "64"},
          {"pages_per_segment", "6"},
          {"page_bytes", "2048"},
          {"content", "none"},
          {"controller.descriptor", "100"},
          {"channel.rate", "102.4"},  // a page in 20 us
          {"channel.command", "1"},
          {"timing.suspend", "5"},
          {"timing.resume", "3"},
          {"endurance.rated_cycles", "1000"},
          {"endurance.median_ratio", "1"},
          {"endurance.program_growth", "0"},
          {"endurance.erase_growth", "0"},
          {"bad_segments.initial_share", "0"}};
}

inline ArraySpec array_part(const ArrayOverrides& more = {}, const std::string& name = "array-mlc") {
  auto file = spec::TomlFile::load(std::string(FTLAB_PART_DIR) + "/" + name + ".toml");
  if (name == "array-mlc") {
    for (const auto& [key, value] : small_array()) file.set(key, value, "test");
  }
  for (const auto& [key, value] : more) file.set(key, value, "test");
  return load_array_spec(file);
}

class ArrayRecorder : public DeviceObserver {
 public:
  void on_start(DeviceOp& op) override {
    op.tag = static_cast<std::uint32_t>(started.size()) + 100;
    started.push_back(op);
    labels.push_back(number);
  }
  void on_end(const DeviceOp& op) override { ended.push_back(op); }
  void on_access(const DeviceOp& op) override { accesses.push_back(op); }
  [[nodiscard]] const std::uint8_t* label() const override { return &number; }

  std::uint8_t number = 0;
  std::vector<DeviceOp> started;
  std::vector<std::uint8_t> labels;  ///< of those
  std::vector<DeviceOp> ended;
  std::vector<DeviceOp> accesses;
};

class ArrayFixture {
 public:
  using Bytes = std::vector<std::byte>;

  explicit ArrayFixture(const ArraySpec& spec = array_part(), DeviceOptions options = {}) : core(spec, options) {}

  // --- descriptors; all report ---
  static Descriptor descriptor(Op op, std::uint32_t page, std::uint32_t target = array::kNoPage,
                               std::uint64_t metadata = 0) {
    Descriptor d;
    d.op = op;
    d.report = 1;
    d.page = page;
    d.target = target;
    d.metadata[0] = metadata;
    d.metadata[1] = ~metadata;
    return d;
  }
  /// Page of a segment.
  [[nodiscard]] std::uint32_t page(std::uint32_t segment, std::uint32_t index) const {
    return segment * core.spec().pages_per_segment + index;
  }
  BusResult submit(std::span<const Descriptor> burst) {
    return core.common().write(now, array::kDescriptors, std::as_bytes(burst));
  }
  void submit(const Descriptor& d) { ASSERT_EQ(submit(std::span(&d, 1)).error, BusError::none); }

  // --- registers ---
  std::uint16_t read16(std::uint32_t address) {
    std::uint16_t value = 0;
    EXPECT_EQ(core.common().read(now, address, std::as_writable_bytes(std::span(&value, 1))).error, BusError::none);
    return value;
  }
  std::uint32_t read32(std::uint32_t address) { return read16(address) | std::uint32_t{read16(address + 2)} << 16; }
  void write16(std::uint32_t address, std::uint16_t value) {
    EXPECT_EQ(core.common().write(now, address, std::as_bytes(std::span(&value, 1))).error, BusError::none);
  }

  // --- completions ---
  /// What can be read now; op none when there is nothing.
  Completion take() {
    Completion completion;
    EXPECT_EQ(core.common().read(now, array::kCompletions, std::as_writable_bytes(std::span(&completion, 1))).error,
              BusError::none);
    return completion;
  }
  /// Moves the clock to the next completion.
  Completion wait() {
    if (!core.line_level(now)) {
      const Ticks next = core.next_ready_edge(now);
      if (next == kNever) return {};
      now = next;
    }
    return take();
  }
  /// Submits, waits for it, returns how long it took.
  Ticks run(const Descriptor& d, Status expected = Status::ok) {
    const Ticks begin = now;
    submit(d);
    EXPECT_EQ(wait().status, expected);
    return now - begin;
  }
  void drain() {
    while (wait().op != Op::none) {
    }
    while (core.next_status_change(now) != kNever) now = core.next_status_change(now);
  }
  /// Reads on all dies, until all have ended: where transfers take long, they cross by readiness from then on.
  void contend() {
    const std::uint32_t segments = core.spec().segments;
    for (std::uint32_t i = 0; i < 160; ++i)
      submit(descriptor(Op::read, page(i * core.spec().segments_per_die() % segments, i % 2)));
    drain();
    submit(descriptor(Op::fence, 0));
    drain();
  }
  /// In so much time, for a moment.
  void power_cycle(Ticks in = {}) {
    now += in;
    core.lose_power(now);
    core.restore_power(now);
  }
  [[nodiscard]] const OperationTotal& total(DeviceOpKind kind) const {
    return core.operation_totals()[static_cast<std::size_t>(kind)];
  }

  ArrayCore core;
  Ticks now{};
};

/// Each of these parts is refused in one line that says so.
template <class Refusal>
void expect_refusals(Refusal refusal, std::span<const std::pair<ArrayOverrides, const char*>> cases) {
  EXPECT_EQ(refusal(ArrayOverrides{}), "");
  for (const auto& [more, expected] : cases) {
    const std::string message = refusal(more);
    EXPECT_NE(message.find(expected), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

inline Descriptor make(Op op, std::uint32_t page, std::uint32_t target = array::kNoPage, std::uint64_t metadata = 0) {
  return ArrayFixture::descriptor(op, page, target, metadata);
}

}  // namespace ftlab::hw::testing
