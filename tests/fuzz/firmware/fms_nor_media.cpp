// Any content of a NOR part, mounted by the FMS.
#include "tests/fuzz/firmware/media.h"
#include "tests/fuzz/firmware/nor_damage.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ftlab;
  using namespace ftlab::fuzz;
  static Media<Refusing<FmsOnNor>, NorDamage> media(
      [](const FlashGeometry& geometry, const FmsConfig& config) { return NorDamage(geometry, config); });
  Input in(data, size);
  media.run(in);
  return 0;
}
