// A firmware as one row: all that studies, runs and results have to know of it, so that none of them asks for its name.
// The rows of the tree lie in platform/firmwares; a program of one's own adds its row before it reads a study.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/counters.h"
#include "common/toml/toml_file.h"
#include "platform/study/firmware_values.h"
#include "platform/study/part_kind.h"
#include "platform/study/study.h"

namespace ftlab::target {
struct Handover;  // firmware/target/handover.h
}

namespace ftlab::platform {

class FirmwareInstance;  // platform/firmwares/firmware_instance.h
struct FirmwarePorts;    // the same
class FirmwareKeys;      // platform/study/firmware_keys.h

/// Whether the study gives the key.
using Given = std::function<bool(std::string_view key)>;

/// A table of a study's keys, with what it is about.
struct KeyTable {
  std::string_view name;
  std::string_view help;
};

/// A counter of a firmware's own.
struct FigureText {
  std::string_view name;  ///< behind firmware.figures of a result
  std::string_view unit;
  std::string_view help;
  CounterKind kind = CounterKind::state;
};

/// All counters of a struct, in the order of their rows.
template <class Stats, std::size_t n>
std::vector<FigureText> texts_of(const Counter<Stats> (&counters)[n]) {
  std::vector<FigureText> texts;
  for (const Counter<Stats>& c : counters) texts.push_back({c.name, c.unit, c.help, c.kind});
  return texts;
}

/// A value of a key that chooses a policy.
struct PolicyText {
  std::string key;  ///< dotted
  std::string_view name;
  std::string help;
};

/// All members of a family of policies.
template <class Entries>
void append_policies(std::vector<PolicyText>& out, std::string_view key, const Entries& entries) {
  for (const auto& entry : entries) out.push_back({std::string(key), entry.name, std::string(entry.help)});
}

/// What the analytic models ask of a firmware.
struct ModelledCleaning {
  std::string_view selection;    ///< by the models' names: "lru", "greedy", "d_choices"
  std::uint32_t candidates = 1;  ///< d_choices: segments drawn
};

/// A name that a firmware had: studies and results that say it get the firmware, with a line that says its name.
struct FormerFirmware {
  struct Key {
    std::string_view was;  ///< dotted
    std::string_view is;   ///< dotted
  };
  std::string_view name;
  std::string_view had;            ///< TOML of what it took unless given, where the firmware takes other values
  std::span<const Key> keys = {};  ///< of a study that says the name
};

/// A firmware that a study names by its file, as a linked program for a simulated core.
struct OwnProgram {
  std::string elf;     ///< as the program can open it; empty: the study names none
  std::string sha256;  ///< of its bytes; empty: any
  std::vector<FirmwareValue> values;
};

/// On which parts a firmware is a drive's: on a processor of its own, and with requests of the part's pages.
enum class DriveOn : std::uint8_t { none, arrays, all_parts };

struct FirmwareRow {
  std::string_view name;  ///< ftl.firmware
  std::string_view help = {};
  std::span<const FormerFirmware> formerly = {};
  /// The firmware with its policies, for people.
  std::string (*title)(const Study& study) = nullptr;
  std::span<const std::string_view> said = {};  ///< keys that the title says
  /// Throws InputError for an impossible configuration.
  std::unique_ptr<FirmwareInstance> (*make)(const Study& study, const FirmwarePorts& ports) = nullptr;

  // Keys; null: none, nothing.
  KeyTable table = {};  ///< where they stand; without a name: [ftl]
  void (*keys)(FirmwareKeys& keys) = nullptr;
  std::string_view (*selection)() = nullptr;  ///< ftl.selection unless given; null: the key is not for this firmware
  /// Values of other keys that a study with this firmware has unless it gives them.
  void (*defaults)(Study& study, const Given& given) = nullptr;
  DriveOn drive_on = DriveOn::none;
  /// The same of a study on an array, beside those.
  void (*array_defaults)(Study& study, const Given& given) = nullptr;
  /// The same on a whole drive.
  void (*drive_defaults)(Study& study, const PartKind& part, const Given& given) = nullptr;
  /// Rules between keys, asked for whichever firmware the study names. Throws InputError.
  void (*check)(const spec::TomlFile& file, const Study& study) = nullptr;
  /// Throws InputError for keys that mean nothing to it; asked where the study names the firmware.
  void (*refuse)(const Study& study, const PartKind& part, const Given& given) = nullptr;
  /// Adds a line each on what the user should know although it is no error; asked where the study names the firmware.
  void (*remark)(const Study& study, const PartKind& part, const Given& given,
                 std::vector<std::string>& lines) = nullptr;

  /// Its exchangeable pieces, family by family; null: it has none.
  std::vector<PolicyText> (*policies)() = nullptr;
  /// What FirmwareInstance::figures() counts, for lists of figures; null: nothing.
  std::vector<FigureText> (*figures)() = nullptr;

  // Capabilities.
  bool default_on_arrays = false;       ///< studies on arrays have it unless they name one
  std::string_view not_on_arrays = {};  ///< why it does not serve NAND arrays, after its name; empty: it does
  bool many_in_flight = false;          ///< serves as many requests at once as an array has dies
  /// The same on an array.
  [[nodiscard]] bool drives_dies() const { return many_in_flight && not_on_arrays.empty(); }
  /// Of the program for a simulated core: what the study wants of this firmware; null: the program does not have it.
  /// Throws InputError for what it cannot have on a core.
  void (*hand_over)(const Study& study, target::Handover& handover) = nullptr;
  /// It is such a program alone, which says of itself what it can do and counts nothing for results; null: it is a
  /// layer of the tree.
  const OwnProgram* (*program)(const Study& study) = nullptr;
  bool updates_in_place = false;
  bool comes_to_rest = false;       ///< every run says whether write amplification has come to rest
  bool scenarios_take_all = false;  ///< a scenario is offered all that the firmware can hold
  /// For the model beside a run; nothing where the study's policies have none.
  std::optional<ModelledCleaning> (*modelled)(const Study& study) = nullptr;
  /// The key whose value needs to know when each page is written again; empty: none does.
  std::string_view (*needs_future)(const Study& study) = nullptr;
};

/// Those of the tree (platform/firmwares/firmwares.cpp); the first is the default.
std::vector<const FirmwareRow*> built_in_firmwares();

/// Those of the tree, then those that were added.
std::span<const FirmwareRow* const> firmware_list();
/// A firmware from outside the tree becomes one of the choices of ftl.firmware, in every command. To be called before
/// the first study is read; the row must outlive every study. Throws std::logic_error for a name that is taken.
void add_firmware(const FirmwareRow& row);
/// Throws std::logic_error for a name that no study can have.
const FirmwareRow& firmware_of(const Study& study);
/// The default on arrays.
const FirmwareRow& firmware_on_arrays();

}  // namespace ftlab::platform
