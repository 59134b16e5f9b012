// Rows that describe the counters of a struct: name, unit, one sentence, and whether it is a flow or a state.
// Whoever shows, subtracts or documents counters walks the rows; none of them is named a second time. Knows no output
// format; a row lies beside the struct it describes, in firmware, too.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ftlab {

enum class CounterKind : std::uint8_t {
  flow,   ///< only grows: a phase is the difference of two readings
  state,  ///< as of now: the later reading stands
};

template <class Stats>
struct Counter {
  std::string_view name;  ///< key in result.json, dotted where the counter belongs to a section
  std::string_view unit;  ///< empty: a plain number or a share
  std::string_view help;  ///< one sentence, no full stop
  CounterKind kind = CounterKind::flow;
  std::uint64_t (*get)(const Stats&) = nullptr;
  void (*set)(Stats&, std::uint64_t) = nullptr;
  double factor = 1;  ///< units in one step of the member

  [[nodiscard]] constexpr Counter times(double units) const {
    Counter c = *this;
    c.factor = units;
    return c;
  }
  [[nodiscard]] double value(const Stats& stats) const { return static_cast<double>(get(stats)) * factor; }
};

namespace detail {

template <class Stats, class T>
Stats stats_of(T Stats::*);

template <auto Member, class Stats = decltype(stats_of(Member))>
constexpr Counter<Stats> counter_row(std::string_view name, std::string_view unit, std::string_view help,
                                     CounterKind kind) {
  Counter<Stats> c;
  c.name = name;
  c.unit = unit;
  c.help = help;
  c.kind = kind;
  c.get = [](const Stats& stats) { return static_cast<std::uint64_t>(stats.*Member); };
  c.set = [](Stats& stats, std::uint64_t value) {
    stats.*Member = static_cast<std::remove_reference_t<decltype(stats.*Member)>>(value);
  };
  return c;
}

}  // namespace detail

template <auto Member>
constexpr auto flow(std::string_view name, std::string_view unit, std::string_view help) {
  return detail::counter_row<Member>(name, unit, help, CounterKind::flow);
}

template <auto Member>
constexpr auto state(std::string_view name, std::string_view unit, std::string_view help) {
  return detail::counter_row<Member>(name, unit, help, CounterKind::state);
}

/// What happened between two readings; states as of the later one.
template <class Stats, std::size_t n>
Stats between(const Counter<Stats> (&counters)[n], const Stats& before, Stats after) {
  for (const Counter<Stats>& c : counters) {
    if (c.kind == CounterKind::flow) c.set(after, c.get(after) - c.get(before));
  }
  return after;
}

/// Flows less those of `undone`; none gets below zero.
template <class Stats, std::size_t n>
Stats without(const Counter<Stats> (&counters)[n], Stats counted, const Stats& undone) {
  for (const Counter<Stats>& c : counters) {
    if (c.kind == CounterKind::flow) c.set(counted, c.get(counted) - std::min(c.get(counted), c.get(undone)));
  }
  return counted;
}

}  // namespace ftlab
