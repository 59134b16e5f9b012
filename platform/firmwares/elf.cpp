// A firmware from outside: a linked program for a simulated core, which a study names by its file. It decides alone
// what keys of layers and drivers decide elsewhere, so they are refused.
#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "common/input_error.h"
#include "platform/firmwares/members.h"
#include "platform/study/firmware_keys.h"

namespace ftlab::platform::firmwares {
namespace {

constexpr Field<OwnProgram> kElfFields[] = {
    other_field<&OwnProgram::elf>(
        "elf", FieldType::path, 0, 0,
        "a firmware of one's own: a linked 32-bit program for the board (docs/cores.md), which a simulated ARM or "
        "RISC-V core executes, as its machine says"),
    other_field<&OwnProgram::sha256>("sha256", FieldType::text, 0, 0,
                                     "SHA-256 of that file, so that no other program runs; empty: any (the result says "
                                     "it)"),
};

constexpr std::string_view kSaidOfElf[] = {"firmware.elf", "firmware.sha256"};

const OwnProgram* program_of(const Study& study) { return &study.configs.get<OwnProgram>(); }

std::string elf_title(const Study& study) {
  return "firmware of " + std::filesystem::path(program_of(study)->elf).filename().string();
}

std::unique_ptr<FirmwareInstance> make_elf(const Study&, const FirmwarePorts&) {
  throw std::logic_error("a program of a core has no instance beside it");
}

void check_elf(const spec::TomlFile& file, const Study& study) {
  const bool named = !program_of(study)->elf.empty();
  const bool chosen = &firmware_of(study) == &elf;
  if (chosen && !named)
    throw InputError(file.where("firmware.elf") + "missing; ftl.firmware = \"elf\" runs the program that it names");
  if (!chosen && named)
    throw InputError(
        fmt::format("{}\"{}\" is a firmware of ftlab's, and firmware.elf names a program; keep one of the "
                    "two",
                    file.where("ftl.firmware"), study.ftl.firmware));
  if (!chosen && !program_of(study)->values.empty())
    throw InputError(program_of(study)->values.front().where +
                     "is for a firmware of one's own; name its program by firmware.elf, or leave it out");
  constexpr std::size_t kDigits = 64;
  const std::string& sha256 = program_of(study)->sha256;
  if (!sha256.empty() &&
      (sha256.size() != kDigits || sha256.find_first_not_of("0123456789abcdef") != std::string::npos))
    throw InputError(file.where("firmware.sha256") + "must be 64 digits of 0-9 and a-f, or empty");
}

/// What this firmware decides itself, or cannot be asked.
void refuse_keys(const Study& study, const PartKind& /*part*/, const Given& given) {
  for (const Param& param : params()) {
    const bool of_layers = !param.counts_with.empty() && param.counts_with.front().key == "ftl.firmware" &&
                           param.counts_with.front().values != elf.name;
    const bool choice = (param.table == "ftl" && param.key != "ftl.firmware") || param.table == "driver" || of_layers;
    if (!choice || !given(param.key)) continue;
    throw InputError(study.where_of(param.key) +
                     "is for the firmwares of ftlab, and the program of firmware.elf decides it itself; leave it out");
  }
  if (given("platform.self_check_every") && study.platform.self_check_every != 0)
    throw InputError(study.where_of("platform.self_check_every") +
                     "the program of firmware.elf cannot be asked for its invariants; leave it out");
  if (given("platform.dma"))
    throw InputError(
        study.where_of("platform.dma") +
        "is for the firmwares of ftlab, and the program of firmware.elf uses the DMA as it likes; leave it out");
  if (!study.platform.store_content)
    throw InputError(study.where_of("platform.store_content") +
                     "the program of firmware.elf reads what it has written; leave it out");
}

/// Pages are those that it reports.
void set_page(Study& study, const Given& given) {
  if (!given("ftl.page_bytes")) study.ftl.page_bytes = 0;
  if (!given("workload.request_bytes")) study.generator.request_bytes = 0;
}

}  // namespace

constexpr FirmwareRow elf{.name = "elf",
                          .help = "the program that firmware.elf names, on a simulated core",
                          .title = elf_title,
                          .said = kSaidOfElf,
                          .make = make_elf,
                          .table = {"firmware", "A firmware of one's own"},
                          .keys = [](FirmwareKeys& keys) { keys.add(kElfFields); },
                          .defaults = set_page,
                          .check = check_elf,
                          .refuse = refuse_keys,
                          .program = program_of};

}  // namespace ftlab::platform::firmwares
