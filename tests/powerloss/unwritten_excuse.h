// The one loss that the campaigns forgive, and count: see "What cannot be known" in docs/reliability.md.
#pragma once

#include "firmware/ftl/ftl.h"
#include "tests/powerloss/page_oracle.h"
#include "tests/powerloss/totals.h"

namespace ftlab::tests {

template <class Layer>
class UnwrittenExcuse {
 public:
  /// Asked before the mount, which mends what gives the excuse.
  UnwrittenExcuse(typename Layer::Flash& flash, const typename Layer::Setup& setup)
      : given_(Layer::may_report_unwritten(flash, setup)) {}

  void withdraw() { given_ = false; }
  /// After the mount: pages that were never written are reported lost, as they may be, and nothing else is wrong.
  [[nodiscard]] bool covers(const PageOracle& oracle, Ftl& ftl, CampaignTotals& totals) const {
    if (!given_ || !oracle.only_unwritten_reported(ftl)) return false;
    ++totals.excused;
    return true;
  }

 private:
  bool given_;
};

}  // namespace ftlab::tests
