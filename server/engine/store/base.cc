#include "server/engine/store/base.h"

#include <algorithm>
#include <filesystem>

#include "server/disk/file_kind.h"
#include "server/disk/utf8_name.h"
#include "server/engine/store/files.h"

namespace heddle::engine {

namespace {

namespace fs = std::filesystem;
constexpr size_t kFilesMost = 20'000, kNamedMost = 3;
constexpr int kDepthMost = 64;  // of folders

// The source files of a folder of old texts, in the order of their paths.
class OldFolder {
 public:
  OldFolder(const std::string& folder, const std::string& root) : folder_(folder), root_(root) { walk(folder, 0); }

  BaseTexts take() {
    if (unread_.size() > kNamedMost) {
      const size_t more = unread_.size() - kNamedMost;
      unread_.resize(kNamedMost);
      unread_.push_back(std::to_string(more) + " more");
    }
    for (const std::string& what : unread_) leave_out(what);
    if (full_)
      leave_out("the source files from " + first_left_out_ + " on, more than " + std::to_string(kFilesMost) +
                " in all,");
    return std::move(out_);
  }

 private:
  void leave_out(const std::string& what) {
    out_.left_out.push_back("of the folder '" + folder_ + "' of --base, " + what +
                            " was left out: what was edited there was taken for old");
  }

  void walk(const fs::path& folder, int depth) {
    std::error_code error;
    std::vector<fs::directory_entry> entries;
    for (auto at = fs::directory_iterator(folder, error); !error && at != fs::directory_iterator(); at.increment(error))
      entries.push_back(*at);
    if (error || depth > kDepthMost) {
      unread_.push_back(name_of(folder) + "/" + (error ? ", which cannot be read (" + error.message() + ")," : ""));
      return;
    }
    std::sort(entries.begin(), entries.end());
    for (const fs::directory_entry& entry : entries) {
      if (full_) return;
      const fs::file_status own = entry.symlink_status(error);
      if (fs::is_directory(own))
        walk(entry.path(), depth + 1);
      else if (disk::is_c_family(entry.path()))
        read(entry);
    }
  }

  void read(const fs::directory_entry& entry) {
    std::error_code error;
    if (fs::is_directory(entry.status(error))) return;  // a link to one
    if (out_.overlays.size() == kFilesMost) {
      full_ = true;
      first_left_out_ = name_of(entry.path());
      return;
    }
    std::string problem;
    std::optional<std::string> text = read_file(entry.path().string(), &problem);
    if (!text) {
      unread_.push_back(name_of(entry.path()) + ", which " + problem + ",");
      return;
    }
    const fs::path own = fs::path(root_) / entry.path().lexically_relative(folder_);
    out_.overlays.push_back({own.string(), std::move(*text)});
  }

  std::string name_of(const fs::path& path) const { return path.lexically_relative(folder_).generic_string(); }

  const std::string& folder_;
  const std::string& root_;
  BaseTexts out_;
  std::vector<std::string> unread_;
  bool full_ = false;
  std::string first_left_out_;
};

// A lone file's old text, with the old texts of headers that lie next to it in the same way.
BaseTexts texts_of_file(const fs::path& base, std::string text, const std::string& file) {
  BaseTexts out;
  out.overlays.push_back({file, std::move(text)});
  const fs::path before = fs::absolute(base).lexically_normal().parent_path(), now = fs::path(file).parent_path();
  std::error_code error;
  if (fs::equivalent(before, now, error)) return out;
  size_t seen = 0;
  for (auto at = fs::directory_iterator(before, error); !error && at != fs::directory_iterator() && seen < kFilesMost;
       at.increment(error), ++seen) {
    const fs::path own = now / at->path().filename();
    if (!disk::is_c_family(own.string()) || own == file || !fs::exists(own, error)) continue;
    auto old = read_file(at->path().string());
    if (old && old != read_file(own.string())) out.overlays.push_back({own.string(), std::move(*old)});
  }
  return out;
}

// The sources of the project that the folder lacks. What lies in the folder itself, or is built, is none of them.
class Missing {
 public:
  Missing(const frontend::Project& project, const std::string& folder)
      : root_(project.root), folder_(fs::absolute(folder).lexically_normal()) {
    const fs::path built = fs::path(project.database).parent_path();
    if (!project.database.empty() && built != root_) built_ = built;
    walk(root_, 0);
  }
  std::vector<std::string> take() { return std::move(missing_); }
  bool full() const { return full_; }

 private:
  void walk(const fs::path& at, int depth) {
    std::error_code error;
    if (depth > kDepthMost || at == built_ || at == folder_) return;
    for (auto entry = fs::directory_iterator(at, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
      if (seen_ >= kFilesMost) {
        full_ = true;
        return;
      }
      const fs::path path = entry->path();
      if (fs::is_directory(entry->symlink_status(error))) {
        walk(path, depth + 1);
      } else if (disk::is_c_family(path.string())) {
        ++seen_;
        if (!fs::exists(folder_ / path.lexically_relative(root_), error)) missing_.push_back(path.string());
      }
    }
  }

  const fs::path root_, folder_;
  fs::path built_;
  std::vector<std::string> missing_;
  size_t seen_ = 0;
  bool full_ = false;
};

}  // namespace

std::variant<BaseTexts, std::string> base_texts(const frontend::Project& project, const std::string& name,
                                                const std::vector<std::string>& files) {
  const std::string base = disk::file_of_name(name);
  std::error_code error;
  if (fs::is_regular_file(base, error)) {
    std::string file;
    if (files.size() == 1)
      file = files[0];
    else if (files.empty() && project.commands.size() == 1)
      file = project.commands[0].file;
    else
      return "--base names a file, so exactly one file must be checked: name it, or give a folder to --base";
    std::string problem;
    std::optional<std::string> text = read_file(base, &problem);
    if (!text) return "the file '" + name + "' of --base " + problem;
    return texts_of_file(base, std::move(*text), file);
  }
  if (!fs::is_directory(base, error)) return "'" + name + "' of --base does not exist: give a file or a folder";
  BaseTexts out = OldFolder(base, project.root).take();
  if (out.overlays.empty())
    return "the folder '" + name + "' of --base holds no C or C++ file" +
           (out.left_out.empty() ? "" : ": " + out.left_out[0]);
  Missing missing(project, base);
  if (missing.full())
    out.left_out.push_back("only the first " + std::to_string(kFilesMost) + " source files of " + project.root +
                           " were looked for in the folder '" + name + "' of --base");
  for (std::string& path : missing.take()) out.overlays.push_back({std::move(path), "", /*absent=*/true});
  std::sort(out.overlays.begin(), out.overlays.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return out;
}

}  // namespace heddle::engine
