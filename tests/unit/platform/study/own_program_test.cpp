// A firmware of one's own in studies: its core comes from the file, and what it decides itself is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "platform/study/firmware_row.h"
#include "tests/unit/platform/study/elf_head.h"
#include "tests/unit/platform/study/refusal.h"

namespace ftlab::platform {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class OwnProgramKeys : public testing::Test {
 protected:
  ~OwnProgramKeys() override { std::filesystem::remove(file_); }

  void program(unsigned char machine, char bits = ElfHead::k32, char kind = ElfHead::kExecutable) {
    ElfHead{machine, bits, kind}.write(file_);
  }
  [[nodiscard]] std::string study(const std::string& more = {}) const {
    return "[firmware]\nelf = \"" + file_ + "\"\n" + more;
  }
  [[nodiscard]] std::string refusal(const std::string& more = {}, const std::vector<Setting>& settings = {}) const {
    return refusal_of(study(more), settings);
  }

  std::string file_ = ::testing::TempDir() + "ftlab_own_program_" + std::to_string(::getpid());
};

constexpr unsigned char kArm = ElfHead::kArm;
constexpr unsigned char kRiscv = ElfHead::kRiscv;

TEST_F(OwnProgramKeys, the_machine_of_the_file_chooses_the_core) {
  program(kArm);
  EXPECT_EQ(parse_study(study(), "s.toml").platform.processor, ProcessorKind::arm);
  program(kRiscv);
  const Study chosen = parse_study(study(), "s.toml");
  EXPECT_EQ(chosen.platform.processor, ProcessorKind::riscv);
  ASSERT_NE(firmware_of(chosen).program, nullptr);
  EXPECT_EQ(firmware_of(chosen).program(chosen)->elf, file_);
  EXPECT_EQ(firmware_of(parse_study("", "s.toml")).program, nullptr) << "a study that names none has a layer of ours";
}

TEST_F(OwnProgramKeys, a_file_that_no_core_executes_is_refused_at_its_line) {
  EXPECT_EQ(refusal(), "s.toml:2: firmware.elf: " + file_ + ": no such file; build the firmware first");
  std::ofstream(file_) << "#!/bin/sh\necho this is no program\n";
  EXPECT_THAT(refusal(), HasSubstr("is no ELF program"));
  program(62);
  EXPECT_THAT(refusal(), HasSubstr("is a program for another machine (ELF machine 62)"));
  program(kRiscv, ElfHead::k64);
  EXPECT_THAT(refusal(), HasSubstr("is a program of 64 bits, and the cores have 32; compile it with -march=rv32imc"));
  program(kArm, ElfHead::k32, ElfHead::kObject);
  EXPECT_THAT(refusal(), HasSubstr("is not linked; name what the linker has written"));
}

TEST_F(OwnProgramKeys, another_core_than_the_files_is_refused) {
  program(kArm);
  EXPECT_THAT(refusal("", {{"platform.processor", "riscv", "--set"}}),
              StartsWith("--set: platform.processor: \"riscv\", but " + file_ + " is a program for \"arm\""));
  EXPECT_THAT(refusal("[platform]\nprocessor = \"native\"\n"), HasSubstr("platform.processor: \"native\", but "));
  EXPECT_EQ(parse_study(study("[platform]\nprocessor = \"arm\"\n"), "s.toml").platform.processor, ProcessorKind::arm);
}

TEST_F(OwnProgramKeys, what_the_program_decides_itself_is_refused) {
  program(kArm);
  for (const char* key : {"utilization = 0.9", "page_bytes = 4096", "spare_factor = 0.1", "selection = \"cat\""})
    EXPECT_THAT(refusal(std::string("[ftl]\n") + key + "\n"),
                StartsWith("s.toml:4: ftl." + std::string(key).substr(0, std::string(key).find(' ')) +
                           ": is for the firmwares of ftlab, and the program of firmware.elf decides it itself"));
  EXPECT_THAT(refusal("[driver]\nwait = \"poll\"\n"), StartsWith("s.toml:4: driver.wait: is for the firmwares"));
  EXPECT_THAT(refusal("[flexfs]\nscheme = \"la\"\n"), StartsWith("s.toml:4: flexfs.scheme: is for the firmwares"));
  EXPECT_THAT(refusal("[platform]\nself_check_every = 10\n"), HasSubstr("cannot be asked for its invariants"));
  EXPECT_THAT(refusal("[platform]\nstore_content = false\n"), HasSubstr("reads what it has written"));
  EXPECT_THAT(refusal("", {{"platform.dma", "false", "--set"}}),
              HasSubstr("platform.dma: is for the firmwares of ftlab"));
  EXPECT_EQ(refusal("", {{"part", "array-slc", "--set"}}), "no error");
  EXPECT_THAT(refusal("[ftl]\nfirmware = \"fms\"\n"), HasSubstr("firmware.elf names a program; keep one of the two"));
}

TEST_F(OwnProgramKeys, the_firmware_without_its_file_is_refused) {
  EXPECT_EQ(refusal_of("[ftl]\nfirmware = \"elf\"\n"),
            "s.toml: firmware.elf: missing; ftl.firmware = \"elf\" runs the program that it names");
  program(kArm);
  EXPECT_THAT(refusal("sha256 = \"1\"\n"), HasSubstr("firmware.sha256: must be 64 digits"));
}

}  // namespace
}  // namespace ftlab::platform
