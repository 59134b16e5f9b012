// Processor time of a program that only counts: greedy cleaning, uniform random writes, S_f 0.07, 64 pages a segment.
// Usage: counting_reference SEGMENTS OVERWRITES, the segments that the host has. Prints one JSON object: write
// amplification and host writes a second of processor time, both at rest, after one overwrite more.
#include <cstdio>
#include <cstdlib>

#include "firmware/base/random.h"
#include "platform/bench/array/counting_drive.h"
#include "platform/measure/process_cost.h"

namespace {

constexpr std::uint32_t kPagesPerSegment = 64;
constexpr double kHostShare = 0.93;  ///< of all but the reserve

}  // namespace

int main(int argc, char** argv) {
  const long segments = argc == 3 ? std::strtol(argv[1], nullptr, 10) : 0;
  const long overwrites = argc == 3 ? std::strtol(argv[2], nullptr, 10) : 0;
  if (segments < 1 || segments > 10'000'000 || overwrites < 1) {
    std::fprintf(stderr, "usage: counting_reference SEGMENTS OVERWRITES, 1 to 10,000,000 and 1 or more\n");
    return 2;
  }
  using namespace ftlab;
  const auto host = static_cast<std::uint32_t>(segments);
  const auto all = static_cast<std::uint32_t>(host / kHostShare) + platform::CountingDrive::kReserve;
  platform::CountingDrive drive(all, host, kPagesPerSegment);
  Random random(1);
  const auto overwrite = [&](std::uint64_t times) {
    for (std::uint64_t i = 0; i < times * drive.pages(); ++i) drive.write(random.below(drive.pages()));
  };
  for (std::uint32_t page = 0; page < drive.pages(); ++page) drive.write(page);
  overwrite(1);
  const std::uint64_t writes = drive.writes();
  const std::uint64_t programs = drive.programs();
  const double begin = platform::process_cpu_s();
  overwrite(static_cast<std::uint64_t>(overwrites));
  const double cpu_s = platform::process_cpu_s() - begin;
  const auto written = static_cast<double>(drive.writes() - writes);
  std::printf("{\"write_amplification\": %.4f, \"host_writes_per_cpu_s\": %.0f}\n",
              static_cast<double>(drive.programs() - programs) / written, written / cpu_s);
  return 0;
}
