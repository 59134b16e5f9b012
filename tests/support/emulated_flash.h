// A NOR part in memory that refuses illegal use: it names the broken promise of FlashPort and, unless told otherwise,
// stops the process. Knows bytes, erase counts, power losses and faults; no time, no energy, no registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "firmware/port/flash_port.h"
#include "tests/support/broken_promise.h"
#include "tests/support/fault_plan.h"

namespace ftlab::tests {

struct EmulatedFlashOptions {
  FlashGeometry geometry;
  FlashCapabilities capabilities{
      .in_place_clear = true, .suspend = false, .background_erase = true, .chained = true, .queue_depth = 8};
  bool store_content = true;      ///< false: programs are checked for range only and reads give 0xFF
  std::uint32_t endurance = 0;    ///< erases a segment stands before its erase fails; 0 = unlimited
  std::uint32_t erase_delay = 3;  ///< a background erase ends after this many further operations
  OnBreach on_breach = OnBreach::stop;
  FaultPlan faults{};
};

/// How far the operation gets that is cut.
enum class Tear : std::uint8_t {
  none,    ///< not at all
  half,    ///< the first half of its bytes
  tail,    ///< the second half of its bytes
  random,  ///< some of its bits
  whole,   ///< all, but the caller never hears of it
};
/// How a failed operation tears.
constexpr Tear tear_of(FailureTrace trace) {
  if (trace == FailureTrace::nothing) return Tear::none;
  return trace == FailureTrace::half ? Tear::half : Tear::whole;
}

inline constexpr Tear kTears[] = {Tear::none, Tear::half, Tear::tail, Tear::random, Tear::whole};

class EmulatedFlash final : public FlashPort {
 public:
  struct Segment {
    std::vector<std::byte> data;
    std::vector<std::byte> unstable;  ///< bits that read differently each time; empty: none
    std::uint32_t erases = 0;
    bool failed = false;   ///< at least once
    bool refuses = false;  ///< it fails ever after
  };
  /// The medium alone; cheap to copy, contents are shared until written.
  struct Image {
    std::vector<std::shared_ptr<Segment>> segments;
  };

  explicit EmulatedFlash(EmulatedFlashOptions options);

  [[nodiscard]] const FlashGeometry& geometry() const override { return options_.geometry; }
  [[nodiscard]] const FlashCapabilities& capabilities() const override { return options_.capabilities; }
  std::size_t submit(std::span<const FlashOp> ops) override;
  std::size_t reap(std::span<FlashDone> done, bool wait) override;

  /// Power fails at the n-th changing operation from now (1 = the next). Everything later fails with timeout.
  void cut_power_at(std::uint64_t n, Tear tear, std::uint64_t seed = 1);
  [[nodiscard]] bool powered() const { return powered_; }
  /// A new life on the same medium; what was in flight is torn as the cut says.
  void power_cycle();

  /// The n-th program or erase from now (1 = the next) in `segment`, or in any, fails and leaves its bytes half done.
  void fail_at(std::uint64_t n, std::optional<std::uint32_t> segment = std::nullopt);
  /// From now on every program and erase in this segment fails and changes nothing.
  void refuse(std::uint32_t segment) { writable(segment).failed = writable(segment).refuses = true; }
  /// Reads of this segment report lost data.
  void make_unreadable(std::uint32_t segment) { unreadable_.push_back(segment); }
  void make_all_readable() { unreadable_.clear(); }

  [[nodiscard]] std::uint64_t reads() const { return reads_; }
  [[nodiscard]] std::uint64_t programs() const { return programs_; }
  [[nodiscard]] std::uint64_t erases() const { return erases_; }
  /// Programs and erases so far: the places where power can be cut.
  [[nodiscard]] std::uint64_t changes() const { return programs_ + erases_; }
  [[nodiscard]] std::uint32_t erase_count(std::uint32_t segment) const { return image_.segments[segment]->erases; }
  [[nodiscard]] std::byte* bytes(std::uint32_t segment) { return writable(segment).data.data(); }
  [[nodiscard]] bool has_failed(std::uint32_t segment) const { return image_.segments[segment]->failed; }
  /// Segments of which a program or an erase failed.
  [[nodiscard]] std::uint32_t failed_segments() const;

  /// Null until a promise of FlashPort is broken; then which one.
  [[nodiscard]] const char* breach() const { return breach_; }
  /// Null: nobody watches.
  void watch(ChangeWatcher* watcher) { watcher_ = watcher; }
  /// Becomes what `other` is when power is lost during `op`, which `other` has not begun: the next mount session's
  /// medium. `seed`: of whatever the tear leaves to chance.
  void lose_power_of(const EmulatedFlash& other, const FlashOp& op, Tear tear, std::uint64_t seed);

  [[nodiscard]] Image snapshot() const { return image_; }
  void restore(const Image& image) { image_ = image; }
  /// As constructed, but on this medium: powered, nothing in flight, no cut or fault ahead, counters at zero.
  void reset(const Image& image);
  void save(const std::string& path) const;
  void load(const std::string& path);

 private:
  struct PendingErase {
    std::uint32_t segment;
    std::uint32_t tag;
    std::uint32_t operations_left;
  };

  FlashStatus execute(const FlashOp& op);
  FlashStatus program(const FlashOp& op);
  FlashStatus erase(std::uint32_t segment);
  [[nodiscard]] const char* broken_promise(const FlashOp& op) const;
  [[nodiscard]] const char* broken_program_promise(const FlashOp& op) const;
  /// Nothing: the operation is carried out all the same.
  std::optional<FlashStatus> answer_breach(const char* promise, const FlashOp& op);
  void read(const FlashOp& op);
  void tear_program(const FlashOp& op, Tear tear);
  void tear_erase(std::uint32_t segment, Tear tear);
  [[nodiscard]] bool cut_now();
  [[nodiscard]] bool fault_now(std::uint32_t segment, std::uint32_t chances);
  void fail(std::uint32_t segment);
  Segment& writable(std::uint32_t segment);
  void age_background(bool finish_one);
  void finish_background(std::size_t index);

  EmulatedFlashOptions options_;
  Image image_;
  std::vector<PendingErase> background_;
  std::vector<FlashDone> done_;
  bool powered_ = true;
  std::uint64_t cut_in_ = 0;
  Tear tear_ = Tear::none;
  MediumDice dice_;
  MediumDice fault_dice_;
  ChangeWatcher* watcher_ = nullptr;
  const char* breach_ = nullptr;
  std::uint64_t fault_in_ = 0;
  std::optional<std::uint32_t> fault_segment_;
  std::vector<std::uint32_t> unreadable_;
  std::uint64_t reads_ = 0;
  std::uint64_t programs_ = 0;
  std::uint64_t erases_ = 0;
};

}  // namespace ftlab::tests
