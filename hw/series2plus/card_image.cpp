// Medium image: what survives without supply. Little-endian, versioned; the geometry stands in front.
//   magic "FTLABS2P", u32 version, u32 pairs, u32 segments per pair, u32 segment bytes, u32 has content;
//   per segment and lane: u32 erase cycles, u8 flags (1 worn, 2 locked); then the array bytes, if any.
#include <array>
#include <istream>
#include <ostream>

#include "common/input_error.h"
#include "hw/series2plus/card_core_impl.h"

namespace ftlab::hw {
namespace {

constexpr std::array<char, 8> kMagic = {'F', 'T', 'L', 'A', 'B', 'S', '2', 'P'};
constexpr std::uint32_t kVersion = 1;
constexpr std::uint8_t kWorn = 1;
constexpr std::uint8_t kLocked = 2;

void put_u32(std::ostream& out, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) out.put(static_cast<char>(value >> shift & 0xFF));
}

std::uint32_t get_u32(std::istream& in) {
  std::uint32_t value = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(in.get())) << shift;
  }
  return value;
}

}  // namespace

void CardCore::save_image(std::ostream& out) const {
  const CardSpec& card = impl_->card.spec;
  const Medium& medium = impl_->card.medium;
  out.write(kMagic.data(), kMagic.size());
  for (const std::uint32_t field :
       {kVersion, card.pairs, card.segments_per_pair, card.segment_bytes, std::uint32_t{medium.stores_content()}}) {
    put_u32(out, field);
  }
  for (const BlockCells& cells : impl_->card.wear.all()) {
    put_u32(out, cells.cycles);
    out.put(static_cast<char>((cells.worn ? kWorn : 0) | (cells.locked ? kLocked : 0)));
  }
  std::vector<std::byte> content(medium.size());
  medium.read(0, content);
  out.write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
}

void CardCore::load_image(std::istream& in, const std::string& name) {
  const CardSpec& card = impl_->card.spec;
  Medium& medium = impl_->card.medium;
  std::array<char, 8> magic{};
  in.read(magic.data(), magic.size());
  if (!in || magic != kMagic) throw InputError(name + ": not a medium image of a Series 2+ card");
  for (const std::uint32_t expected :
       {kVersion, card.pairs, card.segments_per_pair, card.segment_bytes, std::uint32_t{medium.stores_content()}}) {
    const std::uint32_t found = get_u32(in);
    if (!in || found != expected) {
      throw InputError(name + ": image of another card or version (found " + std::to_string(found) + ", expected " +
                       std::to_string(expected) + "); save it with the same part and options");
    }
  }
  std::vector<BlockCells> cells = impl_->card.wear.all();
  for (BlockCells& block : cells) {
    block.cycles = get_u32(in);
    const int flags = in.get();
    if (in && (flags & ~(kWorn | kLocked)) != 0) {
      throw InputError(name + ": image is damaged, segment " + std::to_string((&block - cells.data()) / 2) +
                       ": flags: " + std::to_string(flags) + " is impossible; save it again");
    }
    block.worn = (flags & kWorn) != 0;
    block.locked = (flags & kLocked) != 0;
  }
  std::vector<std::byte> content(medium.size());
  in.read(reinterpret_cast<char*>(content.data()), static_cast<std::streamsize>(content.size()));
  if (!in) throw InputError(name + ": image is cut short; save it again");
  if (in.peek() != std::istream::traits_type::eof()) {
    throw InputError(name + ": image goes on behind its last byte; save it again");
  }
  impl_->card.wear.all() = std::move(cells);
  medium.poke(0, content);
}

}  // namespace ftlab::hw
