#include "platform/machine/iss/elf_image.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "common/input_error.h"
#include "tests/fixtures/error_text.h"

namespace ftlab::iss {
namespace {

using Bytes = std::vector<std::uint8_t>;

void put(Bytes& bytes, std::size_t at, std::uint32_t value, unsigned size) {
  if (bytes.size() < at + size) bytes.resize(at + size);
  for (unsigned i = 0; i < size; ++i) bytes[at + i] = static_cast<std::uint8_t>(value >> 8 * i);
}

void put_words(Bytes& bytes, std::size_t at, const std::vector<std::uint32_t>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) put(bytes, at + 4 * i, words[i], 4);
}

struct Symbol {
  std::string name;
  std::uint32_t value = 0;
  std::uint32_t size = 0;
  unsigned type = 2;  // function
  bool global = true;
  unsigned section = 1;
};

constexpr std::size_t kSegments = 52;
constexpr std::size_t kSections = 116;

/// Two segments: four bytes of code at 0x100, and data that start-up code moves from 0x200 to 0x2000.
Bytes program(unsigned machine, const std::vector<Symbol>& symbols = {}) {
  Bytes file{0x7f, 'E', 'L', 'F', 1, 1, 1};
  put(file, 16, 2, 2);
  put(file, 18, machine, 2);
  put_words(file, 20, {1, 0x101, kSegments, kSections});
  put_words(file, 40, {52 | 32U << 16, 2 | 40U << 16, 3});
  put_words(file, kSegments, {1, 0xf0, 0x100, 0x100, 4, 4, 5, 4});
  put_words(file, kSegments + 32, {1, 0xf4, 0x2000, 0x200, 4, 12, 6, 4});
  put_words(file, 0xf0, {0x00100073, 0xdeadbeef});
  Bytes names{0};
  Bytes table(16);
  for (const Symbol& symbol : symbols) {
    const std::size_t row = table.size();
    put_words(table, row, {static_cast<std::uint32_t>(names.size()), symbol.value, symbol.size});
    put(table, row + 12, symbol.type | (symbol.global ? 0x10U : 0U), 2);
    put(table, row + 14, symbol.section, 2);
    names.insert(names.end(), symbol.name.begin(), symbol.name.end());
    names.push_back(0);
  }
  const auto table_at = static_cast<std::uint32_t>(file.size());
  const auto names_at = static_cast<std::uint32_t>(table_at + table.size());
  put_words(file, kSections + 40, {0, 2, 0, 0, table_at, static_cast<std::uint32_t>(table.size()), 2, 0, 4, 16});
  put_words(file, kSections + 80, {0, 3, 0, 0, names_at, static_cast<std::uint32_t>(names.size()), 0, 0, 1, 0});
  file.insert(file.end(), table.begin(), table.end());
  file.insert(file.end(), names.begin(), names.end());
  return file;
}

ElfImage image(unsigned machine, const std::vector<Symbol>& symbols = {}) {
  return ElfImage::parse(program(machine, symbols), "my.elf", static_cast<ElfMachine>(machine));
}

std::string refusal(const Bytes& file, ElfMachine machine = ElfMachine::riscv) {
  return test::error_text([&] { ElfImage::parse(file, "my.elf", machine); }, "");
}

TEST(ElfImage, segments_say_what_is_loaded_where) {
  const ElfImage elf = image(243);
  EXPECT_EQ(elf.machine(), ElfMachine::riscv);
  EXPECT_EQ(elf.entry(), 0x101U);
  ASSERT_EQ(elf.segments().size(), 2U);
  const ElfSegment& code = elf.segments()[0];
  EXPECT_EQ(code.address, 0x100U);
  EXPECT_EQ(code.bytes, (Bytes{0x73, 0x00, 0x10, 0x00}));
  EXPECT_TRUE(code.executable);
  EXPECT_FALSE(code.writable);
  const ElfSegment& data = elf.segments()[1];
  EXPECT_EQ(data.address, 0x2000U);
  EXPECT_EQ(data.load_address, 0x200U);
  EXPECT_EQ(data.memory_bytes, 12U);
  EXPECT_EQ(data.bytes, (Bytes{0xef, 0xbe, 0xad, 0xde}));
  EXPECT_TRUE(data.writable);
}

TEST(ElfImage, a_symbol_is_found_by_its_name) {
  const ElfImage elf = image(243, {{"main", 0x100, 2}, {"table", 0x2004, 8, 1}});
  ASSERT_TRUE(elf.symbol("table"));
  EXPECT_EQ(elf.symbol("table")->address, 0x2004U);
  EXPECT_FALSE(elf.symbol("table")->function);
  EXPECT_TRUE(elf.symbol("main")->function);
  EXPECT_FALSE(elf.symbol("absent"));
}

TEST(ElfImage, of_two_symbols_with_a_name_the_global_one_counts) {
  const ElfImage elf = image(243, {{"again", 0x100, 2, 2, false}, {"again", 0x102, 2}});
  EXPECT_EQ(elf.symbol("again")->address, 0x102U);
}

TEST(ElfImage, an_address_belongs_to_the_symbol_that_reaches_over_it) {
  const ElfImage elf = image(243, {{"outer", 0x2000, 8, 1}, {"inner", 0x2002, 0, 0, false}, {"late", 0x2009, 1, 1}});
  EXPECT_EQ(elf.symbol_at(0x2003)->name, "outer");
  EXPECT_EQ(elf.symbol_at(0x2009)->name, "late");
  EXPECT_FALSE(elf.symbol_at(0x200a));
  EXPECT_FALSE(elf.symbol_at(0x3000));
}

TEST(ElfImage, a_label_reaches_to_the_next_symbol_or_the_end_of_its_segment) {
  const ElfImage elf = image(243, {{"reset", 0x100, 0, 0}, {"buffer", 0x2004, 0, 0}});
  EXPECT_EQ(elf.symbol_at(0x103)->name, "reset");
  EXPECT_FALSE(elf.symbol_at(0x104));
  EXPECT_FALSE(elf.symbol_at(0x2000));
  EXPECT_EQ(elf.symbol_at(0x200b)->name, "buffer");
}

TEST(ElfImage, a_thumb_function_lies_at_an_even_address) {
  EXPECT_EQ(image(40, {{"main", 0x101, 2}}).symbol("main")->address, 0x100U);
  EXPECT_EQ(image(40, {{"odd", 0x2001, 1, 1}}).symbol("odd")->address, 0x2001U);
}

TEST(ElfImage, names_of_no_use_are_left_out) {
  const ElfImage elf = image(
      40,
      {{"$t", 0x100, 0, 0, false}, {".L3", 0x100, 0, 0}, {"a.c", 0, 0, 4}, {"gone", 0, 0, 0, true, 0}, {"", 0x100}});
  EXPECT_TRUE(elf.symbols().empty());
}

TEST(ElfImage, a_program_for_another_core_is_refused_with_both_names) {
  EXPECT_EQ(refusal(program(40)), "my.elf: a program for ARM; the core executes RISC-V");
  EXPECT_EQ(refusal(program(0x77)), "my.elf: a program for machine 119; the core executes RISC-V");
  EXPECT_EQ(refusal(program(243), ElfMachine::arm), "my.elf: a program for RISC-V; the core executes ARM");
}

TEST(ElfImage, other_files_are_refused_by_what_they_are) {
  EXPECT_EQ(refusal({}), "my.elf: not an ELF file");
  EXPECT_EQ(refusal({'#', '!', '/', 'b'}), "my.elf: not an ELF file");
  Bytes file = program(243);
  file[4] = 2;
  EXPECT_EQ(refusal(file), "my.elf: a 64-bit RISC-V program; a 32-bit RISC-V one is needed");
  file = program(243);
  file[5] = 2;
  EXPECT_EQ(refusal(file), "my.elf: a big-endian program; a little-endian one is needed");
  file = program(243);
  file[16] = 1;
  EXPECT_NE(refusal(file).find("not linked"), std::string::npos);
}

TEST(ElfImage, a_program_with_nothing_to_load_is_refused) {
  Bytes file = program(243);
  put(file, 44, 0, 2);
  EXPECT_EQ(refusal(file), "my.elf: nothing in it is to be loaded");
}

TEST(ElfImage, segments_that_cannot_be_are_refused) {
  Bytes file = program(243);
  put(file, kSegments + 20, 3, 4);
  EXPECT_EQ(refusal(file), "my.elf: a segment has more bytes in the file than in memory");
  file = program(243);
  put(file, kSegments + 32 + 20, 0xffffffff, 4);
  EXPECT_EQ(refusal(file), "my.elf: a segment reaches beyond 4 GiB");
}

TEST(ElfImage, a_file_that_ends_early_is_refused_wherever_it_ends) {
  const Bytes whole = program(243, {{"main", 0x100, 2}});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string said = refusal(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
    EXPECT_TRUE(said.starts_with(size < 4 ? "my.elf: not an ELF" : "my.elf: cut short")) << size << ": " << said;
  }
}

TEST(ElfImage, any_word_of_a_file_may_be_wrong) {
  const Bytes whole = program(243, {{"main", 0x100, 2}});
  for (std::size_t at = 20; at + 4 <= whole.size(); at += 2) {
    for (const std::uint32_t value : {0U, 0xffffU, 0x7fffffffU, 0xffffffffU}) {
      Bytes file = whole;
      put(file, at, value, 4);
      const std::string said = refusal(file);
      EXPECT_TRUE(said.empty() || said.starts_with("my.elf: ")) << at << ": " << said;
    }
  }
}

TEST(ElfImage, a_file_that_is_not_there_is_refused) {
  EXPECT_EQ(test::error_text([] { ElfImage::read("absent.elf", ElfMachine::riscv); }), "absent.elf: cannot be read");
}

}  // namespace
}  // namespace ftlab::iss
