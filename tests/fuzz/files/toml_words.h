// Words of TOML and of ftlab's own files, for mutations.
#pragma once

#include <string_view>

namespace ftlab::fuzz {

inline constexpr std::string_view kTomlWords[] = {
    "=",
    "[",
    "]",
    "[[",
    "]]",
    "{ value = 1, unit = \"s\", source = \"x\" }",
    "\"",
    "\"\"\"",
    "'",
    "true",
    "false",
    "1e99",
    "value",
    "unit",
    "source",
    "\"ns\"",
    "\"us\"",
    "\"ms\"",
    "\"s\"",
    "\"1\"",
    "\"MiB\"",
    "\"KiB\"",
    "\"B\"",
    "\"mA\"",
    "\"V\"",
    "\"W\"",
    "\"J\"",
    "\"uW\"",
    "\"cycles\"",
    "estimate = true",
    "1979-05-27",
    "0x1F",
    "0b1",
    "1_000",
    "\\u00e9",
    "\\",
    ".",
    "#",
    "[ftl]",
    "[workload]",
    "[part_overrides]",
    "[flexfs]",
};

}  // namespace ftlab::fuzz
