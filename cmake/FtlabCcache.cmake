# Uses ccache where it is installed and nothing else was asked for.
if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(FTLAB_CCACHE ccache)
  if(FTLAB_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${FTLAB_CCACHE}")
    set(CMAKE_C_COMPILER_LAUNCHER "${FTLAB_CCACHE}")
  endif()
endif()
