// page_ftl_remount PART.toml: on a card that is served as an array, loses power in the middle of writes, again and
// again, and looks for what was acknowledged.
#include <cstdio>
#include <memory>
#include <vector>

#include "card_window.h"
#include "common/input_error.h"
#include "common/toml/toml_file.h"
#include "firmware/driver/paged/paged_flash.h"
#include "firmware/driver/series2plus/driver.h"
#include "hw/series2plus/core.h"
#include "hw/series2plus/spec/spec.h"
#include "page_ftl.h"

namespace {

constexpr std::uint32_t kPageBytes = 4096;
constexpr int kLosses = 200;

/// A card in its socket and everything that stands on it; dies with the power.
class Machine {
 public:
  Machine(ftlab::hw::CardCore& card, example::Supply& supply)
      : common_(card, card.common(), supply),
        attribute_(card, card.attribute(), supply),
        driver_(common_, attribute_, probe_, {}) {}

  bool start(const example::PageFtlConfig& config) {
    if (driver_.attach() != ftlab::AttachStatus::ok) return false;
    const ftlab::PagedFlashConfig pages{.page_bytes = kPageBytes};
    if (ftlab::PagedFlash::check(driver_, pages) != nullptr) return false;
    memory_.resize(ftlab::PagedFlash::arena_bytes(driver_, pages));
    array_ = std::make_unique<ftlab::PagedFlash>(driver_, probe_, pages, memory_);
    arena_.resize(example::PageFtl::arena_words(array_->geometry(), config));
    ftl_ = std::make_unique<example::PageFtl>(*array_, probe_, config, arena_);
    return true;
  }
  example::PageFtl& ftl() { return *ftl_; }

 private:
  ftlab::NullProbe probe_;
  example::CardWindow common_;
  example::CardWindow attribute_;
  ftlab::Series2PlusDriver driver_;
  std::vector<std::byte> memory_;
  std::unique_ptr<ftlab::PagedFlash> array_;
  std::vector<std::uint32_t> arena_;
  std::unique_ptr<example::PageFtl> ftl_;
};

std::vector<std::byte> page(unsigned content) {
  std::vector<std::byte> data(kPageBytes);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = std::byte(content * 31 + i);
  return data;
}

/// Simple and repeatable.
unsigned next(unsigned& random) { return (random = random * 1664525 + 1013904223) >> 8; }

int fail(const char* what, int loss) {
  std::printf("FAILED after power loss %d: %s\n", loss, what);
  return 1;
}

/// What a page may hold: the last acknowledged write, or the one under way when power went. 0: never written.
struct Truth {
  unsigned acknowledged = 0;
  unsigned attempted = 0;
};

bool holds(const std::vector<std::byte>& data, unsigned content) {
  return data == (content == 0 ? std::vector<std::byte>(kPageBytes, std::byte{0xFF}) : page(content));
}

/// Mounts, looks at everything, then writes until the power goes. Returns what is wrong, or null.
const char* live(Machine& machine, example::Supply& supply, std::vector<Truth>& truth, unsigned& random,
                 unsigned& version) {
  example::PageFtl& ftl = machine.ftl();
  if (const char* broken = ftl.self_check()) return broken;
  std::vector<std::byte> data(kPageBytes);
  for (std::uint32_t lpn = 0; lpn < truth.size(); ++lpn) {
    ftl.read(std::uint64_t{lpn} * kPageBytes, data, 0);
    Truth& known = truth[lpn];
    if (holds(data, known.attempted)) known.acknowledged = known.attempted;
    if (!holds(data, known.acknowledged)) return "an acknowledged write is lost";
    known.attempted = known.acknowledged;
  }
  supply.accesses_left = 1000 + next(random) % 20'000;
  while (supply.on) {
    const std::uint32_t lpn = next(random) % static_cast<std::uint32_t>(truth.size());
    truth[lpn].attempted = ++version;
    const ftlab::FtlStatus status = ftl.write(std::uint64_t{lpn} * kPageBytes, page(version), {}, 0);
    if (status == ftlab::FtlStatus::ok) truth[lpn].acknowledged = version;
    if (status != ftlab::FtlStatus::ok && supply.on) return "a write is refused";
  }
  return nullptr;
}

int run(const char* part_file) {
  ftlab::spec::TomlFile part = ftlab::spec::TomlFile::load(part_file);
  const ftlab::hw::CardSpec spec = ftlab::hw::load_card_spec(part, ftlab::hw::Voltage::v5);
  ftlab::hw::CardCore card(spec, {});
  example::Supply supply;
  card.set_vpp_pin(supply.now, true);
  const example::PageFtlConfig config{.logical_pages = 700};

  std::vector<Truth> truth(config.logical_pages);
  unsigned random = 1;
  unsigned version = 0;
  for (int loss = 0; loss <= kLosses; ++loss) {
    Machine machine(card, supply);
    if (!machine.start(config)) return fail("the driver finds no card", loss);
    const ftlab::FtlStatus status = loss == 0 ? machine.ftl().format(0) : machine.ftl().mount(0);
    if (status != ftlab::FtlStatus::ok) return fail("mount", loss);
    if (const char* wrong = live(machine, supply, truth, random, version)) return fail(wrong, loss);
    card.restore_power(supply.now);
    card.set_vpp_pin(supply.now, true);
    supply.on = true;
  }
  std::printf("%d power losses, %u writes: every acknowledged write is there\n", kLosses, version);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: page_ftl_remount PART.toml\n");
    return 2;
  }
  try {
    return run(argv[1]);
  } catch (const ftlab::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
