// Processor time of one choice with the invalidations of a segment's worth of host writes before it, for every
// selection and, as the measure of those that keep something, for a look at every segment; and of where the pages of
// one victim go, with as many host writes before it, for every redistribution.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <string>
#include <vector>

#include "firmware/policy/policies.h"
#include "firmware/policy/select/fewest_valid.h"

namespace ftlab::fms {
namespace {

constexpr std::uint32_t kSlots = 32;

/// A table of sealed segments with pages that come and go; 32 slots each, about 29 of them valid.
class Tables {
 public:
  explicit Tables(std::uint32_t segments, std::uint32_t page_count = 1) : page_count_(page_count) {
    Arena measure(nullptr, 0);
    lay_out(measure, segments);
    memory_.resize(measure.used() / sizeof(std::max_align_t) + 1);
    Arena arena(reinterpret_cast<std::byte*>(memory_.data()), memory_.size() * sizeof(std::max_align_t));
    lay_out(arena, segments);
    table.clear();
    pages.clear();
    for (std::uint32_t id = 0; id < segments; ++id) {
      for (std::uint32_t page = 0; page < kSlots; ++page) table.add_valid(id);
      table.record(id).opened_stamp = id;
      table.set_state(id, SegmentState::sealed);
    }
    for (std::uint32_t i = 0; i < segments * 3; ++i) change();
    for (std::uint32_t lpn = 0; lpn < page_count; ++lpn) write(lpn);
  }
  void write(std::uint32_t lpn) { pages.write(lpn, pages.next_updates(lpn), ++now); }
  void write() { write(next() % page_count_); }
  /// One page of some segment ceases to count, and another one of another segment counts again.
  void change() {
    const auto segments = table.segments();
    const std::uint32_t from = next() % segments;
    if (table.valid(from) > kSlots / 2) table.drop_valid(from);
    const std::uint32_t to = next() % segments;
    if (table.valid(to) < kSlots - 2) table.add_valid(to);
  }
  [[nodiscard]] CleaningView view() { return {table.view(0), pages, now, table.segments(), probe}; }

  SegmentTable table;
  PageTable pages;
  NullProbe probe;
  std::uint64_t now = 0;  ///< host writes

 private:
  void lay_out(Arena& arena, std::uint32_t segments) {
    table.layout(arena, {segments, kSlots});
    table.lists().layout(arena, {segments});
    pages.layout(arena, page_count_, {});
  }
  std::uint32_t next() { return (random_ = random_ * 1664525U + 1013904223U) >> 8; }

  std::vector<std::max_align_t> memory_;
  std::uint32_t page_count_;
  std::uint32_t random_ = 1;
};

template <class Pick>
void choose(benchmark::State& state, Tables& tables, Pick&& pick) {
  for ([[maybe_unused]] auto _ : state) {
    for (std::uint32_t i = 0; i < kSlots; ++i) tables.change();
    benchmark::DoNotOptimize(pick(tables.view()));
  }
}

/// A policy as a layer makes it.
template <class Family>
class Made {
 public:
  Made(const Entry<Family>& entry, Tables& tables) {
    geometry_.segments = tables.table.segments();
    const PolicySetup setup{geometry_, kSlots, tables.pages.size()};
    const PolicyParams params;
    Arena measure(nullptr, 0);
    (void)entry.make(measure, setup, params.of(entry));
    memory_.resize(measure.used() / sizeof(std::max_align_t) + 1);
    Arena arena(reinterpret_cast<std::byte*>(memory_.data()), memory_.size() * sizeof(std::max_align_t));
    policy_ = entry.make(arena, setup, params.of(entry));
    std::vector<std::uint32_t> order(tables.table.segments());
    tables.table.join(0, *policy_, order);
    if (entry.watches_pages) tables.pages.join(*policy_);
  }
  Family* operator->() { return policy_; }

 private:
  FlashGeometry geometry_;
  std::vector<std::max_align_t> memory_;
  Family* policy_ = nullptr;
};

void by_selection(benchmark::State& state, const SelectionEntry& entry, std::uint32_t segments) {
  Tables tables(segments);
  tables.now = segments + 1;
  Made made(entry, tables);
  choose(state, tables, [&](const CleaningView& view) { return made->pick(view); });
}

void by_redistribution(benchmark::State& state, const RedistributionEntry& entry, std::uint32_t segments) {
  Tables tables(segments, segments * (kSlots - 3));
  Made made(entry, tables);
  std::vector<PageMove> moves(kSlots - 3);
  for ([[maybe_unused]] auto _ : state) {
    for (std::uint32_t i = 0; i < kSlots; ++i) tables.write();
    for (std::uint32_t i = 0; i < moves.size(); ++i) moves[i] = {i, static_cast<std::uint16_t>(i), 0, 1};
    made->plan(tables.view(), moves);
    benchmark::DoNotOptimize(moves.data());
  }
}

void by_scan(benchmark::State& state, std::uint32_t segments) {
  Tables tables(segments);
  choose(state, tables, [](const CleaningView& view) { return fewest_valid(view, Ties::lowest_index); });
}

void register_all() {
  for (const std::uint32_t segments : {192U, 1024U, 32768U}) {
    std::string of = "/";
    of += std::to_string(segments);
    benchmark::RegisterBenchmark(("fewest_valid_by_scan" + of).c_str(),
                                 [=](benchmark::State& state) { by_scan(state, segments); });
    for (const SelectionEntry& entry : selections())
      benchmark::RegisterBenchmark((std::string(entry.name) + of).c_str(), [&entry, segments](benchmark::State& state) {
        by_selection(state, entry, segments);
      });
    for (const RedistributionEntry& entry : redistributions())
      benchmark::RegisterBenchmark((std::string(entry.name) + of).c_str(), [&entry, segments](benchmark::State& state) {
        by_redistribution(state, entry, segments);
      });
  }
}

}  // namespace
}  // namespace ftlab::fms

int main(int argc, char** argv) {
  ftlab::fms::register_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
