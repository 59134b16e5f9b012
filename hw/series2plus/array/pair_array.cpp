#include "hw/series2plus/array/pair_array.h"

#include <algorithm>
#include <bit>
#include <boost/random/uniform_real_distribution.hpp>

namespace ftlab::hw {

PairArray::PairArray(CardContext& card, PageBuffers& buffers, std::uint32_t pair)
    : card_(card),
      buffers_(buffers),
      first_segment_(pair * card.spec.segments_per_pair),
      base_(pair * card.spec.pair_bytes()),
      block_shift_(static_cast<std::uint32_t>(std::countr_zero(card.spec.segment_bytes / 2))) {}

bool PairArray::uniform(const Request& request) const {
  const bool every = request.kind == OperationKind::erase_all || request.kind == OperationKind::upload_locks;
  if (!every) return card_.wear.uniform(first_segment_ + request.block);
  for (std::uint32_t block = 0; block < blocks(); ++block) {
    if (!card_.wear.uniform(first_segment_ + block)) return false;
  }
  return true;
}

Ticks PairArray::duration_of(Lanes lanes, const Request& request) const {
  switch (request.kind) {
    case OperationKind::program:
      return card_.wear.word_program_time(cells(lanes, request.block));
    case OperationKind::buffer_program:
      return card_.wear.buffer_program_time(cells(lanes, request.block), request.length);
    case OperationKind::erase:
      return card_.wear.erase_time(cells(lanes, request.block));
    case OperationKind::erase_all: {
      Ticks sum{};
      for (std::uint32_t block = 0; block < blocks(); ++block) {
        if (!skips(lanes, request, block)) sum += card_.wear.erase_time(cells(lanes, block));
      }
      return sum;
    }
    case OperationKind::lock:
      return card_.spec.timing.lock_program;
    case OperationKind::upload_locks:
    case OperationKind::upload_info:
      return card_.spec.timing.upload;
  }
  return Ticks::zero();
}

void PairArray::prefetch(const Request& request) const {
  card_.content.prefetch(card_address(request.address), request.length);
}

std::span<const std::byte> PairArray::words_of(const Request& request, std::uint32_t done, std::uint32_t most) const {
  if (request.kind == OperationKind::program) {
    return std::span(request.data).subspan(std::size_t{done} * 2, std::size_t{most} * 2);
  }
  // The buffer address is the low byte of the array address, so an unaligned program wraps around in the buffer.
  return buffers_.words(request.buffer, request.address + done, most);
}

void PairArray::program_first(Lanes lanes, const Request& request, std::uint32_t length) {
  for (std::uint32_t done = 0; done < length;) {
    const std::span<const std::byte> words = words_of(request, done, length - done);
    card_.content.program(lanes, card_address(request.address + done), words);
    done += static_cast<std::uint32_t>(words.size() / 2);
  }
}

void PairArray::program_partly(Lanes lanes, const Request& request, double done) {
  const auto whole = std::min(request.length - 1, static_cast<std::uint32_t>(done * request.length));
  program_first(lanes, request, whole);
  card_.content.program_some_bits(lanes, card_address(request.address + whole), words_of(request, whole, 1).first<2>(),
                                  card_.power_loss);
}

bool PairArray::erase(Lanes lanes, std::uint32_t block) {
  const bool worn = cells(lanes, block).cycles >= cells(lanes, block).limit;
  for (std::uint32_t lane = 0; lane < 2; ++lane) {
    if (!includes(lanes, lane)) continue;
    BlockCells& block_cells = card_.wear.cells(first_segment_ + block, lane);
    ++block_cells.cycles;
    block_cells.worn = block_cells.worn || worn;
    if (!worn) block_cells.locked = false;  // only reached while lock bits do not count
  }
  if (worn) {
    boost::random::uniform_real_distribution<double> progress(0.5, 1.0);
    const double done = progress(card_.power_loss);
    card_.content.erase_partly(lanes, block_address(block), 1U << block_shift_, done, card_.power_loss);
    return false;
  }
  card_.content.erase(lanes, block_address(block), 1U << block_shift_);
  return true;
}

void PairArray::erase_partly(Lanes lanes, std::uint32_t block, double done) {
  card_.content.erase_partly(lanes, block_address(block), 1U << block_shift_, done, card_.power_loss);
  for (std::uint32_t lane = 0; lane < 2; ++lane) {
    if (includes(lanes, lane)) ++card_.wear.cells(first_segment_ + block, lane).cycles;
  }
}

void PairArray::set_lock_bits(Lanes lanes, std::uint32_t block) {
  for (std::uint32_t lane = 0; lane < 2; ++lane) {
    if (includes(lanes, lane)) card_.wear.cells(first_segment_ + block, lane).locked = true;
  }
}

void PairArray::upload_info(Lanes lanes, std::uint32_t buffer) {
  for (std::uint32_t lane = 0; lane < 2; ++lane) {
    if (!includes(lanes, lane)) continue;
    for (std::uint32_t i = 0; i < PageBuffers::kBytes; ++i) {
      const bool revision = i == series2plus::kDeviceRevisionByte;
      buffers_.at(buffer, i, lane) = revision ? std::byte{card_.spec.device_revision} : std::byte{0xFF};
    }
  }
}

}  // namespace ftlab::hw
