// CAT with f(age) = log2(age). As printed, Eq. 26-27 take logarithms of shares of U, which are negative: a factor does
// not leave a logarithm. Here ages are counted in segments written, so U is an input, and the cold side has 1 - p.
#include <algorithm>
#include <cmath>

#include "platform/analytic/models/cat_result.h"
#include "platform/analytic/models/members.h"

namespace ftlab::analytic::members {
namespace {

constexpr const InputRow* kCatLog2Needs[] = {&kSpareFactor, &kPagesPerSegment, &kAccess, &kData, &kDataSegments};

Result cat_log2_of(const Inputs& inputs) {
  return cat_result(inputs, [](double age, double data_segments) {
    return std::log2(std::max(age * data_segments, 1.));  // a segment just written is no victim
  });
}

}  // namespace

constexpr Model cat_log2 = {"cat_log2",
                            "hot and cold segments apart, CAT with f(age) = log2(age) chooses between them (Eq. 26-27)",
                            kCatLog2Needs, cat_log2_of, 2};

}  // namespace ftlab::analytic::members
