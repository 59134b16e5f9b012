// What a study may choose about a Series 2+ card beside the numbers of its part file. Knows no file syntax.
#pragma once

#include "common/fields.h"
#include "hw/series2plus/spec/spec.h"

namespace ftlab::hw {

struct CardChoices {
  Voltage voltage = Voltage::v5;
};

inline constexpr EnumName<Voltage> kVoltages[] = {{"5V", Voltage::v5}, {"3.3V", Voltage::v3_3}};

/// The keys of a study that set it.
inline constexpr Field<CardChoices> kCardFields[] = {
    choice_field<&CardChoices::voltage, kVoltages>(
        "voltage", "supply voltage of a Series 2+ card; selects its timings and currents"),
};

}  // namespace ftlab::hw
