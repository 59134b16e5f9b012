// What one simulation measured, before it becomes a file or a table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "firmware/ftl/ftl.h"
#include "platform/firmwares/firmware_instance.h"
#include "platform/host/host.h"
#include "platform/machine/core_totals.h"
#include "platform/machine/device.h"
#include "platform/machine/ledger.h"
#include "platform/machine/page_type_reads.h"
#include "platform/measure/drive_energy.h"
#include "platform/measure/model_beside.h"
#include "platform/measure/overwrites.h"
#include "platform/measure/power_record.h"
#include "platform/measure/timeline.h"
#include "platform/measure/wear_map.h"

namespace ftlab::platform {

struct DeviceFacts {
  std::string part;
  std::string title;
  std::string host_name;
  std::string host_title;
  double supply_v = 0;
  std::uint32_t segments = 0;
  std::uint32_t segment_bytes = 0;
  std::uint32_t page_bytes = 0;
  std::uint64_t capacity_bytes = 0;
  std::uint64_t logical_bytes = 0;
  std::uint32_t parallel_units = 0;
  std::uint32_t rated_erase_cycles = 0;
};

struct RunRecord {
  DeviceFacts device;
  HostTotals host;
  FtlStats ftl;                                  ///< measured phase
  bool follows_requests = false;                 ///< HostTotals has what response times are made of
  bool counted = true;                           ///< the firmware counts that; else what needs it is no figure
  LedgerTotals ledger;                           ///< measured phase
  StateEnergy states;                            ///< measured phase
  std::optional<DriveEnergy> drive;              ///< measured phase; none: the part does not say
  UnitTimes units;                               ///< measured phase; empty: the part does not tell
  std::optional<LinkTimes> link;                 ///< measured phase; none: the part has no link
  std::vector<PageTypeReads> page_reads;         ///< measured phase; empty: the part draws no errors of worn cells
  std::vector<std::uint32_t> erase_counts;       ///< per segment, by the device, since the format
  std::vector<bool> carries_data;                ///< per erase unit, at the end: its segment is neither fixed nor bad
  std::vector<FirmwareFigure> firmware_figures;  ///< measured phase
  std::vector<std::uint64_t> victims_by_valid;   ///< measured phase; empty: the firmware does not count them
  std::vector<std::uint64_t> segments_by_valid;  ///< full segments at the end, where victims are counted
  Timeline timeline;                             ///< measured phase
  Utilization utilization;                       ///< between two samples of the timeline
  WearMap wear_map;                              ///< erase_counts as they came about, with platform.sample_s
  Overwrites overwrites;                         ///< of a run that is asked to come to rest; else empty
  std::optional<ModelBeside> model;              ///< the analytic model that covers the run, if one does
  std::optional<CoreTotals> core;                ///< measured phase, of a simulated core
  PowerRecord power;                             ///< measured phase
  std::string end_reason;                        ///< why the run ended before the workload did; empty: it did not
  std::uint32_t retired = 0;                     ///< segments taken out of use in the measured phase
  std::optional<std::uint64_t> lost_first_at;    ///< bytes the host had written when the first segment was lost
  double write_scale = 1;                        ///< of a trace, as it was replayed
  bool sees_operations = true;                   ///< figures come from reports of each operation, not from sums
  std::uint64_t warm_up_requests = 0;            ///< before the measured phase, of its workload
  Ticks measured_from{};                         ///< when the measured phase began
  bool verified = false;                         ///< read data was compared with what was acknowledged
  std::vector<std::string> remarks;              ///< what the user should know although it is no error, a line each
  double wall_s = 0;
  double cpu_s = 0;
};

}  // namespace ftlab::platform
