// Mounts what an input has made of a used volume's medium. Whatever the flash holds: no crash and no endless loop, and
// after a mount that said ok self_check() holds, then and after every request. What the data is worth is not asked.
//
// An input names one of a few volumes prepared once, damages its medium, and goes on with requests.
#pragma once

#include <type_traits>
#include <vector>

#include "tests/fuzz/firmware/damage.h"
#include "tests/fuzz/firmware/nand_damage.h"
#include "tests/fuzz/firmware/page_damage.h"
#include "tests/fuzz/firmware/volume.h"

namespace ftlab::fuzz {

/// The pair on a part that answers a program that its cells cannot take, because the firmware read lies.
template <class Pair>
struct Refusing : Pair {
  static auto part() {
    auto options = Pair::part();
    options.on_breach = tests::OnBreach::refuse;
    return options;
  }
};

template <class Pair>
class Media {
  static constexpr auto format_of() {
    if constexpr (requires { typename Pair::Damage; })
      return std::type_identity<typename Pair::Damage>{};
    else if constexpr (std::is_same_v<typename Pair::Flash, tests::EmulatedFlash>)
      return std::type_identity<PageNorDamage>{};
    else
      return std::type_identity<NandDamage<PageFormat>>{};
  }
  using Config = typename Pair::Config;
  using Format = typename decltype(format_of())::type;

 public:
  Media() {
    for (const Config& config : configs()) {
      Base base{config, {}};
      volume_.start();
      if (!volume_.open(base.config) || volume_.layer().format(0) != FtlStatus::ok) continue;
      use(base, 0);
      use(base, 60);
      use(base, 200);
      volume_.flash().lose_power_at(7, tests::TornWrite::half, 5);
      use(base, 20);
      volume_.flash().power_cycle();
      base.images.back() = volume_.flash().snapshot();
      formats_.push_back(Format(volume_.flash().geometry(), base.config));
      bases_.push_back(std::move(base));
    }
    require(!bases_.empty(), "there are volumes to damage");
  }

  void run(Input& in) {
    const std::uint32_t which = in.below(static_cast<std::uint32_t>(bases_.size()));
    const Base& base = bases_[which];
    volume_.start(base.images[in.below(static_cast<std::uint32_t>(base.images.size()))]);
    Damage<Format>(formats_[which], volume_.flash(), base.images).inflict(in);
    if (!mount(base)) return;
    constexpr int kRequests = 24;
    std::uint64_t now_ns = in.qword() >> in.below(64);
    for (int i = 0; i < kRequests && !in.empty(); ++i) {
      now_ns += std::uint64_t{1} << in.below(40);
      request(in, now_ns);
      require_whole(volume_.layer().self_check(), "self_check() holds after every request");
    }
    volume_.flash().power_cycle();
    (void)mount(base);
  }

 private:
  struct Base {
    Config config;
    std::vector<typename Pair::Flash::Image> images;
  };

  std::vector<Config> configs() {
    if constexpr (requires { Pair::to_be_damaged(); }) return Pair::to_be_damaged();
    // Configurations as inputs draw them: the first bytes choose policies, the others are taken as they come.
    constexpr std::uint8_t kChoices[][16] = {
        {0, 0, 0, 2, 2, 0, 0, 0},
        {2, 2, 0, 3, 3, 2, 0, 0},
        {2, 2, 1, 3, 3, 0xC7, 0, 0},
        {6, 0, 0, 1, 8, 2, 20, 2, 2, 2, 100, 0, 0, 0, 0, 0},
        {4, 1, 1, 16, 8, 2, 20, 2, 2, 2, 100, 0, 0, 0, 0, 0},
    };
    std::vector<Config> configs;
    for (const auto& choice : kChoices) {
      Input in(choice, sizeof choice);
      configs.push_back(Pair::draw(in, volume_.flash().geometry()));
    }
    return configs;
  }

  /// So many requests of a kind, then a picture of the medium.
  void use(Base& base, std::uint32_t requests) {
    std::array<std::byte, 600> data{};
    Ftl& ftl = volume_.layer();
    std::uint32_t dice = 12345;
    for (std::uint32_t i = 0; i < requests; ++i) {
      dice = dice * 1664525 + 1013904223;
      const std::uint64_t now_ns = (i + 1) * 1'000'000'000ULL;
      const std::uint64_t offset = (dice >> 8) % (ftl.capacity_bytes() - data.size());
      std::fill(data.begin(), data.end(), static_cast<std::byte>(dice >> 24));
      if (i % 16 == 15)
        (void)ftl.trim(offset, data.size(), now_ns);
      else if (i % 16 == 7)
        let_idle(ftl, now_ns, now_ns + 5'000'000'000);
      else
        (void)ftl.write(offset, std::span(data).first(1 + dice % data.size()), {.stream = i % 5}, now_ns);
    }
    (void)ftl.flush(0);
    base.images.push_back(volume_.flash().snapshot());
  }

  bool mount(const Base& base) {
    if (!volume_.open(base.config) || volume_.layer().mount(0) != FtlStatus::ok) return false;
    require_whole(volume_.layer().self_check(), "self_check() holds after a mount that said ok");
    return true;
  }

  void request(Input& in, std::uint64_t now_ns) {
    static std::array<std::byte, 2048> data{};
    Ftl& ftl = volume_.layer();
    const std::uint64_t offset = in.word() % ftl.capacity_bytes();
    const std::size_t length = std::min<std::uint64_t>(in.word() % data.size(), ftl.capacity_bytes() - offset);
    switch (in.below(8)) {
      case 0:
        return (void)ftl.trim(offset, length, now_ns);
      case 1:
        return (void)ftl.flush(now_ns);
      case 2:
        return let_idle(ftl, now_ns, now_ns + 10'000'000'000);
      case 3:
        return (void)ftl.read(offset, std::span(data).first(length), now_ns);
      default:
        return (void)ftl.write(offset, std::span(data).first(length), {.stream = in.below(6)}, now_ns);
    }
  }

  Volume<Pair> volume_;
  std::vector<Base> bases_;
  std::vector<Format> formats_;
};

}  // namespace ftlab::fuzz
