#include "platform/machine/profile/disassembly.h"

#include <gtest/gtest.h>

namespace ftlab::platform {
namespace {

TEST(Disassembly, an_instruction_has_its_address_its_code_and_its_words) {
  const auto found = disassembly_in(
      "\nsmall.elf:     file format elf32-littlearm\n\n00000000 <kVectors>:\n"
      "       0:\t00 00 00 24 d5 13 00 00     ...$....\n\n00000048 <fault_handler>:\n"
      "      48:\tf04f 4380 \tmov.w\tr3, #1073741824\t@ 0x40000000\n      50:\tbf30      \twfi\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found.at(0x48).code, "f04f 4380");
  EXPECT_EQ(found.at(0x48).text, "mov.w r3, #1073741824 @ 0x40000000");
  EXPECT_EQ(found.at(0x50).text, "wfi");
}

}  // namespace
}  // namespace ftlab::platform
