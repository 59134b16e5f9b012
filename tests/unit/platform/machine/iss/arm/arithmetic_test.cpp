// Arithmetic, logic and moves in registers, by the ARMv7-M Architecture Reference Manual, A7.7.
#include "tests/unit/platform/machine/iss/arm/rows.h"

namespace ftlab::iss::arm {
namespace {

class Arithmetic : public testing::TestWithParam<Model> {};
INSTANTIATE_TEST_SUITE_P(both, Arithmetic, testing::Values(Model::cortex_m3, Model::cortex_m4),
                         [](const auto& model) { return model.param == Model::cortex_m3 ? "m3" : "m4"; });

TEST_P(Arithmetic, additions) {
  check_rows(
      {
          {"adds r0, r1, r2", {0x1888}, "r1=7fffffff r2=1", "r0=80000000 f=NzcVq"},
          {"adds r0, r1, r2", {0x1888}, "r1=ffffffff r2=1", "r0=0 f=nZCvq"},
          {"adds r0, r1, #7", {0x1DC8}, "r1=1 f=NZCVQ", "r0=8 f=nzcvQ"},
          {"adds r3, #255", {0x33FF}, "r3=80000000", "r3=800000ff f=Nzcvq"},
          {"add r8, r9", {0x44C8}, "r8=1 r9=ffffffff f=NzcVq", "r8=0"},
          {"add r3, pc", {0x447B}, "r3=10", "r3=1014"},
          {"add r1, sp, #1020", {0xA9FF}, "sp=20000800", "r1=20000bfc"},
          {"add sp, #508", {0xB07F}, "sp=20000600", "sp=200007fc"},
          {"add sp, r2", {0x4495}, "sp=20000600 r2=7", "sp=20000604"},
          {"adr r5, .+8", {0xA501}, "", "r5=1008"},
          {"add.w r8, r9, r10, lsl #31", {0xEB09, 0x78CA}, "r9=1 r10=3", "r8=80000001"},
          {"adds.w r8, r9, r10, lsr #32", {0xEB19, 0x081A}, "r9=5 r10=ffffffff", "r8=5 f=nzcvq"},
          {"add.w r8, r9, r10, asr #32", {0xEB09, 0x082A}, "r9=5 r10=80000000", "r8=4"},
          {"add.w r8, r9, r10, ror #8", {0xEB09, 0x283A}, "r9=0 r10=12345678", "r8=78123456"},
          {"adds.w r8, r9, #0xff000000", {0xF119, 0x487F}, "r9=01000000 f=nzcvq", "r8=0 f=nZCvq"},
          {"add.w r8, r9, #0x00ab00ab", {0xF109, 0x18AB}, "r9=1", "r8=00ab00ac"},
          {"addw r8, r9, #4095", {0xF609, 0x78FF}, "r9=1", "r8=1000"},
          {"adc.w r1, r2, r3, rrx", {0xEB42, 0x0133}, "r2=1 r3=3 f=nzCvq", "r1=80000003"},
          {"adcs r1, r2", {0x4151}, "r1=ffffffff r2=0 f=nzCvq", "r1=0 f=nZCvq"},
          {"adcs r1, r2", {0x4151}, "r1=7fffffff r2=0 f=nzCvq", "r1=80000000 f=NzcVq"},
          {"adc r1, r2, #0x55555555", {0xF142, 0x3155}, "r2=11111111 f=nzCvq", "r1=66666667"},
          {"cmn r1, r2", {0x42D1}, "r1=80000000 r2=80000000", "f=nZCVq"},
          {"cmn.w r9, #1", {0xF119, 0x0F01}, "r9=ffffffff", "f=nZCvq"},
          {"cmn.w r9, r10, lsl #4", {0xEB19, 0x1F0A}, "r9=1 r10=1", "f=nzcvq"},
      },
      GetParam());
}

TEST_P(Arithmetic, subtractions) {
  check_rows(
      {
          {"subs r0, r1, r2", {0x1A88}, "r1=80000000 r2=1", "r0=7fffffff f=nzCVq"},
          {"subs r0, r1, r2", {0x1A88}, "r1=0 r2=1", "r0=ffffffff f=Nzcvq"},
          {"subs r0, r1, #0", {0x1E08}, "r1=0", "r0=0 f=nZCvq"},
          {"subs r3, #1", {0x3B01}, "r3=1", "r3=0 f=nZCvq"},
          {"sub sp, #508", {0xB0FF}, "sp=20000800", "sp=20000604"},
          {"sub.w sp, sp, #3", {0xF1AD, 0x0D03}, "sp=20000800", "sp=200007fc"},
          {"sub.w r8, r9, r10, lsl #2", {0xEBA9, 0x088A}, "r9=10 r10=3", "r8=4"},
          {"subs.w r8, r9, #0x80000000", {0xF1B9, 0x4800}, "r9=7fffffff", "r8=ffffffff f=NzcVq"},
          {"subw r8, r9, #4095", {0xF6A9, 0x78FF}, "r9=1000", "r8=1"},
          {"sub.w r7, pc, #8", {0xF2AF, 0x0708}, "", "r7=ffc"},
          {"sbcs r1, r2", {0x4191}, "r1=5 r2=5 f=nzcvq", "r1=ffffffff f=Nzcvq"},
          {"sbcs r1, r2", {0x4191}, "r1=80000000 r2=0 f=nzcvq", "r1=7fffffff f=nzCVq"},
          {"sbc.w r1, r2, r3", {0xEB62, 0x0103}, "r2=9 r3=4 f=nzCvq", "r1=5"},
          {"sbcs r1, r2, #1", {0xF172, 0x0101}, "r2=2 f=nzcvq", "r1=0 f=nZCvq"},
          {"negs r0, r1", {0x4248}, "r1=80000000", "r0=80000000 f=NzcVq"},
          {"negs r0, r1", {0x4248}, "r1=0", "r0=0 f=nZCvq"},
          {"rsb.w r0, r1, #100", {0xF1C1, 0x0064}, "r1=1", "r0=63"},
          {"rsbs r0, r1, r2, asr #1", {0xEBD1, 0x0062}, "r1=1 r2=80000001", "r0=bfffffff f=NzCvq"},
          {"cmp r1, #255", {0x29FF}, "r1=ff", "f=nZCvq"},
          {"cmp r1, r2", {0x4291}, "r1=1 r2=2", "f=Nzcvq"},
          {"cmp r9, r1", {0x4589}, "r9=80000000 r1=7fffffff", "f=nzCVq"},
          {"cmp sp, r1", {0x458D}, "sp=20000800 r1=20000800", "f=nZCvq"},
          {"cmp.w r9, r1, lsl #8", {0xEBB9, 0x2F01}, "r9=ff r1=1", "f=Nzcvq"},
          {"cmp.w r9, #0xff00ff00", {0xF1B9, 0x2FFF}, "r9=ff00ff01", "f=nzCvq"},
      },
      GetParam());
}

TEST_P(Arithmetic, logic) {
  check_rows(
      {
          {"ands r0, r1", {0x4008}, "r0=f0f0f0f0 r1=f f=NzCVq", "r0=0 f=nZCVq"},
          {"and.w r0, r1, r2, lsl #4", {0xEA01, 0x1002}, "r1=ffff r2=1234", "r0=2340"},
          {"ands.w r0, r1, r2, lsl #1", {0xEA11, 0x0042}, "r1=ffffffff r2=c0000000", "r0=80000000 f=NzCvq"},
          {"ands r0, r1, #0x80000000", {0xF011, 0x4000}, "r1=ffffffff", "r0=80000000 f=NzCvq"},
          {"ands r0, r1, #0x7f800000", {0xF011, 0x40FF}, "r1=0 f=nzCvq", "r0=0 f=nZcvq"},
          {"ands r0, r1, #0x00ff00ff", {0xF011, 0x10FF}, "r1=12345678 f=nzCvq", "r0=340078 f=nzCvq"},
          {"eors r0, r1", {0x4048}, "r0=ffffffff r1=7fffffff", "r0=80000000 f=Nzcvq"},
          {"eor.w r0, r1, r2, ror #4", {0xEA81, 0x1032}, "r1=1 r2=1f", "r0=f0000000"},
          {"eors.w r0, r1, r2, lsr #1", {0xEA91, 0x0052}, "r1=0 r2=1", "r0=0 f=nZCvq"},
          {"eor r0, r1, #0xff", {0xF081, 0x00FF}, "r1=f0", "r0=f"},
          {"orrs r0, r1", {0x4308}, "r0=1 r1=80000000", "r0=80000001 f=Nzcvq"},
          {"orr.w r0, r1, r2, asr #31", {0xEA41, 0x70E2}, "r1=1 r2=80000000", "r0=ffffffff"},
          {"orr r0, r1, #0x3fc", {0xF441, 0x707F}, "r1=1", "r0=3fd"},
          {"orn r0, r1, r2", {0xEA61, 0x0002}, "r1=1 r2=ffffff0f", "r0=f1"},
          {"orns r0, r1, #0xff0", {0xF471, 0x607F}, "r1=0", "r0=fffff00f f=Nzcvq"},
          {"bics r0, r1", {0x4388}, "r0=ff r1=f f=nzCVq", "r0=f0 f=nzCVq"},
          {"bic.w r0, r1, r2, lsl #8", {0xEA21, 0x2002}, "r1=ffff r2=ff", "r0=ff"},
          {"bic r0, r1, #0xff00", {0xF421, 0x407F}, "r1=12345678", "r0=12340078"},
          {"tst r1, r2", {0x4211}, "r1=80000000 r2=c0000000 f=nzCVq", "f=NzCVq"},
          {"tst.w r1, r2, lsl #1", {0xEA11, 0x0F42}, "r1=ff r2=80000000", "f=nZCvq"},
          {"tst r1, #0xf0000000", {0xF011, 0x4F70}, "r1=10000000", "f=nzCvq"},
          {"teq r1, r2", {0xEA91, 0x0F02}, "r1=5 r2=5 f=nzcVq", "f=nZcVq"},
          {"teq r1, #1", {0xF091, 0x0F01}, "r1=80000000", "f=Nzcvq"},
          {"mvns r0, r1", {0x43C8}, "r1=0", "r0=ffffffff f=Nzcvq"},
          {"mvn.w r0, r1, lsr #4", {0xEA6F, 0x1011}, "r1=ffffffff", "r0=f0000000"},
          {"mvns r0, #0xff000000", {0xF07F, 0x407F}, "", "r0=ffffff f=nzCvq"},
          {"mvn r0, #1", {0xF06F, 0x0001}, "", "r0=fffffffe"},
      },
      GetParam());
}

TEST_P(Arithmetic, moves) {
  check_rows(
      {
          {"movs r5, #200", {0x25C8}, "f=NZCVq", "r5=c8 f=nzCVq"},
          {"movs r5, #0", {0x2500}, "f=nzCVq", "r5=0 f=nZCVq"},
          {"movs r1, r2", {0x0011}, "r2=80000000 f=nzCVq", "r1=80000000 f=NzCVq"},
          {"mov r8, r2", {0x4690}, "r2=80000000 f=nzCVq", "r8=80000000"},
          {"mov r8, pc", {0x46F8}, "", "r8=1004"},
          {"mov sp, r2", {0x4695}, "r2=20000403", "sp=20000400"},
          {"movs.w r1, r2", {0xEA5F, 0x0102}, "r2=0", "r1=0 f=nZcvq"},
          {"mov.w r1, #0x01000100", {0xF04F, 0x2101}, "", "r1=1000100"},
          {"movs.w r1, #0x80000000", {0xF05F, 0x4100}, "", "r1=80000000 f=NzCvq"},
          {"movw r1, #0xabcd", {0xF64A, 0x31CD}, "", "r1=abcd"},
          {"movt r1, #0xabcd", {0xF6CA, 0x31CD}, "r1=12345678", "r1=abcd5678"},
      },
      GetParam());
}

TEST_P(Arithmetic, shifts) {
  check_rows(
      {
          {"lsls r0, r1, #1", {0x0048}, "r1=c0000000", "r0=80000000 f=NzCvq"},
          {"lsls r0, r1, #31", {0x07C8}, "r1=2", "r0=0 f=nZCvq"},
          {"lsrs r0, r1, #1", {0x0848}, "r1=1", "r0=0 f=nZCvq"},
          {"lsrs r0, r1, #32", {0x0808}, "r1=80000000", "r0=0 f=nZCvq"},
          {"asrs r0, r1, #32", {0x1008}, "r1=80000000", "r0=ffffffff f=NzCvq"},
          {"asrs r0, r1, #4", {0x1108}, "r1=80000008", "r0=f8000000 f=NzCvq"},
          {"ror.w r0, r1, #1", {0xEA4F, 0x0071}, "r1=1", "r0=80000000"},
          {"rors.w r0, r1, #1", {0xEA5F, 0x0071}, "r1=1", "r0=80000000 f=NzCvq"},
          {"rrxs r0, r1", {0xEA5F, 0x0031}, "r1=2 f=nzCvq", "r0=80000001 f=Nzcvq"},
          {"rrx r0, r1", {0xEA4F, 0x0031}, "r1=3 f=nzcvq", "r0=1"},
          {"lsls r0, r1", {0x4088}, "r0=1 r1=0 f=nzCvq", "r0=1 f=nzCvq"},
          {"lsls r0, r1", {0x4088}, "r0=1 r1=20", "r0=0 f=nZCvq"},
          {"lsls r0, r1", {0x4088}, "r0=ffffffff r1=21 f=nzCvq", "r0=0 f=nZcvq"},
          {"lsls r0, r1", {0x4088}, "r0=3 r1=101", "r0=6 f=nzcvq"},
          {"lsrs r0, r1", {0x40C8}, "r0=80000000 r1=20", "r0=0 f=nZCvq"},
          {"lsrs r0, r1", {0x40C8}, "r0=ffffffff r1=40 f=nzCvq", "r0=0 f=nZcvq"},
          {"asrs r0, r1", {0x4108}, "r0=80000000 r1=ff", "r0=ffffffff f=NzCvq"},
          {"asrs r0, r1", {0x4108}, "r0=40000000 r1=1f", "r0=0 f=nZCvq"},
          {"rors r0, r1", {0x41C8}, "r0=12345678 r1=8", "r0=78123456 f=nzcvq"},
          {"rors r0, r1", {0x41C8}, "r0=80000000 r1=20", "r0=80000000 f=NzCvq"},
          {"lsl.w r8, r9, r10", {0xFA09, 0xF80A}, "r9=1 r10=1f", "r8=80000000"},
          {"lsrs.w r8, r9, r10", {0xFA39, 0xF80A}, "r9=3 r10=1", "r8=1 f=nzCvq"},
          {"asr.w r8, r9, r10", {0xFA49, 0xF80A}, "r9=80000000 r10=1", "r8=c0000000"},
          {"rors.w r8, r9, r10", {0xFA79, 0xF80A}, "r9=1 r10=1", "r8=80000000 f=NzCvq"},
      },
      GetParam());
}

TEST_P(Arithmetic, parts_of_registers) {
  check_rows(
      {
          {"sxtb r0, r1", {0xB248}, "r1=180", "r0=ffffff80"},
          {"sxth r0, r1", {0xB208}, "r1=18000", "r0=ffff8000"},
          {"uxtb r0, r1", {0xB2C8}, "r1=ffffff80", "r0=80"},
          {"uxth r0, r1", {0xB288}, "r1=ffff8000", "r0=8000"},
          {"sxtb.w r0, r1, ror #8", {0xFA4F, 0xF091}, "r1=8012", "r0=ffffff80"},
          {"sxth.w r0, r1, ror #16", {0xFA0F, 0xF0A1}, "r1=80000000", "r0=ffff8000"},
          {"uxtb.w r0, r1, ror #24", {0xFA5F, 0xF0B1}, "r1=fe000000", "r0=fe"},
          {"uxth.w r0, r1, ror #8", {0xFA1F, 0xF091}, "r1=12345678", "r0=3456"},
          {"rev r0, r1", {0xBA08}, "r1=12345678", "r0=78563412"},
          {"rev16 r0, r1", {0xBA48}, "r1=12345678", "r0=34127856"},
          {"revsh r0, r1", {0xBAC8}, "r1=12340080", "r0=ffff8000"},
          {"rev.w r8, r9", {0xFA99, 0xF889}, "r9=12345678", "r8=78563412"},
          {"rev16.w r8, r9", {0xFA99, 0xF899}, "r9=12345678", "r8=34127856"},
          {"revsh.w r8, r9", {0xFA99, 0xF8B9}, "r9=7f", "r8=7f00"},
          {"rbit r0, r1", {0xFA91, 0xF0A1}, "r1=80000001", "r0=80000001"},
          {"rbit r0, r1", {0xFA91, 0xF0A1}, "r1=12345678", "r0=1e6a2c48"},
          {"clz r0, r1", {0xFAB1, 0xF081}, "r1=0", "r0=20"},
          {"clz r0, r1", {0xFAB1, 0xF081}, "r1=00010000", "r0=f"},
          {"bfi r0, r1, #4, #8", {0xF361, 0x100B}, "r0=0 r1=fff12", "r0=120"},
          {"bfi r0, r1, #4, #8", {0xF361, 0x100B}, "r0=ffffffff r1=12", "r0=fffff12f"},
          {"bfi r0, r1, #0, #32", {0xF361, 0x001F}, "r0=ffffffff r1=12", "r0=12"},
          {"bfc r0, #28, #4", {0xF36F, 0x701F}, "r0=ffffffff", "r0=fffffff"},
          {"ubfx r0, r1, #4, #8", {0xF3C1, 0x1007}, "r1=12345678", "r0=67"},
          {"ubfx r0, r1, #0, #32", {0xF3C1, 0x001F}, "r1=92345678", "r0=92345678"},
          {"sbfx r0, r1, #4, #8", {0xF341, 0x1007}, "r1=ff0", "r0=ffffffff"},
          {"sbfx r0, r1, #31, #1", {0xF341, 0x70C0}, "r1=80000000", "r0=ffffffff"},
          {"ssat r0, #8, r1", {0xF301, 0x0007}, "r1=80", "r0=7f f=nzcvQ"},
          {"ssat r0, #8, r1", {0xF301, 0x0007}, "r1=ffffff80 f=nzcvq", "r0=ffffff80"},
          {"ssat r0, #8, r1, asr #4", {0xF321, 0x1007}, "r1=fffff000", "r0=ffffff80 f=nzcvQ"},
          {"ssat r0, #32, r1, lsl #4", {0xF301, 0x101F}, "r1=12345678", "r0=23456780"},
          {"usat r0, #8, r1", {0xF381, 0x0008}, "r1=ffffffff", "r0=0 f=nzcvQ"},
          {"usat r0, #8, r1", {0xF381, 0x0008}, "r1=100", "r0=ff f=nzcvQ"},
          {"usat r0, #0, r1, asr #1", {0xF3A1, 0x0040}, "r1=1 f=nzcvQ", "r0=0"},
          {"usat r0, #4, r1, lsl #1", {0xF381, 0x0044}, "r1=7", "r0=e"},
      },
      GetParam());
}

}  // namespace
}  // namespace ftlab::iss::arm
