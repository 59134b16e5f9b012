// Part file to frozen spec: currents become powers, geometry is held to what the bus and the CIS can express.
#include "hw/series2plus/spec/spec.h"

#include <bit>
#include <string>

#include "common/input_error.h"
#include "common/toml/toml_file.h"
#include "common/toml/whole_number.h"
#include "hw/series2plus/spec/cis.h"

namespace ftlab::hw {
namespace {

constexpr std::uint64_t kAddressSpaceMib = 64;  // 26 address lines

std::uint32_t power_of_two(const spec::TomlFile& part, const std::string& key, const std::string& unit, double min,
                           double max) {
  const std::uint32_t value = spec::whole_number(part, key, unit, min, max);
  if (!std::has_single_bit(value)) {
    throw InputError(part.where(key) + "must be a power of two, as address lines select it; nearest are " +
                     std::to_string(std::bit_floor(value)) + " and " + std::to_string(std::bit_ceil(value)));
  }
  return value;
}

void read_geometry(const spec::TomlFile& part, CardSpec& spec) {
  const std::uint32_t capacity_mib = spec::whole_number(part, "capacity_mib", "MiB", 1, kAddressSpaceMib);
  const std::uint32_t segment_kib = power_of_two(part, "segment_kib", "KiB", 4, 4096);
  const std::uint32_t pair_mib = power_of_two(part, "pair_mib", "MiB", 1, kAddressSpaceMib);
  if (capacity_mib % pair_mib != 0) {
    throw InputError(part.where("capacity_mib") + std::to_string(capacity_mib) +
                     " MiB is no whole number of component pairs of " + std::to_string(pair_mib) +
                     " MiB; change capacity_mib or pair_mib");
  }
  if (segment_kib > pair_mib * 1024) {
    throw InputError(part.where("segment_kib") + "a segment of " + std::to_string(segment_kib) +
                     " KiB does not fit into a component pair of " + std::to_string(pair_mib) + " MiB");
  }
  if (!device_size_byte(std::uint64_t{capacity_mib} * kMiB)) {
    throw InputError(part.where("capacity_mib") + "a card's CIS cannot state " + std::to_string(capacity_mib) +
                     " MiB; take an even number or at most 16");
  }
  spec.segment_bytes = static_cast<std::uint32_t>(segment_kib * kKiB);
  spec.segments_per_pair = pair_mib * 1024 / segment_kib;
  spec.pairs = capacity_mib / pair_mib;
}

/// Long enough for any cell, and short enough that a burst of them fits behind the end of the simulated clock.
Ticks short_time(const spec::TomlFile& part, const std::string& key) {
  constexpr double kLongestNs = 100e9;
  return ticks_from_ns(part.get_in(key, "ns", 0, kLongestNs));
}

Ticks positive_time(const spec::TomlFile& part, const std::string& key) {
  const Ticks time = short_time(part, key);
  if (time <= Ticks::zero()) throw InputError(part.where(key) + "must be longer than nothing (at least 0.1 ns)");
  return time;
}

CardTiming read_timing(const spec::TomlFile& part, const std::string& table) {
  CardTiming t;
  const auto time = [&](const char* key) { return positive_time(part, table + key); };
  t.common_cycle = time("common_cycle");
  t.attribute_cycle = time("attribute_cycle");
  t.word_program = time("word_program");
  t.buffer_program_byte = time("buffer_program_byte");
  t.erase = time("erase");
  t.erase_timeout = time("erase_timeout");
  t.program_timeout_ratio = part.get_in(table + "program_timeout_ratio", "1", 1, 1000);
  t.lock_program = time("lock_program");
  t.upload = time("upload");
  t.erase_suspend = time("erase_suspend");
  t.auto_suspend = time("auto_suspend");
  t.wake = time("wake");
  t.generator_rise = time("generator_rise");
  t.ready_pulse = time("ready_pulse");
  if (t.erase_timeout < t.erase) {
    throw InputError(part.where(table + "erase_timeout") + "is shorter than erase; a fresh segment would fail");
  }
  return t;
}

/// Amperes times volts, as whole units of `scale` per watt.
std::int64_t in_units(double watts, double scale) { return std::llround(watts * scale); }

CardPower read_power(const spec::TomlFile& part, const std::string& table) {
  constexpr double kMicro = 1e6;
  constexpr double kNano = 1e9;
  const auto amps = [&](const char* key) { return part.get_in(table + key, "A", 0, 10); };
  const double vcc = part.get_in(table + "vcc", "V", 1, 10);
  const double vpp = part.get_in(table + "vpp", "V", 1, 20);
  const double efficiency = part.get_in(table + "generator_efficiency", "1", 0.01, 1);
  const double icc_standby = amps("icc_standby");
  const double ipp_standby = amps("ipp_standby");
  const auto vcc_watts = [&](const char* key) {
    const double current = amps(key);
    if (current < icc_standby) throw InputError(part.where(table + key) + "is less than icc_standby");
    return (current - icc_standby) * vcc;
  };
  const auto both = [&](double vcc_part, double vpp_part, double scale) {
    return PowerBySource{in_units(vcc_part + vpp_part, scale), in_units(vcc_part + vpp_part / efficiency, scale)};
  };
  const auto vpp_watts = [&](const char* key) {
    const double current = amps(key);
    if (current < ipp_standby) throw InputError(part.where(table + key) + "is less than ipp_standby");
    return (current - ipp_standby) * vpp;
  };
  CardPower p;
  p.read_uw = in_units(vcc_watts("icc_read"), kMicro);
  p.write_uw = in_units(vcc_watts("icc_write"), kMicro);
  p.attribute_uw = in_units(amps("icc_attribute") * vcc, kMicro);
  p.program_uw = both(vcc_watts("icc_program"), vpp_watts("ipp_program"), kMicro);
  p.erase_uw = both(vcc_watts("icc_erase"), vpp_watts("ipp_erase"), kMicro);
  p.suspended_uw = both(vcc_watts("icc_suspend"), vpp_watts("ipp_suspend"), kMicro);
  p.standby_nw = in_units(icc_standby * vcc, kNano);
  p.sleep_nw = in_units(amps("icc_sleep") * vcc, kNano);
  p.vpp_standby_nw = both(0, ipp_standby * vpp, kNano);
  return p;
}

void refuse_what_cards_have_not(const spec::TomlFile& part) {
  constexpr std::pair<std::string_view, std::string_view> kReasons[] = {
      {"errors",
       "a card has no bit errors to draw: its data sheet gives no rate of them, and nothing on it corrects any; its "
       "segments wear out by [endurance]"},
      {"endurance.drift_cap", "times of a card go on growing with its cycles: no source gives an end of that"},
      {"endurance.rated_slc", "the segments of a card are all of one kind; it has endurance.rated_cycles alone"},
      {"endurance.rated_partition", "the segments of a card are all of one kind; it has endurance.rated_cycles alone"}};
  for (const auto& [key, reason] : kReasons) {
    if (part.has(key)) throw InputError(part.where(key) + std::string(reason));
  }
}

CardEndurance read_endurance(const spec::TomlFile& part) {
  CardEndurance e;
  e.rated_cycles = spec::whole_number(part, "endurance.rated_cycles", "cycles", 1, 1e9);
  e.median_cycles = e.rated_cycles * part.get_in("endurance.median_ratio", "1", 1, 1000);
  e.spread = part.get_in("endurance.spread", "1", 0, 5);
  e.erase_growth = part.get_in("endurance.erase_growth", "1", 0, 20);
  e.program_growth = part.get_in("endurance.program_growth", "1", 0, 20);
  return e;
}

}  // namespace

const char* name_of(Voltage vcc) { return vcc == Voltage::v5 ? "5V" : "3V3"; }

CardSpec load_card_spec(spec::TomlFile& part, Voltage vcc) {
  CardSpec spec;
  if (const std::string family = part.get_string("family"); family != "series2plus") {
    throw InputError(part.where("family") + "\"" + family +
                     "\" is another kind of part; a Series 2+ card has family = \"series2plus\"");
  }
  spec.name = part.get_string("name");
  spec.title = part.get_string("title");
  spec.cis_product = part.get_string("cis_product");
  if (spec.cis_product.size() > 64) throw InputError(part.where("cis_product") + "is longer than 64 characters");
  spec.device_revision = static_cast<std::uint8_t>(spec::whole_number(part, "device_revision", "1", 0, 255));
  spec.vcc = vcc;
  read_geometry(part, spec);
  // Both voltages are read, so that a mistake in either shows at once.
  for (const Voltage voltage : {Voltage::v5, Voltage::v3_3}) {
    const std::string name = name_of(voltage);
    const CardTiming timing = read_timing(part, "timing." + name + ".");
    const CardPower power = read_power(part, "power." + name + ".");
    if (voltage != vcc) continue;
    spec.timing = timing;
    spec.power = power;
  }
  spec.endurance = read_endurance(part);
  if (spec.timing.erase_timeout < spec.timing.erase * (1 + spec.endurance.erase_growth)) {
    throw InputError(
        part.where("endurance.erase_growth") +
        "makes an erase at endurance.rated_cycles longer than erase_timeout; lower it or raise the latter");
  }
  refuse_what_cards_have_not(part);
  part.finish();
  return spec;
}

}  // namespace ftlab::hw
