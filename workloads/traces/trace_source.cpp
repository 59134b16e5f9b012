#include "workloads/traces/trace_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "common/input_error.h"
#include "workloads/traces/footprint.h"
#include "workloads/traces/reorder.h"
#include "workloads/traces/spool.h"

namespace ftlab::workloads {

TraceSource::TraceSource(const TraceConfig& config, std::uint64_t device_bytes, std::uint64_t seed, bool with_times)
    : TraceSource(config, device_bytes, seed, with_times,
                  [config] { return open_trace(config.path, config.format, {.action = config.action}); }) {}

TraceSource::TraceSource(const TraceConfig& config, std::uint64_t device_bytes, std::uint64_t seed, bool with_times,
                         std::function<OpenTrace()> open_pass)
    : config_(config),
      open_pass_(std::move(open_pass)),
      with_times_(with_times),
      device_pages_(device_bytes / std::max(config.page_bytes, 1U)),
      filter_(config.devices) {
  if (config.repeat == 0) throw InputError("workload.repeat: a trace is replayed at least once; use 1 or more");
  map_ = make_address_map(config, device_bytes, seed);
  open();
}

void TraceSource::open() {
  OpenTrace opened = open_pass_();
  reader_ = std::move(opened.reader);
  if (opened.format->out_of_order && config_.reorder_window != 0) {
    reader_ = std::make_unique<Reorder>(std::move(reader_), config_.reorder_window);
  }
  record_ = record_end_ = 0;
  taken_in_pass_ = 0;
}

bool TraceSource::start_next_pass() {
  if (taken_in_pass_ == 0 && !filter_.active()) {
    throw InputError(fmt::format("{}: holds nothing but reads, which workload.reads = false leaves out", config_.path));
  }
  if (taken_in_pass_ == 0) {
    throw InputError(fmt::format("{}: no request of {}{}; the other devices are {}", config_.path, filter_.wanted(),
                                 config_.reads ? "" : " but reads",
                                 filter_.refused().empty() ? "none" : filter_.refused()));
  }
  if (pass_ == 1 && config_.write_scale > 1) {
    if (bytes_written_ == 0) {
      throw InputError(
          fmt::format("{}: nothing is written, so workload.write_scale = {} cannot be reached; leave it out",
                      config_.path, config_.write_scale));
    }
    write_limit_ = static_cast<double>(bytes_written_) * config_.write_scale * config_.repeat;
  }
  if (write_limit_ == 0 && pass_ == config_.repeat) return false;
  // The gap between two passes is the mean gap within one.
  pass_start_ = later(last_arrival_, (last_arrival_ - pass_start_) / static_cast<std::int64_t>(taken_in_pass_));
  ++pass_;
  open();
  return true;
}

bool TraceSource::next_record(TraceRecord& record) {
  for (;;) {
    const bool enough = config_.limit_requests != 0 && taken_in_pass_ == config_.limit_requests;
    if (!enough && record_ == record_end_) {
      record_ = 0;
      record_end_ = reader_->next(records_);
    }
    if (enough || record_end_ == 0) {
      if (!start_next_pass()) return false;
      continue;
    }
    record = records_[record_++];
    if (!filter_.accepts(*reader_, record.device)) continue;
    if (!config_.reads && record.kind == RequestKind::read) continue;
    ++taken_in_pass_;
    return true;
  }
}

Ticks TraceSource::arrival(const TraceRecord& record) {
  if (taken_in_pass_ == 1) first_time_ = record.time;
  // A record behind its time (beyond the sorting window) arrives with the one before it.
  last_arrival_ = std::max(last_arrival_, later(pass_start_, record.time - first_time_));
  return last_arrival_;
}

void TraceSource::append_requests(const TraceRecord& record) {
  waiting_.clear();
  waiting_used_ = 0;
  Request request{.kind = record.kind, .arrival = arrival(record)};
  if (!with_times_) request.arrival = Ticks{};
  if (record.kind == RequestKind::flush) return waiting_.push_back(request);
  pieces_.clear();
  try {
    map_->map(record, pieces_);
  } catch (const DeviceFull&) {
    // Which page was one too many helps less than how many there are.
    throw TraceTooLarge(config_, footprint(open_pass_(), config_, device_pages_), device_pages_);
  } catch (const DoesNotFit& problem) {
    throw InputError(fmt::format("{}: {}", reader_->where(record.place), problem.what()));
  }
  if (pass_ > 1 && config_.pass_shift != 0) shift_pieces();
  for (Piece piece : pieces_) {
    while (piece.length != 0) {
      request.offset = piece.offset;
      request.length = static_cast<std::uint32_t>(std::min(piece.length, kMaxTransferBytes));
      waiting_.push_back(request);
      piece.offset += request.length;
      piece.length -= request.length;
    }
  }
}

void TraceSource::shift_pieces() {
  const std::uint64_t room = device_pages_ * config_.page_bytes;
  const std::uint64_t shift = (pass_ - 1) * (config_.pass_shift % device_pages_) % device_pages_ * config_.page_bytes;
  shifted_.clear();
  for (const Piece& piece : pieces_) {
    std::uint64_t at = (piece.offset + shift) % room;
    for (std::uint64_t left = piece.length; left != 0;) {
      const std::uint64_t length = std::min(left, room - at);
      shifted_.push_back({at, length});
      left -= length;
      at = 0;
    }
  }
  pieces_.swap(shifted_);
}

std::size_t TraceSource::next(std::span<Request> batch) {
  std::size_t n = 0;
  TraceRecord record;
  while (n < batch.size() && !finished_) {
    if (waiting_used_ == waiting_.size()) {
      if (!next_record(record)) {
        finished_ = true;
        break;
      }
      append_requests(record);
      continue;
    }
    batch[n] = waiting_[waiting_used_++];
    if (batch[n].kind == RequestKind::write) bytes_written_ += batch[n].length;
    finished_ = write_limit_ != 0 && static_cast<double>(bytes_written_) >= write_limit_;
    ++n;
  }
  return n;
}

std::unique_ptr<RequestSource> make_trace_source(const TraceConfig& config, std::uint64_t device_bytes,
                                                 std::uint64_t seed, bool with_times) {
  constexpr std::uintmax_t kReadBeforehand = 64 * kMiB;
  auto source = std::make_unique<TraceSource>(config, device_bytes, seed, with_times);
  std::error_code unknown;
  if (std::filesystem::file_size(rereadable(config.path), unknown) > kReadBeforehand || unknown) return source;
  TraceConfig once = config;
  once.repeat = 1;
  once.write_scale = std::min(config.write_scale, 1.0);
  TraceSource rehearsal(once, device_bytes, seed, with_times);
  std::array<Request, 256> batch;
  std::uint64_t requests = 0;
  while (const std::size_t n = rehearsal.next(batch)) requests += n;
  const double passes = std::max(config.write_scale, 1.0) * config.repeat;
  source->set_size_hint(static_cast<std::uint64_t>(static_cast<double>(requests) * passes));
  return source;
}

}  // namespace ftlab::workloads
