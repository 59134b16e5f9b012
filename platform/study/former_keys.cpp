#include "platform/study/former_keys.h"

#include <fmt/format.h>

#include "common/input_error.h"
#include "platform/study/firmware_row.h"
#include "platform/study/params.h"

namespace ftlab::platform {
namespace {

/// `take` sees each former key of the file with the parameter that had it.
template <class Take>
void for_each_former(const spec::TomlFile& file, Take&& take) {
  for (const Param& param : params()) {
    for (const FormerKey& former : param.formerly) {
      if (file.has(former.key)) take(former, param);
    }
  }
}

}  // namespace

std::optional<std::string> key_formerly(std::string_view name) {
  for (const Param& param : params()) {
    for (const FormerKey& former : param.formerly) {
      if (former.key == name) return param.key;
    }
  }
  return std::nullopt;
}

std::string renamed_line(std::string_view where, std::string_view key) {
  return fmt::format("{}is called {} now", where, key);
}

std::vector<std::string> take_former_keys(spec::TomlFile& file) {
  std::vector<std::string> lines;
  for_each_former(file, [&](const FormerKey& former, const Param& param) {
    const std::string where = file.where(former.key);
    if (file.has(param.key))
      throw InputError(fmt::format("{}is {} by its former name; keep one of the two", where, param.key));
    lines.push_back(renamed_line(where, param.key));
    file.rename(former.key, param.key);
  });
  return lines;
}

void take_former_keys_of_result(spec::TomlFile& file) {
  const std::string firmware = file.holds_text("ftl.firmware") ? file.get_string("ftl.firmware") : std::string{};
  for_each_former(file, [&](const FormerKey& former, const Param& param) {
    if (former.firmware == firmware) file.rename(former.key, param.key);
  });
}

std::optional<std::string> take_former_firmware(spec::TomlFile& file) {
  constexpr std::string_view kKey = "ftl.firmware";
  if (!file.holds_text(kKey)) return std::nullopt;
  const std::string name = file.get_string(kKey);
  for (const FirmwareRow* firmware : firmware_list()) {
    for (const FormerFirmware& former : firmware->formerly) {
      if (former.name != name) continue;
      const std::string where = file.where(kKey);
      const std::string origin = where.substr(0, where.size() - kKey.size() - std::string_view(": : ").size());
      if (file.overridden(kKey))
        file.set(kKey, firmware->name, origin);
      else
        file.change(kKey, firmware->name, origin);
      return fmt::format("{}'{}' is called {} now; unless given it had {}", where, name, firmware->name, former.had);
    }
  }
  return std::nullopt;
}

}  // namespace ftlab::platform
