// Program units of several pages: what has come of each waits in the controller until its last page has come, and is
// programmed at once then. Reads and copies that follow each other and take from one page of the part, or from such of
// all planes that work as one, sense it once.
//
// How much waits is up to who sends it; memory for that is not counted.
// Invariant: a page that waits belongs to the last, not full program unit of its segment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/units.h"
#include "hw/array/array/page_store.h"
#include "hw/array/commands/work.h"
#include "hw/array/spec/spec.h"

namespace ftlab::hw::array {

class Controller;
struct Segment;

/// What an operation finds of a page.
struct Found {
  Status status = Status::ok;
  std::uint16_t corrected_bits = 0;
  bool must_move = false;
  Attempts attempts{};  ///< to find it
};

class ProgramUnits {
 public:
  ProgramUnits(Controller& controller, const ArraySpec& spec) : controller_(controller), waiting_(spec.dies()) {}

  /// Takes those at the front that are sensed at once, or one; gives the rest.
  std::span<const std::byte> take(std::span<const std::byte> bytes);
  /// The page waits.
  [[nodiscard]] bool has(std::uint32_t page) { return find(page) != nullptr; }
  /// What waits never comes to the array, and leaves no trace.
  void forget();
  /// Nothing waits: the array is another one.
  void clear();

 private:
  struct Page {
    Descriptor descriptor;
    Found found;
    Metadata metadata_before{};
    PageData data_before;
    // Where somebody asks how its time is spent.
    Ticks queued{};
    Ticks mark{};
  };
  struct Unit {
    std::uint32_t first = kNoPage;  ///< of its pages; kNoPage: not in use
    Ticks ready{};                  ///< when all that has come is in the controller
    std::vector<Page> pages;
  };

  /// The one that the page belongs to, or null where nothing of it waits.
  [[nodiscard]] Unit* find(std::uint32_t page);
  [[nodiscard]] bool waits_in(std::uint32_t segment);
  Unit& unit_of(std::uint32_t page);

  /// Of one page of the run; what waits has no bit errors yet.

  /// What the run takes.
  [[nodiscard]] Sensed sensed() const;
  [[nodiscard]] Found look_at(std::uint32_t page, bool copies);
  /// The run was sensed, and its pages crossed the channel.
  void book_load(const Turn& turn, const Sensed& sensed, const Load& load, const Span& span, bool lost);
  void read();
  void copy();
  void program(const Descriptor& d);
  /// ok: the page is the next of its segment; or why it cannot be.
  [[nodiscard]] Status admit(std::uint32_t page);
  /// The page has come, with what was found of its source.
  Unit& add(const Descriptor& d, std::uint32_t page, Found found, const Metadata& metadata,
            std::span<const std::byte> data);
  void program_if_whole(Unit& unit);
  void accept_next();

  Controller& controller_;
  std::vector<std::vector<Unit>> waiting_;  ///< of each die
  std::vector<Descriptor> run_;             ///< that are sensed at once
  std::vector<Found> found_;                ///< of each
};

}  // namespace ftlab::hw::array
