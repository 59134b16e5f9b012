// page_ftl: the program ftlab with one firmware more. Studies, sweeps, comparisons and reports are the same; a study
// names it by ftl.firmware = "page_ftl". The platform brings the card, the host, the workload and the books.
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "common/input_error.h"
#include "common/toml/toml_file.h"
#include "page_ftl.h"
#include "platform/cli/commands.h"
#include "platform/files/data_files.h"
#include "platform/machine/firmware_instance.h"
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

constexpr FirmwareEntry kPageFtl{"page_ftl",
                                 "the example of a firmware from outside the tree, for NOR parts",
                                 [](const Study&) { return std::string("page_ftl, a page map without anything else"); },
                                 {}};

}  // namespace

int main(int argc, char** argv) {
  // Where part and host files lie; an environment that says otherwise wins.
  setenv("FTLAB_DATA_DIR", EXAMPLE_DATA_DIR, 0);
  add_firmware(kPageFtl, make_firmware);
  return cli::run_program(argc, argv);
}
