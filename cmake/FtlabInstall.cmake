# What an installation holds: program, libraries, headers, data files, and the package that find_package(ftlab) loads.
# Libraries are collected here, so that a folder does not need to know about installing.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Imported as ftlab::<name without the ftlab_ prefix>, e.g. ftlab::firmware. Sources outside the tree use the same names.
function(ftlab_install_library target)
  string(REGEX REPLACE "^ftlab_" "" short "${target}")
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${short})
  install(TARGETS ${target} EXPORT ftlabTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# Every library target below the given folders: a new one is installed without a line here.
function(ftlab_libraries_below dir result)
  get_property(found DIRECTORY "${dir}" PROPERTY BUILDSYSTEM_TARGETS)
  get_property(children DIRECTORY "${dir}" PROPERTY SUBDIRECTORIES)
  set(libraries "")
  foreach(target IN LISTS found)
    get_target_property(type ${target} TYPE)
    if(type MATCHES "^(STATIC|OBJECT|INTERFACE)_LIBRARY$" AND target MATCHES "^ftlab_")
      list(APPEND libraries ${target})
    endif()
  endforeach()
  foreach(child IN LISTS children)
    ftlab_libraries_below("${child}" nested)
    list(APPEND libraries ${nested})
  endforeach()
  set(${result} "${libraries}" PARENT_SCOPE)
endfunction()

set(layers firmware)
set(installed ftlab_options)
if(NOT FTLAB_FIRMWARE_ONLY)
  list(APPEND layers common hw workloads platform)
  list(APPEND installed ftlab_systemc)
endif()
foreach(layer IN LISTS layers)
  ftlab_libraries_below("${PROJECT_SOURCE_DIR}/${layer}" libraries)
  list(APPEND installed ${libraries})
endforeach()
foreach(library IN LISTS installed)
  ftlab_install_library(${library})
endforeach()

# Firmware includes headers of common, and no library of it.
list(APPEND layers common)
list(REMOVE_DUPLICATES layers)
foreach(layer IN LISTS layers)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${layer}" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ftlab
          FILES_MATCHING PATTERN "*.h" PATTERN "*.inc" PATTERN "bench" EXCLUDE)
endforeach()
# Drivers are written against the register constants, also where no hardware model is built.
if(FTLAB_FIRMWARE_ONLY)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/hw/regs" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ftlab/hw
          FILES_MATCHING PATTERN "*.h")
endif()

if(TARGET ftlab)
  # One place for the program, whichever folder makes it.
  set_target_properties(ftlab PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  install(TARGETS ftlab RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  foreach(data hw/parts platform/hosts platform/cores workloads/scenarios)
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/${data}" DESTINATION ${CMAKE_INSTALL_DATADIR}/ftlab
            FILES_MATCHING PATTERN "*.toml")
  endforeach()
  # What `ftlab new firmware` copies.
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples/firmware" DESTINATION ${CMAKE_INSTALL_DATADIR}/ftlab
          PATTERN "build*" EXCLUDE)
  # The laboratory, and the locks by which its packages are installed.
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/reports/src" DESTINATION ${CMAKE_INSTALL_DATADIR}/ftlab/python
          PATTERN "__pycache__" EXCLUDE PATTERN "*.egg-info" EXCLUDE)
  file(GLOB locks "${PROJECT_SOURCE_DIR}/reports/requirements*.lock")
  install(FILES "${PROJECT_SOURCE_DIR}/reports/pyproject.toml" ${locks} DESTINATION ${CMAKE_INSTALL_DATADIR}/ftlab/python)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ftlab)
install(EXPORT ftlabTargets NAMESPACE ftlab:: DESTINATION ${package_dir})
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/ftlabConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/ftlabConfig.cmake" INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ftlabConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/ftlabConfig.cmake" "${PROJECT_BINARY_DIR}/ftlabConfigVersion.cmake"
        DESTINATION ${package_dir})
