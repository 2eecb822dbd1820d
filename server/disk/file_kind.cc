#include "server/disk/file_kind.h"

#include <algorithm>
#include <filesystem>

namespace heddle::disk {
namespace {

constexpr std::string_view kBuildNames[] = {".clangd",
                                            ".heddle.yaml",
                                            "BUILD",
                                            "BUILD.bazel",
                                            "CMakeLists.txt",
                                            "CMakePresets.json",
                                            "GNUmakefile",
                                            "MODULE.bazel",
                                            "Makefile",
                                            "SConscript",
                                            "SConstruct",
                                            "WORKSPACE",
                                            "build.ninja",
                                            "compile_commands.json",
                                            "compile_flags.txt",
                                            "configure",
                                            "makefile",
                                            "meson.build",
                                            "meson.options",
                                            "meson_options.txt"};
constexpr std::string_view kBuildExtensions[] = {".ac", ".am",  ".bp", ".bzl",   ".cmake", ".gn",  ".gni",
                                                 ".in", ".mak", ".mk", ".ninja", ".pri",   ".pro", ".rsp"};

template <size_t kCount>
bool among(const std::string_view (&names)[kCount], const std::string& name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

bool is_c_family(const std::string& path) {
  return among(kCFamilyExtensions, std::filesystem::path(path).extension().string());
}

bool is_translation_unit(const std::string& path) {
  constexpr std::string_view kExtensions[] = {".C", ".c", ".c++", ".cc", ".cp", ".cpp", ".cppm", ".cxx", ".ixx"};
  return among(kExtensions, std::filesystem::path(path).extension().string());
}

bool describes_build(const std::string& path) {
  const std::filesystem::path name = std::filesystem::path(path).filename();
  if (name.extension() == ".in")  // a template
    return is_c_family(name.stem().string()) || describes_build(name.stem().string());
  return among(kBuildNames, name.string()) || among(kBuildExtensions, name.extension().string());
}

}  // namespace heddle::disk
