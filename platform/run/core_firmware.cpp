#include "platform/run/core_firmware.h"

#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "common/input_error.h"
#include "firmware/target/handover.h"
#include "firmware/target/report.h"
#include "firmware/volume/clean/own_choices.h"
#include "platform/firmwares/makers.h"
#include "platform/firmwares/served_part.h"
#include "platform/machine/core/core_processor.h"
#include "platform/run/own_program.h"
#include "platform/run/queued_ftl.h"
#include "platform/study/study_files.h"

namespace ftlab::platform {
namespace {

target::Handover handover_of(const Machine& machine, const Study& study, std::optional<std::uint32_t> bad_at_format) {
  target::Handover handover;
  handover.bytes = sizeof handover;
  handover.core_hz = static_cast<std::uint32_t>(load_core(study).hz);
  handover.page_bytes = static_cast<std::uint32_t>(study.ftl.page_bytes);
  handover.utilization_ppb = utilization_ppb(study);
  handover.data_checksum = study.ftl.data_checksum ? 1 : 0;
  handover.keeps_content = study.platform.store_content ? 1 : 0;
  handover.bad_reserve = machine.device().bad_reserve();
  handover.bad_at_format = bad_at_format ? std::int64_t{*bad_at_format} : -1;
  handover.seed = study.seed;
  handover.background_erase = study.ftl.erase == Erasing::overlap ? 1 : 0;
  handover.dma = study.platform.dma ? 1 : 0;
  handover.energy = flexfs_costs(machine.device().operation_energies());
  machine.device().hand_over(handover);
  firmware_of(study).hand_over(study, handover);
  return handover;
}

/// Which counters and segments can be looked at.
class InspectedFtl final : public QueuedFtl {
 public:
  InspectedFtl(CoreProcessor& processor, const target::Report& report)
      : QueuedFtl(processor, report.capacity_bytes, report.page_bytes), processor_(processor), report_(report) {}

  /// What a function of the program fills.
  template <class T>
  [[nodiscard]] T asked(std::string_view function) const {
    processor_.asking().ask(function, {AskingCore::results_address()});
    T value;
    std::memcpy(&value, processor_.asking().results().data(), sizeof value);
    return value;
  }
  [[nodiscard]] FtlStats unanswered() const override { return asked<FtlStats>("ftlab_inspect_unanswered"); }
  [[nodiscard]] const FtlStats& stats() const override {
    stats_ = report_.stats != 0 ? processor_.memory().value<FtlStats>(report_.stats)
                                : asked<FtlStats>("ftlab_inspect_stats");
    return stats_;
  }
  [[nodiscard]] std::uint32_t segments() const override { return report_.volume_segments; }
  [[nodiscard]] SegmentInfo segment(SegmentId id) const override {
    processor_.asking().ask("ftlab_inspect_segment", {id.value(), AskingCore::results_address()});
    std::array<std::uint32_t, 5> fields{};
    std::memcpy(fields.data(), processor_.asking().results().data(), sizeof fields);
    return {static_cast<SegmentState>(fields[0]), fields[1], fields[2], fields[3], fields[4]};
  }
  [[nodiscard]] const char* self_check() const override {
    const std::uint32_t at = processor_.asking().ask("ftlab_inspect_invariants", {});
    if (at == 0) return nullptr;
    broken_ = processor_.memory().text(at);
    return broken_.c_str();
  }

 private:
  CoreProcessor& processor_;
  const target::Report& report_;
  mutable FtlStats stats_;
  mutable std::string broken_;
};

class Instance final : public CoreFirmware {
 public:
  Instance(CoreProcessor& processor, const target::Report& report, target::ServedLayer layer, bool buffers_writes)
      : processor_(processor),
        report_(report),
        layer_(layer),
        buffers_writes_(buffers_writes),
        ftl_(processor, report_) {
    victims_.resize(report_.victim_counters);
  }

  Ftl& ftl() override { return ftl_; }
  [[nodiscard]] PartSize part() const override {
    return {report_.segments, report_.segment_bytes, report_.parallel_units, report_.rated_erase_cycles};
  }
  [[nodiscard]] std::uint64_t usable_pages() const override { return report_.usable_pages; }
  [[nodiscard]] std::uint32_t pages_per_segment() const override { return report_.pages_per_segment; }
  [[nodiscard]] std::uint32_t bad_at_format() const override { return report_.bad_at_format; }
  [[nodiscard]] std::vector<FirmwareFigure> figures() const override {
    if (layer_ == target::ServedLayer::flexfs)
      return flexfs_figures(ftl_.asked<flexfs::FlexFsStats>("ftlab_inspect_flexfs"));
    if (report_.slc != 0) return slc_figures(processor_.memory().value<volume::SlcCounts>(report_.slc));
    if (report_.classified == 0) return {};
    return classified_figures(processor_.memory().value<volume::ClassifiedWrites>(report_.classified));
  }
  [[nodiscard]] std::uint64_t durable_bytes() const override {
    if (layer_ == target::ServedLayer::flexfs) return ftl_.page_bytes();
    return buffers_writes_ ? kNoneDurable : 0;
  }
  [[nodiscard]] std::span<const std::uint64_t> victims_by_valid() const override {
    if (victims_.empty()) return {};
    const auto bytes = processor_.memory().bytes(report_.victims, victims_.size() * sizeof(std::uint64_t));
    std::memcpy(victims_.data(), bytes.data(), bytes.size());
    return victims_;
  }

 private:
  CoreProcessor& processor_;
  const target::Report report_;
  const target::ServedLayer layer_;
  const bool buffers_writes_;
  InspectedFtl ftl_;
  mutable std::vector<std::uint64_t> victims_;
};

}  // namespace

std::unique_ptr<CoreFirmware> start_on_core(Machine& machine, const Study& study,
                                            std::optional<std::uint32_t> bad_at_format) {
  auto* const processor = dynamic_cast<CoreProcessor*>(&machine.processor());
  if (processor == nullptr) throw std::logic_error("the processor of this machine executes no program");
  if (const auto own = firmware_of(study).program) return start_own_program(machine, *processor, *own(study));
  const target::Handover handover = handover_of(machine, study, bad_at_format);
  processor->start(std::as_bytes(std::span(&handover, 1)));
  const auto report = processor->memory().value<target::Report>(*processor->queue().report());
  if (report.version != target::Report::kVersion)
    throw InputError(processor->memory().name() + ": its report has version " + std::to_string(report.version) +
                     ", not " + std::to_string(target::Report::kVersion) + "; build the image anew");
  if (report.status != 0) {
    const std::string reason = report.reason != 0 ? processor->memory().text(report.reason) : "no reason given";
    throw InputError(where_of_reason(study, reason, "platform.processor") + "on the core: " + reason);
  }
  const std::uint32_t buffer = handover.layer == target::ServedLayer::fms
                                   ? study.configs.get<FmsConfig>().write_buffer
                                   : study.configs.get<VolumeConfig>().write_buffer;
  return std::make_unique<Instance>(*processor, report, handover.layer, buffer > 0);
}

}  // namespace ftlab::platform
