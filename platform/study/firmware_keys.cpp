#include "platform/study/firmware_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace ftlab::platform {
namespace {

constexpr EnumName<Erasing> kErasing[] = {{"wait", Erasing::wait}, {"overlap", Erasing::overlap}};

/// The names and the firmware of `more` become those of `param`, too.
void merge(Param& param, const Param& more) {
  if (param.shared_by.empty() || more.shared_by.empty()) {
    throw std::logic_error(fmt::format("two firmwares have a key {}; give one of them a table of its own", param.key));
  }
  for (const std::string& choice : more.choices) {
    if (std::ranges::find(param.choices, choice) == param.choices.end()) param.choices.push_back(choice);
  }
  const KeySharer& sharer = more.shared_by.front();
  if (sharer.fallback != param.shared_by.front().fallback)
    param.help += fmt::format(", and {} starts with {}", sharer.firmware, sharer.fallback);
  param.shared_by.push_back(sharer);
  param.counts_with.front().values += "|" + more.counts_with.front().values;
}

}  // namespace

void FirmwareKeys::share(const Field<FtlChoices>& field, std::string_view fallback) {
  std::vector<Param> row;
  append_rows(
      row, {"ftl", {{"ftl.firmware", std::string(firmware_.name)}}, ""}, std::span(&field, 1),
      [](auto& study) -> auto& { return study.ftl; });
  row.front().shared_by.push_back({std::string(firmware_.name), row.front().choices, std::string(fallback)});
  rows_.push_back(std::move(row.front()));
}

void FirmwareKeys::share_selection(std::string_view (*name)(std::size_t i)) {
  share(name_field<&FtlChoices::selection>(
            "selection", name, "which segment is cleaned next; `ftlab policies` says which go with which firmware"),
        firmware_.selection());
}

void FirmwareKeys::share_erase() {
  share(choice_field<&FtlChoices::erase, kErasing>(
            "erase", "wait for each erase as the papers do, or let other devices of the card work meanwhile"),
        kErasing[0].name);
}

void FirmwareKeys::share_data_checksum() {
  share(bool_field<&FtlChoices::data_checksum>(
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
    for (Param& param : keys.take()) {
      const auto known = std::ranges::find(all, param.key, &Param::key);
      if (known == all.end()) {
        all.push_back(std::move(param));
      } else {
        merge(*known, param);
      }
    }
  }
  std::stable_partition(all.begin(), all.end(), [](const Param& param) { return param.table == "ftl"; });
  return all;
}

}  // namespace ftlab::platform
