// Any text as a part file of any family.
#include "hw/array/spec/spec.h"
#include "hw/onenand/spec/spec.h"
#include "hw/series2plus/spec/spec.h"
#include "tests/fuzz/files/data_file.h"

FTLAB_TEXT_MUTATOR(ftlab::fuzz::kTomlWords, 1)

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ftlab;
  static const fuzz::DataFiles parts(FTLAB_DATA_FILES "/hw/parts");
  parts.run(data, size, [](spec::TomlFile& file, std::uint8_t choice) {
    const std::string family = file.has("family") ? file.get_string("family") : "";
    if (family == "series2plus") {
      const auto card = hw::load_card_spec(file, choice < 128 ? hw::Voltage::v5 : hw::Voltage::v3_3);
      fuzz::require(card.segments() > 0 && card.capacity_bytes() == card.pairs * card.pair_bytes(), "a card has bytes");
    } else if (family == "array") {
      const auto part = hw::load_array_spec(file);
      fuzz::require(part.segments % (part.dies() * part.planes) == 0, "segments divide over planes");
      fuzz::require(part.pages() > 0 && part.timing.transfer >= Ticks::zero(), "an array has pages");
    } else {
      const auto part = hw::load_onenand_spec(file);
      fuzz::require(part.segments() > 0 && part.capacity_bytes() > 0, "a part has bytes");
    }
  });
  return 0;
}
