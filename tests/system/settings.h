// Settings of studies, put together by tests.
#pragma once

#include <string>
#include <vector>

#include "platform/study/study.h"

namespace ftlab::platform {

using Settings = std::vector<Setting>;

inline Setting set(const std::string& key, const std::string& value) { return {key, value, "test"}; }

inline Settings with(Settings settings, const Settings& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

}  // namespace ftlab::platform
