#include "firmware/volume/own_policies.h"

#include "firmware/policy/policies.h"

namespace ftlab::volume {

std::optional<fms::PolicyChoice> own_policies(const VolumeConfig& config) {
  const fms::SelectionEntry* selection = fms::selections().find(config.selection);
  const fms::SeparationEntry* separation = fms::separations().find(config.separation);
  if (selection == nullptr || separation == nullptr || selection->listed.exists()) return std::nullopt;
  fms::PolicyChoice choice{
      {&fms::trigger::no_free_space, selection, &fms::redistribute::sequential, &fms::place::mixed, &fms::wear::none},
      config.params,
      config.shared,
      config.seed};
  choice.separated_streams = separation->streams_of(config.params.of(*separation), config.copies_apart());
  choice.separated_copies = separation->copies_to;
  choice.low_water = choice.high_water = reserve_of(config);
  return choice;
}

}  // namespace ftlab::volume
