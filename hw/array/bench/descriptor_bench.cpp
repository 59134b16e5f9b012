// Cost of what dominates a long run: a collector that copies the pages of a segment to an erased one, erases the source
// and waits for that. Time an item is time a descriptor, its share of erases, completions and waiting included.
#include <benchmark/benchmark.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "common/toml/toml_file.h"
#include "hw/array/shell.h"
#include "hw/regs/array_regs.h"

namespace {

using namespace ftlab;
using namespace ftlab::hw;
using array::Completion;
using array::Descriptor;
using array::Op;

ArraySpec part(const std::string& name, const std::string& content) {
  auto file = spec::TomlFile::load(std::string(FTLAB_PART_DIR) + "/" + name + ".toml");
  file.set("channels", "1", "bench");
  file.set("dies_per_channel", "1", "bench");
  file.set("content", content, "bench");
  file.set("bad_segments.initial_share", "0", "bench");
  // Nothing wears out, however long it runs.
  file.set("endurance.rated_cycles", "1000000000", "bench");
  return load_array_spec(file);
}

/// Straight into the window of the core.
class Direct {
 public:
  explicit Direct(ArrayCore& core) : core_(core), window_(core.common()) {}
  void write(std::span<const Descriptor> burst) {
    now_ += window_.write(now_, array::kDescriptors, std::as_bytes(burst)).time;
  }
  Completion wait() {
    if (const Ticks edge = core_.next_ready_edge(now_); edge != kNever) now_ = edge;
    Completion completion;
    now_ += window_.read(now_, array::kCompletions, std::as_writable_bytes(std::span(&completion, 1))).time;
    return completion;
  }

 private:
  ArrayCore& core_;
  AddressWindow& window_;
  Ticks now_{};
};

/// Over the socket of the module, as a loosely timed master that keeps its own time.
class OverTlm {
 public:
  OverTlm(NandArray& module, tlm_utils::simple_initiator_socket<OverTlm, 16>& socket)
      : module_(module), socket_(socket) {}
  void write(std::span<const Descriptor> burst) {
    const auto bytes = std::as_bytes(burst);
    access(tlm::TLM_WRITE_COMMAND, array::kDescriptors, const_cast<std::byte*>(bytes.data()), bytes.size());
  }
  Completion wait() {
    if (const Ticks edge = module_.core().next_ready_edge(to_ticks(delay_)); edge != kNever) delay_ = to_sc_time(edge);
    Completion completion;
    access(tlm::TLM_READ_COMMAND, array::kCompletions, &completion, sizeof completion);
    return completion;
  }
  /// All segments erased.
  void clear(const ArraySpec& spec) {
    for (std::uint32_t segment = 0; segment < spec.segments; ++segment) {
      Descriptor d;
      d.op = Op::erase;
      d.report = 1;
      d.page = segment * spec.pages_per_segment;
      write(std::span(&d, 1));
      wait();
    }
  }

 private:
  void access(tlm::tlm_command command, std::uint32_t address, void* data, std::size_t size) {
    payload_.set_command(command);
    payload_.set_address(address);
    payload_.set_data_ptr(static_cast<unsigned char*>(data));
    payload_.set_data_length(static_cast<unsigned>(size));
    payload_.set_streaming_width(static_cast<unsigned>(size));
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    socket_->b_transport(payload_, delay_);
  }

  NandArray& module_;
  tlm_utils::simple_initiator_socket<OverTlm, 16>& socket_;
  tlm::tlm_generic_payload payload_;
  sc_core::sc_time delay_;
};

/// Copies a full segment to the next one and erases it, round and round over the first segments.
template <class Bus>
class Collector {
 public:
  Collector(Bus& bus, const ArraySpec& spec, std::size_t burst)
      : bus_(bus), pages_(spec.pages_per_segment), segments_(std::min(spec.segments, 4096U)), burst_(burst) {
    copies_.resize(pages_);
    for (std::uint32_t page = 0; page < pages_; ++page) {
      Descriptor d;
      d.op = Op::program;
      d.page = page;
      if (page + 1 == pages_) d.report = 1;
      bus_.write(std::span(&d, 1));
    }
    bus_.wait();
  }
  void collect(benchmark::State& state) {
    const std::uint32_t target = source_ + 1 == segments_ ? 0 : source_ + 1;
    for (std::uint32_t page = 0; page < pages_; ++page) {
      Descriptor& d = copies_[page];
      d.op = Op::copy;
      d.page = source_ * pages_ + page;
      d.target = target * pages_ + page;
    }
    const std::span<const Descriptor> all(copies_);
    for (std::size_t i = 0; i < all.size(); i += burst_) bus_.write(all.subspan(i, std::min(burst_, all.size() - i)));
    Descriptor d;
    d.op = Op::erase;
    d.report = 1;
    d.page = source_ * pages_;
    bus_.write(std::span(&d, 1));
    if (bus_.wait().status != array::Status::ok) state.SkipWithError("erase failed");
    source_ = target;
  }
  [[nodiscard]] std::int64_t descriptors() const { return pages_ + 1; }

 private:
  Bus& bus_;
  std::uint32_t pages_;
  std::uint32_t segments_;
  std::size_t burst_;
  std::uint32_t source_ = 0;
  std::vector<Descriptor> copies_;
};

template <class Bus>
void measure(benchmark::State& state, Bus& bus, const ArraySpec& spec, std::size_t burst) {
  Collector<Bus> collector(bus, spec, burst);
  for (auto _ : state) collector.collect(state);
  state.SetItemsProcessed(state.iterations() * collector.descriptors());
  state.counters["ns_each"] =
      benchmark::Counter(static_cast<double>(collector.descriptors()) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Argument: descriptors a write.
void core_window(benchmark::State& state, const std::string& name, const std::string& content) {
  const ArraySpec spec = part(name, content);
  ArrayCore core(spec, {});
  Direct bus(core);
  measure(state, bus, spec, static_cast<std::size_t>(state.range(0)));
}
BENCHMARK_CAPTURE(core_window, slc, "array-slc", "none")->Arg(1)->Arg(64);
BENCHMARK_CAPTURE(core_window, tlc, "array-tlc", "none")->Arg(1)->Arg(64);
BENCHMARK_CAPTURE(core_window, slc_tag, "array-slc", "tag")->Arg(64);

/// One kernel for the process, with a module for each run.
struct Machine : sc_core::sc_module {
  explicit Machine(sc_core::sc_module_name name)
      : sc_module(name), spec(part("array-slc", "none")), array("array", spec), socket("socket"), bus(array, socket) {
    socket.bind(array.window("common"));
    array.line.bind(line);
  }
  ArraySpec spec;
  NandArray array;
  sc_core::sc_signal<bool> line{"line"};
  tlm_utils::simple_initiator_socket<OverTlm, 16> socket;
  OverTlm bus;
};

/// Argument: descriptors a write. Nothing can be elaborated after the kernel has started, so there is one machine.
void tlm_socket(benchmark::State& state) {
  static Machine* machine = nullptr;
  if (machine == nullptr) {
    sc_core::sc_set_time_resolution(100, sc_core::SC_PS);
    machine = new Machine("machine");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  measure(state, machine->bus, machine->spec, static_cast<std::size_t>(state.range(0)));
  machine->bus.clear(machine->spec);
}
BENCHMARK(tlm_socket)->Arg(1)->Arg(64);

}  // namespace

extern "C" int sc_main(int, char**) { return 0; }

BENCHMARK_MAIN();
