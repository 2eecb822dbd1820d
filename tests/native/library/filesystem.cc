// std::filesystem: paths, operations, iterators and errors, in the in-memory file system.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <string>

namespace fs = std::filesystem;

static void paths() {
  fs::path p = "/a/b/../c.tar.gz";
  std::cout << p.filename() << p.extension() << p.stem() << p.parent_path() << p.root_path() << p.is_absolute() << ' '
            << p.lexically_normal() << ' ' << (fs::path("x") / "y" / "/z") << ' ' << p.replace_extension(".zip")
            << '\n';
  for (auto& e : fs::path("/u/v/w")) std::cout << e << ',';
  std::cout << '\n';
  std::cout << fs::path("/a/b").lexically_relative("/a/c") << ' ' << (fs::path("a") < fs::path("b")) << ' '
            << fs::path("a//b").compare("a/b") << '\n';
  fs::path q("dir");
  q += "x";
  q /= "file.txt";
  std::cout << q.string() << ' ' << q.has_extension() << ' ' << q.generic_string() << '\n';
}

static void operations() {
  fs::create_directories("d/e");
  {
    std::ofstream f("d/x.txt");
    f << "hello";
  }
  std::cout << fs::exists("d/x.txt") << fs::is_directory("d") << fs::is_regular_file("d/x.txt")
            << fs::file_size("d/x.txt") << fs::exists("nope") << '\n';
  std::set<std::string> names;
  for (auto& e : fs::directory_iterator("d")) names.insert(e.path().filename().string());
  for (auto& n : names) std::cout << n << ' ';
  std::cout << '\n';
  fs::copy_file("d/x.txt", "d/y.txt");
  fs::rename("d/y.txt", "d/e/z.txt");
  names.clear();
  for (auto& e : fs::recursive_directory_iterator("d")) names.insert(e.path().string() + (e.is_directory() ? "/" : ""));
  for (auto& n : names) std::cout << n << ' ';
  std::cout << '\n';
  std::error_code ec;
  std::cout << fs::remove("nope", ec) << ec.value() << ' ';
  fs::file_size("nope", ec);
  std::cout << ec.message() << '\n';
  try {
    fs::file_size("gone");
  } catch (const fs::filesystem_error& e) {
    std::cout << e.what() << ' ' << e.path1() << '\n';
  }
  std::cout << fs::remove_all("d") << ' ' << fs::exists("d") << '\n';
  std::cout << (fs::current_path() == fs::absolute(".").parent_path() || true) << '\n';
  std::cout << fs::temp_directory_path() << '\n';
}

static void more_operations() {
  std::error_code ec;
  std::cout << fs::create_directory("q") << fs::create_directory("q") << '\n';
  auto st = fs::status("q");
  std::cout << (st.type() == fs::file_type::directory) << '\n';
  std::cout << fs::is_empty("q") << '\n';
  { std::ofstream("q/a") << "12345"; }
  fs::resize_file("q/a", 2);
  std::cout << fs::file_size("q/a") << fs::equivalent("q/a", "q/../q/a") << '\n';
  fs::permissions("q/a", fs::perms::owner_read, ec);
  fs::directory_entry e("q/a");
  std::cout << e.exists() << e.file_size() << e.is_regular_file() << '\n';
  auto t = fs::last_write_time("q/a");
  (void)t;
  fs::copy("q", "r", fs::copy_options::recursive);
  std::cout << fs::exists("r/a") << '\n';
  std::cout << fs::relative("q/a", "q") << fs::canonical("q/../q").filename() << fs::weakly_canonical("q/zz").filename()
            << '\n';
  std::cout << fs::remove_all("q") << fs::remove_all("r") << '\n';
  std::cout << fs::hard_link_count("nope", ec) << ec.message() << '\n';
  std::cout << fs::space("/", ec).capacity * 0 << '\n';
}

int main() {
  paths();
  operations();
  more_operations();
}
