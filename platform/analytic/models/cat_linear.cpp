// CAT with f(age) = age. Eq. 28 with the cold side's share mended to 1 - p.
#include "platform/analytic/models/cat_result.h"
#include "platform/analytic/models/members.h"

namespace ftlab::analytic::members {
namespace {

constexpr const InputRow* kCatLinearNeeds[] = {&kSpareFactor, &kPagesPerSegment, &kAccess, &kData};

Result cat_linear_of(const Inputs& inputs) {
  return cat_result(inputs, [](double age, double) { return age; });
}

}  // namespace

constexpr Model cat_linear = {"cat_linear",
                              "hot and cold segments apart, CAT with f(age) = age chooses between them (Eq. 28)",
                              kCatLinearNeeds, cat_linear_of, 2};

}  // namespace ftlab::analytic::members
