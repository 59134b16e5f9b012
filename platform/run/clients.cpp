#include "platform/run/clients.h"

#include <string>
#include <string_view>

#include "common/input_error.h"
#include "platform/study/firmware_row.h"
#include "platform/study/params.h"
#include "workloads/future_source.h"
#include "workloads/workloads.h"

namespace ftlab::platform {
namespace {

/// More than any run writes.
constexpr std::uint64_t kEndless = std::uint64_t{1} << 62;

std::uint64_t volume_of(const workloads::GeneratorConfig& generator) {
  if (generator.overwrites <= 0) return generator.total_bytes;
  return static_cast<std::uint64_t>(generator.overwrites * static_cast<double>(generator.pages) * generator.page_bytes);
}

/// A reason that begins with a key of the study begins with its place, too, which workloads do not know.
std::unique_ptr<workloads::RequestSource> make_placed(const Study& study, const workloads::WorkloadConfig& workload,
                                                      std::uint64_t device_bytes) {
  try {
    return workloads::make_source(workload, device_bytes, study.seed);
  } catch (const InputError& refused) {
    const std::string_view reason = refused.what();
    const std::string_view key = reason.substr(0, reason.find(": "));
    if (find_param(key) == nullptr) throw;
    throw InputError(study.where_of(key) + std::string(reason.substr(key.size() + 2)));
  }
}

std::unique_ptr<workloads::RequestSource> source_of(const Study& study, const workloads::WorkloadConfig& workload,
                                                    std::uint64_t device_bytes) {
  const auto make = [&] { return make_placed(study, workload, device_bytes); };
  const auto needs_future = firmware_of(study).needs_future;
  if (needs_future == nullptr || needs_future(study).empty()) return make();
  return std::make_unique<workloads::FutureSource>(make, workload.generator.page_bytes);
}

}  // namespace

Clients::Clients(const Study& study, const workloads::WorkloadConfig& workload, std::uint64_t warm_up_bytes,
                 std::uint64_t device_bytes)
    : warm_up_bytes_(warm_up_bytes) {
  workloads::WorkloadConfig whole = workload;
  whole.generator.warm_up_bytes = warm_up_bytes;
  const std::vector<double>& depths = study.workload.client_depths;
  if (depths.empty()) {
    sources_.push_back(source_of(study, whole, device_bytes));
    clients_.push_back({sources_.front().get(), static_cast<std::uint32_t>(study.workload.queue_depth)});
    size_hint_ = sources_.front()->size_hint();
    return;
  }
  write_bytes_ = volume_of(workload.generator);
  whole.generator.warm_up_bytes = 0;
  whole.generator.total_bytes = kEndless;
  whole.generator.overwrites = 0;
  for (std::size_t i = 0; i < depths.size(); ++i) {
    whole.generator.client = static_cast<std::uint32_t>(i);
    whole.generator.read_share = study.workload.client_read_shares[i];
    sources_.push_back(make_placed(study, whole, device_bytes));
    clients_.push_back({sources_.back().get(), static_cast<std::uint32_t>(depths[i])});
  }
}

std::vector<HostClient> Clients::warm_up(HostOptions& options) {
  if (write_bytes_ != 0) {
    options.write_bytes = warm_up_bytes_;
    return clients_;
  }
  first_ = std::make_unique<workloads::LimitedSource>(*sources_.front(), warm_up_bytes_);
  return {{first_.get(), clients_.front().queue_depth}};
}

std::vector<HostClient> Clients::measured(HostOptions& options) {
  options.write_bytes = write_bytes_;
  if (first_ != nullptr) options.arrivals_from = first_->last_arrival();
  return clients_;
}

}  // namespace ftlab::platform
