// What most of the time of a run was spent on, as a sentence about the keys that it depends on.
#pragma once

#include <string>

#include "platform/machine/processor_profile.h"
#include "platform/measure/ledger.h"
#include "platform/study/study.h"

namespace ftlab::platform {

/// "most of it (93 %) is host_overrides.work.request or ...; lower it, or ask for less".
std::string where_time_went(const Study& study, const ProcessorProfile& host, const LedgerTotals& totals);

}  // namespace ftlab::platform
