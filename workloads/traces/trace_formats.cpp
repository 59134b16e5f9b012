#include "workloads/traces/trace_formats.h"

#include <algorithm>

#include "workloads/traces/formats/blkparse.h"
#include "workloads/traces/formats/cloudphysics.h"
#include "workloads/traces/formats/disksim.h"
#include "workloads/traces/formats/hp_srt.h"
#include "workloads/traces/formats/mobile.h"
#include "workloads/traces/formats/mqsim.h"
#include "workloads/traces/formats/msr.h"
#include "workloads/traces/formats/spc.h"
#include "workloads/workload_config.h"

namespace ftlab::workloads {
namespace {

constexpr TraceFormat kFormats[] = {
    {"hp_srt", "HP SRT, binary (hplajw, cello, snake of 1992)", false, nullptr, make_hp_srt, looks_like_hp_srt},
    {"msr", "MSR Cambridge CSV: timestamp,host,disk,type,offset,size,latency", false, make_msr, nullptr, nullptr},
    {"spc", "SPC text: ASU,LBA,size,opcode,timestamp", false, make_spc, nullptr, nullptr},
    {"disksim", "DiskSim ASCII: time(ms) device block count flags", false, make_disksim, nullptr, nullptr},
    {"mqsim", "MQSim and SSDsim ASCII: time(ns) device sector count type", false, make_mqsim, nullptr, nullptr},
    {"blkparse", "blkparse text, one action per request (default D)", true, make_blkparse, nullptr, nullptr},
    {"cloudphysics", "CloudPhysics vscsi CSV: version,time,op,size,lbn", false, make_cloudphysics, nullptr, nullptr},
    {"mobile", "MobileBlockIOTraces CSV: proces,device,rw_flag,sector,size,timestamp", false, make_mobile, nullptr,
     nullptr},
};

}  // namespace

std::span<const TraceFormat> trace_formats() { return kFormats; }

std::string_view trace_format_name(std::size_t i) {
  if (i == 0) return "auto";
  return i <= std::size(kFormats) ? kFormats[i - 1].name : std::string_view{};
}

const TraceFormat* find_trace_format(std::string_view name) {
  const auto* const found = std::ranges::find(kFormats, name, &TraceFormat::name);
  return found == std::end(kFormats) ? nullptr : found;
}

std::string trace_format_names() {
  std::string names;
  for (const TraceFormat& format : kFormats) names.append(names.empty() ? "" : ", ").append(format.name);
  return names;
}

}  // namespace ftlab::workloads
