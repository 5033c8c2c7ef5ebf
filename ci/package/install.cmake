# What `cmake --install` and CPack bring to a prefix, in three components:
#
#   sink     the headers of sink/, wakeproof::sink, the CMake package, wakeproof-sink.pc
#   models   the headers of models/, the libraries, wakeproof::models and its kin, wakeproof.pc
#   command  bin/wakeproof, with the scenarios of this project
#
# Headers lie in include/wakeproof, which is an include root: "sink/output_sink.hpp" is the same name there as
# here. What a project includes first is <wakeproof/scenarios.hpp> and its like. Nothing of Relacy is installed.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package ${CMAKE_CURRENT_SOURCE_DIR}/package)
set(made ${CMAKE_CURRENT_BINARY_DIR}/package)
set(headers ${CMAKE_INSTALL_INCLUDEDIR}/wakeproof)
set(config ${CMAKE_INSTALL_LIBDIR}/cmake/wakeproof)

# Said here and not beside the targets: with it, every compilation in the tree would look into these too.
target_include_directories(wakeproof_sink INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
                                                    $<INSTALL_INTERFACE:${headers}>)

# --- sink ---------------------------------------------------------------------------------------------------
install(DIRECTORY ${PROJECT_SOURCE_DIR}/sink DESTINATION ${headers} COMPONENT sink
        FILES_MATCHING PATTERN *.hpp
        PATTERN test_*.hpp EXCLUDE PATTERN programs EXCLUDE PATTERN soak EXCLUDE)
configure_file(${package}/version.hpp.in ${made}/version.hpp @ONLY)
install(FILES ${package}/wakeproof/sink.hpp ${made}/version.hpp DESTINATION ${headers} COMPONENT sink)
install(TARGETS wakeproof_sink EXPORT wakeproof-sink COMPONENT sink)
install(EXPORT wakeproof-sink NAMESPACE wakeproof:: DESTINATION ${config} COMPONENT sink)

configure_package_config_file(${package}/wakeproofConfig.cmake.in ${made}/wakeproofConfig.cmake
                              INSTALL_DESTINATION ${config})
# Until 1.0 a minor version may break what was there.
write_basic_package_version_file(${made}/wakeproofConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${made}/wakeproofConfig.cmake ${made}/wakeproofConfigVersion.cmake
        DESTINATION ${config} COMPONENT sink)

# --- models -------------------------------------------------------------------------------------------------
# Without what only the library itself includes: Relacy, and the command's insides.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/models DESTINATION ${headers} COMPONENT models
        FILES_MATCHING PATTERN *.hpp
        PATTERN relacy*.hpp EXCLUDE PATTERN contexts.hpp EXCLUDE PATTERN machine_host.hpp EXCLUDE
        PATTERN json_fields.hpp EXCLUDE PATTERN page EXCLUDE PATTERN corpus EXCLUDE PATTERN report EXCLUDE
        PATTERN cli EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/models/cli/cli.hpp DESTINATION ${headers}/models/cli COMPONENT models)
install(FILES ${package}/wakeproof/scenarios.hpp ${package}/wakeproof/std_names.hpp ${package}/wakeproof/catch2.hpp
              ${package}/wakeproof/gtest.hpp
        DESTINATION ${headers} COMPONENT models)
install(TARGETS wakeproof_models wakeproof_cli wakeproof_main EXPORT wakeproof-models
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT models)
install(EXPORT wakeproof-models NAMESPACE wakeproof:: DESTINATION ${config} COMPONENT models)
install(FILES ${package}/wakeproof_add_scenarios.cmake ${package}/stress_main.cpp
        DESTINATION ${config} COMPONENT models)

# --- command ------------------------------------------------------------------------------------------------
install(TARGETS wakeproof RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)

# --- pkg-config ---------------------------------------------------------------------------------------------
# From the file's own place, so that a prefix can be moved, or named at last by `cmake --install --prefix`.
file(RELATIVE_PATH up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" up "${up}")
foreach(component_of IN ITEMS sink:wakeproof-sink models:wakeproof)
  string(REPLACE ":" ";" pair ${component_of})
  list(GET pair 0 component)
  list(GET pair 1 name)
  configure_file(${package}/${name}.pc.in ${made}/${name}.pc @ONLY)
  install(FILES ${made}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${component})
endforeach()

# --- packages -----------------------------------------------------------------------------------------------
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME wakeproof)
set(CPACK_PACKAGE_CONTACT "the wakeproof authors <wakeproof@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL sink models command)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_SINK_PACKAGE_NAME libwakeproof-sink-dev)
set(CPACK_DEBIAN_SINK_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_SINK_DESCRIPTION "Hand-offs from many threads to one event loop, as C++20 headers")
set(CPACK_DEBIAN_MODELS_PACKAGE_NAME libwakeproof-dev)
set(CPACK_DEBIAN_MODELS_PACKAGE_DEPENDS
    "libwakeproof-sink-dev (= ${PROJECT_VERSION}), libfmt-dev, libpugixml-dev")
set(CPACK_DEBIAN_MODELS_DESCRIPTION "Scenarios of one's own for the wakeproof model checker")
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME wakeproof)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMAND_DESCRIPTION "Model checker for hand-offs between threads and an event loop")
include(CPack)
