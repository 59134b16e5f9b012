// `ftlab new firmware DIR`: a firmware of one's own to start from, copied from the folder of files that ships.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "common/input_error.h"
#include "platform/cli/commands.h"
#include "platform/cli/python.h"
#include "platform/files/data_files.h"
#include "platform/study/part_family.h"

namespace ftlab::platform::cli {
namespace {

namespace fs = std::filesystem;

struct NewFlags {
  std::string folder;
  std::string core = "arm";
  std::string part;
};

/// Of the files for a family of parts: its own, or what several of them share and its own behind that.
std::vector<fs::path> folders_of(const fs::path& parts, const std::string& family) {
  if (fs::exists(parts / family)) return {parts / family};
  for (const fs::directory_entry& several : fs::directory_iterator(parts))
    if (fs::exists(several.path() / family)) return {several.path() / "common", several.path() / family};
  throw InputError(fmt::format("--part: no firmware for {} is there to start from", family));
}

/// Nothing that is there is touched.
void refuse_used(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) return;
  if (!fs::is_directory(folder, error))
    throw InputError(fmt::format("{}: is a file; give another DIR", folder.string()));
  if (!fs::is_empty(folder, error) || error)
    throw InputError(fmt::format("{}: is not empty; give another DIR", folder.string()));
}

int new_firmware(const NewFlags& options) {
  if (options.folder.empty()) throw InputError("DIR: must not be empty; name a folder for the firmware");
  const fs::path folder = options.folder;
  refuse_used(folder);
  const fs::path files = data_folder("firmware");
  try {
    fs::create_directories(folder);
    fs::copy(files / "common", folder, fs::copy_options::recursive);
    fs::copy(files / "cores" / options.core, folder, fs::copy_options::recursive);
    for (const fs::path& of_part : folders_of(files / "parts", options.part))
      fs::copy(of_part, folder, fs::copy_options::recursive);
  } catch (const fs::filesystem_error& error) {
    throw InputError(
        fmt::format("{}: cannot be written: {}; give another DIR", folder.string(), error.code().message()));
  }
  const std::string name = folder.string();
  fmt::print(
      "{0} written: a firmware for a simulated {1} core; {2} says what is in it. From there to a result:\n"
      "  cmake --preset firmware -S {0} && cmake --build {3}\n"
      "  {4} run {5}\n",
      name, options.core == "arm" ? "ARM" : "RISC-V", (folder / "README.md").string(), (folder / "build").string(),
      typed_program(), (folder / "study.toml").string());
  return kOk;
}

}  // namespace

void register_new(CLI::App& app, Action& action) {
  auto options = std::make_shared<NewFlags>();
  CLI::App* command = app.add_subcommand("new", "start a firmware of one's own");
  command->require_subcommand(1);
  CLI::App* firmware = command->add_subcommand(
      "firmware",
      "write a project that builds a firmware for a simulated core: driver, translation layer, test, study");
  firmware->add_option("DIR", options->folder, "folder to write; it is new or empty")->required();
  firmware->add_option("--core", options->core, "which core the firmware is compiled for: arm or riscv")
      ->check(CLI::IsMember({"arm", "riscv"}))
      ->capture_default_str();
  std::vector<std::string> parts;
  for (const PartFamily* family : part_families()) {
    parts.emplace_back(family->name);
    if (family->of_new_studies) options->part = family->name;
  }
  firmware->add_option("--part", options->part, "which family of parts it drives")
      ->check(CLI::IsMember(parts))
      ->capture_default_str();
  firmware->footer(
      "Examples:\n"
      "  ftlab new firmware mine                  a firmware for an ARM core and a card\n"
      "  ftlab new firmware mine --core riscv     ... for a RISC-V core\n"
      "  ftlab new firmware mine --part array     ... for a NAND array");
  firmware->callback([&action, options] { action = [options] { return new_firmware(*options); }; });
}

}  // namespace ftlab::platform::cli
