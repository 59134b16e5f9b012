# ftlab_discover_tests(PROGRAM [EACH] [SLOW FILTER] [LENGTHY FILTER] [SKIPS FILTER] [PROPERTIES NAME VALUE...]): what ctest knows
# of a GoogleTest program. A FILTER, as of --gtest_filter, names those of its tests that carry the label slow or lengthy;
# both are left out under sanitizers and where a machine is emulated, because they take more than half a minute there.
# SKIPS: those that may skip, which ctest names when each is an entry.
#
# As a rule one entry and one process for each test. Under sanitizers and under an emulator a process costs more than
# most tests do; there a program is one entry, except with SystemC, whose kernel stands one elaboration in a process.
# Elsewhere a program without SystemC is one entry as well, labelled `plain`, where ctest is asked for the configuration
# `whole`; its tests then carry the label `single`, to be left out.
#
# Programs are of four parts, of which a run may take some: the label `plain-PART` or, with SystemC, `systemc-PART`, and a
# target of that name that builds them. FTLAB_TEST_PART says which part the programs of a folder are of: those that link
# the same libraries, so that a part alone takes the compiler least. EACH: a program whose tests run long; they are
# labelled `each`, for ctest to deal.
#
# The target `ftlab-tests` builds all programs.
include(GoogleTest)
add_custom_target(ftlab-tests)
foreach(part RANGE 3)
  add_custom_target(plain-${part})
  if(NOT FTLAB_FIRMWARE_ONLY)
    add_custom_target(systemc-${part})
  endif()
endforeach()

# ftlab_part_of(PROGRAM RESULT). Where a machine is emulated all programs link the same, and their names deal them.
function(ftlab_part_of program result)
  set(${result} ${FTLAB_TEST_PART} PARENT_SCOPE)
  if(CMAKE_CROSSCOMPILING)
    # The digit that deals them most evenly, by what they take.
    string(MD5 digest "${program}")
    string(SUBSTRING "${digest}" 1 1 digit)
    math(EXPR part "0x${digit} % 4")
    set(${result} ${part} PARENT_SCOPE)
  endif()
endfunction()

# ftlab_needs_systemc(TARGET RESULT): whether TARGET links SystemC, directly or not.
function(ftlab_needs_systemc target result)
  set(todo ${target})
  set(seen "")
  set(${result} FALSE PARENT_SCOPE)
  while(todo)
    list(POP_FRONT todo next)
    if(next IN_LIST seen OR NOT TARGET ${next})
      continue()
    endif()
    list(APPEND seen ${next})
    if(next STREQUAL "ftlab_systemc")
      set(${result} TRUE PARENT_SCOPE)
      return()
    endif()
    foreach(property LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
      get_target_property(libraries ${next} ${property})
      if(libraries)
        # A private dependency of a static library is spelled $<LINK_ONLY:name>.
        string(REGEX REPLACE "\\$<LINK_ONLY:([^>]*)>" "\\1" libraries "${libraries}")
        list(APPEND todo ${libraries})
      endif()
    endforeach()
  endwhile()
endfunction()

# ftlab_precompile_test_headers(NAME [LIBRARIES library...] HEADERS header...): precompiles them with the options that
# the folder has now. Programs of the folders that follow use those that were made last, with SystemC or without.
# Only where several sources are compiled as one: elsewhere each has to name what it includes.
function(ftlab_precompile_test_headers name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBRARIES;HEADERS")
  if(NOT CMAKE_UNITY_BUILD)
    return()
  endif()
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp" CONTENT "// Stands for the headers.\n")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} ftlab_options GTest::gtest)
  target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
  ftlab_needs_systemc(${name} needs_systemc)
  set(FTLAB_TEST_HEADERS_${needs_systemc} ${name} PARENT_SCOPE)
endfunction()

function(ftlab_discover_tests program)
  cmake_parse_arguments(PARSE_ARGV 1 arg "EACH" "SLOW;LENGTHY;SKIPS" "PROPERTIES")
  ftlab_needs_systemc(${program} needs_systemc)
  if(FTLAB_TEST_HEADERS_${needs_systemc})
    target_precompile_headers(${program} REUSE_FROM ${FTLAB_TEST_HEADERS_${needs_systemc}})
  endif()
  add_dependencies(ftlab-tests ${program})
  ftlab_part_of(${program} part)
  set(kind plain)
  if(needs_systemc)
    set(kind systemc)
  endif()
  set(part ${kind}-${part})
  if(NOT "LABELS" IN_LIST arg_PROPERTIES)
    add_dependencies(${part} ${program})
  endif()
  if(arg_EACH)
    set(part each)
  endif()
  set(apart ${FTLAB_FAST_TESTS_APART})
  if("LABELS" IN_LIST arg_PROPERTIES)
    set(apart FALSE)
  endif()
  set(whole FALSE)
  if(CMAKE_CROSSCOMPILING OR (FTLAB_SANITIZE AND NOT needs_systemc))
    set(whole TRUE)
  endif()
  set(others "-")
  foreach(label slow lengthy)
    string(TOUPPER ${label} option)
    if(arg_${option})
      set(apart FALSE)
      ftlab_add_tests(${program} ${whole} ".${label}" "${arg_${option}}${others}" ${arg_PROPERTIES} LABELS ${label})
      string(APPEND others "${arg_${option}}:")
    endif()
  endforeach()
  if("LABELS" IN_LIST arg_PROPERTIES)
    ftlab_add_tests(${program} ${whole} "" "*${others}" ${arg_PROPERTIES})
    return()
  endif()
  if(apart)
    set_target_properties(${program} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
  if(needs_systemc)
    ftlab_add_tests(${program} FALSE "" "*${others}" ${arg_PROPERTIES} LABELS ${part})
    return()
  endif()
  if(arg_SKIPS AND NOT CMAKE_CROSSCOMPILING)
    ftlab_add_tests(${program} FALSE "" "${arg_SKIPS}${others}" ${arg_PROPERTIES} LABELS ${part})
    string(APPEND others "${arg_SKIPS}:")
  endif()
  if(NOT whole)
    ftlab_add_tests(${program} FALSE "" "*${others}" ${arg_PROPERTIES} LABELS single)
  endif()
  ftlab_add_tests(${program} TRUE "" "*${others}" ${arg_PROPERTIES} LABELS ${part})
endfunction()

# ftlab_add_tests(PROGRAM WHOLE SUFFIX FILTER [NAME VALUE...]): those that FILTER selects, in one process called
# PROGRAM SUFFIX or in one each.
function(ftlab_add_tests program whole suffix filter)
  if(NOT whole)
    gtest_discover_tests(${program} TEST_FILTER "${filter}" PROPERTIES ${ARGN} DISCOVERY_TIMEOUT 60)
    return()
  endif()
  # Outcomes of single tests are reported when they failed or were skipped.
  set(configurations "")
  if(NOT CMAKE_CROSSCOMPILING AND NOT FTLAB_SANITIZE)
    set(configurations CONFIGURATIONS whole)
  endif()
  add_test(NAME ${program}${suffix} ${configurations} COMMAND ${program} --gtest_brief=1 "--gtest_filter=${filter}")
  if(ARGN)
    set_tests_properties(${program}${suffix} PROPERTIES ${ARGN})
  endif()
endfunction()
