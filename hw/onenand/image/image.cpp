// Little-endian, versioned; the geometry stands in front.
//   magic "FTLABFON", u32 version, u32 dies, u32 segments per die, u32 has content; then every segment of every die,
//   and for each die its partition information and OTP segments:
//   u32 erase cycles, u32 limit, u32 reads, u8 flags, u8 next page, u8 has pages; if it has, for each of 128 pages
//   u8 flags and, where they are not 0: u64 age, 128 bytes spare, 4096 bytes main (of segments that hold content).
// Ages count back from the youngest page, so that a later run may begin at time zero.
// Nothing of an image is trusted: what no device can have saved is refused by segment and field.
#include "hw/onenand/image/image.h"

#include <algorithm>
#include <array>
#include <vector>

#include "common/input_error.h"
#include "hw/base/image_stream.h"

namespace ftlab::hw {

namespace regs = flexonenand;

namespace {

constexpr std::array<char, 8> kMagic = {'F', 'T', 'L', 'A', 'B', 'F', 'O', 'N'};
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kPages = OneNandSpec::kPagesPerSegment;

enum SegmentFlag : std::uint8_t { kBad = 1, kWorn = 2, kFailsInProgram = 4, kNoise = 8, kSlc = 16 };
constexpr std::uint8_t kSegmentFlags = kBad | kWorn | kFailsInProgram | kNoise | kSlc;
constexpr std::uint8_t kPageFlags =
    page_flag::kProgrammed | page_flag::kParity | page_flag::kFast | page_flag::kSpoiled | page_flag::kNoise;
constexpr std::uint32_t kMaxCycles = 4'000'000'000;  ///< nothing can be erased more often in the time that Ticks hold
/// 14 years: the clock of the run that loads the image may go on as long without an overflow of their difference.
constexpr std::uint64_t kMaxAge = std::uint64_t{1} << 62;

using image::get;
using image::get_bytes;
using image::put;
using image::put_bytes;

/// Bytes of a page in an area with so many bytes a page.
std::span<std::byte> page_of(const std::unique_ptr<std::byte[]>& area, std::uint32_t page, std::size_t bytes) {
  return {&area[page * bytes], bytes};
}

Ticks youngest(const std::vector<Segment>& segments) {
  Ticks latest{};
  for (const Segment& segment : segments) {
    for (std::uint32_t page = 0; segment.pages && page < kPages; ++page) {
      if (segment.flags(page) != 0) latest = std::max(latest, segment.pages->programmed_at[page]);
    }
  }
  return latest;
}

void save_segment(std::ostream& out, const Segment& segment, Ticks newest) {
  put(out, segment.cycles);
  put(out, segment.limit);
  put(out, segment.reads);
  put(out, static_cast<std::uint8_t>((segment.bad ? kBad : 0) | (segment.worn ? kWorn : 0) |
                                     (segment.fails_in_program ? kFailsInProgram : 0) | (segment.noise ? kNoise : 0) |
                                     (segment.slc ? kSlc : 0)));
  put(out, segment.next_page);
  put(out, static_cast<std::uint8_t>(segment.pages != nullptr));
  if (!segment.pages) return;
  const SegmentPages& pages = *segment.pages;
  for (std::uint32_t page = 0; page < kPages; ++page) {
    put(out, pages.flags[page]);
    if (pages.flags[page] == 0) continue;
    put(out, std::min(static_cast<std::uint64_t>((newest - pages.programmed_at[page]).count()), kMaxAge));
    put_bytes(out, page_of(pages.spare, page, regs::kSpareBytes));
    if (!pages.main[page]) continue;
    std::array<std::byte, regs::kPageBytes> main;
    pages.main[page].read(0, main);
    put_bytes(out, main);
  }
}

/// Reads one segment after the other and refuses what cannot be; the message names image and segment.
class SegmentReader {
 public:
  SegmentReader(std::istream& in, const std::string& name) : in_(in), name_(name) {}

