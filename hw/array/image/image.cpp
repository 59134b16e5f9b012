// Little-endian, versioned; the geometry stands in front.
//   magic "FTLABARR", u32 version, dies, planes, segments, pages per segment, page bytes, content; then every segment:
//   u32 erase count, u32 limit, u16 next page, u8 flags; if it has unreadable pages, u8 for each programmed page:
//   1 for an unreadable one, 2 for one whose metadata can be read, 3 for one that the controller has kept;
//   with content for each programmed page: u64 metadata[2]; with bytes: u8 has data, and if it has, the data.
// Nothing of an image is trusted: what no device can have saved is refused by segment and field.
#include "hw/array/image/image.h"

#include <array>
#include <istream>
#include <ostream>
#include <utility>
#include <vector>

#include "common/input_error.h"
#include "hw/base/image_stream.h"

namespace ftlab::hw::array {
namespace {

using hw::image::get;
using hw::image::get_bytes;
using hw::image::put;
using hw::image::put_bytes;

constexpr std::array<char, 8> kImageMagic = {'F', 'T', 'L', 'A', 'B', 'A', 'R', 'R'};
constexpr std::uint32_t kImageVersion = 2;
constexpr std::uint32_t kMaxCycles = 4'000'000'000;  ///< nothing can be erased more often in the time that Ticks hold
constexpr std::uint8_t kAllFlags = segment_flag::kTrouble | segment_flag::kWearsByErase | segment_flag::kLsbAlone;

std::array<std::uint32_t, 8> header_of(const Context& device) {
  const ArraySpec& spec = device.spec;
  return {
      kImageVersion,          spec.dies(),     spec.planes,        spec.segments,
      spec.pages_per_segment, spec.page_bytes, spec.pages_at_once, static_cast<std::uint32_t>(device.pages.content())};
}

void save_page(std::ostream& out, const PageStore& pages, std::uint32_t page) {
  if (pages.content() == Content::none) return;
  for (const std::uint64_t word : pages.metadata(page)) put(out, word);
  if (pages.content() != Content::bytes) return;
  const std::span<const std::byte> data = pages.data(page);
  put(out, static_cast<std::uint8_t>(!data.empty()));
  put_bytes(out, data);
}

/// A page as the image has it.
struct SavedPage {
  std::uint32_t page = 0;
  Metadata metadata{};
  PageData data;
};

/// Reads everything before anything is changed.
class Reader {
 public:
  Reader(std::istream& in, const std::string& name, const Context& device)
      : in_(in), name_(name), device_(device), segments(device.segments) {}

  void load() {
    for (index_ = 0; index_ < segments.size(); ++index_) load_segment(segments[index_]);
    if (in_.peek() != std::istream::traits_type::eof()) {
      throw InputError(name_ + ": image goes on behind its last segment; save it again");
    }
  }

 private:
  void load_segment(Segment& segment) {
    segment.erase_count = at_most<std::uint32_t>(kMaxCycles, "erase count");
    segment.limit = at_most<std::uint32_t>(kMaxCycles, "cycles to its end of life");
    const auto last = static_cast<std::uint16_t>(device_.spec.pages_per_segment);
    segment.next_page = at_most<std::uint16_t>(last, "the page to program next");
    segment.flags = at_most<std::uint8_t>(kAllFlags, "flags");
    if (segment.next_page % device_.spec.pages_at_once != 0) damaged("a part of a program unit is programmed");
    if (segment.has(segment_flag::kTorn) && segment.next_page != last) damaged("torn, yet it has pages to program");
    if (segment.has(segment_flag::kLsbAlone) && !goes_on_with_lsb(segment)) damaged("it goes on with no LSB page");
    const std::uint32_t first = index_ * device_.spec.pages_per_segment;
    for (std::uint32_t page = 0; segment.has(segment_flag::kUnreadable) && page < segment.next_page; ++page) {
      if (!device_.programmed(segment, page)) continue;
      constexpr auto kLast = static_cast<std::uint8_t>(PageMark::kept);
      const auto mark = static_cast<PageMark>(at_most<std::uint8_t>(kLast, "the mark of unreadable pages"));
      if (mark != PageMark::none) unreadable.push_back({first + page, mark});
    }
    const bool has_content = !segment.has(segment_flag::kTorn) && device_.pages.content() != Content::none;
    for (std::uint32_t page = 0; has_content && page < segment.next_page; ++page)
      if (device_.programmed(segment, page)) load_page(first + page);
  }
  /// As one does whose second LSB unit is programmed.
  [[nodiscard]] bool goes_on_with_lsb(const Segment& segment) const {
    const std::uint32_t second = device_.second_lsb();
    const bool ends = segment.next_page == device_.spec.pages_per_segment;
    return device_.spec.fills_lsb_alone() && !segment.has(segment_flag::kTorn) && segment.next_page > second &&
           (ends || segment.next_page % second == 0);
  }
  void load_page(std::uint32_t page) {
    SavedPage& saved = pages.emplace_back();
    saved.page = page;
    for (std::uint64_t& word : saved.metadata) word = at_most<std::uint64_t>(UINT64_MAX, "metadata");
    if (device_.pages.content() != Content::bytes || at_most<std::uint8_t>(1, "the mark of pages with data") == 0)
      return;
    saved.data = std::make_unique_for_overwrite<std::byte[]>(device_.spec.page_bytes);
    get_bytes(in_, {saved.data.get(), device_.spec.page_bytes});
    if (!in_) cut_short();
  }

