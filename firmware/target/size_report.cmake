# cmake -DLIBRARY=... -DIMAGE=... -DSIZE=... -DNM=... -P size_report.cmake
# Prints code and RAM of every object and of the image, and refuses what firmware must not need.

function(padded text width result)
  string(LENGTH "${text}" length)
  while(length LESS width)
    string(APPEND text " ")
    math(EXPR length "${length} + 1")
  endwhile()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

function(right text width result)
  string(LENGTH "${text}" length)
  while(length LESS width)
    string(PREPEND text " ")
    math(EXPR length "${length} + 1")
  endwhile()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

function(row name text data bss)
  padded("${name}" 40 name)
  right("${text}" 9 text)
  right("${data}" 9 data)
  right("${bss}" 9 bss)
  message("${name}${text}${data}${bss}")
endfunction()

function(run_tool result)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  set(${result} "${output}" PARENT_SCOPE)
endfunction()

# Lines "name number" of an section-by-section listing.
function(section_bytes listing section result)
  set(bytes 0)
  if(listing MATCHES "\n\\${section} +([0-9]+)")
    set(bytes ${CMAKE_MATCH_1})
  endif()
  set(${result} ${bytes} PARENT_SCOPE)
endfunction()

message("bytes")
row("object" "code" "data" "bss")
run_tool(listing "${SIZE}" "${LIBRARY}")
string(REPLACE "\n" ";" lines "${listing}")
foreach(line IN LISTS lines)
  if(line MATCHES "^ *([0-9]+)\t *([0-9]+)\t *([0-9]+)\t.*\t([^ ]+)")
    row("${CMAKE_MATCH_4}" "${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}" "${CMAKE_MATCH_3}")
  endif()
endforeach()

run_tool(listing "${SIZE}" -A "${IMAGE}")
foreach(section .text .ARM.exidx .data .bss .arena .stack)
  string(REPLACE "." "" name "${section}")
  section_bytes("${listing}" "${section}" ${name})
endforeach()
math(EXPR code "${text} + ${ARMexidx} + ${data}")
math(EXPR ram "${data} + ${bss} + ${arena} + ${stack}")
get_filename_component(image "${IMAGE}" NAME)
message("")
message("${image}: ${code} bytes of flash (code, constants, initial data)")
message("${image}: ${ram} bytes of RAM = data ${data} + bss ${bss} + arena ${arena} + stack ${stack}")

# Floating point helpers, heap, exceptions, run-time type information.
run_tool(symbols "${NM}" "${IMAGE}")
string(REGEX MATCHALL
       "[^\n]* (__aeabi_[df](add|sub|rsub|mul|div|cmp)[a-z]*|__aeabi_u?[il]2?[il]?2[df]|__(add|sub|mul|div|neg|eq|ne|lt|le|gt|ge|unord)[sdt]f[23]|__fix(uns)?[sdt]f[sdt]i|__float(un)?[sdt]i[sdt]f|malloc|_Znwj|__cxa_throw|__cxa_begin_catch|_ZTI[^\n]*|__dynamic_cast)\n"
       forbidden "${symbols}")
if(forbidden)
  string(REPLACE ";" "" forbidden "${forbidden}")
  message(FATAL_ERROR "the image holds what firmware must do without:\n${forbidden}")
endif()
