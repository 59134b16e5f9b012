// CellBytes image of a card: what survives without supply. Knows cells and bytes; no command and no time.
#pragma once

#include <iosfwd>
#include <string>

#include "hw/series2plus/aging/wear_model.h"
#include "hw/series2plus/array/cell_bytes.h"
#include "hw/series2plus/spec/spec.h"

namespace ftlab::hw {

void save_card_image(std::ostream& out, const CardSpec& spec, const WearModel& wear, const CellBytes& array);
/// Throws InputError when the image is of another geometry, cut short or damaged, and then changes nothing.
void load_card_image(std::istream& in, const std::string& name, const CardSpec& spec, WearModel& wear,
                     CellBytes& array);

}  // namespace ftlab::hw
