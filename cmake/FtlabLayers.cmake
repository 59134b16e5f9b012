# The table of translation layers under test (tests/powerloss/layers.txt) as a header with a type list, and as the lists
# FTLAB_LAYER_NAMES and FTLAB_LAYER_TYPES.
set(table "${PROJECT_SOURCE_DIR}/tests/powerloss/layers.txt")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${table}")
file(STRINGS "${table}" rows REGEX "^[a-z]")
set(FTLAB_LAYER_NAMES "")
set(FTLAB_LAYER_TYPES "")
set(includes "")
foreach(row IN LISTS rows)
  string(REGEX MATCH "^([a-z_]+) +([A-Za-z]+) +([a-z_.]+)$" fits "${row}")
  if(NOT fits)
    message(FATAL_ERROR "${table}: not a name, a struct and a header: ${row}")
  endif()
  list(APPEND FTLAB_LAYER_NAMES ${CMAKE_MATCH_1})
  list(APPEND FTLAB_LAYER_TYPES ${CMAKE_MATCH_2})
  string(APPEND includes "#include \"tests/powerloss/layers/${CMAKE_MATCH_3}\"\n")
endforeach()
list(JOIN FTLAB_LAYER_TYPES ", " types)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/tests/powerloss/all_layers.h" @ONLY CONTENT
"// Made from tests/powerloss/layers.txt.
#pragma once

#include \"tests/powerloss/layer_list.h\"
@includes@
namespace ftlab::tests {
using Layers = LayerList<@types@>;
}  // namespace ftlab::tests
")

# ftlab_use_layers(TARGET): may include tests/powerloss/all_layers.h.
function(ftlab_use_layers target)
  target_include_directories(${target} PRIVATE "${PROJECT_BINARY_DIR}/generated")
endfunction()
