// LRU cleaning, any number of classes of data mixed.
#include "platform/analytic/equations/classes.h"
#include "platform/analytic/equations/uniform.h"
#include "platform/analytic/models/members.h"

namespace ftlab::analytic::members {
namespace {

constexpr const InputRow* kLruClassesNeeds[] = {&kSpareFactor, &kAccess, &kData};

Result lru_classes_of(const Inputs& inputs) {
  const double x = over_provisioning(inputs.spare_factor);
  const LruClasses lru = analytic::lru_classes(x, inputs.access, inputs.data);
  return {lru.write_amplification,
          {{"alpha", "T / U", {1 + x}},
           {"copies", "R_i, pages of the class copied for a page written (Eq. 18)", lru.copies, true}}};
}

}  // namespace

constexpr Model lru_classes = {"lru_classes", "LRU cleaning, classes of data mixed (Eq. 17-19)", kLruClassesNeeds,
                               lru_classes_of};

}  // namespace ftlab::analytic::members
