// Every word of a unit holds tag, page, unit and place, so that nothing can stand in for anything else.
#include "tests/powerloss/page_oracle.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ftlab::tests {
namespace {

/// The same bytes on every machine.
constexpr std::uint32_t little_endian(std::uint32_t word) {
  return std::endian::native == std::endian::little ? word : __builtin_bswap32(word);
}

constexpr PageOracle::Version kLost = [] {
  PageOracle::Version version{};
  version.fill(PageOracle::kAnything);
  return version;
}();

std::optional<PageOracle::Version> copy_of(const PageOracle::Version* version) {
  return version == nullptr ? std::nullopt : std::optional(*version);
}

void fill_words(std::uint32_t* into, std::uint32_t words, std::uint32_t tag, std::uint32_t page, std::uint32_t unit) {
  if (tag == 0) {
    std::fill_n(into, words, 0xFFFFFFFFU);
    return;
  }
  const std::uint32_t first = (tag * 0x9E3779B1U) ^ (page << 18 | unit << 16);
  for (std::uint32_t place = 0; place < words; ++place) into[place] = little_endian(first ^ place);
}

}  // namespace

void PageOracle::change(std::uint32_t page, const Version& version, bool durable) {
  see(page, version);
  touched_.push_back({page, durable, last_serial_[page]});
}

void PageOracle::see(std::uint32_t page, const Version& version) {
  older_.push_back({page, last_[page], last_serial_[page]});
  last_[page] = version;
  last_serial_[page] = ++serial_;
}

void PageOracle::begin_write(std::uint32_t unit, std::uint32_t units, std::uint32_t tag, std::vector<std::byte>& data) {
  touched_.clear();
  refused_mixture_ = false;
  data.resize(std::size_t{units} * unit_bytes_);
  std::array<std::uint32_t, kMaxWords> content;
  for (std::uint32_t i = 0; i < units; ++i) {
    fill_words(content.data(), unit_bytes_ / 4, tag, (unit + i) / kUnits, (unit + i) % kUnits);
    std::memcpy(data.data() + std::size_t{i} * unit_bytes_, content.data(), unit_bytes_);
  }
  for (std::uint32_t at = unit; at < unit + units;) {
    const std::uint32_t page = at / kUnits;
    const std::uint32_t end = std::min((page + 1) * kUnits, unit + units);
    Version version = last_[page];
    const bool whole = end - at == kUnits;
    for (; at < end; ++at) version[at % kUnits] = tag;
    change(page, version, whole || !rules_.parts_need_flush);
  }
}

void PageOracle::begin_trim(std::uint32_t page, std::uint32_t pages) {
  touched_.clear();
  refused_mixture_ = false;
  for (std::uint32_t i = page; i < page + pages; ++i) change(i, Version{}, !rules_.trims_need_flush);
}

void PageOracle::forget_before(std::uint32_t page, std::uint32_t serial) {
  std::erase_if(older_, [&](const Older& older) { return older.page == page && older.serial < serial; });
}

void PageOracle::acknowledge(const Changes& changes) {
  for (const Touched& touched : changes)
    if (touched.durable) forget_before(touched.page, touched.serial);
}

void PageOracle::acknowledge() {
  acknowledge(touched_);
  touched_.clear();
}

bool PageOracle::holds(std::span<const std::byte> bytes, std::uint32_t page, const Version& version) const {
  std::array<std::uint32_t, kMaxWords> expected;
  const std::uint32_t words = unit_bytes_ / 4;
  for (std::uint32_t unit = 0; unit < kUnits; ++unit) {
    if (version[unit] == kAnything) continue;
    fill_words(expected.data(), words, version[unit], page, unit);
    if (std::memcmp(bytes.data() + std::size_t{unit} * unit_bytes_, expected.data(), unit_bytes_) != 0) return false;
  }
  return true;
}

const PageOracle::Version* PageOracle::find(std::span<const std::byte> bytes, std::uint32_t page) const {
  if (holds(bytes, page, last_[page])) return &last_[page];
  for (const Older& older : older_)
    if (older.page == page && holds(bytes, page, older.version)) return &older.version;
  return nullptr;
}

