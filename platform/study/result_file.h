// A result.json as input: read and checked, and as the study that repeats it. Knows where the configuration and the
// documents of a result stand; nothing of its figures.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "platform/study/study.h"

namespace ftlab::platform {

/// `place` is a result.json or a folder with one. Throws InputError when it is missing, broken or not a result.
nlohmann::ordered_json read_result(const std::filesystem::path& place);

/// Whether `path` is a file that begins as JSON does, as no study does, or an empty one that is called JSON.
bool looks_like_result(const std::filesystem::path& path);

/// The study of a result: its configuration with `settings` on top, its part, host and scenario as they stand in it
/// unless a setting names others. Throws InputError.
Study study_of_result(const std::filesystem::path& path, const nlohmann::ordered_json& result,
                      std::span<const Setting> settings = {});

}  // namespace ftlab::platform
