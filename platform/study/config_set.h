// Configurations by their type: who has keys has a struct for them, and a study holds it without knowing it. One that
// nobody wrote to is as its initialisers make it.
#pragma once

#include <any>
#include <map>
#include <typeindex>

namespace ftlab::platform {

class ConfigSet {
 public:
  template <class Config>
  [[nodiscard]] const Config& get() const {
    static const Config untouched{};
    const auto found = all_.find(typeid(Config));
    return found == all_.end() ? untouched : *std::any_cast<Config>(&found->second);
  }
  template <class Config>
  [[nodiscard]] Config& edit() {
    std::any& place = all_[typeid(Config)];
    if (!place.has_value()) place.emplace<Config>();
    return *std::any_cast<Config>(&place);
  }

 private:
  std::map<std::type_index, std::any> all_;
};

}  // namespace ftlab::platform
