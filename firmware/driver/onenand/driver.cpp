#include "firmware/driver/onenand/driver.h"

#include "firmware/driver/onenand/startup.h"
#include "hw/regs/onenand_regs.h"

namespace ftlab {

namespace onenand = hw::flexonenand;

namespace {

constexpr std::uint32_t kSegmentBytes = onenand::kMlcPagesPerSegment * onenand::kPageBytes;

struct PairTable {
  std::uint8_t partner[onenand::kMlcPagesPerSegment]{};
  constexpr PairTable() {
    for (std::uint32_t page = 0; page < onenand::kMlcPagesPerSegment; ++page) {
      partner[page] = static_cast<std::uint8_t>(onenand::paired::partner(page));
    }
  }
};
constexpr PairTable kPairs;

}  // namespace

OneNandDriver::OneNandDriver(MmioPort& port, ProbePort& probe, const OneNandDriverConfig& config)
    : probe_(probe),
      config_(config),
      bus_(port, config_),
      sequences_(bus_),
      buffer_(bus_, probe),
      markers_(sequences_, buffer_),
      dies_(sequences_, buffer_, layout_, finished_) {}

OneNandAttachStatus OneNandDriver::attach() {
  geometry_ = {};
  dies_.clear();
  finished_.clear();
  const OneNandStartup::Part part = OneNandStartup(bus_).run();
  if (part.status != OneNandAttachStatus::ok) return part.status;
  layout_ = part.layout;
  geometry_ = {.segments = part.dies * layout_.segments_per_die,
               .segment_bytes = kSegmentBytes,
               .program_unit_bytes = onenand::kPageBytes,
               .spare_bytes = kSpareBytes,
               .parallel_units = part.dies,
               .rated_erase_cycles = config_.rated_erase_cycles,
               .paired_page = kPairs.partner,
               .slc_segments_per_unit = layout_.slc_segments_per_die};
  capabilities_ = {.copy_back = true,
                   .spare = true,
                   .background_erase = config_.background_erase && part.dies > 1,
                   .no_wait = part.dies > 1,
                   .queue_depth = DoneRing::kDepth};
  return OneNandAttachStatus::ok;
}

void OneNandDriver::release() {
  while (dies_.under_way() > 0) dies_.await_any(config_.die_turn_ns);
}

bool OneNandDriver::fits(const PartOp& op) const {
  const auto page_fits = [this](SegmentId segment, std::uint32_t offset, std::uint32_t length) {
    return segment.value() < geometry_.segments && offset < geometry_.segment_bytes &&
           offset % onenand::kPageBytes + length <= onenand::kPageBytes;
  };
  if (!page_fits(op.segment, op.offset, op.length)) return false;
  if (op.kind == PartOpKind::program) return op.length == onenand::kPageBytes && op.from != nullptr;
  if (op.kind != PartOpKind::copy) return true;
  return page_fits(op.copy_segment, op.copy_offset, onenand::kPageBytes) &&
         op.copy_segment.value() / layout_.segments_per_die == op.segment.value() / layout_.segments_per_die;
}

bool OneNandDriver::may_stay_under_way(const PartOp& op) const {
  if (op.kind == PartOpKind::erase) return capabilities_.background_erase;
  return op.no_wait && capabilities_.no_wait && (op.kind == PartOpKind::read || op.kind == PartOpKind::program);
}

void OneNandDriver::push(std::uint32_t tag, OneNandResult result) {
  finished_.push({.tag = tag, .status = result.status, .corrected_bits = result.corrected_bits});
}

std::size_t OneNandDriver::submit(std::span<const PartOp> ops) {
  std::size_t accepted = 0;
  while (accepted < ops.size() && finished_.count() + dies_.under_way() < DoneRing::kDepth) {
    const PartOp& op = ops[accepted];
    const std::size_t run = run_length(ops.subspan(accepted));
    if (run > 1) {
      const auto together = ops.subspan(accepted, run);
      if (op.kind == PartOpKind::program)
        program_run(together);
      else
        read_run(together);
    } else {
      execute(op);
    }
    accepted += run;
  }
  return accepted;
}

PartStatus OneNandDriver::execute(const PartOp& op) {
  probe_.count(Work::driver_call, 1);
  OneNandResult result;
  if (!fits(op)) {
    const bool reads = op.kind == PartOpKind::read || op.kind == PartOpKind::check_bad;
    result.status = reads                          ? PartStatus::uncorrectable
                    : op.kind == PartOpKind::erase ? PartStatus::erase_failed
                                                   : PartStatus::program_failed;
    push(op.tag, result);
    return result.status;
  }
  const OneNandPlace place = place_of(op);
  dies_.await_die(place.die);
  switch (op.kind) {
    case PartOpKind::read:
    case PartOpKind::program:
    case PartOpKind::erase:
      dies_.start(op);
      if (!may_stay_under_way(op)) return dies_.await_die(place.die);
      return PartStatus::ok;
    case PartOpKind::copy:
      result = copy(op);
      break;
    case PartOpKind::check_bad:
      result.status = markers_.check(place);
      break;
    case PartOpKind::mark_bad:
      result.status = markers_.set(place);
      break;
  }
  push(op.tag, result);
  return result.status;
}

OneNandResult OneNandDriver::copy(const PartOp& op) {
  const OneNandPlace from = place_of(op);
  const OneNandResult loaded = sequences_.run(OneNandWork::load, from, layout_.is_lsb(from));
  if (loaded.status != PartStatus::ok && loaded.status != PartStatus::corrected) return loaded;
  buffer_.put(op, from.die);
  const OneNandPlace to = layout_.place_of(op.copy_segment, op.copy_offset);
  const OneNandResult programmed = sequences_.run(OneNandWork::program, to);
  return programmed.status == PartStatus::ok ? loaded : programmed;
}

std::size_t OneNandDriver::reap(std::span<PartDone> done, bool wait) {
  if (finished_.empty() && dies_.under_way() != 0) {
    dies_.poll();
    if (finished_.empty() && wait) dies_.await_any(config_.die_turn_ns);
  }
  return finished_.take(done);
}

}  // namespace ftlab
