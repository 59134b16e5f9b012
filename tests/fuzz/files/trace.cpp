// Any bytes as a trace: counted, or replayed onto a small device under any mapping; formats given or detected, packed
// or not. Three bytes in front choose how.
#include <array>
#include <boost/crc.hpp>

#include "tests/fuzz/support/input.h"
#include "tests/fuzz/support/input_error.h"
#include "tests/fuzz/support/text_mutator.h"
#include "workloads/traces/access_classes.h"
#include "workloads/traces/trace_info.h"
#include "workloads/traces/trace_source.h"

namespace {

using namespace ftlab;
using namespace ftlab::fuzz;
using namespace ftlab::workloads;

constexpr std::string_view kWords[] = {"R",      "W",      "Read",    "Write",  "D",    "Q",         "C",
                                       "+",      "[1]",    "CPU0:",   "8,16",   "RS",   "WS",        "FWS",
                                       "DS",     "N",      "\t",      "hm",     "0",    "read",      "write",
                                       "proces", "device", "rw_flag", "sector", "size", "timestamp", "\f"};
constexpr std::size_t kHeader = 3;
constexpr std::uint64_t kDevice = 1 << 20;

/// A gzip file that stores the bytes as they are.
std::string packed(std::string_view bytes) {
  std::string file("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
  const auto put = [&file](std::uint32_t value, int size) {
    for (int i = 0; i < size; ++i) file.push_back(static_cast<char>(value >> (8 * i) & 0xFF));
  };
  const std::string_view content = bytes.substr(0, 0xFFFF);
  put(1, 1);
  put(static_cast<std::uint32_t>(content.size()), 2);
  put(~static_cast<std::uint32_t>(content.size()), 2);
  file.append(content);
  boost::crc_32_type crc;
  crc.process_bytes(content.data(), content.size());
  put(crc.checksum(), 4);
  put(static_cast<std::uint32_t>(content.size()), 4);
  return file;
}

void count(const std::function<OpenTrace()>& open, std::uint8_t flags) {
  // Large pages, so that one record touches few of them.
  TraceInfoOptions options{.page_bytes = 1U << 24};
  if ((flags & 1) != 0) options.devices = {"0"};
  const TraceInfo info = collect_trace_info(open(), "trace", options);
  require(info.reads + info.writes + info.trims + info.flushes == info.requests, "requests add up");
  require(info.pages_touched <= info.pages_read + info.pages_written, "a page touched was read or written");
  std::uint64_t pages = 0;
  for (const AccessClass& one : access_classes(info.writes_of_pages, 1U + flags % 7)) pages += one.pages;
  require(pages == info.pages_written, "a page written is in a class");
}

void replay(const std::function<OpenTrace()>& open, std::string_view address, std::uint8_t flags) {
  TraceConfig config{.path = "trace", .address = std::string(address)};
  config.reads = (flags & 1) == 0;
  config.repeat = 1U + (flags >> 1 & 1U);
  config.write_scale = (flags & 4) != 0 ? 0.5 : 1;
  config.limit_requests = flags >> 4;
  config.traced_bytes = 1ULL << 30;
  config.pass_shift = flags & 3;
  config.reorder_window = 16;
  const bool with_times = (flags & 8) != 0;
  TraceSource source(config, kDevice, 1, with_times, open);
  std::array<Request, 64> batch;
  Ticks last{};
  constexpr int kBatches = 32;
  for (int i = 0; i < kBatches; ++i) {
    const std::size_t n = source.next(batch);
    if (n == 0) return;
    for (const Request& request : std::span(batch).first(n)) {
      require(request.offset <= kDevice && request.length <= kDevice - request.offset, "requests lie on the device");
      require(request.arrival >= last, "requests arrive in order");
      last = request.arrival;
    }
  }
}

}  // namespace

FTLAB_TEXT_MUTATOR(kWords, kHeader)

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  const std::uint32_t which = in.below(16);
  const std::uint8_t way = in.byte();
  const std::uint8_t flags = in.byte();
  const auto rest = in.rest();
  const std::string_view plain(reinterpret_cast<const char*>(rest.data()), rest.size());
  const std::string file = (way & 128) != 0 ? packed(plain) : std::string(plain);
  const auto formats = trace_formats();
  const std::string_view format = which < formats.size() ? formats[which]->name : "auto";
  const auto open = [&] { return open_trace(ByteInput("trace", file), format, {}); };
  constexpr std::string_view kMappings[] = {"compact", "modulo", "direct", "compact_scattered", "scaled"};
  const std::uint32_t choice = (way & 127) % 7;
  reads_or_refuses([&] {
    if (choice < 5)
      replay(open, kMappings[choice], flags);
    else
      count(open, flags);
  });
  return 0;
}
