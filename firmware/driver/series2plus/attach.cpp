// Attaching to a card and letting go of it: from the card information to pairs in a known state.
#include "firmware/driver/series2plus/cis_reader.h"
#include "firmware/driver/series2plus/driver.h"
#include "firmware/driver/series2plus/identify.h"
#include "hw/regs/series2plus_regs.h"

namespace ftlab {

namespace regs = hw::series2plus;

namespace {
constexpr std::uint64_t kWindowBytes = 64U << 20;  // 26 address lines
}  // namespace

AttachStatus Series2PlusDriver::attach() {
  geometry_ = {};
  pairs_ = {};
  last_ = nullptr;
  set_up_ = false;
  erasing_ = suspended_ = erase_order_ = 0;
  finished_.clear();
  control_.forget_vpp();
  AttachStatus status = identify();
  if (status == AttachStatus::ok && !control_.write_protected()) {
    status = set_up_pairs();
    set_up_ = status == AttachStatus::ok;
  }
  return status;
}

AttachStatus Series2PlusDriver::identify() {
  const CardInformation card = read_card_information(attribute_);
  if (card.capacity_bytes == 0 || card.segment_bytes == 0) return AttachStatus::no_card_information;
  if (card.manufacturer_code != regs::kManufacturerCode || card.device_code != regs::kDeviceCode) {
    return AttachStatus::wrong_device;
  }
  if (card.capacity_bytes > kWindowBytes || card.capacity_bytes % card.segment_bytes != 0) {
    return AttachStatus::bad_geometry;
  }
  control_.wake();
  if (!control_.wait_all_ready()) return AttachStatus::not_ready;

  const auto segments = static_cast<std::uint32_t>(card.capacity_bytes / card.segment_bytes);
  segments_per_pair_ = segments;
  const bool deaf = control_.write_protected();
  if (!deaf) {
    if (!commands_.bring_to_rest(pairs_[0])) return AttachStatus::not_ready;
    if (!has_series2plus_pair(common_, 0)) return AttachStatus::wrong_device;
    segments_per_pair_ = segments_of_first_pair(common_, segments, card.segment_bytes);
  }
  if (segments % segments_per_pair_ != 0) return AttachStatus::bad_geometry;
  geometry_ = {.segments = segments,
               .segment_bytes = card.segment_bytes,
               .program_unit_bytes = 1,
               .spare_bytes = 0,
               .parallel_units = segments / segments_per_pair_,
               .rated_erase_cycles = config_.rated_erase_cycles};
  if (geometry_.parallel_units > kMaxPairs) return AttachStatus::too_many_pairs;
  capabilities_ = {
      .in_place_clear = true, .background_erase = config_.background_erase, .queue_depth = DoneRing::kDepth};
  return AttachStatus::ok;
}

AttachStatus Series2PlusDriver::set_up_pairs() {
  control_.apply_lock_policy();
  control_.provide_vpp();
  for (std::uint32_t i = 0; i < geometry_.parallel_units; ++i) {
    PairState& pair = pairs_[i];
    pair.first = i * segments_per_pair_ * geometry_.segment_bytes;
    if (!commands_.bring_to_rest(pair)) return AttachStatus::not_ready;
    if (!has_series2plus_pair(common_, pair.first)) return AttachStatus::bad_geometry;
    if (config_.honour_locks && !commands_.upload_lock_bits(pair)) return AttachStatus::not_ready;
    if (!commands_.set_ready_line(pair, true)) return AttachStatus::not_ready;
    commands_.show_array(pair);
  }
  return AttachStatus::ok;
}

void Series2PlusDriver::release() {
  while (PairState* const pair = oldest_erase()) finish_erase(*pair);
  rest();
  control_.switch_vpp_off();
}

}  // namespace ftlab
