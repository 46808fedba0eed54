# hitscope_add_test: an intersection function of this project as tests of ctest.
# Written by `hitscope collect --new cmake`.
#
#   include(HitscopeTest.cmake)
#   hitscope_add_test(ray_box
#     TARGET adapters/ray_box.cpp:hit   # or any other TARGET of hitscope, e.g. a name of a hitscope.toml
#     PAIR ray_aabb
#     LINK engine                       # libraries of this project, with what they say of includes and definitions
#     FLAGS -std=c++20 -O2              # more flags of the compiler and the linker
#     OPTIONS --float f32 --slack 4 --require unit-direction   # more options of hitscope, for both tests
#     JUDGE --baseline known.json --cases 2000                 # more options of hitscope judge
#     SCENES tests/scenes)              # folders and files, which hitscope check checks
#
# It adds the test ray_box, `hitscope judge`, and with SCENES the test ray_box.check, `hitscope check`. Paths are
# relative to the folder of the CMakeLists.txt; build the project before ctest runs. A shared library among LINK is
# found where the loader finds it: build it with an rpath, or set LD_LIBRARY_PATH for the tests.

cmake_minimum_required(VERSION 3.15)

find_program(HITSCOPE_EXECUTABLE hitscope DOC "The command hitscope")

function(hitscope_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TARGET;PAIR" "LINK;FLAGS;OPTIONS;JUDGE;SCENES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "hitscope_add_test(${name}): expected TARGET, PAIR, LINK, FLAGS, OPTIONS, JUDGE and SCENES, "
                        "found ${arg_UNPARSED_ARGUMENTS}")
  endif()
  foreach(key TARGET PAIR)
    if(NOT arg_${key})
      message(FATAL_ERROR "hitscope_add_test(${name}): expected ${key}, found none")
    endif()
  endforeach()
  if(NOT HITSCOPE_EXECUTABLE)
    message(FATAL_ERROR "hitscope_add_test(${name}): expected the command hitscope, found none: "
                        "set HITSCOPE_EXECUTABLE")
  endif()
  # As a shell reads them: in quotes, as a path may have a space.
  set(flags "")
  foreach(flag IN LISTS arg_FLAGS)
    string(APPEND flags " '${flag}'")
  endforeach()
  foreach(library IN LISTS arg_LINK)
    set(includes "$<TARGET_PROPERTY:${library},INTERFACE_INCLUDE_DIRECTORIES>")
    set(definitions "$<TARGET_PROPERTY:${library},INTERFACE_COMPILE_DEFINITIONS>")
    string(APPEND flags "$<$<BOOL:${includes}>: '-I$<JOIN:${includes},' '-I>'>"
                        "$<$<BOOL:${definitions}>: '-D$<JOIN:${definitions},' '-D>'>")
    get_target_property(type ${library} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      string(APPEND flags " '$<TARGET_FILE:${library}>'")
    endif()
  endforeach()
  set(options ${arg_OPTIONS})
  if(flags)
    list(APPEND options "--flags=${flags}")
  endif()
  set(environment "")
  if(CMAKE_C_COMPILER)
    list(APPEND environment "CC=${CMAKE_C_COMPILER}")
  endif()
  if(CMAKE_CXX_COMPILER)
    list(APPEND environment "CXX=${CMAKE_CXX_COMPILER}")
  endif()
  add_test(NAME ${name} WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" COMMAND
    "${HITSCOPE_EXECUTABLE}" judge "${arg_TARGET}" --pair "${arg_PAIR}" ${options} ${arg_JUDGE})
  set(tests ${name})
  if(arg_SCENES)
    add_test(NAME ${name}.check WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" COMMAND
      "${HITSCOPE_EXECUTABLE}" check ${arg_SCENES} --method "${arg_PAIR}=${arg_TARGET}" ${options})
    list(APPEND tests ${name}.check)
  endif()
  set_tests_properties(${tests} PROPERTIES ENVIRONMENT "${environment}")
endfunction()
