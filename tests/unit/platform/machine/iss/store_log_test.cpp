#include "platform/machine/iss/store_log.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace ftlab::iss {
namespace {

struct StoreLogTest : ::testing::Test {
  void store(std::size_t at, std::uint8_t value) {
    log.note(&memory.at(at), 1);
    memory.at(at) = value;
  }
  std::array<std::uint8_t, 256> memory{};
  StoreLog log;
};

TEST_F(StoreLogTest, stores_of_what_was_there_change_nothing) {
  log.begin();
  store(3, 0);
  EXPECT_TRUE(log.unchanged());
  store(3, 1);
  EXPECT_FALSE(log.unchanged());
  store(3, 0);
  EXPECT_TRUE(log.unchanged()) << "it is as it was";
}

TEST_F(StoreLogTest, what_was_there_first_counts) {
  log.begin();
  store(4, 1);
  log.note(&memory[4], 4);
  memory[4] = 0;
  EXPECT_FALSE(log.unchanged()) << "a wider store found another byte there";
  memory[4] = 1;
  EXPECT_FALSE(log.unchanged());
}

TEST_F(StoreLogTest, more_stores_than_it_holds_and_what_no_log_undoes_are_changes) {
  log.begin();
  for (std::size_t at = 0; at < memory.size(); ++at) store(at, 0);
  EXPECT_FALSE(log.unchanged());
  log.begin();
  EXPECT_TRUE(log.unchanged());
  log.spoil();
  EXPECT_FALSE(log.unchanged());
}

TEST_F(StoreLogTest, nothing_is_noted_outside_a_stretch) {
  store(3, 1);
  log.begin();
  log.end();
  store(3, 2);
  EXPECT_TRUE(log.unchanged());
}

}  // namespace
}  // namespace ftlab::iss
