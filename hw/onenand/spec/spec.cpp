// Part file to frozen spec: the profile's values replace those of the file, currents become powers.
#include "hw/onenand/spec/spec.h"

#include <algorithm>
#include <bit>

#include "common/input_error.h"
#include "common/toml/toml_file.h"
#include "common/toml/whole_number.h"

namespace ftlab::hw {
namespace {

constexpr const char* kFamily = "flexonenand";
constexpr double kMaxAmps = 10;
constexpr double kMinTimeoutRatio = 1;
constexpr double kMaxTimeoutRatio = 1000;

/// Long enough for any cell, and short enough that a burst of them fits behind the end of the simulated clock.
Ticks short_time(const spec::TomlFile& part, const std::string& key) {
  constexpr double kLongestNs = 100e9;
  return ticks_from_ns(part.get_in(key, "ns", 0, kLongestNs));
}

Ticks not_zero(const spec::TomlFile& part, const std::string& key, Ticks time) {
  if (time <= Ticks::zero()) throw InputError(part.where(key) + "must be longer than nothing (at least 0.1 ns)");
  return time;
}

Ticks positive_time(const spec::TomlFile& part, const std::string& key) {
  return not_zero(part, key, short_time(part, key));
}

/// A number of `key` that stands at `place` and that this run may not use: a file is right whatever profile is chosen.
void check_number(const spec::TomlFile& part, const std::string& place, const std::string& key) {
  if (key == "timing.program_timeout_ratio") {
    (void)part.get_in(place, "1", kMinTimeoutRatio, kMaxTimeoutRatio);
  } else if (key == "bus.sync_setup") {
    (void)short_time(part, place);
  } else if (key.starts_with("timing.") || key.starts_with("bus.")) {
    (void)positive_time(part, place);
  } else if (key.starts_with("power.icc")) {
    (void)part.get_in(place, "A", 0, kMaxAmps);
  } else {
    (void)part.get_quantity(place);
  }
}

/// Puts the chosen profile's values over those of the file; checks that every profile only names keys there are.
void apply_profile(spec::TomlFile& part, const std::string& chosen) {
  for (const std::string& profile : part.keys("profiles")) {
    const std::string table = "profiles." + profile;
    for (const auto& [key, text] : part.texts(table)) {
      const std::string full_key = table + "." + key;
      if (!part.has(key)) throw InputError(part.where(full_key) + "names no key of this part");
      check_number(part, full_key, key);
      if (!part.overridden(key)) check_number(part, key, key);
      if (profile == chosen && !part.overridden(key)) {
        std::string origin = part.where(full_key);
        origin.erase(std::min(origin.find(": "), origin.size()));
        part.set(key, text, origin);
      }
    }
  }
}

std::string choose_profile(const spec::TomlFile& part, std::string_view wanted) {
  const std::vector<std::string> names = onenand_profiles(part);
  if (wanted.empty()) return names.front();
  if (std::find(names.begin(), names.end(), wanted) != names.end()) return std::string(wanted);
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  throw InputError(part.path() + ": no profile '" + std::string(wanted) + "'; there are: " + list);
}

OneNandBusTiming read_bus(const spec::TomlFile& part) {
  OneNandBusTiming t;
  t.async_read = positive_time(part, "bus.async_read");
  t.async_write = positive_time(part, "bus.async_write");
  t.sync_clock = positive_time(part, "bus.sync_clock");
  t.sync_setup = short_time(part, "bus.sync_setup");
  return t;
}

OneNandTiming read_timing(const spec::TomlFile& part) {
  OneNandTiming t;
  const auto time = [&](const std::string& key) { return positive_time(part, "timing." + key); };
  t.transfer = time("transfer");
  const auto with_transfer = [&](const std::string& key) {
    const Ticks total = time(key);
    if (total <= t.transfer) throw InputError(part.where("timing." + key) + "must be longer than timing.transfer");
    return total;
  };
  const Ticks load_mlc = with_transfer("load_mlc");
  t.load = {with_transfer("load_slc"), load_mlc, load_mlc};
  t.recovery_load = with_transfer("recovery_load");
  t.program = {with_transfer("program_slc"), with_transfer("program_lsb"), with_transfer("program_msb")};
  t.erase_slc = time("erase_slc");
  t.erase_mlc = time("erase_mlc");
  t.erase_timeout = time("erase_timeout");
  t.program_timeout_ratio = part.get_in("timing.program_timeout_ratio", "1", kMinTimeoutRatio, kMaxTimeoutRatio);
  t.erase_suspend = time("erase_suspend");
  t.command = time("command");
  t.unlock_all = time("unlock_all");
  t.reset_idle = time("reset_idle");
  t.reset_program = time("reset_program");
  t.reset_erase = time("reset_erase");
  t.boot = time("boot");
  return t;
}

OneNandPower read_power(const spec::TomlFile& part) {
  constexpr double kMicrowatts = 1e6;
  constexpr double kNanowatts = 1e9;
  const auto amps = [&](const char* key) { return part.get_in(std::string("power.") + key, "A", 0, kMaxAmps); };
  const double vcc = part.get_in("power.vcc", "V", 1, 10);
  const double standby = amps("icc_standby");
  const auto above_standby = [&](const char* key) {
    const double current = amps(key);
    if (current < standby) throw InputError(part.where(std::string("power.") + key) + "is less than icc_standby");
    return std::llround((current - standby) * vcc * kMicrowatts);
  };
  OneNandPower p;
  p.async_read_uw = above_standby("icc_async_read");
  p.sync_read_uw = above_standby("icc_sync_read");
  p.async_write_uw = above_standby("icc_async_write");
  p.sync_write_uw = above_standby("icc_sync_write");
  p.load_uw = above_standby("icc_load");
  p.program_uw = above_standby("icc_program");
  p.erase_uw = above_standby("icc_erase");
  p.other_uw = above_standby("icc_other");
  p.standby_nw = std::llround(standby * vcc * kNanowatts);
  return p;
}

OneNandEndurance read_endurance(const spec::TomlFile& part) {
  OneNandEndurance e;
  e.rated_slc = spec::whole_number(part, "endurance.rated_slc", "cycles", 1, 1e9);
  e.rated_mlc = spec::whole_number(part, "endurance.rated_cycles", "cycles", 1, 1e9);
  e.rated_partition = spec::whole_number(part, "endurance.rated_partition", "cycles", 1, 1e9);
  e.median_ratio = part.get_in("endurance.median_ratio", "1", 1, 1000);
  e.spread = part.get_in("endurance.spread", "1", 0, 5);
  e.erase_growth = part.get_in("endurance.erase_growth", "1", 0, 20);
  e.drift_cap = part.get_in("endurance.drift_cap", "1", 0, 20);
  e.program_growth = part.get_in("endurance.program_growth", "1", -1, 20);
  if (1 + e.program_growth * e.drift_cap < 0.25) {
    throw InputError(part.where("endurance.program_growth") +
                     "lets worn pages program in less than a quarter of the fresh time; raise it or lower drift_cap");
  }
  return e;
}

OneNandErrors read_errors(const spec::TomlFile& part) {
  for (const char* key : {"errors.codeword_bytes", "errors.correctable_bits", "errors.move_bits"}) {
    if (!part.has(key)) continue;
    throw InputError(part.where(key) +
                     "the part has its ECC on the die, four bits a sector, and its driver moves data from three on; no "
                     "study changes that");
  }
  const auto rate = [&](const char* key, double max) { return part.get_in(std::string("errors.") + key, "1", 0, max); };
  OneNandErrors e;
  e.base = rate("base", 0.01);
  e.wear = rate("wear", 0.01);
  e.wear_cycles = part.get_in("errors.wear_cycles", "cycles", 1, 1e9);
  e.wear_exponent = rate("wear_exponent", 10);
  e.retention_time = part.get_time("errors.retention_time");
  e.disturb = rate("disturb", 0.01);
  e.factor = {rate("factor_slc", 100), rate("factor_lsb", 100), rate("factor_msb", 100)};
  e.slc_cycle_scale = rate("slc_cycle_scale", 1);
  return e;
}

OneNandBadSegments read_bad_segments(const spec::TomlFile& part, std::uint32_t segments) {
  OneNandBadSegments b;
  b.reserve = spec::whole_number(part, "bad_segments.reserve", "1", 0, segments - 1);
  b.initial_share = part.get_in("bad_segments.initial_share", "1", 0, 1);
  b.weak_share = part.get_in("bad_segments.weak_share", "1", 0, 1);
  return b;
}

}  // namespace

std::vector<std::string> onenand_profiles(const spec::TomlFile& part) {
  std::vector<std::string> names{part.get_string("default_profile")};
  for (std::string& name : part.keys("profiles")) names.push_back(std::move(name));
  return names;
}

OneNandSpec load_onenand_spec(spec::TomlFile& part, std::string_view profile) {
  OneNandSpec spec;
  if (const std::string family = part.get_string("family"); family != kFamily) {
    throw InputError(part.where("family") + "\"" + family +
                     "\" is another kind of part; a Flex-OneNAND has family = \"" + kFamily + "\"");
  }
  spec.name = part.get_string("name");
  spec.title = part.get_string("title");
  spec.profile = choose_profile(part, profile);
  apply_profile(part, spec.profile);
  spec.device_id = static_cast<std::uint16_t>(spec::whole_number(part, "device_id", "1", 0, 0xFFFF));
  spec.version_id = static_cast<std::uint16_t>(spec::whole_number(part, "version_id", "1", 0, 0xFFFF));
  spec.dies = spec::whole_number(part, "dies", "1", 1, 2);
  spec.segments_per_die = spec::whole_number(part, "segments_per_die", "1", 4, 2048);
  if (!std::has_single_bit(spec.segments_per_die)) {
    throw InputError(part.where("segments_per_die") + "must be a power of two, as address bits select it");
  }
  if (((spec.device_id & 0x0008) != 0) != (spec.dies == 2)) {
    throw InputError(part.where("device_id") + "bit 3 says " + ((spec.device_id & 8) != 0 ? "two dies" : "one die") +
                     ", dies says otherwise");
  }
  spec.bus = read_bus(part);
  spec.timing = read_timing(part);
  spec.power = read_power(part);
  spec.endurance = read_endurance(part);
  spec.errors = read_errors(part);
  spec.bad_segments = read_bad_segments(part, spec.segments_per_die);
  const Ticks slowest = std::max(spec.timing.erase_slc, spec.timing.erase_mlc);
  if (spec.timing.erase_timeout < slowest * (1 + spec.endurance.erase_growth * spec.endurance.drift_cap)) {
    throw InputError(part.where("timing.erase_timeout") +
                     "is shorter than an erase of a worn segment; raise it or lower endurance.erase_growth");
  }
  part.finish();
  return spec;
}

}  // namespace ftlab::hw
