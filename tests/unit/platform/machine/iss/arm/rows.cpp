#include "tests/unit/platform/machine/iss/arm/rows.h"

#include <algorithm>
#include <cstring>
#include <sstream>

namespace ftlab::iss::arm {
namespace {

unsigned number_of(const std::string& name) {
  if (name == "sp") {
    return 13;
  }
  if (name == "lr") {
    return 14;
  }
  return name == "pc" ? 15 : static_cast<unsigned>(std::stoul(name.substr(1)));
}

std::uint32_t flags_of(const std::string& letters) {
  std::uint32_t flags = 0;
  for (unsigned i = 0; i < letters.size(); ++i) {
    flags |= (letters[i] >= 'A' && letters[i] <= 'Z') ? 1U << (31 - i) : 0;
  }
  return flags;
}

}  // namespace

std::uint64_t count_of(const std::string& text) {
  return 1 + static_cast<std::uint64_t>(std::count(text.begin(), text.end(), ';'));
}

RowMachine::RowMachine(Model model)
    : core({.model = model, .stop_at_bkpt = true, .stop_at_hard_fault = true},
           {{0, 0x2000, flash.data(), false, true}, {kData, 0x1000, ram.data(), true, true}}, nothing) {
  const std::uint32_t vectors[] = {kData + 0x800, kCode | 1};
  std::memcpy(flash.data(), vectors, sizeof vectors);
  for (unsigned i = 0; i < ram.size(); ++i) {
    ram[i] = static_cast<std::uint8_t>(i * 7 + (i >> 8));
  }
  core.reset();
  for (unsigned i = 0; i < 13; ++i) {
    core.set_reg(i, 0x01010101 * i);
    state_['r' + std::to_string(i)] = 0x01010101 * i;
  }
  core.set_reg(14, 0x0E0E0E0E);
  state_["sp"] = kData + 0x800;
  state_["lr"] = 0x0E0E0E0E;
  core.set_reg(16, kPsrT);
  state_["f"] = 0;
  state_["ge"] = 0;
}

std::uint32_t RowMachine::word(std::uint32_t address) const {
  std::uint32_t value = 0;
  std::memcpy(&value, &ram[address - kData], sizeof value);
  return value;
}

void RowMachine::put(const std::vector<std::uint16_t>& code) {
  std::memcpy(&flash[kCode], code.data(), code.size() * 2);
  const std::uint16_t end = 0xBE00;
  std::memcpy(&flash[kCode + code.size() * 2], &end, sizeof end);
  core.code_changed(kCode, static_cast<std::uint32_t>(code.size() * 2 + 2));
}

void RowMachine::apply(const std::string& name, const std::string& value) {
  if (name == "f") {
    state_["f"] = flags_of(value);
    return;
  }
  state_[name] = static_cast<std::uint32_t>(std::stoul(value, nullptr, 16));
}

void RowMachine::set(const std::string& state) {
  std::istringstream words(state);
  for (std::string text; words >> text;) {
    const std::size_t equals = text.find('=');
    apply(text.substr(0, equals), text.substr(equals + 1));
  }
  for (const auto& [name, value] : state_) {
    if (name[0] == '[') {
      const auto address = static_cast<std::uint32_t>(std::stoul(name.substr(1), nullptr, 16));
      std::memcpy(&ram[address - kData], &value, sizeof value);
    } else if (name != "f" && name != "ge" && name != "pc") {
      core.set_reg(number_of(name), value);
    }
  }
  core.set_reg(16, state_["f"] | state_["ge"] << 16 | kPsrT);
}

void RowMachine::expect(const std::string& state, std::uint32_t pc) {
  std::istringstream words(state);
  state_["pc"] = pc;
  for (std::string text; words >> text;) {
    const std::size_t equals = text.find('=');
    apply(text.substr(0, equals), text.substr(equals + 1));
  }
  for (const auto& [name, value] : state_) {
    std::ostringstream found;
    if (name[0] == '[') {
      EXPECT_EQ(word(static_cast<std::uint32_t>(std::stoul(name.substr(1), nullptr, 16))), value) << name << std::hex;
    } else if (name == "f") {
      EXPECT_EQ(core.reg(16) & 0xF8000000, value) << std::hex << core.reg(16) << " instead of " << value;
    } else if (name == "ge") {
      EXPECT_EQ(core.reg(16) >> 16 & 15, value) << name;
    } else {
      EXPECT_EQ(core.reg(number_of(name)), value)
          << name << std::hex << " is " << core.reg(number_of(name)) << " instead of " << value;
    }
  }
}

void check_rows(const std::vector<Row>& rows, Model model) {
  for (const Row& row : rows) {
    SCOPED_TRACE(row.text);
    RowMachine machine(model);
    machine.put(row.code);
    machine.set(row.before);
    const CoreStop stop = machine.run(count_of(row.text));
    EXPECT_EQ(stop.reason, StopReason::budget) << name_of(stop.reason) << ": " << machine.core.last_fault().why;
    machine.expect(row.after, RowMachine::kCode + static_cast<std::uint32_t>(row.code.size()) * 2);
  }
}

void check_refused(const std::vector<Row>& rows, Model model, const char* why) {
  for (const Row& row : rows) {
    SCOPED_TRACE(row.text);
    RowMachine machine(model);
    machine.put(row.code);
    machine.set(row.before);
    const std::uint64_t before = count_of(row.text) - 1;
    const CoreStop stop = machine.run(before + 1);
    EXPECT_EQ(stop.reason, StopReason::illegal_instruction);
    EXPECT_EQ(machine.core.instructions(), before);
    EXPECT_EQ(machine.core.last_fault().status, cfsr::kUndefInstr);
    EXPECT_STREQ(machine.core.last_fault().why, why);
  }
}

}  // namespace ftlab::iss::arm
