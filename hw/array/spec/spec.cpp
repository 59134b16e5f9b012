// Part file to frozen spec: currents become powers, rates become times of a page.
#include "hw/array/spec/spec.h"

#include <bit>
#include <span>
#include <string_view>

#include "common/input_error.h"
#include "common/toml/toml_file.h"
#include "common/toml/whole_number.h"
#include "hw/array/spec/erase_step_keys.h"
#include "hw/array/spec/power_law_keys.h"
#include "hw/array/spec/read_distribution_keys.h"
#include "hw/array/spec/read_retry_keys.h"

namespace ftlab::hw {
namespace {

constexpr const char* kFamily = "array";
constexpr Ticks kMaxTime = std::chrono::milliseconds{100};  // what is kept of an operation under way has 32 bits for it

Ticks short_time(const spec::TomlFile& part, const std::string& key) {
  const Ticks time = part.get_time(key);
  if (time < Ticks::zero() || time > kMaxTime) throw InputError(part.where(key) + "must be from 0 to 100 ms");
  return time;
}

Ticks positive_time(const spec::TomlFile& part, const std::string& key) {
  const Ticks time = short_time(part, key);
  if (time == Ticks::zero()) throw InputError(part.where(key) + "must be longer than nothing (at least 0.1 ns)");
  return time;
}

std::string segments_that_fit(std::uint32_t segments, std::uint32_t units) {
  const std::uint32_t below = segments / units * units;
  return (below > 0 ? std::to_string(below) + " or " : "") + std::to_string(below + units);
}

void read_geometry(const spec::TomlFile& part, ArraySpec& spec) {
  spec.channels = spec::whole_number(part, "channels", "1", 1, 64);
  spec.dies_per_channel = spec::whole_number(part, "dies_per_channel", "1", 1, 64);
  spec.planes = spec::whole_number(part, "planes", "1", 1, 16);
  spec.segments = spec::whole_number(part, "segments", "1", 1, 1e8);
  spec.pages_per_segment = spec::whole_number(part, "pages_per_segment", "1", 1, 0xFFFF);
  spec.page_bytes = spec::whole_number(part, "page_bytes", "B", 512, 65536);
  if (part.has_quantity("spare_bytes", "B")) spec.spare_bytes = spec::whole_number(part, "spare_bytes", "B", 0, 65536);
  spec.bits_per_cell = spec::whole_number(part, "bits_per_cell", "1", 1, kMaxPageTypes);
  if (const std::uint32_t units = spec.dies() * spec.planes; spec.segments % units != 0) {
    throw InputError(part.where("segments") + std::to_string(spec.segments) + " do not divide over " +
                     std::to_string(spec.dies()) + " dies of " + std::to_string(spec.planes) + " planes; take " +
                     segments_that_fit(spec.segments, units));
  }
  if (std::uint64_t{spec.segments} * spec.pages_per_segment > array::kNoPage) {
    throw InputError(part.where("segments") + "times pages_per_segment is more than 32 bits can count; take fewer");
  }
  if (spec.page_bytes % 2 != 0) throw InputError(part.where("page_bytes") + "must be even");
  spec.wordline_pages = spec::whole_number(part, "wordline_pages", "1", 1, kMaxPageTypes);
  if (spec.wordline_pages != 1 && spec.wordline_pages != spec.bits_per_cell) {
    throw InputError(part.where("wordline_pages") + "must be " + std::to_string(spec.bits_per_cell) +
                     " (bits_per_cell), or 1 where a wordline is programmed at once");
  }
}

/// What one program takes, and what works as one. Parts that say nothing program page by page and plane by plane.
void read_program_unit(const spec::TomlFile& part, ArraySpec& spec) {
  if (part.has_quantity("one_shot_pages", "1")) {
    spec.one_shot_pages = spec::whole_number(part, "one_shot_pages", "1", 1, kMaxPageTypes);
    if (spec.one_shot_pages != 1 && spec.one_shot_pages != spec.bits_per_cell) {
      throw InputError(part.where("one_shot_pages") + "must be " + std::to_string(spec.bits_per_cell) +
                       " (bits_per_cell), or 1 where pages of a wordline are programmed one by one");
    }
    if (spec.one_shot_pages != 1 && spec.wordline_pages != 1)
      throw InputError(part.where("wordline_pages") + "must be 1 with one_shot_pages: one program takes a wordline");
    if (spec.pages_per_segment % spec.one_shot_pages != 0)
      throw InputError(part.where("pages_per_segment") + "must be whole wordlines of one_shot_pages");
  }
  if (!part.has_quantity("planes_at_once", "1")) return;
  const std::uint32_t planes = spec::whole_number(part, "planes_at_once", "1", 1, 16);
  if (planes != 1 && planes != spec.planes) {
    throw InputError(part.where("planes_at_once") +
                     (spec.planes == 1
                          ? "must be 1: a die of this part has one plane (planes)"
                          : "must be " + std::to_string(spec.planes) + " (planes), or 1 where each works by itself"));
  }
  spec.planes_at_once = planes;
}

/// A segment is a block of each plane from here on.
void join_planes(const spec::TomlFile& part, ArraySpec& spec) {
  const std::uint32_t planes = spec.planes_at_once;
  spec.pages_at_once = planes * spec.one_shot_pages;
  if (planes == 1) return;
  spec.planes = 1;
  spec.segments /= planes;
  if (std::uint64_t{spec.pages_per_segment} * planes > 0xFFFF)
    throw InputError(part.where("planes_at_once") + "times pages_per_segment is more than 65,535 pages; take fewer");
  spec.pages_per_segment *= planes;
}

template <class Value>
Value one_of(const spec::TomlFile& part, const std::string& key,
             std::span<const std::pair<std::string_view, Value>> values) {
  const std::string chosen = part.get_string(key);
  std::string names;
  for (const auto& [name, value] : values) {
    if (chosen == name) return value;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  throw InputError(part.where(key) + "'" + chosen + "' is none of " + names);
}

void read_controller(const spec::TomlFile& part, ArraySpec& spec) {
  constexpr std::pair<std::string_view, array::Content> kContents[] = {
      {"none", array::Content::none}, {"tag", array::Content::tag}, {"bytes", array::Content::bytes}};
  constexpr std::pair<std::string_view, OpenWordlines> kOpenWordlines[] = {
      {"lost", OpenWordlines::lost}, {"capacitors", OpenWordlines::capacitors}, {"backup", OpenWordlines::backup}};
  spec.content = one_of<array::Content>(part, "content", kContents);
  spec.open_wordlines = one_of<OpenWordlines>(part, "controller.open_wordlines", kOpenWordlines);
  spec.buffer_slots = spec::whole_number(part, "controller.buffer_slots", "1", 1, 4096);
  const char* const protection = "controller.power_loss_protection";
  spec.power_loss_protection = part.has(protection) && part.get_bool(protection);
  // What feeds a program of new data feeds one of the page before.
  if (spec.power_loss_protection && spec.open_wordlines == OpenWordlines::lost)
    spec.open_wordlines = OpenWordlines::capacitors;
  spec.timing.descriptor = positive_time(part, "controller.descriptor");
  spec.timing.word = positive_time(part, "controller.word");
}

Ticks optional_time(const spec::TomlFile& part, const std::string& key) {
  return part.has_quantity(key, "us") ? short_time(part, key) : Ticks::zero();
}

/// `channel.command` stands for those of all operations that a part does not name.
void read_cycles(const spec::TomlFile& part, ArrayCycles& cycles) {
  const Ticks any = short_time(part, "channel.command");
  const auto of = [&](const char* key) { return part.has_quantity(key, "us") ? short_time(part, key) : any; };
  cycles.read = of("channel.read_command");
  cycles.program = of("channel.program_command");
  cycles.erase = of("channel.erase_command");
  cycles.read_more = optional_time(part, "channel.further_read");
  cycles.load_more = optional_time(part, "channel.further_load");
  cycles.output = optional_time(part, "channel.output");
  cycles.output_more = optional_time(part, "channel.further_output");
}

void read_timing(const spec::TomlFile& part, ArraySpec& spec) {
  ArrayTiming& t = spec.timing;
  const std::string kWordline = "timing.program";
  const bool by_wordline = spec.one_shot_pages > 1;
  // Times of the other way to program stay where a study changes what one program takes.
  if (!part.has_quantity(kWordline, "us") && by_wordline)
    throw InputError(part.where("one_shot_pages") + "needs timing.program, the time of a wordline's program");
  for (std::uint32_t type = 0; type < spec.bits_per_cell; ++type) {
    const std::string name(spec.type_name(type));
    t.read[type] = positive_time(part, "timing.read_" + name);
    const std::string of_page = "timing.program_" + name;
    (void)part.has_quantity(of_page, "us");
    t.program[type] = positive_time(part, by_wordline ? kWordline : of_page);
  }
  t.read_part = optional_time(part, "timing.read_part");
  t.read_planes = optional_time(part, "timing.read_planes");
  read_read_distribution(part, t);
  t.erase = positive_time(part, "timing.erase");
  t.read_cache = optional_time(part, "timing.read_cache");
  t.suspend = short_time(part, "timing.suspend");
  t.program_left = optional_time(part, "timing.suspend_program_left");
  t.erase_left = optional_time(part, "timing.suspend_erase_left");
  t.resume = short_time(part, "timing.resume");
  read_cycles(part, t.cycles);
  const double rate = part.get_in("channel.rate", "B/s", 1e6, 1e11);
  t.transfer = ticks_from_ns((spec.page_bytes + spec.spare_bytes) / rate * 1e9);
}

void read_power(const spec::TomlFile& part, ArraySpec& spec) {
  constexpr double kMicrowatts = 1e6;
  constexpr double kNanowatts = 1e9;
  const auto amps = [&](const char* key) { return part.get_in(std::string("power.") + key, "A", 0, 10); };
  const double vcc = part.get_in("power.vcc", "V", 1, 10);
  const double standby = amps("icc_standby");
  const auto above_standby = [&](const char* key) {
    const double current = amps(key);
    if (current < standby) throw InputError(part.where(std::string("power.") + key) + "is less than icc_standby");
    return std::llround((current - standby) * vcc * kMicrowatts);
  };
  spec.power.read_uw = above_standby("icc_read");
  spec.power.program_uw = above_standby("icc_program");
  spec.power.erase_uw = above_standby("icc_erase");
  spec.power.standby_nw = std::llround(standby * vcc * kNanowatts);
  if (part.has_quantity("power.further_plane", "1"))
    spec.power.further_plane = part.get_in("power.further_plane", "1", 0, 1);
  const auto of_page = [&](double byte) {
    return Picojoules{std::llround(byte * (spec.page_bytes + spec.spare_bytes))};
  };
  const auto optional_byte = [&](const char* key) {
    return part.has_quantity(key, "pJ") ? part.get_in(key, "pJ", 0, 1e6) : 0.0;
  };
  spec.power.transfer =
      of_page(part.get_in("channel.energy_per_byte", "pJ", 0, 1e6) + optional_byte("power.ram_per_byte"));
  spec.power.decode = of_page(optional_byte("power.decoder_per_byte"));
}

ArrayEndurance read_endurance(const spec::TomlFile& part) {
  ArrayEndurance e;
  e.rated_cycles = spec::whole_number(part, "endurance.rated_cycles", "cycles", 1, 1e9);
  e.median_ratio = part.get_in("endurance.median_ratio", "1", 1, 1000);
  e.spread = part.get_in("endurance.spread", "1", 0, 5);
  e.drift_cap = part.get_in("endurance.drift_cap", "1", 0, 20);
  for (const auto& [name, growth] :
       {std::pair{"program_growth", &e.program_growth}, std::pair{"erase_growth", &e.erase_growth}}) {
    const std::string key = std::string("endurance.") + name;
    *growth = part.get_in(key, "1", -1, 20);
    if (const double worn = 1 + *growth * e.drift_cap; worn < 0.25 || worn > 2.5) {
      throw InputError(part.where(key) +
                       "takes times of worn segments out of 0.25 to 2.5 times the fresh ones; "
                       "change it or lower drift_cap");
    }
  }
  return e;
}

void refuse_what_arrays_have_not(const spec::TomlFile& part) {
  constexpr std::pair<std::string_view, std::string_view> kReasons[] = {
      {"endurance.rated_slc", "all segments of an array hold bits_per_cell bits a cell"},
      {"errors.slc_cycle_scale", "all segments of an array hold bits_per_cell bits a cell"},
      {"endurance.rated_partition", "an array has no segment of partition information"}};
  for (const auto& [key, reason] : kReasons) {
    if (part.has(key)) throw InputError(part.where(key) + std::string(reason));
  }
}

ArrayErrors read_errors(const spec::TomlFile& part, const ArraySpec& spec) {
  ArrayErrors e;
  e.base = part.get_in("errors.base", "1", 0, 0.01);
  e.wear = part.get_in("errors.wear", "1", 0, 0.01);
  e.wear_cycles = part.get_in("errors.wear_cycles", "cycles", 0, 1e9);
  if (e.wear_cycles == 0) e.wear_cycles = spec.endurance.rated_cycles;
  e.wear_exponent = part.get_in("errors.wear_exponent", "1", 0, 10);
  e.retention_time = part.get_time("errors.retention_time");
  e.disturb = part.get_in("errors.disturb", "1", 0, 0.01);
  for (std::uint32_t type = 0; type < spec.bits_per_cell; ++type) {
    const std::string name(spec.type_name(type));
    e.factor[type] = part.get_in("errors.factor_" + name, "1", 0, 100);
  }
  e.codeword_bytes = spec::whole_number(part, "errors.codeword_bytes", "B", 256, spec.page_bytes);
  e.correctable_bits = spec::whole_number(part, "errors.correctable_bits", "bits", 0, 1000);
  e.move_bits = spec::whole_number(part, "errors.move_bits", "bits", 0, 1000);
  if (e.move_bits > e.correctable_bits) {
    throw InputError(part.where("errors.move_bits") + std::to_string(e.move_bits) +
                     " is more than a codeword can correct, so that no read would ever say it; use at most " +
                     std::to_string(e.correctable_bits) + " (errors.correctable_bits), or 0 for never");
  }
  if (spec.page_bytes % e.codeword_bytes != 0) {
    throw InputError(part.where("errors.codeword_bytes") + "must divide page_bytes");
  }
  read_power_law(part, e);
  return e;
}

void read_variation(const spec::TomlFile& part, ArraySpec& spec) {
  ArrayVariation& v = spec.variation;
  v.die = part.get_in("variation.die", "1", 0, 0.2);
  v.segment = part.get_in("variation.segment", "1", 0, 0.2);
  if (part.has_quantity("variation.errors", "1")) v.errors = part.get_in("variation.errors", "1", 0, 2);
  if (part.has_quantity("layers", "1")) spec.layers = spec::whole_number(part, "layers", "1", 0, 1000);
  if (!part.has_quantity("variation.layers", "1")) return;
  v.layers = part.get_in("variation.layers", "1", 0, 2);
  if (v.layers > 0 && spec.layers < 2) {
    throw InputError(
        part.where("variation.layers") +
        "is how layers differ, and the part has none to tell apart; say how many in layers, or set it to 0");
  }
}

void refuse_variation_of_nothing(const spec::TomlFile& part, const ArraySpec& spec) {
  if (spec.errors.any()) return;
  for (const auto& [key, sigma] :
       {std::pair{"variation.errors", spec.variation.errors}, std::pair{"variation.layers", spec.variation.layers}}) {
    if (sigma == 0) continue;
    throw InputError(part.where(key) +
                     "is how bit errors differ, and the part has none; give it some in errors, or set " + key +
                     " to 0");
  }
}

}  // namespace

std::optional<ArraySpec> in_units(const ArraySpec& part, std::uint32_t unit_bytes, std::string& reason) {
  if (unit_bytes == 0 || part.page_bytes % unit_bytes != 0 || !std::has_single_bit(part.page_bytes / unit_bytes) ||
      part.page_bytes / unit_bytes > kMaxUnitsOfPage) {
    reason = "a page of the part has " + std::to_string(part.page_bytes) +
             " bytes, and a unit is that, or a half to a sixteenth of it";
    return std::nullopt;
  }
  const std::uint32_t count = part.page_bytes / unit_bytes;
  if (unit_bytes % part.errors.codeword_bytes != 0) {
    reason = "codewords of " + std::to_string(part.errors.codeword_bytes) + " bytes do not fit a unit of so many bytes";
    return std::nullopt;
  }
  if (std::uint64_t{part.pages_per_segment} * count > 0xFFFF || std::uint64_t{part.pages()} * count > array::kNoPage) {
    reason = "more units than can be counted (65,535 in a segment, 2^32 in all)";
    return std::nullopt;
  }
  if (part.pages_at_once * count > kMaxPagesAtOnce) {
    reason = "more than " + std::to_string(kMaxPagesAtOnce) + " units in what the part programs at once";
    return std::nullopt;
  }
  ArraySpec spec = part;
  spec.page_bytes = unit_bytes;
  spec.units_of_page = count;
  spec.pages_per_segment *= count;
  spec.pages_at_once *= count;
  spec.timing.transfer = part.timing.transfer / count;
  spec.power.transfer = Picojoules{part.power.transfer.count() / count};
  spec.power.decode = Picojoules{part.power.decode.count() / count};
  spec.buffer_slots *= count;
  return spec;
}

ArraySpec load_array_spec(spec::TomlFile& part) {
  ArraySpec spec;
  if (const std::string family = part.get_string("family"); family != kFamily) {
    throw InputError(part.where("family") + "\"" + family + "\" is another kind of part; an array has family = \"" +
                     kFamily + "\"");
  }
  spec.name = part.get_string("name");
  spec.title = part.get_string("title");
  read_geometry(part, spec);
  read_program_unit(part, spec);
  read_controller(part, spec);
  read_timing(part, spec);
  read_power(part, spec);
  spec.endurance = read_endurance(part);
  read_erase_steps(part, spec);
  read_variation(part, spec);
  spec.errors = read_errors(part, spec);
  refuse_variation_of_nothing(part, spec);
  read_read_retry(part, spec);
  refuse_what_arrays_have_not(part);
  spec.initial_bad_share = part.get_in("bad_segments.initial_share", "1", 0, 0.5);
  join_planes(part, spec);
  part.finish();
  return spec;
}

}  // namespace ftlab::hw
