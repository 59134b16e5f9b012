#include "platform/study/part_kind.h"

#include "common/input_error.h"
#include "platform/files/data_files.h"
#include "platform/files/derived_file.h"

namespace ftlab::platform {
namespace {

std::uint32_t count_of(const spec::TomlFile& file, std::string_view key) {
  return static_cast<std::uint32_t>(file.get_in(key, "1", 1, 1e8));
}

}  // namespace

PartKind kind_of_part(const Study& study) {
  PartKind kind;
  try {
    DerivedFile file = read_derived("parts", data_file("parts", study.part, {}, study.part_where));
    kind.family = file.base.get_string("family");
    file.overrides = study.part_overrides;
    return kind_of(file.whole());
  } catch (const InputError&) {
    // The part's own loader says it better.
  }
  return kind;
}

PartKind kind_of(const spec::TomlFile& part) {
  PartKind kind;
  kind.family = part.get_string("family");
  if (kind.family != kArrayFamily) return kind;
  kind.segments = count_of(part, "segments");
  kind.dies = count_of(part, "channels") * count_of(part, "dies_per_channel");
  kind.page_bytes = static_cast<std::uint32_t>(part.get_in("page_bytes", "B", 1, 1e8));
  return kind;
}

}  // namespace ftlab::platform
