// One function for each family of parts; a new family is one file here, one line in families.cpp,
// and its row in platform/study/part_family.cpp.
#pragma once

#include "common/toml/toml_file.h"
#include "firmware/driver/common/driver_wait.h"
#include "platform/machine/device.h"

namespace ftlab::platform {

/// `part` is open and has the study's overrides.
DeviceFactory card_factory(spec::TomlFile& part, const Study& study, const ProcessorProfile& host,
                           bool observe_accesses);
DeviceFactory onenand_factory(spec::TomlFile& part, const Study& study, const ProcessorProfile& host,
                              bool observe_accesses);

DeviceFactory array_factory(spec::TomlFile& part, const Study& study, const ProcessorProfile& host, bool observe);

/// The part file as its family reads it: checked, the overrides and the numbers of the chosen profile in their places.
/// Throws InputError.
spec::TomlFile part_in_use(const Study& study, const ProcessorProfile& host);

/// How the study's driver waits for a part on this processor.
DriverWait driver_wait(const Study& study, const ProcessorProfile& host);

}  // namespace ftlab::platform
