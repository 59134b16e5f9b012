#include "platform/run/own_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>

#include "common/input_error.h"
#include "common/toml/toml_file.h"
#include "firmware/target/board.h"
#include "firmware/target/report.h"
#include "platform/run/queued_ftl.h"
#include "platform/study/page_sizes.h"

namespace ftlab::platform {
namespace {

/// In words, as the documentation of the host queue has them.
std::string_view words_of(FtlStatus status) {
  switch (status) {
    case FtlStatus::ok:
      return "ok";
    case FtlStatus::out_of_range:
      return "out of range";
    case FtlStatus::no_space:
      return "no space";
    case FtlStatus::not_formatted:
      return "not formatted";
    case FtlStatus::bad_config:
      return "impossible on this part";
    case FtlStatus::read_failed:
      return "reading has failed";
    case FtlStatus::write_failed:
      return "writing has failed";
    case FtlStatus::read_only:
      return "read only";
  }
  return "an unknown status";
}

class OwnFtl final : public QueuedFtl {
 public:
  OwnFtl(CoreProcessor& processor, const target::ReportHead& report)
      : QueuedFtl(processor, report.capacity_bytes, report.page_bytes),
        queue_(processor.queue()),
        name_(processor.memory().name()) {}

  FtlStatus format(std::uint64_t now_ns) override {
    const Booked booked(queue_, Cause::metadata);
    const FtlStatus status = QueuedFtl::format(now_ns);
    if (status != FtlStatus::ok)
      throw InputError(fmt::format("{}: the firmware answers the request to format with {} ({})", name_,
                                   static_cast<unsigned>(status), words_of(status)));
    return status;
  }
  FtlStatus mount(std::uint64_t now_ns) override {
    const Booked booked(queue_, Cause::mount);
    return QueuedFtl::mount(now_ns);
  }

  // It counts nothing, and nobody knows its segments.
  [[nodiscard]] const FtlStats& stats() const override { return none_; }
  [[nodiscard]] std::uint32_t segments() const override { return 0; }
  [[nodiscard]] SegmentInfo segment(SegmentId) const override { return {}; }
  [[nodiscard]] const char* self_check() const override { return nullptr; }

 private:
  /// A firmware that says nothing of causes has its formats and mounts in the books all the same.
  class Booked {
   public:
    Booked(HostQueue& queue, Cause cause) : queue_(queue) { queue_.set_cause(cause); }
    ~Booked() { queue_.set_cause(Cause::host); }
    Booked(const Booked&) = delete;
    Booked& operator=(const Booked&) = delete;

   private:
    HostQueue& queue_;
  };

  HostQueue& queue_;
  const std::string name_;
  const FtlStats none_{};
};

class OwnInstance final : public CoreFirmware {
 public:
  OwnInstance(CoreProcessor& processor, const target::ReportHead& report, const PartSize& part,
              const OwnProgram& program)
      : part_(part), values_(processor.study_values()), program_(program), ftl_(processor, report) {}

  Ftl& ftl() override { return ftl_; }
  [[nodiscard]] bool counts() const override { return false; }
  [[nodiscard]] PartSize part() const override { return part_; }
  /// A name that the program never asks for is most often misspelt, and without this line a sweep of it is all equal.
  [[nodiscard]] std::vector<std::string> remarks() const override {
    std::vector<std::string> lines;
    for (const FirmwareValue& given : program_.values) {
      if (values_.has_asked(given.name)) continue;
      const std::string near = spec::nearest_name(given.name, values_.missed());
      std::string instead;
      if (!near.empty())
        instead = fmt::format("; did you mean '{}'?", near);
      else if (!values_.missed().empty())
        instead = fmt::format("; of others it asked for {}", fmt::join(values_.missed(), ", "));
      lines.push_back(given.where + "the program has not asked for this value, so it has no effect" + instead);
    }
    return lines;
  }

 private:
  const PartSize part_;
  const StudyValues& values_;
  const OwnProgram& program_;
  OwnFtl ftl_;
};

/// The core does not look at the entry of an ELF file: it begins at address 0.
void check_begin(ProgramMemory& memory) {
  const auto refuse = [&memory](const std::string& what) { throw InputError(memory.name() + ": " + what); };
  const std::uint32_t entry = memory.image().entry();
  if (memory.machine() == iss::ElfMachine::riscv) {
    if (entry == target::kFlash) return;
    refuse(fmt::format("its entry is at 0x{:x}, and the core begins at 0x{:x}; link the code of reset first", entry,
                       target::kFlash));
  }
  const auto stack = memory.value<std::uint32_t>(target::kFlash);
  const auto reset = memory.value<std::uint32_t>(target::kFlash + sizeof stack);
  if (stack > target::kRam && stack <= target::kRam + target::kRamBytes && reset % 2 == 1 &&
      reset < target::kFlash + target::kFlashBytes)
    return;
  refuse(
      fmt::format("no table of vectors is at 0x{:x}, where the core begins: its words are 0x{:x} in place of the stack "
                  "and 0x{:x} in place of the reset handler; link the table first",
                  target::kFlash, stack, reset));
}

void check(const target::ReportHead& report, const PartSize& part, ProgramMemory& memory) {
  const auto refuse = [&memory](const std::string& what) { throw InputError(memory.name() + ": " + what); };
  if (report.version != target::ReportHead::kVersion)
    refuse(fmt::format("the report of the firmware has version {}; write {} in its first word (docs/cores.md)",
                       report.version, target::ReportHead::kVersion));
  if (report.status != 0)
    refuse(fmt::format("the firmware does not serve: {}",
                       report.reason != 0 ? memory.text(report.reason) : "its report gives no reason"));
  if (!std::has_single_bit(report.page_bytes) || report.page_bytes < kMinPageBytes || report.page_bytes > kMaxPageBytes)
    refuse(fmt::format("the report of the firmware says pages of {} bytes; it takes a power of two from {} to {}",
                       report.page_bytes, kMinPageBytes, kMaxPageBytes));
  const std::uint64_t whole = std::uint64_t{part.segments} * part.segment_bytes;
  if (report.capacity_bytes == 0 || report.capacity_bytes % report.page_bytes != 0 || report.capacity_bytes > whole)
    refuse(
        fmt::format("the report of the firmware says a capacity of {} bytes; it takes whole pages of {} bytes, and "
                    "no more than the {} bytes of the part",
                    report.capacity_bytes, report.page_bytes, whole));
}

}  // namespace

std::unique_ptr<CoreFirmware> start_own_program(Machine& machine, CoreProcessor& processor, const OwnProgram& program) {
  check_begin(processor.memory());
  processor.start({});
  const auto report = processor.memory().value<target::ReportHead>(*processor.queue().report());
  const PartSize part = machine.device().facts().size;
  check(report, part, processor.memory());
  return std::make_unique<OwnInstance>(processor, report, part, program);
}

}  // namespace ftlab::platform
