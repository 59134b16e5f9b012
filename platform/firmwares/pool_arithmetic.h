// What pool choices need of the analytic models, in its fixed-point numbers: firmware has no
// floating-point library.
#pragma once

#include <vector>

#include "common/fields.h"
#include "firmware/volume/volume_config.h"
#include "platform/study/study.h"

namespace ftlab::platform {

/// How the spare space is divided, as a study says it.
struct PoolSplit {
  std::vector<double> shares{};  ///< of each pool; empty: the best one for the workload
};

inline const Field<PoolSplit> kPoolSplitFields[] = {
    other_field<&PoolSplit::shares>("split", FieldType::numbers, 0, 1,
                                    "share of the spare space of each pool, they sum to 1; empty: the best division "
                                    "for the workload by the analytic model")
        .with("pool_choice", "split")
        .is_shared(),
};

/// Sets what ftl.pool_choice needs: the division of the spare space as the study says it, or, where it does not, the
/// best one for its workload (Desnoyers, Eq. 20-22); the derivative of write amplification (Eq. 29). Throws InputError
/// when the workload does not say its classes, or their number is another one.
void set_pool_arithmetic(const Study& study, std::uint32_t pages_per_segment, double spare_factor,
                         VolumeConfig& config);

/// Throws InputError where a volume needs it whose size is not known before the run, as that of firmware on a core.
void refuse_pool_arithmetic(const Study& study, const VolumeConfig& config);

}  // namespace ftlab::platform
