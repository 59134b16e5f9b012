#include "platform/machine/core/study_values.h"

#include <algorithm>
#include <utility>

#include "hw/regs/study_values_regs.h"

namespace ftlab::platform {

namespace values_reg = hw::study_values::reg;

namespace {

/// A program that makes up names without end takes no memory without end.
constexpr std::size_t kMaxMissed = 64;

}  // namespace

StudyValues::StudyValues(sc_core::sc_module_name name) : RegisterTarget(name, hw::study_values::kWindowBytes) {}

void StudyValues::give(std::vector<Value> values) {
  values_ = std::move(values);
  asked_.assign(values_.size(), false);
  reset();
}

bool StudyValues::has_asked(std::string_view name) const {
  const auto found = std::ranges::find(values_, name, &Value::name);
  return found != values_.end() && asked_[static_cast<std::size_t>(found - values_.begin())];
}

void StudyValues::reset() {
  name_.clear();
  shown_ = nullptr;
}

bool StudyValues::read_register(std::uint32_t offset, Ticks, std::uint32_t& value) const {
  if (offset == values_reg::kFound) {
    value = shown_ != nullptr ? 1 : 0;
    return true;
  }
  if (offset != values_reg::kValue) return false;
  value = shown_ != nullptr ? shown_->number : 0;
  return true;
}

bool StudyValues::write_register(std::uint32_t offset, Ticks, std::uint32_t value) {
  if (offset != values_reg::kName) return false;
  shown_ = nullptr;
  if (const auto character = static_cast<char>(value); character != 0) {
    // One character more than any name has suffices to be none.
    if (name_.size() <= hw::study_values::kLongestName) name_ += character;
    return true;
  }
  look_up();
  name_.clear();
  return true;
}

void StudyValues::look_up() {
  const auto found = std::ranges::find(values_, name_, &Value::name);
  if (found != values_.end()) {
    asked_[static_cast<std::size_t>(found - values_.begin())] = true;
    shown_ = &*found;
  } else if (missed_.size() < kMaxMissed && std::ranges::find(missed_, name_) == missed_.end()) {
    missed_.push_back(name_);
  }
}

}  // namespace ftlab::platform
