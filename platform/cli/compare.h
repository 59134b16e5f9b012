// Two result.json side by side. Knows the rules of the result schema (suffix = unit), not its keys: new ones show up.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ftlab::platform::cli {

struct Difference {
  std::string key;  ///< dotted
  std::string a;    ///< for people, with the unit that the end of the key says; "-" when absent
  std::string b;
  bool same = false;  ///< not only in the digits shown
  std::string ratio;  ///< b / a; empty when one is absent or not a number
};

struct Comparison {
  std::vector<Difference> config;   ///< keys of `config` that differ
  std::vector<Difference> results;  ///< every scalar outside `config` and `run`
};

Comparison compare_results(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b);

}  // namespace ftlab::platform::cli
