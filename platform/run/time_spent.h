// What most of the time of a run was spent on, as a sentence about the keys that it depends on.
#pragma once

#include <string>

#include "platform/files/processor_profile.h"
#include "platform/machine/ledger.h"
#include "platform/study/study.h"

namespace ftlab::platform {

/// "93 % of it is work.request of the host, ..." with the keys to lower.
std::string where_time_went(const Study& study, const ProcessorProfile& host, const LedgerTotals& totals);

}  // namespace ftlab::platform