  template <class Number>
  Number at_most(Number limit, const char* what) {
    const auto value = get<Number>(in_);
    if (!in_) cut_short();
    if (value > limit) damaged(std::string(what) + ": " + std::to_string(value) + " is impossible");
    return value;
  }
  [[noreturn]] void cut_short() const { throw InputError(name_ + ": image is cut short; save it again"); }
  [[noreturn]] void damaged(const std::string& what) const {
    throw InputError(name_ + ": image is damaged, segment " + std::to_string(index_) + ": " + what + "; save it again");
  }

  std::istream& in_;
  const std::string& name_;
  const Context& device_;
  std::uint32_t index_ = 0;

 public:
  SegmentTable segments;
  std::vector<std::pair<std::uint32_t, PageMark>> unreadable;
  std::vector<SavedPage> pages;
};

}  // namespace

void save_image(std::ostream& out, const Context& device) {
  out.write(kImageMagic.data(), kImageMagic.size());
  for (const std::uint32_t field : header_of(device)) put(out, field);
  for (std::uint32_t i = 0; i < device.segments.size(); ++i) {
    Segment segment = device.segments[i];
    // What waits for the rest of its program unit is not on the array.
    if (const std::uint32_t waiting = segment.next_page % device.spec.pages_at_once; waiting != 0)
      device.take_back(segment, segment.next_page - waiting);
    put(out, segment.erase_count);
    put(out, segment.limit);
    put(out, segment.next_page);
    put(out, segment.flags);
    const std::uint32_t first = i * device.spec.pages_per_segment;
    for (std::uint32_t page = 0; segment.has(segment_flag::kUnreadable) && page < segment.next_page; ++page) {
      if (!device.programmed(segment, page)) continue;
      put(out, static_cast<std::uint8_t>(device.unreadable.mark(first + page, segment.erase_count)));
    }
    if (segment.has(segment_flag::kTorn)) continue;
    for (std::uint32_t page = 0; page < segment.next_page; ++page)
      if (device.programmed(segment, page)) save_page(out, device.pages, first + page);
  }
}

void load_image(std::istream& in, const std::string& name, Context& device) {
  std::array<char, 8> magic{};
  in.read(magic.data(), magic.size());
  if (!in || magic != kImageMagic) throw InputError(name + ": not a medium image of a NAND array");
  for (const std::uint32_t expected : header_of(device)) {
    const auto found = get<std::uint32_t>(in);
    if (!in || found != expected) {
      throw InputError(name + ": image of another part or version (found " + std::to_string(found) + ", expected " +
                       std::to_string(expected) + "); save it with the same part and options");
    }
  }
  Reader reader(in, name, device);
  reader.load();
  device.segments = std::move(reader.segments);
  device.unreadable.clear();
  for (const auto& [page, mark] : reader.unreadable)
    device.unreadable.add(page, device.segments[device.segments.segment_of(page)].erase_count, mark);
  for (SavedPage& saved : reader.pages) {
    device.pages.put_metadata(saved.page, saved.metadata);
    if (device.pages.content() == Content::bytes) device.pages.put_data(saved.page, std::move(saved.data));
  }
  for (std::uint32_t i = 0; i < device.segments.size(); ++i) device.wear.age(i, device.segments[i]);
}

}  // namespace ftlab::hw::array
