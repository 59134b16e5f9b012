// Endurance limits are rated + lognormal, with a share of weak segments below; bad and weak ones stay in the reserve.
#include "hw/onenand/cell_array.h"

#include <algorithm>
#include <boost/random/lognormal_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>
#include <cstring>

#include "hw/model/random_stream.h"

namespace ftlab::hw {

namespace regs = flexonenand;

namespace {

constexpr std::uint32_t kSegmentStream = 0x4E414E44;  // "NAND"
constexpr std::uint32_t kFactoryStream = 0x55494421;  // "UID!"
constexpr double kForever = 4e9;                      ///< cycles nobody reaches
constexpr std::byte kErased{0xFF};

std::uint32_t draw_limit(boost::random::taus88& engine, const OneNandEndurance& endurance, std::uint32_t rated) {
  double limit = rated;
  const double above = rated * (endurance.median_ratio - 1);
  if (above > 0) limit += boost::random::lognormal_distribution<double>(std::log(above), endurance.spread)(engine);
  return static_cast<std::uint32_t>(std::min(limit, kForever));
}

}  // namespace

CellArray::CellArray(const OneNandSpec& spec, std::uint64_t seed, bool store_content)
    : ordinary_(spec.segments()), store_content_(store_content), segments_(spec.segments() + spec.dies * 2) {
  for (std::uint32_t die = 0; die < spec.dies; ++die) {
    draw_segments(spec, seed, die);
    write_factory_data(seed, die, spec.segments_per_die);
  }
}

void CellArray::draw_segments(const OneNandSpec& spec, std::uint64_t seed, std::uint32_t die) {
  boost::random::uniform_01<double> uniform;
  std::uint32_t reserve = spec.bad_segments.reserve;
  const std::uint32_t first = die * spec.segments_per_die;
  for (std::uint32_t i = 0; i < spec.segments_per_die; ++i) {
    Segment& segment = at(first + i);
    auto engine = make_stream(seed, {kSegmentStream, die, i});
    const double luck = uniform(engine);
    segment.fails_in_program = uniform(engine) < 0.5;
    segment.limit = draw_limit(engine, spec.endurance, spec.endurance.rated_mlc);
    if (i == 0 || reserve == 0) continue;  // segment 0 is guaranteed
    if (luck < spec.bad_segments.initial_share) {
      segment.bad = true;
      write_factory_marks(first + i);
      --reserve;
    } else if (luck < spec.bad_segments.initial_share + spec.bad_segments.weak_share) {
      segment.limit = 1 + static_cast<std::uint32_t>(uniform(engine) * (spec.endurance.rated_mlc - 1));
      --reserve;
    }
  }
  auto engine = make_stream(seed, {kSegmentStream, die, spec.segments_per_die});
  at(partition_segment(die)).limit = draw_limit(engine, spec.endurance, spec.endurance.rated_partition);
  at(partition_segment(die)).own_rating = at(otp_segment(die)).own_rating = true;
  at(otp_segment(die)).limit = static_cast<std::uint32_t>(kForever);
}

void CellArray::write_factory_marks(std::uint32_t segment) {
  std::array<std::byte, regs::kPageBytes> main;
  std::array<std::byte, regs::kSpareBytes> spare;
  main.fill(kErased);
  spare.fill(kErased);
  spare[regs::spare_slot::kBadMark] = spare[regs::spare_slot::kBadMark + 1] = std::byte{0};
  for (const std::uint32_t page : {0U, 1U}) {
    store(segment, page, page_flag::kProgrammed | page_flag::kParity | page_flag::kFast, Ticks::zero(), main, spare);
  }
}

void CellArray::write_factory_data(std::uint64_t seed, std::uint32_t die, std::uint32_t segments_per_die) {
  constexpr std::uint8_t kRaw = page_flag::kProgrammed | page_flag::kFast;
  constexpr std::size_t kIdWords = 16;
  std::array<std::byte, regs::kPageBytes> main;
  std::array<std::byte, regs::kSpareBytes> spare;
  main.fill(kErased);
  spare.fill(kErased);
  // Main bytes of these two segments are kept even without content: registers depend on them.
  const auto word = static_cast<std::uint16_t>(~regs::partition::boundary_mask(segments_per_die));
  main[0] = static_cast<std::byte>(word & 0xFF);
  main[1] = static_cast<std::byte>(word >> 8);
  at(partition_segment(die)).slc = at(otp_segment(die)).slc = true;
  store(partition_segment(die), 0, kRaw, Ticks::zero(), main, spare);
  auto engine = make_stream(seed, {kFactoryStream, die});
  for (std::size_t i = 0; i < kIdWords; ++i) main[i] = static_cast<std::byte>(engine() & 0xFF);
  store(otp_segment(die), regs::otp::kUniqueIdPage, kRaw | page_flag::kParity, Ticks::zero(), main, spare);
}

SegmentPages& CellArray::pages_of(std::uint32_t segment) {
  Segment& s = segments_[segment];
  if (!s.pages) {
    s.pages = std::make_unique<SegmentPages>();
    constexpr std::size_t kPages = OneNandSpec::kPagesPerSegment;
    s.pages->spare = std::make_unique_for_overwrite<std::byte[]>(kPages * regs::kSpareBytes);
    if (store_content_ || is_special(segment)) {
      s.pages->main = std::make_unique_for_overwrite<std::byte[]>(kPages * regs::kPageBytes);
    }
  }
  return *s.pages;
}

void CellArray::read(std::uint32_t segment, std::uint32_t page, Main main, Spare spare) const {
  const Segment& s = segments_[segment];
  if (s.flags(page) == 0) {
    std::fill(main.begin(), main.end(), kErased);
    std::fill(spare.begin(), spare.end(), kErased);
    return;
  }
  std::memcpy(spare.data(), &s.pages->spare[std::size_t{page} * regs::kSpareBytes], regs::kSpareBytes);
  if (s.pages->main) {
    std::memcpy(main.data(), &s.pages->main[std::size_t{page} * regs::kPageBytes], regs::kPageBytes);
  } else {
    std::fill(main.begin(), main.end(), kErased);
  }
}

void CellArray::store(std::uint32_t segment, std::uint32_t page, std::uint8_t flags, Ticks now,
                      std::span<const std::byte, regs::kPageBytes> main,
                      std::span<const std::byte, regs::kSpareBytes> spare) {
  SegmentPages& pages = pages_of(segment);
  pages.flags[page] = flags;
  pages.programmed_at[page] = now;
  std::memcpy(&pages.spare[std::size_t{page} * regs::kSpareBytes], spare.data(), regs::kSpareBytes);
  if (pages.main) std::memcpy(&pages.main[std::size_t{page} * regs::kPageBytes], main.data(), regs::kPageBytes);
  Segment& s = segments_[segment];
  s.next_page = std::max(s.next_page, static_cast<std::uint8_t>(page + 1));
}

void CellArray::blank(std::uint32_t segment) {
  Segment& s = segments_[segment];
  if (s.pages) s.pages->flags.fill(0);
  s.next_page = 0;
  s.reads = 0;
  s.noise = false;
}

}  // namespace ftlab::hw
