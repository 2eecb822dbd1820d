// The root of a project, by its files and by -p: one rule for the daemon, the engine and the clients.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "server/disk/project_place.h"

namespace heddle::disk {
namespace {

namespace fs = std::filesystem;

class ProjectPlaceTest : public ::testing::Test {
 protected:
  ProjectPlaceTest() : top_(fs::temp_directory_path() / ("heddle-place-" + std::to_string(getpid()))) {
    fs::remove_all(top_);
    fs::create_directories(top_);
  }
  ~ProjectPlaceTest() override { fs::remove_all(top_); }

  std::string path(const std::string& name) const { return name.empty() ? top_.string() : (top_ / name).string(); }
  std::string put(const std::string& name) const {
    fs::create_directories((top_ / name).parent_path());
    std::ofstream(top_ / name) << "[]";
    return path(name);
  }
  // Of a source file in a project whose database is in this folder, which -p names.
  std::string root_with(const std::string& folder) const {
    put(folder + "/compile_commands.json");
    return find_project_place({path("src/a.c")}, path(folder), "/", false).root;
  }

  fs::path top_;
};

TEST_F(ProjectPlaceTest, IsWhereTheDatabaseIs) {
  const std::vector<std::string> files = {put("src/deep/a.c")};
  EXPECT_TRUE(find_project_place(files, "", "/", false).lone_file);
  EXPECT_EQ(find_project_place(files, "", "/", false).root, path("src/deep"));
  put("build/compile_commands.json");
  const ProjectPlace place = find_project_place(files, "", "/", false);
  EXPECT_EQ(place.root, path(""));
  EXPECT_EQ(place.database, path("build/compile_commands.json"));
  EXPECT_FALSE(place.lone_file);
  EXPECT_EQ(find_project_place({}, path("build"), "/", false).root, path(""));
  EXPECT_EQ(find_project_place({}, path("build") + "/", "/", false).root, path(""));
  EXPECT_EQ(find_project_place({}, path("build/compile_commands.json"), "/", false).root, path(""));
  EXPECT_EQ(find_project_place({}, path(""), "/", false).database, path("build/compile_commands.json"));
  EXPECT_EQ(find_project_place({}, "", path("src"), false).root, path(""));
}

TEST_F(ProjectPlaceTest, FlagsAreRelativeToTheirFolder) {
  const std::vector<std::string> files = {put("src/a.c")};
  EXPECT_TRUE(find_project_place(files, "", "/tmp", true).lone_file);
  EXPECT_EQ(find_project_place(files, "", "/tmp", true).root, "/tmp");
  put("compile_flags.txt");
  const ProjectPlace place = find_project_place(files, "", "/tmp", false);
  EXPECT_EQ(place.root, path(""));
  EXPECT_EQ(place.flags_file, path("compile_flags.txt"));
  EXPECT_FALSE(place.lone_file);
}

TEST_F(ProjectPlaceTest, BuildFoldersBelongToTheFolderAroundThem) {
  put("src/a.c");
  for (const char* folder : {"out/Debug", "build", "build/release", "out/build/x64-Debug", "cmake-build-debug",
                             "build-arm", "builddir", "_build/default", "outRelease"})
    EXPECT_EQ(root_with(folder), path("")) << folder;
}

TEST_F(ProjectPlaceTest, FilesInTheBuildFolderAreOfTheSameProject) {
  put("out/Debug/compile_commands.json");
  EXPECT_EQ(find_project_place({put("out/Debug/generated/table.c")}, "", "/", false).root, path(""));
  EXPECT_EQ(find_project_place({}, "", path("out/Debug"), false).root, path(""));
}

TEST_F(ProjectPlaceTest, OtherFoldersAreTheirOwnRoots) {
  for (const char* folder : {"builder", "outline/deep", "output", "database", "build/linux/deep"})
    EXPECT_EQ(root_with(folder), path(folder));
}

// A package is often unpacked in a folder of this name.
TEST_F(ProjectPlaceTest, AProjectInAFolderNamedBuildIsItsOwnRoot) {
  for (const char* mark : {"CMakeLists.txt", "main.cc", ".git", ".heddle.yaml", "configure"}) {
    const std::string project = "build/with" + std::string(mark);
    put(project + "/" + mark);
    EXPECT_EQ(root_with(project), path(project)) << mark;
    EXPECT_EQ(root_with(project + "/build"), path(project)) << mark;
    EXPECT_EQ(root_with(project + "/out/Debug"), path(project)) << mark;
  }
  put("out/main.c");
  EXPECT_EQ(root_with("out"), path("out"));
}

}  // namespace
}  // namespace heddle::disk
