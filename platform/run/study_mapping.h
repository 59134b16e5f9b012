// From the words of a study to the structs of firmware, driver, card and workload. Each section, one function.
#pragma once

#include "firmware/driver/onenand/config.h"
#include "firmware/driver/series2plus/config.h"
#include "firmware/ftl/flexfs/flexfs_config.h"
#include "firmware/ftl/fms/fms_config.h"
#include "hw/onenand/spec/spec.h"
#include "hw/series2plus/spec/spec.h"
#include "platform/machine/firmware_instance.h"
#include "platform/machine/native_processor.h"
#include "platform/machine/processor_profile.h"
#include "platform/study/study.h"
#include "workloads/workload_config.h"

namespace ftlab::platform {

ProcessorOptions processor_options_for(const Study& study);
Series2PlusDriverConfig driver_config_for(const Study& study, const ProcessorProfile& host, const hw::CardSpec& card);

OneNandDriverConfig onenand_driver_config_for(const Study& study, const ProcessorProfile& host,
                                              const hw::OneNandSpec& part);

/// Logical pages from the utilisation of the segments that must stay good. Throws InputError naming the key when the
/// firmware refuses the combination. The names inside point into `study`.
FmsConfig fms_config_for(const Study& study, const FirmwarePorts& ports);

/// The same for FlexFS. A scenario is offered all that FlexFS can hold, whatever the utilisation.
FlexFsConfig flexfs_config_for(const Study& study, const FirmwarePorts& ports);

workloads::WorkloadConfig workload_config_for(const Study& study, std::uint64_t logical_pages);

}  // namespace ftlab::platform
