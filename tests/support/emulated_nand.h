// A NAND part in memory that refuses illegal use: it names the broken promise of FlashPort and, unless told otherwise,
// stops the process. Knows pages, spare bytes, pairs, bad marks, ECC results, power cuts and faults; no time, no
// energy, no registers.
//
// What is hostile: a program cut in an MSB page leaves the LSB page of its pair to the recovery read (kRecovered); torn
// pages are uncorrectable, whatever their bytes say; after a cut erase any page may be blank, noise or as before, and
// programming such a segment before a whole erase stops the process, and so does programming a page that looks blank
// because the program before was cut at its very start; a segment that failed fails ever after unless
// the fault plan says otherwise, and refuses its bad mark.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "firmware/port/flash_port.h"
#include "tests/support/emulated_flash.h"

namespace ftlab::tests {

struct EmulatedNandOptions {
  std::uint32_t segments = 24;
  std::uint32_t pages = 16;  ///< of a segment, a multiple of 4; pairs as in the Flex-OneNAND scaled down
  std::uint32_t page_bytes = 512;
  std::uint32_t parallel_units = 1;
  std::uint32_t slc_segments_per_unit = 1;
  std::uint32_t rated_erase_cycles = 1000;
  bool store_content = true;     ///< false: data of programmed pages reads as 0; spare bytes are kept
  std::uint32_t endurance = 0;   ///< erases a segment stands before its erase fails; 0 = unlimited
  bool marks_on_failed = false;  ///< a segment that failed still takes its bad mark
  OnBreach on_breach = OnBreach::stop;
  FaultPlan faults{.refuse_ever_after = true};
};

/// Pairs of an MLC segment: pages 0 and 1 with 4 and 5, then n with n + 6 for n mod 4 = 2 or 3, the last two with n
/// + 4.
[[nodiscard]] std::vector<std::uint8_t> flex_pairs(std::uint32_t pages);

class EmulatedNand final : public FlashPort {
 public:
  /// half_way: looks blank, but a program of it was cut.
  enum class PageState : std::uint8_t { blank, whole, torn, recovered, half_way };

  struct Segment {
    std::vector<std::byte> data;
    std::vector<std::byte> spare;
    std::vector<PageState> state;
    std::vector<std::uint8_t> bits;  ///< injected: corrected bits that reads report
    std::uint32_t next_page = 0;     ///< lowest page that may be programmed
    std::uint32_t erases = 0;
    bool must_erase = false;  ///< an erase was cut or failed
    bool failed = false;      ///< a program or an erase failed
    bool refuses = false;     ///< so does every later one
    bool bad = false;
  };
  /// The medium alone; cheap to copy, contents are shared until written.
  struct Image {
    std::vector<std::shared_ptr<Segment>> segments;
  };

  explicit EmulatedNand(EmulatedNandOptions options);

  [[nodiscard]] const FlashGeometry& geometry() const override { return geometry_; }
  [[nodiscard]] const FlashCapabilities& capabilities() const override { return capabilities_; }
  std::size_t submit(std::span<const FlashOp> ops) override;
  std::size_t reap(std::span<FlashDone> done, bool wait) override;

  /// Power fails at the n-th changing operation from now (1 = the next). Everything later fails with timeout.
  void cut_power_at(std::uint64_t n, Tear tear, std::uint64_t seed = 1);
  [[nodiscard]] bool powered() const { return powered_; }
  void power_cycle();

  /// The n-th program or erase from now (1 = the next) in `segment`, or in any, fails.
  void fail_at(std::uint64_t n, std::optional<std::uint32_t> segment = std::nullopt);
  /// From now on every program and erase in this segment fails.
  void refuse(std::uint32_t segment) { writable(segment).failed = writable(segment).refuses = true; }
  void mark_initial_bad(std::uint32_t segment) { writable(segment).bad = true; }
  /// Reads of the page report so many corrected bits, until the erase.
  void wear_page(std::uint32_t segment, std::uint32_t page, std::uint8_t bits) { writable(segment).bits[page] = bits; }
  /// Reads of the page report lost data, until the erase.
  void lose_page(std::uint32_t segment, std::uint32_t page) { writable(segment).state[page] = PageState::torn; }
  /// The medium itself, for whoever puts together contents that no firmware has written.
  Segment& edit(std::uint32_t segment) { return writable(segment); }
  /// Overwrites everything with noise, as a foreign or aborted use would leave it.
  void scramble(std::uint32_t segment);

