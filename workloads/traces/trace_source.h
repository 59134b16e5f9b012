// A trace as a stream of requests: filter, limits, passes, mapping and arrival times around a reader.
// One record becomes one request, or several when its pages do not lie side by side on the simulated device.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "workloads/request.h"
#include "workloads/traces/device_filter.h"
#include "workloads/traces/mapping/address_map.h"
#include "workloads/traces/open_trace.h"
#include "workloads/traces/trace_reader.h"
#include "workloads/workload_config.h"

namespace ftlab::workloads {

class TraceSource final : public RequestSource {
 public:
  /// with_times: requests carry the trace's arrival times, from 0 and ascending; else 0.
  /// Throws InputError as open_trace() and make_address_map() do; next() on damaged records and on a record that the
  /// mapping cannot place.
  TraceSource(const TraceConfig& config, std::uint64_t device_bytes, std::uint64_t seed, bool with_times);
  /// The same of a trace that `open_pass` opens, once for each pass; config.path stands for it in messages alone.
  TraceSource(const TraceConfig& config, std::uint64_t device_bytes, std::uint64_t seed, bool with_times,
              std::function<OpenTrace()> open_pass);

  std::size_t next(std::span<Request> batch) override;
  [[nodiscard]] std::uint64_t size_hint() const override { return size_hint_; }
  void set_size_hint(std::uint64_t requests) { size_hint_ = requests; }

 private:
  void open();
  /// The next record that takes part; false when all passes are done.
  bool next_record(TraceRecord& record);
  bool start_next_pass();
  void append_requests(const TraceRecord& record);
  /// Moves the pieces of the record on by what the passes so far make.
  void shift_pieces();
  [[nodiscard]] Ticks arrival(const TraceRecord& record);

  TraceConfig config_;
  std::function<OpenTrace()> open_pass_;
  bool with_times_;
  std::uint64_t device_pages_;
  DeviceFilter filter_;
  std::unique_ptr<AddressMap> map_;
  std::unique_ptr<TraceReader> reader_;
  std::array<TraceRecord, 256> records_;
  std::size_t record_ = 0;
  std::size_t record_end_ = 0;

  std::uint64_t taken_in_pass_ = 0;
  std::uint32_t pass_ = 1;
  std::uint64_t bytes_written_ = 0;
  Ticks pass_start_{};  ///< arrival of the pass's first record
  Ticks first_time_{};  ///< trace time of the first record that took part
  Ticks last_arrival_{};
  double write_limit_ = 0;  ///< bytes to write in all; 0 = by passes
  bool finished_ = false;

  std::vector<Piece> pieces_;
  std::vector<Piece> shifted_;
  std::vector<Request> waiting_;  ///< requests of the current record
  std::size_t waiting_used_ = 0;
  std::uint64_t size_hint_ = 0;
};

/// Small files (up to 64 MiB packed) are read through once beforehand: damage and overflow show before the run starts,
/// and the number of requests is known for the progress bar.
std::unique_ptr<RequestSource> make_trace_source(const TraceConfig& config, std::uint64_t device_bytes,
                                                 std::uint64_t seed, bool with_times);

}  // namespace ftlab::workloads
