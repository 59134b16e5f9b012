#include "platform/measure/result_json.h"

#include "platform/measure/figures.h"
#include "platform/measure/process_cost.h"
#include "platform/study/json_pointer.h"

namespace ftlab::platform {

using nlohmann::ordered_json;

ordered_json result_sections(const RunRecord& record) {
  ordered_json json;
  for (const Figure& figure : figures()) {
    ordered_json value = figure.value(record);
    if (figure.optional && value.is_null()) continue;
    json[pointer_to(figure.path)] = std::move(value);
  }
  return json;
}

ordered_json run_section(const RunRecord& record) {
  ordered_json run{{"ftlab_version", FTLAB_VERSION},
                   {"measured_from_s", to_seconds(record.measured_from)},
                   {"wall_s", record.wall_s},
                   {"cpu_s", record.cpu_s}};
  if (record.counted)
    run["host_writes_per_cpu_s"] =
        record.cpu_s > 0 ? static_cast<double>(record.ftl.pages_written) / record.cpu_s : 0.0;
  run["peak_rss_bytes"] = process_peak_bytes();
  return run;
}

}  // namespace ftlab::platform
