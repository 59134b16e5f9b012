#include "platform/machine/debug/core_debugger.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "common/input_error.h"
#include "platform/machine/iss/memory_map.h"

namespace ftlab::platform {
namespace {

using gdb::StopKind;
using gdb::StopPlace;

/// Memory is left to the bus in such pieces.
constexpr std::uint32_t kPiece = iss::MemoryMap::kPieceBytes;

void say(const std::string& text) { std::fputs(("ftlab: " + text + "\n").c_str(), stderr); }

gdb::Signal signal_of(iss::StopReason reason) {
  switch (reason) {
    case iss::StopReason::illegal_instruction:
      return gdb::Signal::illegal;
    case iss::StopReason::bus_error:
    case iss::StopReason::lockup:
      return gdb::Signal::fault;
    case iss::StopReason::misaligned:
      return gdb::Signal::bus;
    case iss::StopReason::breakpoint:
      return gdb::Signal::trap;
    default:
      return gdb::Signal::abort;
  }
}

bool sees(StopKind kind, bool write) { return kind == StopKind::access || (kind == StopKind::write) == write; }

std::string in_seconds(Ticks time) { return std::to_string(to_seconds(time)) + " s"; }

constexpr std::string_view kHelp =
    "time       simulated time, cycles and instructions\n"
    "cause      what the firmware works for\n"
    "part       what the part does\n"
    "power off  power is lost before the next instruction, and comes back at once\n";

}  // namespace

CoreDebugger::CoreDebugger(CoreProcessor& processor, std::unique_ptr<gdb::Link> link)
    : processor_(processor), link_(std::move(link)), session_(*this) {}

CoreDebugger::~CoreDebugger() {
  constexpr std::uint8_t kWithoutResults = 2;
  if (mode_ == Mode::runs || mode_ == Mode::steps) send(gdb::Session::ended(kWithoutResults));
}

std::uint64_t CoreDebugger::before_run() {
  if (mode_ == Mode::nobody_yet) {
    wait_for_debugger();
    hold({});
  }
  while (const auto why = why_held()) hold(*why);
  return mode_ == Mode::steps ? processor_.core().cycles() + 1 : CoreClock::kNeverCycle;
}

void CoreDebugger::wait_for_debugger() {
  say("waits for a debugger: gdb-multiarch " + processor_.memory().name() +
      " -ex 'target remote 127.0.0.1:" + std::to_string(link_->port()) + "'");
  link_->accept();
  mode_ = Mode::runs;
}

bool CoreDebugger::is_place(std::uint32_t pc) const {
  return std::ranges::find(places_, StopPlace{StopKind::instruction, pc, 1}) != places_.end();
}

std::optional<std::string> CoreDebugger::why_held() {
  if (mode_ == Mode::gone) return std::nullopt;
  if (const auto hit = std::exchange(hit_, std::nullopt)) return session_.stopped_behind(hit->place, hit->address);
  const bool at_place = std::exchange(own_breakpoint_, false) || is_place(processor_.core().pc());
  if (moved() && (at_place || mode_ == Mode::steps)) return session_.stopped(gdb::Signal::trap);
  if (interrupted()) return session_.stopped(gdb::Signal::interrupt);
  return std::nullopt;
}

bool CoreDebugger::interrupted() {
  reader_.feed(link_->poll());
  bool interrupted = false;
  while (const auto event = reader_.take())
    interrupted = interrupted || event->kind == gdb::PacketReader::Kind::interrupt;
  return interrupted;
}

void CoreDebugger::hold(const std::string& why) {
  if (!why.empty()) send(why);
  for (;;) {
    while (const auto event = reader_.take()) {
      if (handle(*event)) return;
    }
    const std::string bytes = link_->receive();
    if (bytes.empty()) {
      say("the debugger is gone; the run goes on without one");
      let_go();
      return;
    }
    reader_.feed(bytes);
  }
}

bool CoreDebugger::handle(const gdb::PacketReader::Event& event) {
  using EventKind = gdb::PacketReader::Kind;
  if (event.kind == EventKind::again) link_->send(last_packet_);
  if (event.kind == EventKind::damaged) link_->send("-");
  if (event.kind != EventKind::packet) return false;
  if (session_.acknowledges()) link_->send("+");
  const gdb::Answer answer = session_.handle(event.packet);
  if (answer.text) send(*answer.text);
  if (answer.resume) resume(*answer.resume);
  return answer.resume.has_value();
}

void CoreDebugger::resume(gdb::Resume how) {
  resumed_at_ = processor_.instructions();
  switch (how) {
    case gdb::Resume::step:
      mode_ = Mode::steps;
      break;
    case gdb::Resume::go:
      mode_ = Mode::runs;
      break;
    case gdb::Resume::detach:
      let_go();
      break;
    case gdb::Resume::kill:
      let_go();
      throw InputError("the debugger has ended the run; there are no results");
  }
}

void CoreDebugger::let_go() {
  while (!places_.empty()) forget(StopPlace(places_.back()));
  mode_ = Mode::gone;
  link_->close();
}

void CoreDebugger::send(std::string_view packet) {
  last_packet_ = gdb::framed(packet);
  link_->send(last_packet_);
}

bool CoreDebugger::stopped() {
  own_breakpoint_ = mode_ != Mode::gone && moved();
  return own_breakpoint_ || (mode_ != Mode::gone && is_place(processor_.core().pc()));
}

void CoreDebugger::touched(std::uint32_t address, unsigned size, bool write) {
  for (const StopPlace& place : places_) {
    const bool overlaps = address - place.address < place.bytes || place.address - address < size;
    if (place.kind == StopKind::instruction || !overlaps || !sees(place.kind, write) || hit_) continue;
    hit_ = Hit{place, std::max(address, place.address)};
    processor_.core().end_run();
  }
}

void CoreDebugger::fails(const std::string& what, iss::StopReason reason) {
  if (mode_ == Mode::gone || mode_ == Mode::nobody_yet) return;
  send(gdb::Session::says(what + "\n"));
  hold(session_.stopped(signal_of(reason)));
}

void CoreDebugger::ended() {
  if (mode_ == Mode::gone || mode_ == Mode::nobody_yet) return;
  send(gdb::Session::ended(0));
  let_go();
}

std::string_view CoreDebugger::description() const { return processor_.core().gdb_description(); }
std::size_t CoreDebugger::registers() const { return processor_.core().gdb_registers(); }
std::uint32_t CoreDebugger::reg(std::size_t at) const { return processor_.core().gdb_register(at); }
void CoreDebugger::set_reg(std::size_t at, std::uint32_t value) { processor_.core().set_gdb_register(at, value); }

bool CoreDebugger::read(std::uint32_t address, std::span<std::uint8_t> into) { return processor_.look(address, into); }

bool CoreDebugger::write(std::uint32_t address, std::span<const std::uint8_t> from) {
  const std::span<std::uint8_t> memory = processor_.memory().find(address, from.size());
  if (memory.size() != from.size()) return false;
  std::ranges::copy(from, memory.begin());
  processor_.core().iss_core().code_changed(address, static_cast<std::uint32_t>(from.size()));
  return true;
}

bool CoreDebugger::stop_at(const StopPlace& place) {
  if (place.bytes == 0 || place.bytes > kPiece) return false;
  if (place.kind != StopKind::instruction) {
    leave_to_bus(place, true);
  } else if (!is_place(place.address)) {
    processor_.core().iss_core().set_breakpoint(place.address);
  }
  places_.push_back(place);
  return true;
}

void CoreDebugger::forget(const StopPlace& place) {
  const auto found = std::ranges::find(places_, place);
  if (found == places_.end()) return;
  places_.erase(found);
  if (place.kind != StopKind::instruction) {
    leave_to_bus(place, false);
    for (const StopPlace& other : places_)
      if (other.kind != StopKind::instruction) leave_to_bus(other, true);
  } else if (!is_place(place.address)) {
    processor_.core().iss_core().clear_breakpoint(place.address);
  }
}

void CoreDebugger::leave_to_bus(const StopPlace& place, bool leave) {
  processor_.core().iss_core().leave_to_bus(place.address, leave);
  processor_.core().iss_core().leave_to_bus(place.address + place.bytes - 1, leave);
}

std::string CoreDebugger::command(std::string_view words) {
  if (words == "time")
    return in_seconds(processor_.core_time()) + ", " + std::to_string(processor_.core().cycles()) + " cycles, " +
           std::to_string(processor_.instructions()) + " instructions since reset\n";
  if (words == "cause") return std::string(name_of(processor_.cause())) + "\n";
  if (words == "part") {
    const Ticks edge = processor_.hint->next_ready_edge(processor_.core_time());
    return edge == kNever ? "its ready line changes at nothing that is under way\n"
                          : "busy; its ready line rises at " + in_seconds(edge) + "\n";
  }
  if (words == "power off") {
    return processor_.lose_power_now() ? "power is lost before the next instruction, and the firmware mounts again\n"
                                       : "not now: power can be lost once the measured phase has begun\n";
  }
  return std::string(kHelp);
}

std::string CoreDebugger::state() const {
  return std::string(name_of(processor_.cause())) + ", " + in_seconds(processor_.core_time());
}

}  // namespace ftlab::platform
