# The table of translation layers under test (tests/powerloss/layers.txt) as a header with type lists, and as the list of
# those that are fuzzed, FTLAB_FUZZED_NAMES.
set(table "${PROJECT_SOURCE_DIR}/tests/powerloss/layers.txt")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${table}")
file(STRINGS "${table}" rows REGEX "^[a-z]")
set(FTLAB_FUZZED_NAMES "")
set(all "")
set(fuzzed "")
set(includes "")
foreach(row IN LISTS rows)
  string(REGEX MATCH "^([a-z_]+) +([A-Za-z]+) +([a-z_.]+)( +unfuzzed)?$" fits "${row}")
  if(NOT fits)
    message(FATAL_ERROR "${table}: not a name, a struct and a header: ${row}")
  endif()
  list(APPEND all ${CMAKE_MATCH_2})
  if(NOT CMAKE_MATCH_4)
    list(APPEND FTLAB_FUZZED_NAMES ${CMAKE_MATCH_1})
    list(APPEND fuzzed ${CMAKE_MATCH_2})
  endif()
  string(APPEND includes "#include \"tests/powerloss/layers/${CMAKE_MATCH_3}\"\n")
endforeach()
list(JOIN all ", " all)
list(JOIN fuzzed ", " fuzzed)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/tests/powerloss/all_layers.h" @ONLY CONTENT
"// Made from tests/powerloss/layers.txt.
#pragma once

#include \"tests/powerloss/layer_list.h\"
@includes@
namespace ftlab::tests {
using Layers = LayerList<@all@>;
using FuzzedLayers = LayerList<@fuzzed@>;
}  // namespace ftlab::tests
")

# ftlab_use_layers(TARGET): may include tests/powerloss/all_layers.h.
function(ftlab_use_layers target)
  target_include_directories(${target} PRIVATE "${PROJECT_BINARY_DIR}/generated")
endfunction()
