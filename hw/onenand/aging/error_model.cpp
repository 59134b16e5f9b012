// One hash per load decides that there are no errors; only where there are some is their number and place computed.
#include "hw/onenand/aging/error_model.h"

#include <algorithm>
#include <cmath>

namespace ftlab::hw {

namespace regs = flexonenand;
namespace ecc = flexonenand::ecc;

namespace {

constexpr std::uint32_t kPageBits = ErrorModel::kSectorBits * regs::kSectorsPerPage;
/// Beyond this many the page is plain unreadable, and nobody counts.
constexpr std::uint32_t kMaxErrors = 2000;

/// Finaliser of a counter-based generator: every bit of the result depends on every bit of the argument.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

double uniform_of(std::uint64_t hash) { return static_cast<double>(hash >> 11) * 0x1p-53; }

/// Place of the i-th error of a page in its sectors' bits.
std::uint32_t place(std::uint64_t key, std::uint32_t i) {
  return static_cast<std::uint32_t>((mix(key + 1 + i) >> 32) * kPageBits >> 32);
}

void flip_bit(std::uint32_t sector, std::uint32_t bit, CellArray::Main main, CellArray::Spare spare) {
  const std::uint32_t byte = bit / 8;
  std::byte& target = byte < regs::kSectorBytes ? main[sector * regs::kSectorBytes + byte]
                                                : spare[sector * regs::kSectorSpareBytes + byte - regs::kSectorBytes];
  target ^= static_cast<std::byte>(1U << bit % 8);
}

}  // namespace

bool PageErrors::uncorrectable() const {
  return any && std::any_of(bits.begin(), bits.end(), [](std::uint8_t n) { return n > ecc::kCorrectableBits; });
}

std::uint16_t PageErrors::status_of(std::uint32_t sector) const {
  const std::uint8_t n = bits[sector];
  if (n == 0) return 0;
  return n > ecc::kCorrectableBits ? ecc::kUncorrectable : static_cast<std::uint16_t>(1U << (n - 1));
}

ErrorModel::ErrorModel(const OneNandSpec& spec, std::uint64_t seed)
    : spec_(spec),
      seed_(mix(seed ^ 0x4245525221ULL)),
      single_wear_(std::pow(spec.errors.slc_cycle_scale, spec.errors.wear_exponent)),
      per_retention_tick_(spec.errors.retention_time > Ticks::zero()
                              ? 1.0 / static_cast<double>(spec.errors.retention_time.count())
                              : 0) {}

std::uint64_t ErrorModel::key(std::uint32_t segment, std::uint32_t page, std::uint32_t cycles) const {
  return mix(seed_ ^ mix(std::uint64_t{segment} << 40 ^ std::uint64_t{page} << 32 ^ cycles));
}

void ErrorModel::refresh(Segment& segment) const {
  segment.wear_rate = segment.cycles == 0 ? 0
                                          : spec_.errors.wear * std::pow(segment.cycles / spec_.errors.wear_cycles,
                                                                         spec_.errors.wear_exponent);
}

double ErrorModel::rate(const Segment& segment, std::uint32_t page, bool slc, Ticks now) const {
  const OneNandErrors& e = spec_.errors;
  const bool fast = (segment.flags(page) & page_flag::kFast) != 0;
  // An LSB page whose partner was never programmed holds one bit a cell, like a page of the SLC area.
  const bool single = slc || (fast && segment.flags(regs::paired::partner(page)) == 0);
  double cycles = segment.cycles;
  double wear = segment.wear_rate;
  if (single && segment.cycles != 0) {
    cycles *= e.slc_cycle_scale;
    wear *= single_wear_;
  }
  const double age = static_cast<double>((now - segment.pages->programmed_at[page]).count()) * per_retention_tick_;
  const double rate = e.base + wear * (1 + age) + e.disturb * (segment.reads / 1000.0) * (1 + cycles / e.wear_cycles);
  const PageType type = single ? PageType::slc : fast ? PageType::lsb : PageType::msb;
  return rate * e.factor[static_cast<std::size_t>(type)];
}

std::uint32_t ErrorModel::quantile(double uniform, double expected) {
  if (expected > kMaxErrors / 2.0) return kMaxErrors;
  double probability = std::exp(-expected);
  double sum = probability;
  std::uint32_t n = 0;
  while (sum < uniform && n < kMaxErrors) {
    ++n;
    probability *= expected / n;
    sum += probability;
  }
  return n;
}

PageErrors ErrorModel::errors(const CellArray& cells, std::uint32_t segment, std::uint32_t page, bool slc,
                              bool recovery, Ticks now) const {
  PageErrors result;
  const Segment& s = cells.at(segment);
  const std::uint8_t flags = s.flags(page);
  if (flags == 0 && !s.noise) return result;
  const bool spoiled = (flags & page_flag::kSpoiled) != 0 && !recovery;
  if (s.noise || spoiled || (flags & page_flag::kNoise) != 0 || (s.slc != slc && !s.bad)) {
    result.bits.fill(PageErrors::kLost);
    result.any = true;
    return result;
  }
  const double expected = rate(s, page, slc, now) * kPageBits;
  const std::uint64_t hash = key(segment, page, s.cycles);
  const double uniform = uniform_of(hash);
  if (uniform < 1 - expected) return result;  // below exp(-expected): none
  const std::uint32_t n = quantile(uniform, expected);
  for (std::uint32_t i = 0; i < n; ++i) {
    std::uint8_t& sector = result.bits[place(hash, i) / kSectorBits];
    if (sector < PageErrors::kLost - 1) ++sector;
  }
  result.any = n != 0;
  return result;
}

void ErrorModel::flip(const CellArray& cells, std::uint32_t segment, std::uint32_t page, const PageErrors& errors,
                      std::uint32_t sectors, CellArray::Main main, CellArray::Spare spare) const {
  const std::uint64_t hash = key(segment, page, cells.at(segment).cycles);
  for (std::uint32_t sector = 0; sector < regs::kSectorsPerPage; ++sector) {
    if ((sectors >> sector & 1) == 0 || errors.bits[sector] != PageErrors::kLost) continue;
    // Cells between two states: about a quarter of the bits read wrong.
    for (std::uint32_t byte = 0; byte < kSectorBits / 8; ++byte) {
      const std::uint64_t noise = mix(hash + sector * kSectorBits + byte);
      for (std::uint32_t bit = 0; bit < 8; ++bit) {
        if ((noise >> (8 * bit) & 3) == 0) flip_bit(sector, byte * 8 + bit, main, spare);
      }
    }
  }
  std::uint32_t total = 0;
  for (const std::uint8_t n : errors.bits) total += n == PageErrors::kLost ? 0 : n;
  for (std::uint32_t i = 0; i < total; ++i) {
    const std::uint32_t at = place(hash, i);
    if ((sectors >> at / kSectorBits & 1) != 0) flip_bit(at / kSectorBits, at % kSectorBits, main, spare);
  }
}

}  // namespace ftlab::hw