std::optional<PageOracle::Version> PageOracle::mixture(std::span<const std::byte> bytes, std::uint32_t page) const {
  Version mixed{};
  std::array<std::uint32_t, kMaxWords> expected;
  const std::uint32_t words = unit_bytes_ / 4;
  for (std::uint32_t unit = 0; unit < kUnits; ++unit) {
    const auto is = [&](std::uint32_t tag) {
      if (tag == kAnything) return true;
      fill_words(expected.data(), words, tag, page, unit);
      return std::memcmp(bytes.data() + std::size_t{unit} * unit_bytes_, expected.data(), unit_bytes_) == 0;
    };
    bool known = is(mixed[unit] = last_[page][unit]);
    for (std::size_t i = 0; i < older_.size() && !known; ++i)
      known = older_[i].page == page && is(mixed[unit] = older_[i].version[unit]);
    if (!known) return std::nullopt;
  }
  return mixed;
}

std::string PageOracle::refused(Ftl& ftl) {
  std::vector<std::byte> bytes(std::size_t{unit_bytes_} * kUnits);
  for (const Touched& touched : touched_) {
    const bool lost = is_exposed(touched.page) || was_lost(touched.page);
    if (ftl.read(std::uint64_t{touched.page} * bytes.size(), bytes, 0) != FtlStatus::ok) {
      if (!lost) return "page " + std::to_string(touched.page) + " cannot be read after a refused request";
      lose(touched.page);
      continue;
    }
    const std::optional<Version> found =
        refused_mixture_ ? mixture(bytes, touched.page) : copy_of(find(bytes, touched.page));
    if (!found && !lost) return "page " + std::to_string(touched.page) + " is neither old nor new";
    found ? see(touched.page, *found) : lose(touched.page);
  }
  touched_.clear();
  return {};
}

PageOracle::Found PageOracle::look_at(Ftl& ftl, std::uint32_t page) const {
  std::vector<std::byte> bytes(std::size_t{unit_bytes_} * kUnits);
  if (ftl.read(std::uint64_t{page} * bytes.size(), bytes, 0) != FtlStatus::ok) return Found::reported;
  return find(bytes, page) != nullptr ? Found::right : Found::wrong;
}

bool PageOracle::is_exposed(std::uint32_t page) const { return std::ranges::find(exposed_, page) != exposed_.end(); }

bool PageOracle::was_lost(std::uint32_t page) const {
  const auto lost = [page](const Older& older) { return older.page == page && older.version == kLost; };
  return last_[page] == kLost || std::ranges::any_of(older_, lost);
}

bool PageOracle::is_on_lost_page() const {
  return std::ranges::any_of(touched_, [this](const Touched& touched) { return was_lost(touched.page); });
}

void PageOracle::lose(std::uint32_t page) {
  if (is_exposed(page)) ++exposed_and_lost_;
  see(page, kLost);
}

std::string PageOracle::check(Ftl& ftl, bool any_version) {
  std::vector<std::byte> bytes(std::size_t{unit_bytes_} * kUnits);
  for (std::uint32_t page = 0; page < pages(); ++page) {
    const bool exposed = is_exposed(page);
    const bool lost = exposed || (any_version ? was_lost(page) : last_[page] == kLost);
    const FtlStatus status = ftl.read(std::uint64_t{page} * bytes.size(), bytes, 0);
    if (status != FtlStatus::ok && !lost) return "page " + std::to_string(page) + " cannot be read";
    if (status == FtlStatus::ok && holds(bytes, page, last_[page])) continue;
    const Version* found = status == FtlStatus::ok && (any_version || exposed) ? find(bytes, page) : nullptr;
    if (found == nullptr && !lost) return "page " + std::to_string(page) + " is wrong";
    found != nullptr ? see(page, Version(*found)) : lose(page);
  }
  exposed_.clear();
  return {};
}

std::string PageOracle::check_mounted(Ftl& ftl, bool doubts_stay) {
  const std::vector<std::uint32_t> exposed = exposed_;
  std::string wrong = check(ftl, true);
  touched_.clear();
  if (!doubts_stay) older_.clear();
  // Cells that read differently each time are whatever they like.
  if (doubts_stay)
    for (const std::uint32_t page : exposed) see(page, kLost);
  return wrong;
}

}  // namespace ftlab::tests
