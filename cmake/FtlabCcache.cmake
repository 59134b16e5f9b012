# Uses ccache where it is installed and nothing else was asked for.
if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(FTLAB_CCACHE ccache)
  if(FTLAB_CCACHE)
    # Without a run of the preprocessor for what is not cached; precompiled headers need the other setting.
    set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros "${FTLAB_CCACHE}")
    set(CMAKE_C_COMPILER_LAUNCHER "${CMAKE_CXX_COMPILER_LAUNCHER}")
  endif()
endif()
