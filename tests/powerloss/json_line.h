// What a piece of a campaign found, as one line of JSON. Names and sentences are ours and hold nothing to escape.
#pragma once

#include <cstdio>

#include "tests/powerloss/totals.h"

namespace ftlab::tests {

inline void print(const CampaignTotals& totals) {
  std::printf(
      "{\"cases\": %llu, \"losses\": %llu, \"lost\": %llu, \"unusable\": %llu, \"worn\": %llu, \"early\": %llu, "
      "\"excused\": %llu, \"outcomes\": {",
      static_cast<unsigned long long>(totals.cases), static_cast<unsigned long long>(totals.losses),
      static_cast<unsigned long long>(totals.lost), static_cast<unsigned long long>(totals.unusable),
      static_cast<unsigned long long>(totals.worn), static_cast<unsigned long long>(totals.early),
      static_cast<unsigned long long>(totals.excused));
  const char* comma = "";
  for (const auto& [kind, outcomes] : totals.outcomes) {
    const auto& of = outcomes.of;
    std::printf("%s\"%s\": [%llu, %llu, %llu, %llu]", comma, kind.c_str(), static_cast<unsigned long long>(of[0]),
                static_cast<unsigned long long>(of[1]), static_cast<unsigned long long>(of[2]),
                static_cast<unsigned long long>(of[3]));
    comma = ", ";
  }
  std::printf("}, \"failures\": [");
  comma = "";
  for (const CampaignFailure& failure : totals.failures) {
    std::printf("%s{\"replay\": \"%s\", \"what\": \"%s\", \"setup\": \"%s\", \"lost\": %s}", comma,
                failure.replay.c_str(), failure.what.c_str(), failure.setup.c_str(), failure.lost ? "true" : "false");
    comma = ", ";
  }
  std::puts("]}");
}

}  // namespace ftlab::tests
