// What a program of the cross compiler prints. Knows none of them.
#pragma once

#include <string>
#include <vector>

namespace ftlab::platform {

/// Of a command that reads `input`; what it has to complain about nobody hears. Empty where it is not installed.
std::string printed_by(std::vector<std::string> words, const std::string& input = {});

}  // namespace ftlab::platform
