// Endurance limits are rated + lognormal, with a share of weak segments below; bad and weak ones stay in the reserve.
#include "hw/onenand/array/cell_array.h"

#include <algorithm>
#include <boost/random/lognormal_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>
#include <cstring>

#include "hw/base/random_stream.h"

namespace ftlab::hw {

namespace regs = flexonenand;

namespace {

constexpr std::uint32_t kSegmentStream = 0x4E414E44;  // "NAND"
constexpr std::uint32_t kFactoryStream = 0x55494421;  // "UID!"
constexpr double kForever = 4e9;                      ///< cycles nobody reaches
constexpr std::byte kErased{0xFF};
constexpr std::uint32_t kSegmentPages = OneNandSpec::kPagesPerSegment;

struct BlankPage {
  std::array<std::byte, regs::kPageBytes> main;
  std::array<std::byte, regs::kSpareBytes> spare;
  BlankPage() {
    main.fill(kErased);
    spare.fill(kErased);
  }
};

std::uint32_t draw_limit(boost::random::taus88& engine, const OneNandEndurance& endurance, std::uint32_t rated) {
  double limit = rated;
  const double above = rated * (endurance.median_ratio - 1);
  if (above > 0) limit += boost::random::lognormal_distribution<double>(std::log(above), endurance.spread)(engine);
  return static_cast<std::uint32_t>(std::min(limit, kForever));
}

}  // namespace

CellArray::CellArray(const OneNandSpec& spec, std::uint64_t seed, bool store_content)
    : ordinary_(spec.segments()),
      segments_per_die_(spec.segments_per_die),
      seed_(seed),
      store_content_(store_content),
      pool_(std::make_unique<PagePool>()),
      segments_(spec.segments() + spec.dies * 2) {
  for (std::uint32_t die = 0; die < spec.dies; ++die) {
    draw_segments(spec, seed, die);
    write_partition_word(die);
    write_unique_id(die);
  }
  factory_.reserve(segments_.size());
  for (const Segment& s : segments_) factory_.push_back({s.limit, s.bad, s.fails_in_program, s.own_rating});
}

void CellArray::renew() {
  for (std::uint32_t i = 0; i < segments_.size(); ++i) {
    std::unique_ptr<SegmentPages> pages = std::move(segments_[i].pages);
    if (pages) {
      pages->flags.fill(0);
      pages->main.fill({});
    }
    Segment& s = segments_[i] = Segment{};
    s.pages = std::move(pages);
    s.limit = factory_[i].limit;
    s.bad = factory_[i].bad;
    s.fails_in_program = factory_[i].fails_in_program;
    s.own_rating = factory_[i].own_rating;
    if (s.bad) write_factory_markers(i);
  }
  for (std::uint32_t die = 0; die * segments_per_die_ < ordinary_; ++die) {
    write_partition_word(die);
    write_unique_id(die);
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
      write_factory_markers(first + i);
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

void CellArray::write_factory_markers(std::uint32_t segment) {
  BlankPage page;
  page.spare[regs::spare_slot::kBadMarker] = page.spare[regs::spare_slot::kBadMarker + 1] = std::byte{0};
  for (const std::uint32_t number : {0U, 1U}) {
    store(segment, number, page_flag::kProgrammed | page_flag::kParity | page_flag::kFast, Ticks::zero(), page.main,
          page.spare);
  }
}

void CellArray::write_partition_word(std::uint32_t die) {
  const std::uint32_t segment = partition_segment(die);
  BlankPage page;
  // Main bytes of this segment and of the OTP segment are kept even without content: registers depend on them.
  const auto word = static_cast<std::uint16_t>(~regs::partition::boundary_mask(segments_per_die_));
  page.main[0] = static_cast<std::byte>(word & 0xFF);
  page.main[1] = static_cast<std::byte>(word >> 8);
  at(segment).slc = true;
  store(segment, 0, page_flag::kProgrammed | page_flag::kFast, Ticks::zero(), page.main, page.spare);
}

void CellArray::write_unique_id(std::uint32_t die) {
  using namespace regs::otp;
  const std::uint32_t segment = otp_segment(die);
  BlankPage page;
  auto engine = make_stream(seed_, {kFactoryStream, die});
  for (std::uint32_t i = 0; i < kUniqueIdBytes; ++i) {
    const auto byte = static_cast<std::byte>(engine() & 0xFF);
    for (std::uint32_t copy = 0; copy < kUniqueIdCopies; ++copy) {
      std::byte* identifier = &page.main[std::size_t{copy} * 2 * kUniqueIdBytes];
      identifier[i] = byte;
      identifier[kUniqueIdBytes + i] = ~byte;
    }
  }
  for (std::uint32_t i = 0; i < regs::kSectorSpareBytes; ++i) {
    page.spare[i] = static_cast<std::byte>(kUniqueIdSignature >> (8 * (i % 4)) & 0xFF);
  }
  at(segment).slc = true;
  // The signature lies where a code would be, so hosts read the page with ECC off; with ECC on it is taken as clean.
  store(segment, kUniqueIdPage, page_flag::kProgrammed | page_flag::kFast | page_flag::kParity, Ticks::zero(),
        page.main, page.spare);
}

SegmentPages& CellArray::pages_of(std::uint32_t segment) {
  Segment& s = segments_[segment];
  if (!s.pages) {
    s.pages = std::make_unique<SegmentPages>();
    s.pages->spare = std::make_unique_for_overwrite<std::byte[]>(std::size_t{kSegmentPages} * regs::kSpareBytes);
  }
  return *s.pages;
}

const PagePool::Page& CellArray::main_of(std::uint32_t segment, std::uint32_t page) const {
  const Segment& s = segments_[segment];
  if (s.flags(page) == 0) return pool_->blank();
  const PagePool::Page& main = s.pages->main[page];
  return main ? main : pool_->zero();  // not FFh: a page without a trace of data looks as if it had vanished
}

void CellArray::read_spare(std::uint32_t segment, std::uint32_t page, Spare spare) const {
  const Segment& s = segments_[segment];
  if (s.flags(page) == 0) {
    std::fill(spare.begin(), spare.end(), kErased);
  } else {
    std::memcpy(spare.data(), &s.pages->spare[std::size_t{page} * regs::kSpareBytes], regs::kSpareBytes);
  }
}

void CellArray::read(std::uint32_t segment, std::uint32_t page, Main main, Spare spare) const {
  main_of(segment, page).read(0, main);
  read_spare(segment, page, spare);
}

void CellArray::prefetch(std::uint32_t segment, std::uint32_t page) const {
  const Segment& s = segments_[segment];
  if (s.flags(page) == 0) return;
  __builtin_prefetch(&s.pages->spare[std::size_t{page} * regs::kSpareBytes]);
  if (s.pages->main[page]) s.pages->main[page].prefetch();
}

void CellArray::store(std::uint32_t segment, std::uint32_t page, std::uint8_t flags, Ticks now,
                      std::span<const std::byte, regs::kPageBytes> main,
                      std::span<const std::byte, regs::kSpareBytes> spare) {
  store(segment, page, flags, now, keeps_content(segment) ? pool_->take(main) : PagePool::Page(), spare);
}

void CellArray::store(std::uint32_t segment, std::uint32_t page, std::uint8_t flags, Ticks now, PagePool::Page main,
                      std::span<const std::byte, regs::kSpareBytes> spare) {
  SegmentPages& pages = pages_of(segment);
  pages.flags[page] = flags;
  pages.programmed_at[page] = now;
  pages.main[page] = std::move(main);
  std::memcpy(&pages.spare[std::size_t{page} * regs::kSpareBytes], spare.data(), regs::kSpareBytes);
  Segment& s = segments_[segment];
  s.next_page = std::max(s.next_page, static_cast<std::uint8_t>(page + 1));
}

void CellArray::blank(std::uint32_t segment) {
  Segment& s = segments_[segment];
  if (s.pages) {
    s.pages->flags.fill(0);
    std::fill_n(s.pages->main.begin(), s.next_page, PagePool::Page());
  }
  s.next_page = 0;
  s.reads = 0;
  s.noise = false;
}

}  // namespace ftlab::hw
