// Little-endian, versioned; the geometry stands in front.
//   magic "FTLABS2P", u32 version, u32 pairs, u32 segments per pair, u32 segment bytes, u32 has content;
//   per segment and lane: u32 erase cycles, u8 flags (1 worn, 2 locked); then the array bytes, if any.
#include "hw/series2plus/image/image.h"

#include <array>
#include <utility>
#include <vector>

#include "common/input_error.h"
#include "hw/base/image_stream.h"

namespace ftlab::hw {
namespace {

constexpr std::array<char, 8> kMagic = {'F', 'T', 'L', 'A', 'B', 'S', '2', 'P'};
constexpr std::uint32_t kVersion = 1;
constexpr std::uint8_t kWorn = 1;
constexpr std::uint8_t kLocked = 2;

std::array<std::uint32_t, 5> header_of(const CardSpec& spec, const CellBytes& array) {
  return {kVersion, spec.pairs, spec.segments_per_pair, spec.segment_bytes, std::uint32_t{array.stores_content()}};
}

}  // namespace

void save_card_image(std::ostream& out, const CardSpec& spec, const WearModel& wear, const CellBytes& array) {
  out.write(kMagic.data(), kMagic.size());
  for (const std::uint32_t field : header_of(spec, array)) image::put(out, field);
  for (const BlockCells& cells : wear.all()) {
    image::put(out, cells.cycles);
    image::put(out, static_cast<std::uint8_t>((cells.worn ? kWorn : 0) | (cells.locked ? kLocked : 0)));
  }
  std::vector<std::byte> content(array.size());
  array.read(0, content);
  image::put_bytes(out, content);
}

void load_card_image(std::istream& in, const std::string& name, const CardSpec& spec, WearModel& wear,
                     CellBytes& array) {
  std::array<char, 8> magic{};
  in.read(magic.data(), magic.size());
  if (!in || magic != kMagic) throw InputError(name + ": not a medium image of a Series 2+ card");
  for (const std::uint32_t expected : header_of(spec, array)) {
    const auto found = image::get<std::uint32_t>(in);
    if (!in || found != expected) {
      throw InputError(name + ": image of another card or version (found " + std::to_string(found) + ", expected " +
                       std::to_string(expected) + "); save it with the same part and options");
    }
  }
  std::vector<BlockCells> cells = wear.all();
  for (BlockCells& block : cells) {
    block.cycles = image::get<std::uint32_t>(in);
    const auto flags = image::get<std::uint8_t>(in);
    if (in && (flags & ~(kWorn | kLocked)) != 0) {
      throw InputError(name + ": image is damaged, segment " + std::to_string((&block - cells.data()) / 2) +
                       ": flags: " + std::to_string(flags) + " is impossible; save it again");
    }
    block.worn = (flags & kWorn) != 0;
    block.locked = (flags & kLocked) != 0;
  }
  std::vector<std::byte> content(array.size());
  image::get_bytes(in, content);
  if (!in) throw InputError(name + ": image is cut short; save it again");
  if (in.peek() != std::istream::traits_type::eof()) {
    throw InputError(name + ": image goes on behind its last byte; save it again");
  }
  wear.all() = std::move(cells);
  array.poke(0, content);
}

}  // namespace ftlab::hw
