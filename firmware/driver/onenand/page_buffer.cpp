#include "firmware/driver/onenand/page_buffer.h"

#include <cstring>

#include "hw/regs/onenand_regs.h"

namespace ftlab {

namespace onenand = hw::flexonenand;

void OneNandPageBuffer::put(const PartOp& op, std::uint16_t die) {
  probe_.count(Work::buffer_program, 1);
  bus_.select(die);
  if (op.from != nullptr) bus_.write_main({op.from, op.length});
  if (op.kind == PartOpKind::copy && op.spare_from == nullptr) return;
  spare_.fill(std::byte{0xFF});
  if (op.spare_from != nullptr) {
    for (std::uint32_t slot = 0; slot < onenand::kSectorsPerPage; ++slot) {
      std::memcpy(&spare_[slot * onenand::kSectorSpareBytes + onenand::spare_slot::kUser],
                  op.spare_from + slot * onenand::spare_slot::kUserBytes, onenand::spare_slot::kUserBytes);
    }
  }
  bus_.write_spare(spare_);
}

void OneNandPageBuffer::hand_over(const PartOp& op, std::uint16_t die) {
  bus_.select(die);
  if (op.into != nullptr && op.length != 0) bus_.read_main(op.offset % onenand::kPageBytes, {op.into, op.length});
  if (op.spare_into == nullptr) return;
  bus_.read_spare(spare_);
  for (std::uint32_t slot = 0; slot < onenand::kSectorsPerPage; ++slot) {
    std::memcpy(op.spare_into + slot * onenand::spare_slot::kUserBytes,
                &spare_[slot * onenand::kSectorSpareBytes + onenand::spare_slot::kUser],
                onenand::spare_slot::kUserBytes);
  }
}

const OneNandSpare& OneNandPageBuffer::raw_spare() {
  bus_.read_spare(spare_);
  return spare_;
}

void OneNandPageBuffer::put_marker(const OneNandSpare& spare, std::uint16_t die) {
  probe_.count(Work::buffer_program, 1);
  bus_.select(die);
  bus_.blank_main();
  bus_.write_spare(spare);
}

}  // namespace ftlab
