#include "platform/machine/iss/elf_image.h"

#include <algorithm>
#include <fstream>

#include "common/input_error.h"

namespace ftlab::iss {
namespace {

// Field offsets and values of the System V ABI, ELF32.
constexpr std::size_t kHeaderBytes = 52;
constexpr std::size_t kProgramHeaderBytes = 32;
constexpr std::size_t kSectionHeaderBytes = 40;
constexpr std::size_t kSymbolBytes = 16;
constexpr std::uint32_t kLoad = 1;                 // PT_LOAD
constexpr std::uint32_t kExecute = 1, kWrite = 2;  // PF_X, PF_W
constexpr std::uint32_t kSymbolTable = 2;          // SHT_SYMTAB
constexpr std::uint16_t kExecutable = 2;           // ET_EXEC
constexpr unsigned kObject = 1, kFunction = 2, kNoType = 0;
constexpr std::uint16_t kUndefined = 0, kFirstReserved = 0xff00;  // section indices

const char* name_of(unsigned machine) {
  switch (machine) {
    case 3:
      return "x86";
    case 8:
      return "MIPS";
    case 20:
      return "PowerPC";
    case static_cast<unsigned>(ElfMachine::arm):
      return "ARM";
    case 62:
      return "x86-64";
    case 183:
      return "AArch64";
    case static_cast<unsigned>(ElfMachine::riscv):
      return "RISC-V";
    default:
      return nullptr;
  }
}

std::string text_of(unsigned machine) {
  const char* const name = name_of(machine);
  return name != nullptr ? name : "machine " + std::to_string(machine);
}

/// `$t`, `$x` and the like say what the bytes are; `.L` labels are the compiler's.
bool names_nothing(std::string_view name) { return name.empty() || name[0] == '$' || name.starts_with(".L"); }

}  // namespace

class ElfImage::Reader {
 public:
  Reader(const std::vector<std::uint8_t>& file, const std::string& name) : file_(file), name_(name) {}

