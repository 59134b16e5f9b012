# Interface targets that every folder links: warnings, include root, SystemC.

# ftlab_sanitizer_defaults(KIND SOURCE): programs that link ftlab_KIND start with the options in SOURCE.
function(ftlab_sanitizer_defaults kind source)
  if(NOT FTLAB_SANITIZE MATCHES "address")
    return()
  endif()
  add_library(ftlab_sanitizers_${kind} OBJECT "${PROJECT_SOURCE_DIR}/cmake/sanitizers/${source}")
  set_target_properties(ftlab_sanitizers_${kind} PROPERTIES UNITY_BUILD OFF)
  target_link_libraries(ftlab_${kind} INTERFACE "$<BUILD_INTERFACE:$<TARGET_OBJECTS:ftlab_sanitizers_${kind}>>")
endfunction()

add_library(ftlab_options INTERFACE)
ftlab_sanitizer_defaults(options all_programs.cpp)
# The in-tree include root is the repository; an installed tree keeps the same spelling ("common/units.h").
target_include_directories(ftlab_options INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>"
                                                   "$<INSTALL_INTERFACE:include/ftlab>")
target_compile_features(ftlab_options INTERFACE cxx_std_20)
# Our warnings are ours: whoever builds against an installed ftlab chooses their own.
target_compile_options(ftlab_options INTERFACE "$<BUILD_INTERFACE:-Wall;-Wextra;-Wpedantic;-Wshadow;-Werror>")
# The compiler collects its garbage later: a tenth of its time on the largest files, for a quarter more memory.
target_compile_options(ftlab_options INTERFACE "$<BUILD_INTERFACE:$<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>>")
if(FTLAB_SANITIZE)
  target_compile_options(
    ftlab_options INTERFACE -fsanitize=${FTLAB_SANITIZE} -fno-omit-frame-pointer -fno-sanitize=vptr
                            -fno-sanitize-recover=undefined)
  target_link_options(ftlab_options INTERFACE -fsanitize=${FTLAB_SANITIZE})
endif()
# Checks in other libraries' code cost the compiler and the tests time, and find nothing of ours.
if(FTLAB_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(
    ftlab_options INTERFACE
    "$<BUILD_INTERFACE:-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/sanitizers/other_libraries.txt>")
endif()
if(FTLAB_SANITIZE MATCHES "address")
  target_compile_definitions(ftlab_options INTERFACE FTLAB_ADDRESS_SANITIZER)
endif()
if(FTLAB_FUZZ)
  # Spans and containers check their indices. Coverage is per library: see tests/fuzz.
  target_compile_options(ftlab_options INTERFACE -D_GLIBCXX_ASSERTIONS)
endif()

# ftlab_cold_code(TARGET [ONCE]): with sanitizers the compiler would take longer to optimise it than it runs. ONCE: it
# runs once in a process, or what it calls takes the time, so that without sanitizers it is hardly optimised either (-Og takes
# the compiler .75 of the time of -O1); a fuzzer runs it all the time.
function(ftlab_cold_code target)
  if(FTLAB_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  elseif("ONCE" IN_LIST ARGN AND NOT FTLAB_FUZZ)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og>)
  endif()
endfunction()

# ftlab_warm_code(TARGET): runs once a request, where -O3 costs the compiler time and gains nothing (an array run takes
# .94 to .99 of its time with -O2, four pairs).
function(ftlab_warm_code target)
  if(FTLAB_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  else()
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O2>)
  endif()
endfunction()

if(NOT FTLAB_FIRMWARE_ONLY)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc tlm)
  pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
  # The packaged library exports its version symbol for C++17 only; this definition lets C++20 code link to it.
  add_library(ftlab_systemc INTERFACE)
  target_link_libraries(ftlab_systemc INTERFACE PkgConfig::SYSTEMC)
  target_compile_definitions(ftlab_systemc INTERFACE SC_CPLUSPLUS=201703L)
  ftlab_sanitizer_defaults(systemc systemc_programs.cpp)

  find_package(fmt REQUIRED)
  find_package(tomlplusplus REQUIRED)
  find_package(nlohmann_json REQUIRED)
  find_package(CLI11 REQUIRED)
  find_package(Boost REQUIRED COMPONENTS iostreams random)
  find_package(OpenSSL REQUIRED COMPONENTS Crypto)
endif()
