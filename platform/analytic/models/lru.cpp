// LRU cleaning, the segment that was filled first is cleaned first; uniform writes.
#include "platform/analytic/equations/uniform.h"
#include "platform/analytic/models/members.h"

namespace ftlab::analytic::members {
namespace {

constexpr const InputRow* kLruNeeds[] = {&kSpareFactor};

Result lru_of(const Inputs& inputs) {
  const double x = over_provisioning(inputs.spare_factor);
  const double t = surplus_inverse(x);
  return {lru_write_amplification(t), {{"alpha", "T / U", {1 + x}}, {"t", "alpha + W(-alpha e^-alpha) (Eq. 3)", {t}}}};
}

}  // namespace

constexpr Model lru = {"lru", "LRU cleaning, uniform writes (Eq. 3-4)", kLruNeeds, lru_of};

}  // namespace ftlab::analytic::members
