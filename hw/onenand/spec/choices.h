// What a study may choose about a Flex-OneNAND beside the numbers of its part file. Knows no file syntax.
#pragma once

#include <string>

#include "common/fields.h"

namespace ftlab::hw {

struct OneNandChoices {
  std::string profile;  ///< timing profile of the part file; empty: that of the data sheet
};

/// The keys of a study that set it.
inline constexpr Field<OneNandChoices> kOneNandFields[] = {
    other_field<&OneNandChoices::profile>(
        "part_profile", FieldType::text, 0, 0,
        "timing profile of a Flex-OneNAND part, e.g. flexfs-calibrated; empty: that of the data sheet"),
};

}  // namespace ftlab::hw
