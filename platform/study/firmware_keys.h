// Where a firmware puts the rows of its keys. They count when a study names it; the struct they set lies in
// Study::configs.
#pragma once

#include <span>
#include <vector>

#include "platform/study/field_rows.h"
#include "platform/study/firmware_row.h"
#include "platform/study/params.h"

namespace ftlab::platform {

class FirmwareKeys {
 public:
  explicit FirmwareKeys(const FirmwareRow& firmware) : firmware_(firmware) {}

  /// In the order of the calls. `pick` where a part of the struct is meant; all of `also` must hold for the keys to
  /// count; `shared`: other firmwares have all of them, too.
  template <class Config, class Pick = InConfigs<Config>>
  void add(std::span<const Field<Config>> fields, Pick pick = {}, std::vector<Condition> also = {},
           bool shared = false) {
    also.insert(also.begin(), {"ftl.firmware", std::string(firmware_.name)});
    const std::size_t first = rows_.size();
    append_rows(rows_, {std::string(table()), std::move(also), ""}, fields, pick);
    for (std::size_t i = 0; i < fields.size(); ++i) sign(rows_[first + i], shared || fields[i].shared);
  }
  template <class Config, std::size_t n>
  void add(const Field<Config> (&fields)[n]) {
    add(std::span<const Field<Config>>(fields));
  }

  /// What a key that was added, and that other firmwares called otherwise, was called by this one; both dotted.
  void set_former(std::string_view key, std::string_view was);

  /// ftl.selection, which each firmware that has it answers with names of its own; `name`: the i-th, empty behind the
  /// last one.
  void share_selection(std::string_view (*name)(std::size_t i));
  /// ftl.erase.
  void share_erase();
  /// ftl.data_checksum.
  void share_data_checksum();

  [[nodiscard]] std::vector<Param> take() { return std::move(rows_); }

 private:
  [[nodiscard]] std::string_view table() const { return firmware_.table.name.empty() ? "ftl" : firmware_.table.name; }
  /// `fallback`: what the firmware takes unless the key is given.
  void share_choice(const Field<FtlChoices>& field, std::string_view fallback);
  /// The row is the firmware's, alone or with others.
  void sign(Param& row, bool shared) const;

  const FirmwareRow& firmware_;
  std::vector<Param> rows_;
};

/// The keys of all firmwares, those of [ftl] first. One that several share is a single row, with the names of all of
/// them. Throws std::logic_error for a key that two firmwares have and do not share.
std::vector<Param> keys_of_firmwares();

}  // namespace ftlab::platform
