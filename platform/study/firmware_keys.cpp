#include "platform/study/firmware_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace ftlab::platform {
namespace {

constexpr EnumName<Erasing> kErasing[] = {{"wait", Erasing::wait}, {"overlap", Erasing::overlap}};

/// All but the first, which names the firmwares.
std::span<Condition> rest_of(Param& param) { return std::span(param.counts_with).subspan(1); }

/// Where firmwares ask otherwise when a key counts, each asks its own studies.
void merge_conditions(Param& param, Param& more) {
  const std::string before = param.counts_with.front().values;
  const std::string& firmware = more.counts_with.front().values;
  if (!std::ranges::equal(rest_of(param), rest_of(more))) {
    for (Condition& condition : rest_of(param))
      if (condition.firmware.empty()) condition.firmware = before;
    for (Condition& condition : rest_of(more)) {
      condition.firmware = firmware;
      param.counts_with.push_back(std::move(condition));
    }
  }
  param.counts_with.front().values = before + "|" + firmware;
}

/// What `more` says of its firmware becomes part of `param`. A value is that of the study's firmware, and given to all.
void merge(Param& param, Param more) {
  if (param.shared_by.empty() || more.shared_by.empty()) {
    throw std::logic_error(fmt::format("two firmwares have a key {}; give one of them a table of its own", param.key));
  }
  for (const std::string& choice : more.choices) {
    if (std::ranges::find(param.choices, choice) == param.choices.end()) param.choices.push_back(choice);
  }
  const KeySharer& sharer = more.shared_by.front();
  if (!param.help.starts_with(more.help)) param.help += fmt::format("; {}: {}", sharer.firmware, more.help);
  if (sharer.fallback != param.shared_by.front().fallback)
    param.help += fmt::format(", and {} starts with {}", sharer.firmware, sharer.fallback);
  param.min = std::min(param.min, more.min);
  param.max = std::max(param.max, more.max);
  param.shared_by.push_back(sharer);
  merge_conditions(param, more);
  std::ranges::move(more.formerly, std::back_inserter(param.formerly));
  param.read = [first = std::move(param.read), firmware = sharer.firmware, its = std::move(more.read)](
                   const Study& study) { return study.ftl.firmware == firmware ? its(study) : first(study); };
  param.write = [first = std::move(param.write), its = std::move(more.write)](Study& study, const ParamValue& value) {
    first(study, value);
    its(study, value);
  };
}

/// Keys that studies with a former name of the firmware had.
void add_former_keys(const FirmwareRow& firmware, std::vector<Param>& keys) {
  for (const FormerFirmware& former : firmware.formerly) {
    for (const FormerFirmware::Key& key : former.keys)
      std::ranges::find(keys, key.is, &Param::key)
          ->formerly.push_back({std::string(key.was), std::string(former.name)});
  }
}

}  // namespace

void FirmwareKeys::sign(Param& row, bool shared) const {
  for (FormerKey& former : row.formerly) former.firmware = firmware_.name;
  if (shared) row.shared_by.push_back({std::string(firmware_.name), row.choices, row.fallback, row.min, row.max});
}

void FirmwareKeys::set_former(std::string_view key, std::string_view was) {
  std::ranges::find(rows_, key, &Param::key)->formerly = {{std::string(was), std::string(firmware_.name)}};
}

void FirmwareKeys::share_choice(const Field<FtlChoices>& field, std::string_view fallback) {
  append_rows(
      rows_, {"ftl", {{"ftl.firmware", std::string(firmware_.name)}}, ""}, std::span(&field, 1),
      [](auto& study) -> auto& { return study.ftl; });
  sign(rows_.back(), true);
  rows_.back().shared_by.front().fallback = fallback;
}

void FirmwareKeys::share_selection(std::string_view (*name)(std::size_t i)) {
  share_choice(
      name_field<&FtlChoices::selection>(
          "selection", name, "which segment is cleaned next; `ftlab policies` says which go with which firmware"),
      firmware_.selection());
}

void FirmwareKeys::share_erase() {
  share_choice(choice_field<&FtlChoices::erase, kErasing>(
                   "erase", "wait for each erase as the papers do, or let other devices of the card work meanwhile"),
               kErasing[0].name);
}

void FirmwareKeys::share_data_checksum() {
  share_choice(
      bool_field<&FtlChoices::data_checksum>(
          "data_checksum",
          "NOR: keep a checksum of each page and look at it at every read, so that a flipped bit is a read error; "
          "work.checksum_byte of the host is its cost, and a part of a page is read and checked as a whole"),
      "false");
}

std::vector<Param> keys_of_firmwares() {
  std::vector<Param> all;
  for (const FirmwareRow* firmware : firmware_list()) {
    if (firmware->keys == nullptr) continue;
    FirmwareKeys keys(*firmware);
    firmware->keys(keys);
    std::vector<Param> rows = keys.take();
    add_former_keys(*firmware, rows);
    for (Param& param : rows) {
      const auto known = std::ranges::find(all, param.key, &Param::key);
      if (known == all.end()) {
        all.push_back(std::move(param));
      } else {
        merge(*known, std::move(param));
      }
    }
  }
  std::stable_partition(all.begin(), all.end(), [](const Param& param) { return param.table == "ftl"; });
  return all;
}

}  // namespace ftlab::platform
