// Any content of a NAND part, mounted by the FMS.
#include "tests/fuzz/firmware/media.h"
#include "tests/fuzz/firmware/nand_damage.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ftlab;
  using namespace ftlab::fuzz;
  static Media<Refusing<FmsOnNand>, NandDamage> media(
      [](const FlashGeometry& geometry, const auto&) { return NandDamage(geometry, NandDamage::kFirstVolume); });
  Input in(data, size);
  media.run(in);
  return 0;
}
