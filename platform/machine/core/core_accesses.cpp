// What the accesses of a core come to: memory that somebody watches, registers of the board, windows of the part, DMA.
#include <algorithm>
#include <cstring>
#include <utility>

#include "firmware/target/board.h"
#include "platform/machine/core/core_processor.h"

namespace ftlab::platform {

bool CoreProcessor::read(std::uint32_t address, unsigned size, std::uint32_t& value) {
  value = 0;
  if (core_watcher_ != nullptr) {
    core_watcher_->touched(address, size, false);
    if (const std::uint8_t* const memory = left_memory(address, false)) {
      std::memcpy(&value, memory, size);
      return true;
    }
  }
  return access(tlm::TLM_READ_COMMAND, address, size, value);
}

bool CoreProcessor::write(std::uint32_t address, unsigned size, std::uint32_t value) {
  if (core_watcher_ != nullptr) {
    core_watcher_->touched(address, size, true);
    if (std::uint8_t* const memory = left_memory(address, true)) {
      std::memcpy(memory, &value, size);
      return true;
    }
  }
  return access(tlm::TLM_WRITE_COMMAND, address, size, value);
}

std::uint8_t* CoreProcessor::left_memory(std::uint32_t address, bool write) {
  for (const iss::MemoryRegion& region : memory_->regions())
    if (address - region.base < region.size)
      return write && !region.writable ? nullptr : region.bytes + (address - region.base);
  return nullptr;
}

bool CoreProcessor::look(std::uint32_t address, std::span<std::uint8_t> into) {
  const std::span<const std::uint8_t> memory = memory_->find(address, into.size());
  if (memory.size() == into.size()) {
    std::ranges::copy(memory, into.begin());
    return true;
  }
  const auto size = static_cast<unsigned>(into.size());
  if (PartWindows::Window* const window = part_.find(address))
    return part_.look(*window, address, size, into.data()) == size;
  std::uint32_t value = 0;
  if (size > sizeof value) return false;
  BoardDevices::Device* const device = devices_.find(address);
  // Reading changes no device of the board.
  const bool known =
      device != nullptr
          ? devices_.transport(*device, {tlm::TLM_READ_COMMAND, address, size, &value, bus_now(), kernel_now_})
          : core_->look(address, size, value);
  if (!known) return false;
  std::memcpy(into.data(), &value, size);
  return true;
}

bool CoreProcessor::access(tlm::tlm_command command, std::uint32_t address, unsigned size, std::uint32_t& value) {
  if (PartWindows::Window* const window = part_.find(address))
    return access_part(*window, command, address, size, value);
  BoardDevices::Device* const device = devices_.find(address);
  if (device == nullptr) return false;
  const Ticks begun = bus_now();
  const bool answers = devices_.transport(*device, {command, address, size, &value, begun, kernel_now_});
  wait_for_bus(options_.core.register_wait);
  if (waits_.records()) [[unlikely]] {
    waits_.reads(device->target.steady_until(address - device->base, begun));
    if (!answers || command == tlm::TLM_WRITE_COMMAND) waits_.changes();
  }
  if (answers && device->tells) asked_.see(core_->cycles(), address, value, command == tlm::TLM_WRITE_COMMAND);
  return answers;
}

bool CoreProcessor::access_part(PartWindows::Window& window, tlm::tlm_command command, std::uint32_t address,
                                unsigned size, std::uint32_t& value) {
  // The bus of the part is 16 bits wide.
  constexpr unsigned kCell = 2;
  auto* const bytes = reinterpret_cast<unsigned char*>(&value);
  std::uint64_t cycle = core_->cycles();
  if (waits_.records()) [[unlikely]] {
    waits_.reads_part(hint->next_status_change(clock_.at(cycle)));
    if (command == tlm::TLM_WRITE_COMMAND || dma_.busy_until() > cycle) waits_.changes();
  }
  if (dma_.busy_until() > cycle) wait_for_bus(dma_.busy_until() - std::exchange(cycle, dma_.busy_until()));
  for (unsigned at = 0; at < size; at += kCell) {
    const Ticks begun = clock_.at(cycle);
    Ticks taken{};
    if (!part_.transport(window, {command, address + at, std::min(size, kCell), bytes + at, begun, kernel_now_}, taken))
      return false;
    const std::uint64_t lasts = lasting_.of(cycle, taken);
    wait_for_bus(lasts);
    cycle += lasts;
    ledger_.add_bus_time(taken);
  }
  if (command == tlm::TLM_WRITE_COMMAND) part_written(cycle);
  // The part has been told of an operation that the watcher is to hear of.
  if (look_cycle_ <= cycle) core_->end_run();
  asked_.see(cycle, address, value, command == tlm::TLM_WRITE_COMMAND);
  return true;
}

void CoreProcessor::part_written(std::uint64_t cycle) {
  const std::uint64_t before = edge_cycle_;
  see_edge(cycle);
  if (edge_cycle_ != before) core_->end_run();
}

bool CoreProcessor::move(const Dma::Transfer& transfer, std::uint64_t& cycles, std::string& why) {
  // Its end may come before what was due.
  core_->end_run();
  const std::span<std::uint8_t> from = memory_->find(transfer.from, transfer.bytes);
  const std::span<std::uint8_t> to = memory_->find(transfer.to, transfer.bytes);
  const bool writes_memory = !to.empty() && transfer.to >= target::kFlashBytes;
  if (writes_memory &&
      (memory_->is_below_stack(transfer.to) || memory_->is_below_stack(transfer.to + transfer.bytes - 1))) {
    why = "that reaches between static data and the stack, where nothing answers";
    return false;
  }
  if (!from.empty() && writes_memory) {
    std::memmove(to.data(), from.data(), transfer.bytes);
    cycles = std::uint64_t{options_.core.dma_word} * ((transfer.bytes + 3) / 4);
    return true;
  }
  PartWindows::Window* const window = part_.find(from.empty() ? transfer.from : transfer.to);
  if (window == nullptr || (from.empty() && !writes_memory)) {
    why = "one end has to be memory that can be written or read, and the other that or a window of the part";
    return false;
  }
  const Ticks begun = clock_.at(core_->cycles());
  Ticks taken{};
  const PartWindows::Access access =
      from.empty()
          ? PartWindows::Access{tlm::TLM_READ_COMMAND, transfer.from, transfer.bytes, to.data(), begun, kernel_now_}
          : PartWindows::Access{tlm::TLM_WRITE_COMMAND, transfer.to, transfer.bytes, from.data(), begun, kernel_now_};
  if (!part_.transport(*window, access, taken)) {
    why = "the part does not take such a burst";
    return false;
  }
  cycles = clock_.first_from(begun + taken) - core_->cycles();
  ledger_.add_bus_time(taken);
  part_written(core_->cycles());
  return true;
}

void CoreProcessor::wait_for_bus(std::uint64_t cycles) {
  core_->stall(cycles);
  totals_.bus_cycles += cycles;
  if (core_watcher_ != nullptr) core_watcher_->waits(cycles);
}

}  // namespace ftlab::platform
