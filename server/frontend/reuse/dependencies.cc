#include "server/frontend/reuse/dependencies.h"

#include <clang/Basic/FileManager.h>

#include <algorithm>

#include "server/program/hash.h"

namespace heddle::frontend {

void add_dependencies(const clang::SourceManager& sources, std::map<std::string, Dependency>& out) {
  for (unsigned n = 0; n < sources.local_sloc_entry_size(); ++n) {
    const clang::SrcMgr::SLocEntry& entry = sources.getLocalSLocEntry(n);
    if (!entry.isFile()) continue;
    const clang::SrcMgr::ContentCache& content = entry.getFile().getContentCache();
    if (!content.OrigEntry) continue;
    if (sources.getFileEntryForID(sources.getMainFileID()) == &content.OrigEntry->getFileEntry()) continue;
    const auto text = content.getBufferDataIfLoaded();
    if (!text) continue;
    Dependency made;
    llvm::StringRef path = content.OrigEntry->getFileEntry().tryGetRealPathName();
    made.path = path.empty() ? content.OrigEntry->getName().str() : path.str();
    made.system = clang::SrcMgr::isSystem(entry.getFile().getFileCharacteristic());
    if (out.contains(made.path)) continue;
    made.content = program::hash_bytes({text->data(), text->size()});
    out.emplace(made.path, std::move(made));
  }
}

void add_names(const std::map<std::string, std::string>& links, std::map<std::string, Dependency>& out) {
  for (const auto& [name, file] : links) {
    const auto known = out.find(file);
    if (known == out.end()) continue;
    Dependency made = known->second;
    made.path = name;
    made.file = file;
    out.emplace(name, std::move(made));
  }
}

std::optional<FileStamp> stamp_of(llvm::vfs::FileSystem& files, const std::string& path) {
  const auto status = files.status(path);
  if (!status) return std::nullopt;
  FileStamp stamp{status->getSize(), status->getLastModificationTime().time_since_epoch().count(), {}};
  if (path.starts_with("/usr/")) return stamp;
  const auto text = files.getBufferForFile(path);
  if (!text) return std::nullopt;
  // The file itself counts, too: a copy may stand where a link was.
  const std::string_view content((*text)->getBufferStart(), (*text)->getBufferSize());
  stamp.content = program::Hasher().text(content).number(status->getUniqueID().getFile()).finish();
  return stamp;
}

Stamps stamps_of(const std::map<std::string, Dependency>& dependencies, llvm::vfs::FileSystem& files, bool system) {
  Stamps stamps;
  for (const auto& [path, dependency] : dependencies)
    if (dependency.system == system)
      if (const auto stamp = stamp_of(files, path)) stamps[path] = *stamp;
  return stamps;
}

bool current(const Stamps& stamps, llvm::vfs::FileSystem& files) {
  return std::all_of(stamps.begin(), stamps.end(),
                     [&](const auto& known) { return stamp_of(files, known.first) == known.second; });
}

}  // namespace heddle::frontend
