# Finds the Halide for which this build is made: Halide_FOUND, the target Halide::Halide, and HARUSPEX_OBSERVES_HALIDE,
# whether its lowering can be observed (lowering.h).
set(HARUSPEX_HALIDE "" CACHE PATH "Folder of the HalideConfig.cmake of a Halide of one's own (scripts/build --halide)")

# HalideConfig.cmake asks for HalideHelpers, which stands beside it or with it.
set(prefixes ${CMAKE_PREFIX_PATH})
if(HARUSPEX_HALIDE)
  if(NOT HARUSPEX_HALIDE STREQUAL "${Halide_DIR}")
    unset(HalideHelpers_DIR CACHE)
    set(Halide_DIR ${HARUSPEX_HALIDE} CACHE PATH "The folder of HalideConfig.cmake" FORCE)
  endif()
  list(PREPEND CMAKE_PREFIX_PATH ${HARUSPEX_HALIDE} ${HARUSPEX_HALIDE}/..)
endif()
# The passes of a static library cannot be hooked.
set(considered)
foreach(kind shared static)
  if(NOT Halide_FOUND)
    find_package(Halide CONFIG QUIET COMPONENTS ${kind})
    list(APPEND considered ${Halide_CONSIDERED_CONFIGS})
  endif()
endforeach()
set(CMAKE_PREFIX_PATH ${prefixes})

if(HARUSPEX_HALIDE AND NOT (Halide_FOUND AND HARUSPEX_HALIDE STREQUAL "${Halide_DIR}"))
  message(FATAL_ERROR "${HARUSPEX_HALIDE}/HalideConfig.cmake describes no Halide that can be used: "
                      "${Halide_NOT_FOUND_MESSAGE}")
endif()
if(NOT Halide_FOUND AND considered)
  list(REMOVE_DUPLICATES considered)
  message(FATAL_ERROR "A Halide is installed that cannot be used: ${considered}: ${Halide_NOT_FOUND_MESSAGE}")
endif()
if(NOT Halide_FOUND)
  message(STATUS "Halide is not installed: haruspex reads its schedules and cannot compile them")
  return()
endif()
if(Halide_VERSION VERSION_LESS 14)
  message(FATAL_ERROR "Halide ${Halide_VERSION} in ${Halide_DIR}; expected version 14 or later")
endif()
foreach(feature EXCEPTIONS RTTI)
  if(DEFINED Halide_ENABLE_${feature} AND NOT Halide_ENABLE_${feature})
    message(FATAL_ERROR "Halide in ${Halide_DIR} is built without ${feature}; expected Halide_ENABLE_${feature}=ON, "
                        "without which whatever it refuses ends the process")
  endif()
endforeach()

# The sources that observe the lowering, and those in place of them.
file(GLOB halide_observing CONFIGURE_DEPENDS
     ${CMAKE_CURRENT_LIST_DIR}/translate_*.cpp ${CMAKE_CURRENT_LIST_DIR}/intrinsics.cpp)
foreach(name bounds_query check_place dynamic_symbols loose_floats lowering passes prophecy reduction_order term)
  list(APPEND halide_observing ${CMAKE_CURRENT_LIST_DIR}/${name}.cpp)
endforeach()
set(halide_not_observing ${CMAKE_CURRENT_LIST_DIR}/unobserved_lowering.cpp)

# Sets HARUSPEX_OBSERVES_HALIDE to whether these sources compile against a version that is not tested. The answer is kept
# for as long as Halide.h is the same and, if it is no, the sources are.
function(try_to_observe)
  get_target_property(includes Halide::Halide INTERFACE_INCLUDE_DIRECTORIES)
  list(GET includes 0 include)
  file(SHA256 ${include}/Halide.h header)
  set(sources)
  foreach(source ${halide_observing} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/version.h)
    file(SHA256 ${source} digest)
    string(APPEND sources ${digest})
  endforeach()
  string(SHA256 sources ${sources})
  if("${HARUSPEX_OBSERVABLE_HALIDE}" STREQUAL "${header}")
    set(HARUSPEX_OBSERVES_HALIDE ON PARENT_SCOPE)
    return()
  elseif("${HARUSPEX_UNOBSERVABLE_HALIDE}" STREQUAL "${header} ${sources}")
    set(HARUSPEX_OBSERVES_HALIDE OFF PARENT_SCOPE)
    return()
  endif()
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  try_compile(compiles SOURCES ${halide_observing}
              NO_CACHE
              CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR}" "-DCMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS} -w"
                          "-DCMAKE_CXX_STANDARD=${CMAKE_CXX_STANDARD}" -DCMAKE_CXX_STANDARD_REQUIRED=ON
              LINK_LIBRARIES Halide::Halide fmt::fmt PkgConfig::ISL
              OUTPUT_VARIABLE output)
  if(compiles)
    set(HARUSPEX_OBSERVABLE_HALIDE ${header} CACHE INTERNAL "Halide.h of which the lowering can be observed")
  else()
    set(HARUSPEX_UNOBSERVABLE_HALIDE "${header} ${sources}" CACHE INTERNAL "Halide.h and sources that do not fit it")
    file(WRITE ${PROJECT_BINARY_DIR}/unobserved_halide.log "${output}")
  endif()
  set(HARUSPEX_OBSERVES_HALIDE ${compiles} PARENT_SCOPE)
endfunction()

get_target_property(halide_type Halide::Halide TYPE)
set(tested_versions 14 19 21)
if(halide_type STREQUAL STATIC_LIBRARY)
  set(HARUSPEX_OBSERVES_HALIDE OFF)
elseif(Halide_VERSION_MAJOR IN_LIST tested_versions)
  set(HARUSPEX_OBSERVES_HALIDE ON)
else()
  try_to_observe()
endif()

# Without the lowering nothing is validated, and there are no tests: only who names a Halide gets a build that does without.
if(NOT HARUSPEX_OBSERVES_HALIDE)
  set(why "it is a static library")
  if(NOT halide_type STREQUAL STATIC_LIBRARY)
    set(why "errors are in ${PROJECT_BINARY_DIR}/unobserved_halide.log")
  endif()
  set(what "The lowering of Halide ${Halide_VERSION} in ${Halide_DIR} cannot be observed: ${why}")
  if(NOT HARUSPEX_HALIDE)
    message(FATAL_ERROR "${what}. For native runs alone name it (scripts/build --halide)")
  endif()
  message(WARNING "${what}")
endif()
