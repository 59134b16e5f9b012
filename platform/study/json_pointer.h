// A dotted key ("flash.erases") as the pointer to its value in a JSON document. Knows no document.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace ftlab::platform {

inline nlohmann::ordered_json::json_pointer pointer_to(std::string_view key) {
  std::string path = "/" + std::string(key);
  std::ranges::replace(path, '.', '/');
  return nlohmann::ordered_json::json_pointer(path);
}

}  // namespace ftlab::platform