  [[nodiscard]] std::uint64_t reads() const { return reads_; }
  [[nodiscard]] std::uint64_t programs() const { return programs_; }
  [[nodiscard]] std::uint64_t erases() const { return erases_; }
  [[nodiscard]] std::uint64_t bad_marks() const { return marks_; }
  [[nodiscard]] std::uint64_t changes() const { return programs_ + erases_ + marks_; }
  [[nodiscard]] std::uint32_t erase_count(std::uint32_t segment) const { return image_.segments[segment]->erases; }
  [[nodiscard]] bool is_bad(std::uint32_t segment) const { return image_.segments[segment]->bad; }
  [[nodiscard]] bool has_failed(std::uint32_t segment) const { return image_.segments[segment]->failed; }
  [[nodiscard]] PageState page_state(std::uint32_t segment, std::uint32_t page) const {
    return image_.segments[segment]->state[page];
  }

  /// Segments that failed and refuse ever after.
  [[nodiscard]] std::uint32_t failed_segments() const;
  /// What only the recovery read still gives is lost from now on.
  void lose_recovered_pages();
  /// For damage at rest: everything that the part keeps of the segment.
  [[nodiscard]] Segment& at_rest(std::uint32_t segment) { return writable(segment); }

  /// Null until a promise of FlashPort is broken; then which one.
  [[nodiscard]] const char* breach() const { return breach_; }
  /// Null: nobody watches.
  void watch(ChangeWatcher* watcher) { watcher_ = watcher; }
  /// Becomes what `other` is when power is lost during `op`, which `other` has not begun: the next mount session's
  /// medium. `seed`: of whatever the tear leaves to chance.
  void lose_power_of(const EmulatedNand& other, const FlashOp& op, Tear tear, std::uint64_t seed);

  [[nodiscard]] Image snapshot() const { return image_; }
  void restore(const Image& image) { image_ = image; }
  /// As constructed, but on this medium: powered, nothing in flight, no cut or fault ahead, counters at zero.
  void reset(const Image& image);
  void save(const std::string& path) const;
  void load(const std::string& path);

 private:
  [[nodiscard]] FlashDone execute(const FlashOp& op);
  [[nodiscard]] FlashDone read(const FlashOp& op);
  [[nodiscard]] FlashStatus program(const FlashOp& op);
  [[nodiscard]] FlashStatus erase(std::uint32_t segment);
  [[nodiscard]] FlashStatus mark_bad(std::uint32_t segment);
  [[nodiscard]] const char* broken_promise(const FlashOp& op) const;
  [[nodiscard]] const char* broken_read_promise(const FlashOp& op) const;
  [[nodiscard]] const char* broken_program_promise(const FlashOp& op) const;
  /// Nothing: the operation is carried out all the same.
  std::optional<FlashStatus> answer_breach(const char* promise, const FlashOp& op);
  void tear_mark(std::uint32_t segment, Tear tear);
  [[nodiscard]] FlashDone read_unsure(const FlashOp& op, PageState state);
  void tear_program(const FlashOp& op, Tear tear);
  void tear_erase(std::uint32_t segment, Tear tear);
  void spoil_pair(Segment& segment, std::uint32_t page);
  void make_noise(Segment& segment, std::uint32_t page);
  void make_blank(Segment& segment, std::uint32_t page);
  [[nodiscard]] std::uint32_t pages_in(std::uint32_t segment) const;
  [[nodiscard]] bool is_slc(std::uint32_t segment) const;
  [[nodiscard]] bool cut_now();
  [[nodiscard]] bool fault_now(std::uint32_t segment, std::uint32_t chances);
  void fail(std::uint32_t segment);
  Segment& writable(std::uint32_t segment);

  EmulatedNandOptions options_;
  std::vector<std::uint8_t> pairs_;
  FlashGeometry geometry_;
  FlashCapabilities capabilities_;
  Image image_;
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
  std::uint64_t reads_ = 0;
  std::uint64_t programs_ = 0;
  std::uint64_t erases_ = 0;
  std::uint64_t marks_ = 0;
};

}  // namespace ftlab::tests
