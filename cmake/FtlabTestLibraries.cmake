# What the tests link: GoogleTest and headers of Boost. For another machine Debian has no libraries of them, so
# GoogleTest is built from its packaged sources, and of Boost only the folder of headers is seen: the rest of
# /usr/include belongs to this machine.
if(NOT CMAKE_CROSSCOMPILING)
  find_package(GTest REQUIRED)
  find_package(Boost REQUIRED)
  return()
endif()

add_subdirectory(/usr/src/googletest "${PROJECT_BINARY_DIR}/googletest" EXCLUDE_FROM_ALL SYSTEM)
# The compiler takes longer with them than they run.
foreach(library gtest gtest_main gmock)
  target_compile_options(${library} PRIVATE -O0)
  if(NOT TARGET GTest::${library})
    add_library(GTest::${library} ALIAS ${library})
  endif()
endforeach()

file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/boost-headers")
file(CREATE_LINK /usr/include/boost "${PROJECT_BINARY_DIR}/boost-headers/boost" SYMBOLIC)
add_library(Boost::headers INTERFACE IMPORTED GLOBAL)
target_include_directories(Boost::headers INTERFACE "${PROJECT_BINARY_DIR}/boost-headers")