  void load(CellArray& cells, std::uint32_t index) {
    index_ = index;
    Segment& segment = cells.at(index);
    segment.cycles = at_most<std::uint32_t>(kMaxCycles, "erase cycles");
    segment.limit = at_most<std::uint32_t>(kMaxCycles, "cycles to its end of life");
    segment.reads = at_most<std::uint32_t>(UINT32_MAX, "reads");
    const auto flags = at_most<std::uint8_t>(kSegmentFlags, "flags");
    segment.bad = (flags & kBad) != 0;
    segment.worn = (flags & kWorn) != 0;
    segment.fails_in_program = (flags & kFailsInProgram) != 0;
    segment.noise = (flags & kNoise) != 0;
    segment.slc = (flags & kSlc) != 0;
    segment.own_rating = cells.is_special(index);
    segment.next_page = at_most<std::uint8_t>(kPages, "the page to program next");
    const bool has_pages = at_most<std::uint8_t>(1, "the mark of segments with pages") != 0;
    segment.pages.reset();
    const std::uint32_t used = has_pages ? load_pages(cells, cells.pages_of(index)) : 0;
    if (segment.next_page != used) {
      damaged("the page to program next is " + std::to_string(segment.next_page) + ", its pages say " +
              std::to_string(used));
    }
  }

 private:
  /// The pages up to the last programmed one.
  std::uint32_t load_pages(CellArray& cells, SegmentPages& pages) {
    std::uint32_t used = 0;
    for (std::uint32_t page = 0; page < kPages; ++page) {
      const auto flags = at_most<std::uint8_t>(kPageFlags, "flags of a page");
      pages.flags[page] = flags;
      if (flags == 0) continue;
      if ((flags & page_flag::kProgrammed) == 0) damaged("page " + std::to_string(page) + " has data but is blank");
      const auto age = at_most<std::uint64_t>(kMaxAge, "the age of a page");
      pages.programmed_at[page] = -Ticks{static_cast<std::int64_t>(age)};
      get_bytes(in_, page_of(pages.spare, page, regs::kSpareBytes));
      if (cells.keeps_content(index_)) {
        std::array<std::byte, regs::kPageBytes> main{};
        get_bytes(in_, main);
        pages.main[page] = cells.pool().take(main);
      }
      used = page + 1;
    }
    return used;
  }

  template <class Number>
  Number at_most(Number limit, const char* what) {
    const auto value = get<Number>(in_);
    if (!in_) throw InputError(name_ + ": image is cut short; save it again");
    if (value > limit) damaged(std::string(what) + ": " + std::to_string(value) + " is impossible");
    return value;
  }

  [[noreturn]] void damaged(const std::string& what) const {
    throw InputError(name_ + ": image is damaged, segment " + std::to_string(index_) + ": " + what + "; save it again");
  }

  std::istream& in_;
  const std::string& name_;
  std::uint32_t index_ = 0;
};

std::array<std::uint32_t, 4> header_of(const OneNandSpec& spec, const CellArray& cells) {
  return {kVersion, spec.dies, spec.segments_per_die, std::uint32_t{cells.stores_content()}};
}

}  // namespace

void save_onenand_image(std::ostream& out, const OneNandSpec& spec, const CellArray& cells) {
  out.write(kMagic.data(), kMagic.size());
  for (const std::uint32_t field : header_of(spec, cells)) put(out, field);
  const Ticks newest = youngest(cells.all());
  for (const Segment& segment : cells.all()) save_segment(out, segment, newest);
}

void load_onenand_image(std::istream& in, const std::string& name, const OneNandSpec& spec, CellArray& cells) {
  std::array<char, 8> magic{};
  in.read(magic.data(), magic.size());
  if (!in || magic != kMagic) throw InputError(name + ": not a medium image of a Flex-OneNAND");
  for (const std::uint32_t expected : header_of(spec, cells)) {
    const auto found = get<std::uint32_t>(in);
    if (!in || found != expected) {
      throw InputError(name + ": image of another part or version (found " + std::to_string(found) + ", expected " +
                       std::to_string(expected) + "); save it with the same part and options");
    }
  }
  std::vector<Segment> before(cells.all().size());
  cells.all().swap(before);
  try {
    SegmentReader reader(in, name);
    for (std::uint32_t i = 0; i < cells.all().size(); ++i) reader.load(cells, i);
    if (!in) throw InputError(name + ": image is cut short; save it again");
    if (in.peek() != std::istream::traits_type::eof()) {
      throw InputError(name + ": image goes on behind its last segment; save it again");
    }
  } catch (...) {
    cells.all().swap(before);
    throw;
  }
}

}  // namespace ftlab::hw
