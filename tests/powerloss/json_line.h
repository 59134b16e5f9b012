// What a piece of a campaign found, as one line of JSON. Names and sentences are ours and hold nothing to escape.
#pragma once

#include <cstdio>

#include "tests/powerloss/totals.h"

namespace ftlab::tests {

inline void print(const CampaignTotals& totals) {
  std::printf("{\"cases\": %llu, \"losses\": %llu, \"lost\": %llu, \"stuck\": %llu, \"worn\": %llu, \"failures\": [",
              static_cast<unsigned long long>(totals.cases), static_cast<unsigned long long>(totals.losses),
              static_cast<unsigned long long>(totals.lost), static_cast<unsigned long long>(totals.stuck),
              static_cast<unsigned long long>(totals.worn));
  const char* comma = "";
  for (const CampaignFailure& failure : totals.failures) {
    std::printf("%s{\"replay\": \"%s\", \"what\": \"%s\", \"setup\": \"%s\", \"lost\": %s}", comma,
                failure.replay.c_str(), failure.what.c_str(), failure.setup.c_str(), failure.lost ? "true" : "false");
    comma = ", ";
  }
  std::puts("]}");
}

}  // namespace ftlab::tests
