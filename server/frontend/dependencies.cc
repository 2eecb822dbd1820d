#include "server/frontend/dependencies.h"

#include <clang/Basic/FileManager.h>

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

}  // namespace heddle::frontend
