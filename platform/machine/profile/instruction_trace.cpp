#include "platform/machine/profile/instruction_trace.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "platform/machine/core/source_line.h"
#include "platform/machine/profile/disassembly.h"

namespace ftlab::platform {
namespace {

/// As a CSV file has it; quotes of its own are doubled.
std::string csv_text(const std::string& text) {
  std::string result = "\"";
  for (const char letter : text) result += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return result + "\"";
}

}  // namespace

InstructionTrace::InstructionTrace(CoreProcessor& processor, Span span, Sink sink)
    : processor_(processor),
      span_(span),
      sink_(std::move(sink)),
      clock_(processor.options().core.hz),
      executed_(processor) {
  sink_("time_s,cycle,cycles,address,code,instruction,function,line\n");
}

void InstructionTrace::measures(bool begins) {
  end_trace();
  const Ticks now = processor_.core_time();
  first_ = begins ? clock_.first_from(later(now, span_.from)) : 0;
  end_ = begins ? clock_.first_from(later(now, span_.to)) : 0;
}

std::uint64_t InstructionTrace::before_run() {
  const std::uint64_t cycle = processor_.core().cycles();
  if (cycle >= end_) {
    end_trace();
    return CoreClock::kNeverCycle;
  }
  if (cycle < first_) return first_;
  if (!traces_) executed_.begin();
  traces_ = true;
  see_executed();
  began_ = cycle;
  return cycle + 1;
}

void InstructionTrace::see_executed() {
  const auto at = executed_.follow();
  if (!at) return;
  write_row(began_);
  row_ = {*at, began_};
}

void InstructionTrace::write_row(std::uint64_t end) {
  if (!row_) return;
  const Row row = *std::exchange(row_, std::nullopt);
  sink_(fmt::format("{:.10f},{},{},0x{:08x},{}\n", to_seconds(clock_.at(row.begun)), row.begun, end - row.begun,
                    row.address, words_of(row.address)));
}

void InstructionTrace::end_trace() {
  if (!traces_) return;
  traces_ = false;
  see_executed();
  write_row(processor_.core().cycles());
}

const std::string& InstructionTrace::words_of(std::uint32_t address) {
  const ProgramMemory& memory = processor_.memory();
  if (lines_.empty()) learn_lines();
  const auto [at, is_new] = words_.try_emplace(address);
  if (!is_new) return at->second;
  const auto code = code_.find(address);
  const Disassembled one = code == code_.end() ? Disassembled{} : code->second;
  const auto symbol = memory.image().symbol_at(address);
  at->second = fmt::format("{},{},{},{}", one.code, csv_text(one.text),
                           csv_text(symbol ? ProgramMemory::name_of(*symbol) : ""), csv_text(lines_[address]));
  return at->second;
}

void InstructionTrace::learn_lines() {
  const ProgramMemory& memory = processor_.memory();
  code_ = disassembly_of(memory.name(), memory.machine());
  std::vector<std::uint32_t> addresses;
  for (const auto& [address, one] : code_) addresses.push_back(address);
  const auto places = source_places(memory.name(), memory.machine(), addresses);
  for (std::size_t i = 0; i < addresses.size(); ++i)
    lines_[addresses[i]] =
        places[i].empty() ? "" : fmt::format("{}:{}", places[i].front().file, places[i].front().line);
}

}  // namespace ftlab::platform
