#include "tests/powerloss/case_id.h"

#include <gtest/gtest.h>

namespace ftlab::tests {
namespace {

TEST(CaseId, reads_back_what_it_names) {
  for (const char* text : {"fms-nor/17", "flexfs+faults/1/212:half/3:none/9:random", "fms-nand+life/4000000/1:whole"}) {
    const auto id = parse_case(text);
    ASSERT_TRUE(id) << text;
    EXPECT_EQ(to_string(*id), text);
  }
}

TEST(CaseId, refuses_what_is_no_case) {
  for (const char* text : {"", "/1", "fms-nor/x", "fms-nor/1/5", "fms-nor/1/5:torn", "fms-nor/1/:half", "fms-nor/-1"})
    EXPECT_FALSE(parse_case(text)) << text;
}

}  // namespace
}  // namespace ftlab::tests
