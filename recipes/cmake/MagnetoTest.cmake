# magneto_add_test(NAME <name> SPEC <file.fpcore[:core]> TARGET <library> SYMBOL <function>
#                  [SIGNATURE <how>] [OPTIONS <option>...])
#
# Adds a test to CTest that runs a function of a shared library, built by this project, against the tests that Magneto makes of
# a specification. MAGNETO names the program, where it is not on the path.
include_guard(GLOBAL)
find_program(MAGNETO magneto REQUIRED DOC "The program of Magneto")

function(magneto_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;SPEC;TARGET;SYMBOL;SIGNATURE" "OPTIONS")
  foreach(needed NAME SPEC TARGET SYMBOL)
    if(NOT arg_${needed})
      message(FATAL_ERROR "magneto_add_test: ${needed} is missing")
    endif()
  endforeach()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "magneto_add_test: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  get_filename_component(spec "${arg_SPEC}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  set(command "${MAGNETO}" check "${spec}" --lib "$<TARGET_FILE:${arg_TARGET}>" --symbol "${arg_SYMBOL}")
  if(arg_SIGNATURE)
    list(APPEND command --signature "${arg_SIGNATURE}")
  endif()
  add_test(NAME "${arg_NAME}" COMMAND ${command} ${arg_OPTIONS})
  # 3: nothing is wrong, and something is not settled.
  set_tests_properties("${arg_NAME}" PROPERTIES SKIP_RETURN_CODE 3)
endfunction()
