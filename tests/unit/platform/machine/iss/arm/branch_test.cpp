// Branches, IT blocks, and what is refused, by the ARMv7-M Architecture Reference Manual, A7.7.
#include "tests/unit/platform/machine/iss/arm/rows.h"

namespace ftlab::iss::arm {
namespace {

TEST(Branch, targets) {
  check_rows(
      {
          {"b .+256", {0xE07E}, "", "pc=1100"},
          {"b .-256", {0xE77E}, "", "pc=f00"},
          {"b.w .+4096", {0xF000, 0xBFFE}, "", "pc=2000"},
          {"bl .+1024", {0xF000, 0xF9FE}, "", "pc=1400 lr=1005"},
          {"bl .-1024", {0xF7FF, 0xFDFE}, "", "pc=c00 lr=1005"},
          {"bx r1", {0x4708}, "r1=1235", "pc=1234"},
          {"bx lr", {0x4770}, "lr=1235", "pc=1234"},
          {"blx r1", {0x4788}, "r1=1235", "pc=1234 lr=1003"},
          {"mov pc, r1", {0x468F}, "r1=1234", "pc=1234"},
          {"add pc, r1", {0x448F}, "r1=101", "pc=1104"},
          {"cbz r1, .+100", {0xB381}, "r1=0", "pc=1064"},
          {"cbz r1, .+100", {0xB381}, "r1=1", ""},
          {"cbnz r1, .+126", {0xBBE9}, "r1=80", "pc=107e"},
          {"cbnz r1, .+126", {0xBBE9}, "r1=0", ""},
          {"pop {r0, pc}", {0xBD01}, "sp=20000100 [20000100]=5 [20000104]=1235", "r0=5 sp=20000108 pc=1234"},
          {"ldr pc, [r1]", {0xF8D1, 0xF000}, "r1=20000100 [20000100]=1235", "pc=1234"},
          {"ldr pc, [r1], #4", {0xF851, 0xFB04}, "r1=20000100 [20000100]=1235", "pc=1234 r1=20000104"},
          {"ldr pc, [r1, r2, lsl #2]", {0xF851, 0xF022}, "r1=20000100 r2=1 [20000104]=1235", "pc=1234"},
          {"ldmdb r1!, {r0, pc}",
           {0xE931, 0x8001},
           "r1=20000108 [20000100]=5 [20000104]=1235",
           "r0=5 r1=20000100 pc=1234"},
          {"tbb [r1, r2]", {0xE8D1, 0xF002}, "r1=20000100 r2=2 [20000100]=12345678", "pc=106c"},
          {"tbh [r1, r2, lsl #1]", {0xE8D1, 0xF012}, "r1=20000100 r2=1 [20000100]=02345678", "pc=146c"},
      },
      Model::cortex_m3);
}

TEST(Branch, conditions) {
  const struct {
    Row row;
    const char* holds;
    const char* fails;
  } conditions[] = {
      {{"beq .+8", {0xD002}, "", ""}, "f=nZcvq", "f=NzCVQ"},
      {{"bne .+8", {0xD102}, "", ""}, "f=NzCVQ", "f=nZcvq"},
      {{"bcs .+8", {0xD202}, "", ""}, "f=nzCvq", "f=NZcVQ"},
      {{"bcc .+8", {0xD302}, "", ""}, "f=NZcVQ", "f=nzCvq"},
      {{"bmi .+8", {0xD402}, "", ""}, "f=Nzcvq", "f=nZCVQ"},
      {{"bpl .+8", {0xD502}, "", ""}, "f=nZCVQ", "f=Nzcvq"},
      {{"bvs .+8", {0xD602}, "", ""}, "f=nzcVq", "f=NZCvQ"},
      {{"bvc .+8", {0xD702}, "", ""}, "f=NZCvQ", "f=nzcVq"},
      {{"bhi .+8", {0xD802}, "", ""}, "f=nzCvq", "f=nZCvq"},
      {{"bls .+8", {0xD902}, "", ""}, "f=nzcvq", "f=nzCvq"},
      {{"bge .+8", {0xDA02}, "", ""}, "f=NzcVq", "f=nzcVq"},
      {{"blt .+8", {0xDB02}, "", ""}, "f=Nzcvq", "f=NzcVq"},
      {{"bgt .+8", {0xDC02}, "", ""}, "f=nzcvq", "f=nZcvq"},
      {{"ble .+8", {0xDD02}, "", ""}, "f=NZcVq", "f=NzcVq"},
      {{"beq.w .+8", {0xF000, 0x8002}, "", ""}, "f=nZcvq", "f=NzCVQ"},
      {{"blt.w .-1024", {0xF6FF, 0xADFE}, "", ""}, "f=nzcVq", "f=nzcvq"},
  };
  for (const auto& condition : conditions) {
    const bool back = std::string(condition.row.text).find('-') != std::string::npos;
    check_rows({{condition.row.text, condition.row.code, condition.holds, back ? "pc=c00" : "pc=1008"},
                {condition.row.text, condition.row.code, condition.fails, ""}},
               Model::cortex_m3);
  }
}

TEST(Branch, it_blocks) {
  check_rows(
      {
          {"it eq; moveq r0, #1", {0xBF08, 0x2001}, "f=nZcvq", "r0=1"},
          {"it eq; moveq r0, #1", {0xBF08, 0x2001}, "r0=5 f=nzcvq", ""},
          {"ite ne; movne r0, #1; moveq r0, #2", {0xBF14, 0x2001, 0x2002}, "f=nZcvq", "r0=2"},
          {"itttt cs; addcs r0, #1; addcs r0, #2; addcs r0, #4; addcs r0, #8",
           {0xBF21, 0x3001, 0x3002, 0x3004, 0x3008},
           "r0=0 f=nzCvq",
           "r0=f"},
          {"itete ge; addge r0, #1; addlt r0, #2; addge r0, #4; addlt r0, #8",
           {0xBFAB, 0x3001, 0x3002, 0x3004, 0x3008},
           "r0=0 f=NzcVq",
           "r0=5"},
          {"itete ge; addge r0, #1; addlt r0, #2; addge r0, #4; addlt r0, #8",
           {0xBFAB, 0x3001, 0x3002, 0x3004, 0x3008},
           "r0=0 f=Nzcvq",
           "r0=a"},
          {"itt eq; cmpeq r0, #1; moveq r1, #7", {0xBF04, 0x2801, 0x2107}, "r0=2 f=nZcvq", "f=nzCvq"},
          {"itt eq; addeq.w r8, r9, #1; ldreq r0, [r1]",
           {0xBF04, 0xF109, 0x0801, 0x6808},
           "r9=1 r1=20000100 [20000100]=7 f=nZcvq",
           "r8=2 r0=7"},
          {"it al; add r0, r0, r1", {0xBFE8, 0x1840}, "r0=1 r1=2", "r0=3"},
          {"itt eq; nopeq; bxeq lr", {0xBF04, 0xBF00, 0x4770}, "lr=1235 f=nZcvq", "pc=1234"},
          {"itt eq; nopeq; bxeq lr", {0xBF04, 0xBF00, 0x4770}, "lr=1235 f=nzcvq", ""},
          {"it lt; poplt {r0, pc}", {0xBFB8, 0xBD01}, "sp=20000100 f=nzcvq", ""},
          {"it eq; addseq.w r0, r1, r2", {0xBF08, 0xEB11, 0x0002}, "r1=ffffffff r2=1 f=nZcvq", "r0=0 f=nZCvq"},
      },
      Model::cortex_m3);
}

TEST(Branch, a_skipped_instruction_is_counted_and_may_be_the_last_of_a_budget) {
  const Row row = {"itt eq; addeq r0, #1; addeq r0, #2", {0xBF04, 0x3001, 0x3002}, "r0=5 f=nzcvq", ""};
  for (std::uint64_t budget = 1; budget <= 3; ++budget) {
    RowMachine machine(Model::cortex_m3);
    machine.put(row.code);
    machine.set(row.before);
    EXPECT_EQ(machine.run(budget).pc, RowMachine::kCode + 2 * budget);
    EXPECT_EQ(machine.core.instructions(), budget);
    // ITSTATE: EQ with two, one, no more instructions.
    const std::uint32_t it[] = {0x0000 | 1U << 10, 0x0000 | 1U << 11, 0};
    EXPECT_EQ(machine.core.reg(16) & 0x0600FC00, it[budget - 1]) << budget;
    machine.run(3 - budget);
    machine.expect(row.after, RowMachine::kCode + 6);
  }
}

TEST(Refused, encodings) {
  const auto refuses = [](const std::vector<std::uint16_t>& code, Why why) {
    check_refused({{"", code, "", ""}}, Model::cortex_m4, sentence_of(why));
  };
  refuses({0xDE00}, Why::unallocated);          // udf #0
  refuses({0xF7F0, 0xA000}, Why::unallocated);  // udf.w #0
  refuses({0xB880}, Why::unallocated);
  refuses({0x4500}, Why::register_not_allowed);          // cmp r0, r0 in the encoding of high registers
  refuses({0xEA00, 0x0D01}, Why::register_not_allowed);  // and sp, r0, r1
  refuses({0xEA0D, 0x0001}, Why::register_not_allowed);  // and r0, sp, r1
  refuses({0xF04F, 0x0F01}, Why::register_not_allowed);  // mov pc, #1
  refuses({0xF103, 0x0D04}, Why::register_not_allowed);  // add sp, r3, #4
  refuses({0xEB0D, 0x1D01}, Why::register_not_allowed);  // add sp, sp, r1, lsl #4
  refuses({0xF04F, 0x1000}, Why::zero_replicated);       // mov r0, #0x00000000 as 00XY00XY
  refuses({0xF361, 0x1003}, Why::bit_field);             // bfi with its end below its start
  refuses({0xF3C1, 0x70DF}, Why::bit_field);             // ubfx r0, r1, #31, #32
  refuses({0xB400}, Why::register_list);                 // push {}
  refuses({0xE8B1, 0x0001}, Why::register_list);         // ldm.w r1!, {r0}
  refuses({0xE8B1, 0x2001}, Why::register_list);         // ldm.w r1!, {r0, sp}
  refuses({0xE8B1, 0xC001}, Why::register_list);         // ldm.w r1!, {r0, lr, pc}
  refuses({0xE8B1, 0x0003}, Why::writeback);             // ldm.w r1!, {r0, r1}
  refuses({0xF851, 0x1B04}, Why::writeback);             // ldr r1, [r1], #4
  refuses({0xE9F1, 0x1202}, Why::writeback);             // ldrd r1, r2, [r1, #8]!
  refuses({0xE9D1, 0x2202}, Why::same_register);         // ldrd r2, r2, [r1, #8]
  refuses({0xFBA0, 0x2201}, Why::same_register);         // umull r2, r2, r0, r1
  refuses({0xFAB1, 0xF082}, Why::same_register);         // clz with two sources
  refuses({0xBFF8}, Why::it_condition);                  // it with a condition that is none
  refuses({0xBFEC}, Why::it_condition);                  // ite al
  refuses({0xF3EF, 0x8004}, Why::special_register);      // mrs r0, special register 4
  refuses({0xB670}, Why::special_register);              // cpsid without a mask
}

TEST(Refused, in_it_blocks) {
  const auto refuses = [](const Row& row, Why why) { check_refused({row}, Model::cortex_m4, sentence_of(why)); };
  refuses({"it eq; b", {0xBF08, 0xD0FE}, "f=nZcvq", ""}, Why::in_it_block);  // beq .
  refuses({"it eq; cbz", {0xBF08, 0xB100}, "f=nZcvq", ""}, Why::in_it_block);
  refuses({"it eq; it", {0xBF08, 0xBF08}, "f=nZcvq", ""}, Why::in_it_block);
  refuses({"it eq; cps", {0xBF08, 0xB672}, "f=nZcvq", ""}, Why::in_it_block);
  refuses({"it eq; movs", {0xBF08, 0x0008}, "f=nZcvq", ""}, Why::in_it_block);  // movs r0, r1
  refuses({"itt eq; bx", {0xBF04, 0x4770}, "f=nZcvq", ""}, Why::not_last_in_it_block);
  refuses({"itt eq; pop", {0xBF04, 0xBD01}, "f=nZcvq", ""}, Why::not_last_in_it_block);
}

TEST(Refused, coprocessors_are_not_there) {
  RowMachine machine(Model::cortex_m4);
  machine.put({0xEE30, 0x0A20});  // vadd.f32 s0, s0, s1
  EXPECT_EQ(machine.run(1).reason, StopReason::illegal_instruction);
  EXPECT_EQ(machine.core.last_fault().status, cfsr::kNoCp);
}

}  // namespace
}  // namespace ftlab::iss::arm
