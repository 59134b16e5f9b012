// The configurations that a study's keys and its part come to, for firmwares whose row is in another file than that.
#pragma once

#include "firmware/ftl/flexfs/flexfs_config.h"
#include "firmware/ftl/flexfs/flexfs_stats.h"
#include "firmware/ftl/fms/fms_config.h"
#include "firmware/volume/clean/own_choices.h"
#include "firmware/volume/log/slc_segments.h"
#include "platform/firmwares/firmware_instance.h"
#include "platform/firmwares/served_part.h"

namespace ftlab::target {
struct Handover;  // firmware/target/handover.h
}

namespace ftlab::platform {

std::unique_ptr<FirmwareInstance> make_fms(const Study& study, const FirmwarePorts& ports);
std::unique_ptr<FirmwareInstance> make_flexfs(const Study& study, const FirmwarePorts& ports);
std::unique_ptr<FirmwareInstance> make_page(const Study& study, const FirmwarePorts& ports);
/// The same configurations, for the program of a core.
void hand_over_fms(const Study& study, target::Handover& handover);
void hand_over_page(const Study& study, target::Handover& handover);
void hand_over_flexfs(const Study& study, target::Handover& handover);
/// The page-mapped layer's log on the served part, with policies that decide in place of its own.
std::unique_ptr<FirmwareInstance> make_policies(const Study& study, const FirmwarePorts& ports,
                                                std::unique_ptr<ServedPart> part, const FmsConfig& config);
/// As PagedFlashConfig has it.
[[nodiscard]] std::uint32_t begun_units_of(const fms::PolicyChoice& choice);

/// Counters of a log that separates pages.
std::vector<FigureText> separation_figures();
std::vector<FirmwareFigure> classified_figures(const volume::ClassifiedWrites& writes);
std::vector<FirmwareFigure> slc_figures(const volume::SlcCounts& counts);
/// The same, and those of segments filled as SLC.
std::vector<FigureText> page_figures();

/// What FlexFS predicts energy by.
[[nodiscard]] flexfs::EnergyCosts flexfs_costs(const hw::OperationEnergies& energies);
std::vector<FirmwareFigure> flexfs_figures(const flexfs::FlexFsStats& stats);
/// A scenario is offered all that FlexFS can hold, whatever the utilisation. Throws InputError naming the key when the
/// firmware refuses the combination.
FlexFsConfig flexfs_config_for(const Study& study, const FirmwarePorts& ports);

}  // namespace ftlab::platform
