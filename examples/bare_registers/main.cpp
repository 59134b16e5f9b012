// bare_registers PART.toml: erases, programs and reads a Series 2+ card by its registers, printing what each step
// costs.
#include <cstdio>
#include <systemc>

#include "common/input_error.h"
#include "common/toml/toml_file.h"
#include "hw/series2plus/core.h"
#include "hw/series2plus/shell.h"
#include "testbench.h"

namespace {

int run(const char* part_file) {
  // One tick of ftlab is 100 ps; to be set before the first module is made.
  sc_core::sc_set_time_resolution(100, sc_core::SC_PS);
  ftlab::spec::TomlFile part = ftlab::spec::TomlFile::load(part_file);
  const ftlab::hw::CardSpec spec = ftlab::hw::load_card_spec(part, ftlab::hw::Voltage::v5);

  Meter meter;
  ftlab::hw::DeviceOptions options;
  options.observer = &meter;
  // The ready line moves at the very time.
  ftlab::hw::Series2PlusCard card("card", spec, options, ftlab::hw::LineStyle::driven);
  Testbench testbench("testbench", meter);
  sc_core::sc_signal<bool> ready("ready");
  testbench.common.bind(card.window("common"));
  testbench.attribute.bind(card.window("attribute"));
  card.line.bind(ready);
  testbench.ready.bind(ready);

  // The kernel would announce that the testbench stopped it.
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  std::printf("%s\n", spec.title.c_str());
  sc_core::sc_start();
  const ftlab::Ticks end{static_cast<std::int64_t>(sc_core::sc_time_stamp().value())};
  card.core().advance_to(end);
  std::printf("standby and leakage of the card over %.3f s: %.3f mJ\n", ftlab::to_seconds(end),
              ftlab::to_joules(card.core().state_energy(end).total()) * 1e3);
  return testbench.passed() ? 0 : 1;
}

}  // namespace

// SystemC's own entry is not used, but its library asks for it.
int sc_main(int, char**) { return 0; }

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: bare_registers PART.toml\n");
    return 2;
  }
  try {
    return run(argv[1]);
  } catch (const ftlab::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
