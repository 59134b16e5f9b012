// Multiplications, divisions and the DSP extension, by the ARMv7-M Architecture Reference Manual, A7.7.
#include "tests/unit/platform/machine/iss/arm/rows.h"

namespace ftlab::iss::arm {
namespace {

const std::vector<Row> kMultiplications = {
    {"muls r0, r1", {0x4348}, "r0=10001 r1=ffff0000 f=nzCVq", "r0=ffff0000 f=NzCVq"},
    {"mul r8, r9, r10", {0xFB09, 0xF80A}, "r9=7 r10=6 f=NZCVq", "r8=2a"},
    {"mla r8, r9, r10, r11", {0xFB09, 0xB80A}, "r9=7 r10=6 r11=ffffffff", "r8=29"},
    {"mls r8, r9, r10, r11", {0xFB09, 0xB81A}, "r9=7 r10=6 r11=29", "r8=ffffffff"},
    {"umull r0, r1, r2, r3", {0xFBA2, 0x0103}, "r2=ffffffff r3=ffffffff", "r0=1 r1=fffffffe"},
    {"smull r0, r1, r2, r3", {0xFB82, 0x0103}, "r2=ffffffff r3=2", "r0=fffffffe r1=ffffffff"},
    {"umlal r0, r1, r2, r3", {0xFBE2, 0x0103}, "r0=ffffffff r1=1 r2=2 r3=3", "r0=5 r1=2"},
    {"smlal r0, r1, r2, r3", {0xFBC2, 0x0103}, "r0=0 r1=0 r2=ffffffff r3=1", "r0=ffffffff r1=ffffffff"},
    {"udiv r0, r1, r2", {0xFBB1, 0xF0F2}, "r1=ffffffff r2=10", "r0=fffffff"},
    {"udiv r0, r1, r2", {0xFBB1, 0xF0F2}, "r1=7 r2=0", "r0=0"},
    {"sdiv r0, r1, r2", {0xFB91, 0xF0F2}, "r1=fffffff9 r2=2", "r0=fffffffd"},
    {"sdiv r0, r1, r2", {0xFB91, 0xF0F2}, "r1=80000000 r2=ffffffff", "r0=80000000"},
    {"sdiv r0, r1, r2", {0xFB91, 0xF0F2}, "r1=7 r2=0", "r0=0"},
};

const std::vector<Row> kDsp = {
    {"smulbb r0, r1, r2", {0xFB11, 0xF002}, "r1=18000 r2=1ffff", "r0=8000"},
    {"smulbt r0, r1, r2", {0xFB11, 0xF012}, "r1=2 r2=ffff0000", "r0=fffffffe"},
    {"smultb r0, r1, r2", {0xFB11, 0xF022}, "r1=30000 r2=4", "r0=c"},
    {"smultt r0, r1, r2", {0xFB11, 0xF032}, "r1=80000000 r2=80000000", "r0=40000000"},
    {"smlabb r0, r1, r2, r3", {0xFB11, 0x3002}, "r1=1 r2=1 r3=7fffffff", "r0=80000000 f=nzcvQ"},
    {"smlatb r0, r1, r2, r3", {0xFB11, 0x3022}, "r1=20000 r2=3 r3=1", "r0=7"},
    {"smulwb r0, r1, r2", {0xFB31, 0xF002}, "r1=10000 r2=ffff", "r0=ffffffff"},
    {"smulwt r0, r1, r2", {0xFB31, 0xF012}, "r1=20000 r2=30000", "r0=6"},
    {"smlawb r0, r1, r2, r3", {0xFB31, 0x3002}, "r1=10000 r2=1 r3=7fffffff", "r0=80000000 f=nzcvQ"},
    {"smuad r0, r1, r2", {0xFB21, 0xF002}, "r1=20003 r2=40005", "r0=17"},
    {"smuad r0, r1, r2", {0xFB21, 0xF002}, "r1=80008000 r2=80008000", "r0=80000000 f=nzcvQ"},
    {"smuadx r0, r1, r2", {0xFB21, 0xF012}, "r1=20003 r2=40005", "r0=16"},
    {"smlad r0, r1, r2, r3", {0xFB21, 0x3002}, "r1=20003 r2=40005 r3=1", "r0=18"},
    {"smladx r0, r1, r2, r3", {0xFB21, 0x3012}, "r1=20003 r2=40005 r3=1", "r0=17"},
    {"smusd r0, r1, r2", {0xFB41, 0xF002}, "r1=20003 r2=40005", "r0=7"},
    {"smusdx r0, r1, r2", {0xFB41, 0xF012}, "r1=20003 r2=40005", "r0=2"},
    {"smlsd r0, r1, r2, r3", {0xFB41, 0x3002}, "r1=20003 r2=40005 r3=1", "r0=8"},
    {"smlsdx r0, r1, r2, r3", {0xFB41, 0x3012}, "r1=30002 r2=40005 r3=1", "r0=fffffffa"},
    {"smmul r0, r1, r2", {0xFB51, 0xF002}, "r1=40000000 r2=6", "r0=1"},
    {"smmulr r0, r1, r2", {0xFB51, 0xF012}, "r1=40000000 r2=6", "r0=2"},
    {"smmla r0, r1, r2, r3", {0xFB51, 0x3002}, "r1=80000000 r2=2 r3=5", "r0=4"},
    {"smmlar r0, r1, r2, r3", {0xFB51, 0x3012}, "r1=40000000 r2=6 r3=1", "r0=3"},
    {"smmls r0, r1, r2, r3", {0xFB61, 0x3002}, "r1=40000000 r2=6 r3=5", "r0=3"},
    {"smmlsr r0, r1, r2, r3", {0xFB61, 0x3012}, "r1=40000000 r2=6 r3=5", "r0=4"},
    {"smlalbb r0, r1, r2, r3", {0xFBC2, 0x0183}, "r0=ffffffff r1=0 r2=2 r3=3", "r0=5 r1=1"},
    {"smlaltt r0, r1, r2, r3", {0xFBC2, 0x01B3}, "r0=0 r1=0 r2=ffff0000 r3=10000", "r0=ffffffff r1=ffffffff"},
    {"smlald r0, r1, r2, r3", {0xFBC2, 0x01C3}, "r0=1 r1=0 r2=20003 r3=40005", "r0=18 r1=0"},
    {"smlaldx r0, r1, r2, r3", {0xFBC2, 0x01D3}, "r0=1 r1=0 r2=20003 r3=40005", "r0=17 r1=0"},
    {"smlsld r0, r1, r2, r3", {0xFBD2, 0x01C3}, "r0=0 r1=0 r2=30001 r3=20001", "r0=fffffffb r1=ffffffff"},
    {"smlsldx r0, r1, r2, r3", {0xFBD2, 0x01D3}, "r0=0 r1=0 r2=30001 r3=20001", "r0=ffffffff r1=ffffffff"},
    {"umaal r0, r1, r2, r3",
     {0xFBE2, 0x0163},
     "r0=ffffffff r1=ffffffff r2=ffffffff r3=ffffffff",
     "r0=ffffffff r1=ffffffff"},
    {"pkhbt r0, r1, r2, lsl #4", {0xEAC1, 0x1002}, "r1=12345678 r2=09abcdef", "r0=9abc5678"},
    {"pkhtb r0, r1, r2, asr #8", {0xEAC1, 0x2022}, "r1=12345678 r2=89abcdef", "r0=1234abcd"},
    {"pkhtb r0, r1, r2, asr #32", {0xEAC1, 0x0022}, "r1=12345678 r2=89abcdef", "r0=1234ffff"},
    {"sxtab r0, r1, r2, ror #8", {0xFA41, 0xF092}, "r1=10 r2=ff00", "r0=f"},
    {"sxtah r0, r1, r2", {0xFA01, 0xF082}, "r1=10 r2=fffe", "r0=e"},
    {"uxtab r0, r1, r2", {0xFA51, 0xF082}, "r1=10 r2=1ff", "r0=10f"},
    {"uxtah r0, r1, r2, ror #16", {0xFA11, 0xF0A2}, "r1=10 r2=12340000", "r0=1244"},
    {"sxtb16 r0, r1", {0xFA2F, 0xF081}, "r1=12805634", "r0=ff800034"},
    {"uxtb16 r0, r1, ror #8", {0xFA3F, 0xF091}, "r1=12805634", "r0=120056"},
    {"sxtab16 r0, r1, r2", {0xFA21, 0xF082}, "r1=10001 r2=ff00ff", "r0=0"},
    {"uxtab16 r0, r1, r2", {0xFA31, 0xF082}, "r1=ffff0001 r2=10002", "r0=3"},
    {"ssat16 r0, #4, r1", {0xF321, 0x0003}, "r1=0008fff7", "r0=7fff8 f=nzcvQ"},
    {"usat16 r0, #4, r1", {0xF3A1, 0x0004}, "r1=0010ffff", "r0=f0000 f=nzcvQ"},
    {"qadd r0, r1, r2", {0xFA82, 0xF081}, "r1=7fffffff r2=1", "r0=7fffffff f=nzcvQ"},
    {"qsub r0, r1, r2", {0xFA82, 0xF0A1}, "r1=80000000 r2=1", "r0=80000000 f=nzcvQ"},
    {"qsub r0, r1, r2", {0xFA82, 0xF0A1}, "r1=5 r2=7", "r0=fffffffe"},
    {"qdadd r0, r1, r2", {0xFA82, 0xF091}, "r1=1 r2=40000000", "r0=7fffffff f=nzcvQ"},
    {"qdadd r0, r1, r2", {0xFA82, 0xF091}, "r1=1 r2=3", "r0=7"},
    {"qdsub r0, r1, r2", {0xFA82, 0xF0B1}, "r1=1 r2=3", "r0=fffffffb"},
    {"usad8 r0, r1, r2", {0xFB71, 0xF002}, "r1=01ff0310 r2=02fe0110", "r0=4"},
    {"usada8 r0, r1, r2, r3", {0xFB71, 0x3002}, "r1=01ff0310 r2=02fe0110 r3=ffffffff", "r0=3"},
    {"sel r0, r1, r2", {0xFAA1, 0xF082}, "r1=11223344 r2=aabbccdd ge=5", "r0=aa22cc44"},
    {
        "sadd8 r0, r1, r2",
        {0xFA81, 0xF002},
        "r1=7f80ff01 r2=018001fe",
        "r0=800000ff ge=a",
    },
    {"uadd8 r0, r1, r2", {0xFA81, 0xF042}, "r1=ff01ff00 r2=01010001", "r0=0002ff01 ge=8"},
    {"ssub8 r0, r1, r2", {0xFAC1, 0xF002}, "r1=00010080 r2=01017f01", "r0=ff00817f ge=4"},
    {"usub8 r0, r1, r2", {0xFAC1, 0xF042}, "r1=00010080 r2=01017f01", "r0=ff00817f ge=5"},
    {"sadd16 r0, r1, r2", {0xFA91, 0xF002}, "r1=7fffffff r2=10001", "r0=80000000 ge=f"},
    {"uadd16 r0, r1, r2", {0xFA91, 0xF042}, "r1=ffff0001 r2=10001", "r0=2 ge=c"},
    {"ssub16 r0, r1, r2", {0xFAD1, 0xF002}, "r1=00008000 r2=10001", "r0=ffff7fff ge=0"},
    {"usub16 r0, r1, r2", {0xFAD1, 0xF042}, "r1=00028000 r2=10001", "r0=17fff ge=f"},
    {"sasx r0, r1, r2", {0xFAA1, 0xF002}, "r1=00050001 r2=00020003", "r0=8ffff ge=c"},
    {"ssax r0, r1, r2", {0xFAE1, 0xF002}, "r1=00050001 r2=00060003", "r0=20007 ge=f"},
    {"uasx r0, r1, r2", {0xFAA1, 0xF042}, "r1=ffff0001 r2=00020001", "r0=ffff ge=c"},
    {"usax r0, r1, r2", {0xFAE1, 0xF042}, "r1=00000001 r2=ffff0001", "r0=ffff0000 ge=3"},
    {"qadd8 r0, r1, r2", {0xFA81, 0xF012}, "r1=7f80ff01 r2=01800101 ge=5", "r0=7f800002"},
    {"qsub16 r0, r1, r2", {0xFAD1, 0xF012}, "r1=80007fff r2=0001ffff", "r0=80007fff"},
    {"qasx r0, r1, r2", {0xFAA1, 0xF012}, "r1=7fff8000 r2=00010001", "r0=7fff8000"},
    {"uqadd8 r0, r1, r2", {0xFA81, 0xF052}, "r1=ff01ff00 r2=01010001", "r0=ff02ff01"},
    {"uqsub8 r0, r1, r2", {0xFAC1, 0xF052}, "r1=00010080 r2=01017f01", "r0=7f"},
    {"uqsax r0, r1, r2", {0xFAE1, 0xF052}, "r1=00010001 r2=ffff0002", "r0=ffff"},
    {"shadd8 r0, r1, r2", {0xFA81, 0xF022}, "r1=7f80ff01 r2=7f80ff02", "r0=7f80ff01"},
    {"shsub16 r0, r1, r2", {0xFAD1, 0xF022}, "r1=80000001 r2=00010002", "r0=bfffffff"},
    {"uhadd16 r0, r1, r2", {0xFA91, 0xF062}, "r1=ffff0001 r2=ffff0002", "r0=ffff0001"},
    {"uhsub8 r0, r1, r2", {0xFAC1, 0xF062}, "r1=00000004 r2=01000002", "r0=ff000001"},
};

TEST(Multiply, results_on_both_cores) {
  check_rows(kMultiplications, Model::cortex_m3);
  check_rows(kMultiplications, Model::cortex_m4);
}

TEST(Multiply, the_dsp_extension_of_cortex_m4) { check_rows(kDsp, Model::cortex_m4); }

TEST(Multiply, cortex_m3_refuses_the_dsp_extension) { check_refused(kDsp, Model::cortex_m3, sentence_of(Why::no_dsp)); }

}  // namespace
}  // namespace ftlab::iss::arm
