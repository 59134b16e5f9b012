// A Flex-OneNAND, its bus and a driver on it, put together anew for each test.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "common/toml/toml_file.h"
#include "firmware/driver/onenand/driver.h"
#include "hw/onenand/core.h"
#include "hw/onenand/spec/spec.h"
#include "hw/regs/onenand_regs.h"
#include "tests/unit/firmware/driver/onenand/onenand_port.h"

namespace ftlab::test {

inline constexpr std::uint32_t kPage = 4096;
using Bytes = std::vector<std::byte>;

inline hw::OneNandSpec load_onenand(const std::string& name, const std::string& profile = "flexfs-calibrated") {
  spec::TomlFile file = spec::TomlFile::load(std::string(FTLAB_PARTS_DIR) + "/" + name + ".toml");
  return hw::load_onenand_spec(file, profile);
}

/// Without factory-bad and weak segments, and without raw bit errors.
inline hw::OneNandSpec perfect(hw::OneNandSpec spec) {
  spec.bad_segments = {};
  spec.errors.base = spec.errors.wear = spec.errors.disturb = 0;
  return spec;
}

class OneNandFixture : public testing::Test {
 protected:
  void power_on(const hw::OneNandSpec& spec, std::uint64_t seed = 1) {
    core_ = std::make_unique<hw::OneNandCore>(spec, hw::DeviceOptions{.seed = seed});
    port_ = std::make_unique<OneNandPort>(*core_);
  }
  OneNandAttachStatus attach() {
    driver_ = std::make_unique<OneNandDriver>(*port_, *port_, config_);
    return driver_->attach();
  }
  void start(const std::string& part = "flexonenand-4gb") { start(perfect(load_onenand(part))); }
  void start(const hw::OneNandSpec& spec) {
    power_on(spec);
    ASSERT_EQ(attach(), OneNandAttachStatus::ok);
    port_->accesses = 0;
    port_->counts.clear();
  }

  PartDone run(const PartOp& op) {
    PartDone done{.tag = op.tag + 1};
    EXPECT_EQ(driver_->submit({&op, 1}), 1U);
    EXPECT_EQ(driver_->reap({&done, 1}, true), 1U);
    EXPECT_EQ(done.tag, op.tag);
    return done;
  }
  std::vector<PartDone> run(const std::vector<PartOp>& ops) {
    std::vector<PartDone> done(ops.size());
    EXPECT_EQ(driver_->submit(ops), ops.size());
    std::size_t n = 0;
    while (n < done.size()) {
      const std::size_t got = driver_->reap(std::span(done).subspan(n), true);
      if (got == 0) break;
      n += got;
    }
    EXPECT_EQ(n, ops.size());
    return done;
  }
  PartStatus erase(std::uint32_t segment) {
    return run({.kind = PartOpKind::erase, .segment = SegmentId{segment}}).status;
  }
  static PartOp program_op(std::uint32_t segment, std::uint32_t page, const Bytes& data, const Bytes& spare = {}) {
    return {.kind = PartOpKind::program,
            .segment = SegmentId{segment},
            .offset = page * kPage,
            .length = kPage,
            .from = data.data(),
            .spare_from = spare.empty() ? nullptr : spare.data()};
  }
  static PartOp read_op(std::uint32_t segment, std::uint32_t page, Bytes& into, Bytes* spare = nullptr) {
    into.assign(kPage, std::byte{0xA5});
    if (spare != nullptr) spare->assign(OneNandDriver::kSpareBytes, std::byte{0xA5});
    return {.kind = PartOpKind::read,
            .segment = SegmentId{segment},
            .offset = page * kPage,
            .length = kPage,
            .into = into.data(),
            .spare_into = spare == nullptr ? nullptr : spare->data()};
  }
  PartStatus program(std::uint32_t segment, std::uint32_t page, const Bytes& data, const Bytes& spare = {}) {
    return run(program_op(segment, page, data, spare)).status;
  }
  PartDone read(std::uint32_t segment, std::uint32_t page, Bytes& into, Bytes* spare = nullptr) {
    return run(read_op(segment, page, into, spare));
  }
  /// Supply gone and back, driver attached again.
  void power_cycle() {
    core_->lose_power(port_->now);
    core_->restore_power(port_->now);
    port_->now += Nanoseconds{1'000'000};
    ASSERT_EQ(attach(), OneNandAttachStatus::ok);
  }
  static Bytes noise(std::size_t length, unsigned seed) {
    std::minstd_rand random(seed);
    Bytes data(length);
    for (std::byte& byte : data) byte = std::byte(random() >> 8 & 0xFFU);
    return data;
  }
  static Bytes page(unsigned seed) { return noise(kPage, seed); }
  static Bytes spare(unsigned seed) { return noise(OneNandDriver::kSpareBytes, seed); }

  OneNandDriverConfig config_;
  std::unique_ptr<hw::OneNandCore> core_;
  std::unique_ptr<OneNandPort> port_;
  std::unique_ptr<OneNandDriver> driver_;
};

}  // namespace ftlab::test
