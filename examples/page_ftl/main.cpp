// page_ftl STUDY.toml: runs the example firmware on the simulated machine and prints what it cost.
// The platform brings the card, the host, the workload and the books; the firmware is this project's own.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "common/input_error.h"
#include "common/toml/toml_file.h"
#include "page_ftl.h"
#include "platform/files/data_files.h"
#include "platform/files/study_files.h"
#include "platform/machine/machine.h"
#include "platform/run/session.h"
#include "platform/study/study.h"

namespace {

using namespace ftlab::platform;

/// The firmware with the memory it lives in.
class Instance final : public FirmwareInstance {
 public:
  Instance(const FirmwarePorts& ports, const example::PageFtlConfig& config)
      : arena_(example::PageFtl::arena_words(ports.flash.geometry(), config)),
        ftl_(ports.flash, ports.probe, config, arena_) {}
  ftlab::Ftl& ftl() override { return ftl_; }

 private:
  std::vector<std::uint32_t> arena_;
  example::PageFtl ftl_;
};

/// Names of the parts that the firmware was made for, as a study writes them.
std::string nor_parts() {
  std::string names;
  for (const std::string& name : data_names("parts")) {
    const auto part = ftlab::spec::TomlFile::load((data_folder("parts") / (name + ".toml")).string());
    if (part.get_string("family") == "series2plus") names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

/// Throws InputError when the firmware cannot work as the study wants it to.
example::PageFtlConfig config_for(const Study& study, const FirmwarePorts& ports) {
  const auto page_bytes = static_cast<std::uint32_t>(study.ftl.page_bytes);
  const ftlab::FlashGeometry& geometry = ports.flash.geometry();
  if (const char* reason = example::PageFtl::cannot_use(geometry, ports.flash.capabilities())) {
    throw ftlab::InputError(study.part_where + reason + "; use one of " + nor_parts());
  }
  if (const char* reason = example::PageFtl::cannot_divide(geometry, page_bytes)) {
    throw ftlab::InputError(study.where_of("ftl.page_bytes") + reason);
  }
  const std::uint32_t most = example::PageFtl::max_logical_pages(geometry, page_bytes);
  const auto pages = static_cast<std::uint32_t>(study.ftl.utilization * most);
  if (pages == 0) throw ftlab::InputError(study.where_of("ftl.utilization") + "too little for a single page; use more");
  return {page_bytes, pages};
}

std::unique_ptr<FirmwareInstance> make_firmware(const Study& study, const FirmwarePorts& ports) {
  const example::PageFtlConfig config = config_for(study, ports);
  return std::make_unique<Instance>(ports, config);
}

void print(const RunRecord& record) {
  const ftlab::FtlStats& ftl = record.ftl;
  const double seconds = ftlab::to_seconds(record.ledger.simulated());
  ftlab::Picojoules energy = record.states.standby + record.states.sleep;
  for (const auto& kinds : record.ledger.ops) {
    for (const auto& cell : kinds) energy += cell.energy;
  }
  const double written = static_cast<double>(ftl.pages_written);
  std::printf("%s\n", record.device.title.c_str());
  std::printf("pages written        %10llu\n", static_cast<unsigned long long>(ftl.pages_written));
  std::printf("pages copied         %10llu\n", static_cast<unsigned long long>(ftl.pages_copied));
  std::printf("segments erased      %10llu\n", static_cast<unsigned long long>(ftl.erases));
  std::printf("write amplification  %10.3f\n", (written + static_cast<double>(ftl.pages_copied)) / written);
  std::printf("simulated time       %10.1f s\n", seconds);
  std::printf("energy               %10.2f J\n", ftlab::to_joules(energy));
  std::printf("data %s\n", record.verified ? "verified" : "not verified");
}

int run(const char* study_file) {
  const Study study = load_study(study_file);
  const ProcessorProfile host = load_host(study);
  const SessionInput input{
      study, [&study](const FirmwarePorts& ports) { return make_firmware(study, ports); }, nullptr, {}};
  RunRecord record;
  Machine machine(device_factory(study, host, false), host, processor_options_for(study),
                  [&](Machine& built) { record = run_session(built, input); });
  machine.run();
  print(record);
  return 0;
}

}  // namespace

// SystemC's own entry is not used, but its library asks for it.
int sc_main(int, char**) { return 0; }

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: page_ftl STUDY.toml\n");
    return 2;
  }
  // Where part and host files lie; an environment that says otherwise wins.
  setenv("FTLAB_DATA_DIR", EXAMPLE_DATA_DIR, 0);
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  try {
    return run(argv[1]);
  } catch (const ftlab::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
