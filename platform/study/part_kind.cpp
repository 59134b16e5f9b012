#include "platform/study/part_kind.h"

#include <utility>

#include "common/input_error.h"
#include "platform/files/data_files.h"
#include "platform/files/derived_file.h"
#include "platform/study/part_family.h"

namespace ftlab::platform {

namespace {

/// What the name alone says, whatever else is wrong with the file.
PartKind named(std::string family) {
  PartKind kind;
  const PartFamily* row = find_part_family(family);
  kind.family = std::move(family);
  kind.array = row != nullptr && row->array;
  return kind;
}

}  // namespace

PartKind kind_of_part(const Study& study) {
  PartKind kind;
  try {
    DerivedFile file = read_derived("parts", data_file("parts", study.part, {}, study.part_where));
    kind = named(file.base.get_string("family"));
    file.overrides = study.part_overrides;
    return kind_of(file.whole());
  } catch (const InputError&) {
    // The part's own loader says it better.
  }
  return kind;
}

PartKind kind_of(const spec::TomlFile& part) {
  PartKind kind = named(part.get_string("family"));
  const PartFamily* family = find_part_family(kind.family);
  kind.linked = !part.keys("link").empty();
  if (family != nullptr && family->measure != nullptr) family->measure(part, kind);
  return kind;
}

}  // namespace ftlab::platform