  ElfImage image(ElfMachine wanted) {
    const std::uint8_t magic[] = {0x7f, 'E', 'L', 'F'};
    if (file_.size() < sizeof magic || !std::equal(std::begin(magic), std::end(magic), file_.begin())) {
      fail("not an ELF file");
    }
    need(0, kHeaderBytes, 1, "its header");
    const unsigned machine = half(18);
    if (file_[4] != 1)
      fail("a 64-bit " + text_of(machine) + " program; a 32-bit " + wanted_text(wanted) + " one is needed");
    if (file_[5] != 1) fail("a big-endian program; a little-endian one is needed");
    if (machine != static_cast<unsigned>(wanted)) {
      fail("a program for " + text_of(machine) + "; the core executes " + wanted_text(wanted));
    }
    if (half(16) != kExecutable)
      fail("not linked to run at fixed addresses; link it as an executable (no -c, -r, -pie or -shared)");
    image_.machine_ = wanted;
    image_.entry_ = word(24);
    read_segments();
    read_symbols();
    return std::move(image_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(name_ + ": " + what); }
  static std::string wanted_text(ElfMachine machine) { return text_of(static_cast<unsigned>(machine)); }

  /// That the file holds `count` rows of `bytes` from `offset`.
  void need(std::uint64_t offset, std::uint64_t bytes, std::uint64_t count, const char* what) const {
    if (offset + bytes * count > file_.size()) fail(std::string("cut short: the file ends before ") + what);
  }
  [[nodiscard]] std::uint16_t half(std::size_t at) const {
    return static_cast<std::uint16_t>(file_[at] | file_[at + 1] << 8);
  }
  [[nodiscard]] std::uint32_t word(std::size_t at) const {
    return half(at) | static_cast<std::uint32_t>(half(at + 2)) << 16;
  }

  void read_segments() {
    const std::uint32_t offset = word(28);
    const unsigned size = half(42);
    const unsigned count = half(44);
    if (count > 0 && size < kProgramHeaderBytes) fail("its program headers are too small");
    need(offset, size, count, "its program headers");
    for (unsigned i = 0; i < count; ++i) read_segment(offset + std::size_t{size} * i);
    if (image_.segments_.empty()) fail("nothing in it is to be loaded");
  }

  void read_segment(std::size_t row) {
    const std::uint32_t memory_bytes = word(row + 20);
    if (word(row) != kLoad || memory_bytes == 0) return;
    ElfSegment segment;
    segment.address = word(row + 8);
    segment.load_address = word(row + 12);
    segment.memory_bytes = memory_bytes;
    const std::uint32_t flags = word(row + 24);
    segment.writable = (flags & kWrite) != 0;
    segment.executable = (flags & kExecute) != 0;
    const std::uint32_t offset = word(row + 4);
    const std::uint32_t bytes = word(row + 16);
    need(offset, bytes, 1, "a segment's bytes");
    if (bytes > memory_bytes) fail("a segment has more bytes in the file than in memory");
    for (const std::uint32_t address : {segment.address, segment.load_address}) {
      if (std::uint64_t{address} + memory_bytes > std::uint64_t{1} << 32) fail("a segment reaches beyond 4 GiB");
    }
    segment.bytes.assign(file_.begin() + offset, file_.begin() + offset + bytes);
    image_.segments_.push_back(std::move(segment));
  }

  void read_symbols() {
    const std::uint32_t offset = word(32);
    const unsigned size = half(46);
    const unsigned count = half(48);
    if (offset == 0 || count == 0) return;
    if (size < kSectionHeaderBytes) fail("its section headers are too small");
    need(offset, size, count, "its section headers");
    for (unsigned i = 0; i < count; ++i) {
      const std::size_t row = offset + std::size_t{size} * i;
      if (word(row + 4) != kSymbolTable) continue;
      const std::uint32_t strings = word(row + 24);
      if (strings >= count) fail("its symbols have no names");
      read_symbol_table(row, offset + std::size_t{size} * strings);
    }
    std::stable_sort(image_.symbols_.begin(), image_.symbols_.end(),
                     [](const ElfSymbol& a, const ElfSymbol& b) { return a.address < b.address; });
  }

  void read_symbol_table(std::size_t table, std::size_t strings) {
    const std::uint32_t offset = word(table + 16);
    const std::uint32_t count = word(table + 20) / kSymbolBytes;
    need(offset, kSymbolBytes, count, "its symbols");
    need(word(strings + 16), word(strings + 20), 1, "its symbols' names");
    // Globals first, so that of two names for one address they stay in front.
    for (const bool global : {true, false}) {
      for (std::uint32_t i = 0; i < count; ++i) {
        const std::size_t row = offset + std::size_t{kSymbolBytes} * i;
        if (((file_[row + 12] >> 4) != 0) == global) read_symbol(row, strings, global);
      }
    }
  }

  void read_symbol(std::size_t row, std::size_t strings, bool global) {
    const unsigned type = file_[row + 12] & 0xfU;
    const std::uint16_t section = half(row + 14);
    if (section == kUndefined || section >= kFirstReserved) return;
    if (type != kObject && type != kFunction && type != kNoType) return;
    const std::string name = string_at(strings, word(row));
    if (names_nothing(name)) return;
    const bool function = type == kFunction;
    const std::uint32_t state = function && image_.machine_ == ElfMachine::arm ? 1U : 0U;
    image_.symbols_.push_back({name, word(row + 4) & ~state, word(row + 8), function, global});
  }

  [[nodiscard]] std::string string_at(std::size_t strings, std::uint32_t offset) const {
    const std::uint32_t size = word(strings + 20);
    if (offset >= size) fail("a symbol's name lies outside the table of names");
    const auto begin = file_.begin() + word(strings + 16) + offset;
    return {begin, std::find(begin, begin + (size - offset), std::uint8_t{0})};
  }

  const std::vector<std::uint8_t>& file_;
  const std::string& name_;
  ElfImage image_;
};

ElfImage ElfImage::read(const std::filesystem::path& file, ElfMachine machine) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream || !std::filesystem::is_regular_file(file)) throw InputError(file.string() + ": cannot be read");
  std::vector<std::uint8_t> bytes(std::filesystem::file_size(file));
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  return parse(bytes, file.string(), machine);
}

ElfImage ElfImage::parse(const std::vector<std::uint8_t>& file, const std::string& name, ElfMachine machine) {
  return Reader(file, name).image(machine);
}

std::optional<ElfSymbol> ElfImage::symbol(std::string_view name) const {
  const ElfSymbol* found = nullptr;
  for (const ElfSymbol& symbol : symbols_) {
    if (symbol.name == name && (found == nullptr || (symbol.global && !found->global))) found = &symbol;
  }
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

std::optional<ElfSymbol> ElfImage::symbol_at(std::uint32_t address) const {
  const auto segment = std::find_if(segments_.begin(), segments_.end(), [&](const ElfSegment& s) {
    return address >= s.address && address - s.address < s.memory_bytes;
  });
  if (segment == segments_.end()) return std::nullopt;
  const auto behind = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                                       [](std::uint32_t a, const ElfSymbol& s) { return a < s.address; });
  const ElfSymbol* label = nullptr;
  for (auto at = behind; at != symbols_.begin();) {
    --at;
    if (at->address < segment->address) break;
    if (address - at->address < at->size) return *at;
    // Behind the end of something with a size a label before it means nothing.
    if (at->size > 0) break;
    // Of several at one address the first, which is global if one of them is.
    if (label == nullptr || at->address == label->address) label = &*at;
  }
  return label != nullptr ? std::optional(*label) : std::nullopt;
}

}  // namespace ftlab::iss
