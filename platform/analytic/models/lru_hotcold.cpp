// LRU cleaning, hot and cold data mixed.
#include "platform/analytic/equations/classes.h"
#include "platform/analytic/equations/uniform.h"
#include "platform/analytic/models/members.h"

namespace ftlab::analytic::members {
namespace {

constexpr const InputRow* kLruHotColdNeeds[] = {&kSpareFactor, &kAccess, &kData};

Result lru_hotcold_of(const Inputs& inputs) {
  const double x = over_provisioning(inputs.spare_factor);
  const LruClasses lru = analytic::lru_classes(x, inputs.access, inputs.data);
  return {lru.write_amplification,
          {{"alpha", "T / U", {1 + x}}, {"copies", "pages of the class copied for a page written", lru.copies, true}}};
}

}  // namespace

constexpr Model lru_hotcold = {"lru_hotcold", "LRU cleaning, hot and cold data mixed (Eq. 14)", kLruHotColdNeeds,
                               lru_hotcold_of, 2};

}  // namespace ftlab::analytic::members
