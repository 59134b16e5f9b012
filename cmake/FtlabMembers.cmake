# ftlab_members(TARGET FOLDER): the files that FOLDER/members.inc names as FTLAB_MEMBER(NAME) are sources of the target.
# C++ reads the same list.
function(ftlab_members target folder)
  set(list "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/members.inc")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${list}")
  file(STRINGS "${list}" members REGEX "^FTLAB_MEMBER")
  list(TRANSFORM members REPLACE "^FTLAB_MEMBER.([a-z_0-9]+).$" "${folder}/\\1.cpp")
  target_sources(${target} PRIVATE ${members})
endfunction()
