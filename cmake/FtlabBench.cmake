# Benchmarks: ftlab_add_benchmark(NAME SOURCES file... LIBRARIES target...), called from a folder's bench/.
#
# `cmake --build --preset bench` builds them all (target ftlab-bench); the target run-bench runs them one after
# another and leaves bench/<name>.json in the build tree; run-bench-0 and run-bench-1 run a half each. Without FTLAB_BENCH
# the call does nothing.
#
# FTLAB_BENCH_ARGS reaches every benchmark, e.g. -DFTLAB_BENCH_ARGS=--benchmark_min_time=0.01 for a smoke run.
set(FTLAB_BENCH_ARGS "" CACHE STRING "Arguments for every benchmark run by run-bench")

if(FTLAB_BENCH)
  find_package(benchmark REQUIRED)
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/bench")
  add_custom_target(ftlab-bench)
  add_custom_target(run-bench)
  foreach(half 0 1)
    add_custom_target(run-bench-${half})
  endforeach()
endif()

function(ftlab_add_benchmark name)
  if(NOT FTLAB_BENCH)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_executable(${name} EXCLUDE_FROM_ALL ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} ftlab_options benchmark::benchmark)
  ftlab_register_benchmark(${name})
endfunction()

# For an executable made by other means that takes Google Benchmark's arguments.
function(ftlab_register_benchmark name)
  if(NOT FTLAB_BENCH)
    return()
  endif()
  add_custom_target(
    run-${name}
    COMMAND $<TARGET_FILE:${name}> --benchmark_out=${PROJECT_BINARY_DIR}/bench/${name}.json
            --benchmark_out_format=json ${FTLAB_BENCH_ARGS}
    DEPENDS ${name}
    USES_TERMINAL VERBATIM)
  add_dependencies(ftlab-bench ${name})
  get_property(others TARGET ftlab-bench PROPERTY MANUALLY_ADDED_DEPENDENCIES)
  list(LENGTH others number)
  math(EXPR half "${number} % 2")
  add_dependencies(run-bench run-${name})
  add_dependencies(run-bench-${half} run-${name})
endfunction()
