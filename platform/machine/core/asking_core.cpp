#include "platform/machine/core/asking_core.h"

#include <cstring>
#include <string>

#include "common/input_error.h"

namespace ftlab::platform {
namespace {

/// Memory of the core that asks: results, the place that a call returns to, and a stack.
constexpr std::uint32_t kOutside = 0x10000000;
constexpr std::uint32_t kOutsideBytes = 64 * 1024;
constexpr std::uint32_t kReturnAt = 1024;

/// Nothing answers.
class NoBus final : public iss::Bus {
 public:
  bool read(std::uint32_t, unsigned, std::uint32_t&) override { return false; }
  bool write(std::uint32_t, unsigned, std::uint32_t) override { return false; }
};
NoBus no_bus;

}  // namespace

AskingCore::AskingCore(ProgramMemory& memory) : memory_(memory), outside_(kOutsideBytes) {
  std::vector<iss::MemoryRegion> regions = memory.regions();
  regions.push_back({kOutside, kOutsideBytes, outside_.data(), true, true});
  core_ = make_core(memory.machine(), regions, {}, no_bus);
  const std::uint32_t code = core_->return_code();
  std::memcpy(outside_.data() + kReturnAt, &code, sizeof code);
}

std::uint32_t AskingCore::ask(std::string_view function, const std::vector<std::uint32_t>& arguments) {
  const TargetCore::Answer answer =
      core_->call(memory_.address_of(function), arguments, kOutside + kOutsideBytes, kOutside + kReturnAt);
  if (!answer.returned) throw InputError(memory_.name() + ": " + std::string(function) + " does not come to its end");
  return answer.value;
}

std::uint32_t AskingCore::results_address() { return kOutside; }
std::span<const std::uint8_t> AskingCore::results() const { return std::span(outside_).first(kReturnAt); }

}  // namespace ftlab::platform
