// Which family a part belongs to, from its file.
#include "platform/machine/families/families.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "common/input_error.h"
#include "platform/study/params.h"
#include "platform/study/part_family.h"
#include "platform/study/study_files.h"

namespace ftlab::platform {
namespace {

struct Maker {
  const PartFamily* family;
  DeviceFactory (*make)(spec::TomlFile& part, const Study& study, const ProcessorProfile& host, bool observe_accesses);
};

constexpr Maker kMakers[] = {
    {&kArrayFamily, array_factory},
    {&kOneNandFamily, onenand_factory},
    {&kCardFamily, card_factory},
};

const Maker& maker_of(const spec::TomlFile& part) {
  const std::string name = part.get_string("family");
  if (const PartFamily* family = find_part_family(name)) return *std::ranges::find(kMakers, family, &Maker::family);
  std::vector<std::string> known;
  for (const PartFamily* family : part_families()) known.emplace_back(family->name);
  const std::string near = spec::nearest_name(name, known);
  throw InputError(part.where("family") + "no family of parts is named '" + name + "'" +
                   (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

DeviceFactory make_device(spec::TomlFile& part, const Study& study, const ProcessorProfile& host,
                          bool observe_accesses) {
  const Maker& maker = maker_of(part);
  refuse_other_families(study, maker.family->name);
  return maker.make(part, study, host, observe_accesses);
}

}  // namespace

DeviceFactory device_factory(const Study& study, const ProcessorProfile& host, bool observe_accesses) {
  DeviceFactory factory;
  load_part(study, [&](spec::TomlFile& part) { factory = make_device(part, study, host, observe_accesses); });
  return factory;
}

spec::TomlFile part_in_use(const Study& study, const ProcessorProfile& host) {
  std::optional<spec::TomlFile> used;
  load_part(study, [&](spec::TomlFile& part) {
    // Only a family knows what its profiles replace, and making a device puts that into the file.
    (void)make_device(part, study, host, false);
    used = part.copy();
  });
  return std::move(*used);
}

DriverWait driver_wait(const Study& study, const ProcessorProfile& host) {
  const bool interrupt = study.driver.wait == DriverWaiting::interrupt ||
                         (study.driver.wait == DriverWaiting::host && host.ready_interrupt);
  return interrupt ? DriverWait::interrupt : DriverWait::poll;
}

}  // namespace ftlab::platform
