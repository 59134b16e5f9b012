// FlexFS Table 1 from first principles: the driver's own sequences on the register model, the host's bus and driver
// cost from its profile. All nine cells within 1.5 %.
#include "tests/unit/firmware/driver/onenand/onenand_fixture.h"

namespace ftlab::test {
namespace {

constexpr double kTolerance = 0.015;

class OneNandTable1 : public OneNandFixture {
 protected:
  void SetUp() override {
    start();
    const spec::TomlFile host = spec::TomlFile::load(std::string(FTLAB_HOSTS_DIR) + "/omap2420-400.toml");
    port_->host = {.read_cycle = host.get_time("bus_read_cycle"),
                   .write_cycle = host.get_time("bus_write_cycle"),
                   .interrupt_latency = host.get_time("interrupt_latency")};
    port_->host.work[static_cast<std::size_t>(Work::driver_call)] = host.get_time("work.driver_call");
    port_->host.work[static_cast<std::size_t>(Work::buffer_program)] = host.get_time("work.buffer_program");
  }
  template <class Call>
  double microseconds(Call&& call) {
    const Ticks before = port_->now;
    call();
    return to_seconds(port_->now - before) * 1e6;
  }
  /// Mean over `pages` of one segment.
  double write_us(std::uint32_t segment, const std::vector<std::uint32_t>& pages) {
    const Bytes data = page(1);
    const Bytes user = spare(2);
    double sum = 0;
    for (const std::uint32_t p : pages) {
      sum += microseconds([&] { EXPECT_EQ(program(segment, p, data, user), PartStatus::ok); });
    }
    return sum / static_cast<double>(pages.size());
  }
  double read_us(std::uint32_t segment, const std::vector<std::uint32_t>& pages) {
    Bytes data;
    Bytes user;
    double sum = 0;
    for (const std::uint32_t p : pages) {
      const PartOp op = read_op(segment, p, data, &user);
      sum += microseconds([&] { EXPECT_EQ(run(op).status, PartStatus::ok); });
    }
    return sum / static_cast<double>(pages.size());
  }
  double erase_us(std::uint32_t segment) {
    return microseconds([&] { EXPECT_EQ(erase(segment), PartStatus::ok); });
  }
  static void expect_cell(const char* cell, double measured, double paper) {
    RecordProperty(cell, std::to_string(measured));
    EXPECT_NEAR(measured, paper, paper * kTolerance) << cell;
  }
};

std::vector<std::uint32_t> pages_below(std::uint32_t count, bool all) {
  std::vector<std::uint32_t> pages;
  for (std::uint32_t p = 0; p < count; ++p) {
    if (all || hw::flexonenand::paired::is_lsb(p)) pages.push_back(p);
  }
  return pages;
}

TEST_F(OneNandTable1, slc_column_comes_out) {
  const auto pages = pages_below(64, true);
  expect_cell("slc_erase", erase_us(0), 860);
  expect_cell("slc_write", write_us(0, pages), 417);
  expect_cell("slc_read", read_us(0, pages), 399);
}

TEST_F(OneNandTable1, mlc_lsb_column_comes_out) {
  const auto pages = pages_below(128, false);
  expect_cell("lsb_erase", erase_us(7), 872);
  expect_cell("lsb_write", write_us(7, pages), 431);
  expect_cell("lsb_read", read_us(7, pages), 409);
}

TEST_F(OneNandTable1, mlc_both_column_comes_out) {
  const auto pages = pages_below(128, true);
  expect_cell("both_erase", erase_us(8), 872);
  expect_cell("both_write", write_us(8, pages), 994);
  expect_cell("both_read", read_us(8, pages), 403);
}

}  // namespace
}  // namespace ftlab::test
