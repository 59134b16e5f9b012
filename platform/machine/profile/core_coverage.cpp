#include "platform/machine/profile/core_coverage.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <utility>

#include "common/input_error.h"
#include "firmware/target/board.h"
#include "platform/machine/core/source_line.h"
#include "platform/machine/profile/lcov.h"

namespace ftlab::platform {
namespace {

bool is_code(const iss::ElfSymbol& symbol) {
  return symbol.function && symbol.address - target::kFlash < target::kFlashBytes;
}

/// Where instructions may begin, in functions of the program, each once.
std::vector<std::uint32_t> addresses_of(const iss::ElfImage& image) {
  std::vector<std::uint32_t> found;
  for (const iss::ElfSymbol& symbol : image.symbols()) {
    if (!is_code(symbol)) continue;
    for (std::uint32_t at = symbol.address; at < symbol.address + std::max(symbol.size, 2U); at += 2)
      found.push_back(at);
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

/// Of each address; without lines of sources that are not here, which nobody could look at: the C library's, mostly.
std::vector<std::vector<SourcePlace>> places_of(const ProgramMemory& memory, std::span<const std::uint32_t> addresses) {
  auto places = source_places(memory.name(), memory.machine(), addresses);
  std::map<std::string, bool> is_here;
  const auto is_away = [&is_here](const SourcePlace& place) {
    const auto [at, is_new] = is_here.try_emplace(place.file);
    std::error_code ignored;
    if (is_new) at->second = std::filesystem::is_regular_file(place.file, ignored);
    return !at->second;
  };
  for (auto& chain : places) std::erase_if(chain, is_away);
  return places;
}

}  // namespace

CoreCoverage::CoreCoverage(CoreProcessor& processor, Sink sink)
    : CoreCoverage(processor, std::move(sink), [&processor](std::span<const std::uint32_t> addresses) {
        return places_of(processor.memory(), addresses);
      }) {
  const ProgramMemory& memory = processor_.memory();
  const auto places = lookup_(addresses_of(memory.image()));
  if (std::ranges::any_of(places, [](const auto& chain) { return !chain.empty(); })) return;
  const std::string tool = addr2line_of(memory.machine());
  throw InputError("--coverage: " + memory.name() + ": " + tool +
                   " names no source of it that is here; compile it with -g, beside its sources, and have " + tool +
                   " installed");
}

CoreCoverage::CoreCoverage(CoreProcessor& processor, Sink sink, Lookup lookup)
    : processor_(processor),
      sink_(std::move(sink)),
      lookup_(std::move(lookup)),
      counts_(target::kFlashBytes / 2),
      executed_(processor) {}

std::uint64_t CoreCoverage::count(std::uint32_t address) const {
  const std::size_t half = (address - target::kFlash) / 2;
  return half < counts_.size() ? counts_[half] : 0;
}

void CoreCoverage::started() { executed_.begin(); }

std::uint64_t CoreCoverage::before_run() {
  count_executed();
  return processor_.core().cycles() + 1;
}

void CoreCoverage::count_executed() {
  const auto at = executed_.follow();
  if (!at) return;
  const std::size_t half = (*at - target::kFlash) / 2;
  if (half < counts_.size()) ++counts_[half];
}

void CoreCoverage::ended() {
  count_executed();
  const ProgramMemory& memory = processor_.memory();
  const std::vector<std::uint32_t> addresses = addresses_of(memory.image());
  const auto places = lookup_(addresses);
  Lcov lcov;
  for (std::size_t i = 0; i < addresses.size(); ++i)
    for (const SourcePlace& place : places[i]) lcov.add_line(place, count(addresses[i]));
  for (const iss::ElfSymbol& symbol : memory.image().symbols()) {
    if (!is_code(symbol)) continue;
    const auto at = std::ranges::lower_bound(addresses, symbol.address) - addresses.begin();
    const auto& chain = places[static_cast<std::size_t>(at)];
    if (!chain.empty()) lcov.add_function(ProgramMemory::whole_name_of(symbol), chain.back(), count(symbol.address));
  }
  sink_(lcov.text());
}

}  // namespace ftlab::platform
