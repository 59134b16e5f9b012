// Where requests of a host come in and completions go out: a submission queue and its clock, seen from the firmware.
// Knows bytes of the logical device; nothing of pages, segments or flash. On a target the host queue is behind it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ftlab {

enum class FtlStatus : std::uint8_t {
  ok,
  out_of_range,   ///< offset + length beyond capacity_bytes
  no_space,       ///< cleaning cannot reclaim anything, though nothing has failed
  not_formatted,  ///< nothing is mounted, or nothing can be: the part keeps no metadata
  bad_config,     ///< impossible combination for this geometry
  read_failed,    ///< medium lost data
  write_failed,   ///< medium refuses to take data anywhere
  read_only,      ///< segments have failed and too little is left, or metadata finds no place; reads still served
};

/// Hints that come with a request; an FTL may ignore them.
struct WriteHint {
  std::uint32_t stream = 0;     ///< file or stream id
  bool read_only = false;       ///< data that will not be rewritten: placed apart when the FTL can
  std::uint8_t data_class = 0;  ///< class of data by how often it is written, from 1, the most often, on; 0: not told
  /// The page is written again when the host has written so many more; 0: never, or not told.
  std::uint32_t rewritten_in = 0;
};

enum class HostRequestKind : std::uint8_t { read, write, trim, flush };

/// One request in flight. Its data stays the host's, and untouched by it, until the request completes.
struct HostRequest {
  HostRequestKind kind = HostRequestKind::read;
  std::uint32_t tag = 0;            ///< returned with the completion; no two requests in flight share one
  std::uint64_t offset = 0;         ///< bytes
  std::uint64_t length = 0;         ///< bytes
  std::byte* into = nullptr;        ///< read: `length` bytes
  const std::byte* from = nullptr;  ///< write: `length` bytes
  WriteHint hint;                   ///< write
};

class HostPort {
 public:
  enum class Next : std::uint8_t {
    request,  ///< one was handed out
    later,    ///< none now: it has not arrived, or the host waits for a completion
    ended,    ///< none will come; those in flight still complete
  };

  HostPort() = default;
  HostPort(const HostPort&) = delete;
  HostPort& operator=(const HostPort&) = delete;

  /// Hands out the next request, which is in flight from now on.
  virtual Next next(HostRequest& request) = 0;
  /// To be called exactly once for each request handed out.
  virtual void complete(std::uint32_t tag, FtlStatus status) = 0;

  [[nodiscard]] virtual std::uint64_t now_ns() = 0;
  /// When the next request arrives; UINT64_MAX while the host waits for a completion.
  [[nodiscard]] virtual std::uint64_t next_arrival_ns() = 0;
  /// Lets time pass until the next request arrives, but not beyond `until_ns`.
  virtual void wait(std::uint64_t until_ns) = 0;

 protected:
  ~HostPort() = default;
};

}  // namespace ftlab
