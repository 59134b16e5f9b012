#include "platform/machine/profile/lcov.h"

#include <gtest/gtest.h>

namespace ftlab::platform {
namespace {

TEST(Lcov, a_line_was_executed_as_often_as_the_most_often_executed_of_its_instructions) {
  Lcov lcov;
  lcov.add_line({"b.cpp", 7}, 0);
  lcov.add_line({"b.cpp", 7}, 12);
  lcov.add_line({"b.cpp", 7}, 3);
  lcov.add_line({"b.cpp", 5}, 0);
  EXPECT_EQ(lcov.text(), "TN:\nSF:b.cpp\nFNF:0\nFNH:0\nDA:5,0\nDA:7,12\nLF:2\nLH:1\nend_of_record\n");
}

TEST(Lcov, functions_stand_in_the_file_in_which_they_begin) {
  Lcov lcov;
  lcov.add_function("f(int)", {"a.cpp", 3}, 4);
  lcov.add_function("g()", {"a.cpp", 9}, 0);
  lcov.add_function("f(int)", {"a.cpp", 2}, 1);
  lcov.add_line({"z.h", 1}, 1);
  EXPECT_EQ(lcov.text(),
            "TN:\nSF:a.cpp\nFN:2,f(int)\nFN:9,g()\nFNDA:5,f(int)\nFNDA:0,g()\nFNF:2\nFNH:1\nLF:0\nLH:0\nend_of_record\n"
            "SF:z.h\nFNF:0\nFNH:0\nDA:1,1\nLF:1\nLH:1\nend_of_record\n");
}

}  // namespace
}  // namespace ftlab::platform
