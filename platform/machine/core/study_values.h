// The study values of the board (hw/regs/study_values_regs.h): numbers by name, and which of them firmware has asked
// for. Knows names and numbers; neither the study nor what they mean.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platform/machine/core/register_target.h"

namespace ftlab::platform {

class StudyValues final : public RegisterTarget {
 public:
  struct Value {
    std::string name;
    std::uint32_t number = 0;
  };

  explicit StudyValues(sc_core::sc_module_name name);

  /// Before firmware runs.
  void give(std::vector<Value> values);
  /// Nothing is shown, and no name has begun; what has been asked for stays.
  void reset();

  [[nodiscard]] bool has_asked(std::string_view name) const;
  /// Names that firmware has asked for and nobody has given, each once, in order; not more than a few.
  [[nodiscard]] const std::vector<std::string>& missed() const { return missed_; }

 private:
  bool read_register(std::uint32_t offset, Ticks now, std::uint32_t& value) const override;
  bool write_register(std::uint32_t offset, Ticks now, std::uint32_t value) override;
  void look_up();

  std::vector<Value> values_;
  std::vector<bool> asked_;  ///< of values_
  std::vector<std::string> missed_;
  std::string name_;              ///< as far as it has come
  const Value* shown_ = nullptr;  ///< of values_
};

}  // namespace ftlab::platform
