// Any text as the file of a host machine.
#include "platform/files/host_file.h"
#include "tests/fuzz/files/data_file.h"

FTLAB_TEXT_MUTATOR(ftlab::fuzz::kTomlWords, 1)

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ftlab;
  static const fuzz::DataFiles hosts(FTLAB_DATA_FILES "/platform/hosts");
  hosts.run(data, size, [](const spec::TomlFile& file, std::uint8_t) {
    const auto host = platform::load_processor_profile(file);
    fuzz::require(host.bus_read_cycle > Ticks::zero() && host.timer_tick > Ticks::zero(), "time passes on a host");
  });
  return 0;
}
