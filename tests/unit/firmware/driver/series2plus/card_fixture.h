// A card, its bus and a driver on it, put together anew for each test.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "common/toml/toml_file.h"
#include "firmware/driver/series2plus/driver.h"
#include "hw/series2plus/core.h"
#include "hw/series2plus/spec/spec.h"
#include "tests/fixtures/counting_probe.h"
#include "tests/unit/firmware/driver/script_port.h"
#include "tests/unit/firmware/driver/series2plus/card_port.h"

namespace ftlab::test {

inline hw::CardSpec load_part(const std::string& name) {
  spec::TomlFile file = spec::TomlFile::load(std::string(FTLAB_PARTS_DIR) + "/" + name + ".toml");
  return hw::load_card_spec(file, hw::Voltage::v5);
}

/// A card whose segments last `cycles` erasures, all of them.
inline hw::CardSpec short_lived(hw::CardSpec spec, std::uint32_t cycles) {
  spec.endurance.rated_cycles = cycles;
  spec.endurance.median_cycles = cycles + 0.5;
  spec.endurance.spread = 0.01;
  return spec;
}

class CardFixture : public testing::Test {
 protected:
  void insert(const hw::CardSpec& spec) {
    core_ = std::make_unique<hw::CardCore>(spec, hw::DeviceOptions{});
    bus_ = std::make_unique<CardBus>(CardBus{.core = *core_});
    common_ = std::make_unique<CardPort>(*bus_, core_->common());
    attribute_ = std::make_unique<CardPort>(*bus_, core_->attribute());
    core_->set_vpp_pin(bus_->now, true);
  }

  AttachStatus attach() {
    driver_ = std::make_unique<Series2PlusDriver>(*common_, *attribute_, probe_, config_);
    return driver_->attach();
  }

  void start(const std::string& part = "series2plus-24mb") {
    insert(load_part(part));
    ASSERT_EQ(attach(), AttachStatus::ok);
    bus_->accesses = bus_->wait_reads = 0;
  }

  PartStatus erase(std::uint32_t segment) {
    return run_one(*driver_, {.kind = PartOpKind::erase, .segment = SegmentId{segment}});
  }
  PartStatus program(std::uint32_t segment, std::uint32_t offset, const std::vector<std::byte>& data) {
    return run_one(*driver_, {.kind = PartOpKind::program,
                              .segment = SegmentId{segment},
                              .offset = offset,
                              .length = static_cast<std::uint32_t>(data.size()),
                              .from = data.data()});
  }
  std::vector<std::byte> read(std::uint32_t segment, std::uint32_t offset, std::size_t length) {
    std::vector<std::byte> into(length, std::byte{0xA5});
    EXPECT_EQ(run_one(*driver_, {.kind = PartOpKind::read,
                                 .segment = SegmentId{segment},
                                 .offset = offset,
                                 .length = static_cast<std::uint32_t>(length),
                                 .into = into.data()}),
              PartStatus::ok);
    return into;
  }
  /// What the array holds, past all commands.
  std::vector<std::byte> peek(std::uint32_t segment, std::uint32_t offset, std::size_t length) {
    std::vector<std::byte> into(length);
    core_->advance_to(bus_->now);
    core_->peek(segment * core_->spec().segment_bytes + offset, into);
    return into;
  }
  void poke(std::uint32_t segment, std::uint32_t offset, const std::vector<std::byte>& data) {
    core_->poke(segment * core_->spec().segment_bytes + offset, data);
  }
  /// Sets the segment's lock bit as a person with the vendor's tool would.
  void lock(std::uint32_t segment) {
    const std::uint32_t base = segment * core_->spec().segment_bytes;
    attribute_->write8(0x4104, 0x00);
    common_->write16(base, 0x7777);
    common_->write16(base, 0xD0D0);
    common_->delay_ns(100'000'000);
    common_->write16(base, 0xFFFF);
    attribute_->write8(0x4104, 0x04);
    ASSERT_TRUE(core_->locked(segment));
  }
  static std::vector<std::byte> noise(std::size_t length, unsigned seed) {
    std::minstd_rand random(seed);
    std::vector<std::byte> data(length);
    for (std::byte& byte : data) byte = std::byte(random() >> 8 & 0xFFU);
    return data;
  }
  static std::vector<std::byte> filled(std::size_t length, unsigned value) {
    return std::vector<std::byte>(length, std::byte(value));
  }

  Series2PlusDriverConfig config_;
  tests::CountingProbe probe_;
  std::unique_ptr<hw::CardCore> core_;
  std::unique_ptr<CardBus> bus_;
  std::unique_ptr<CardPort> common_;
  std::unique_ptr<CardPort> attribute_;
  std::unique_ptr<Series2PlusDriver> driver_;
};

}  // namespace ftlab::test
