#include "server/frontend/reuse/last_compile.h"

#include <algorithm>

#include "server/program/hash.h"

namespace heddle::frontend {

std::optional<ReusePlan> plan_reuse(const LastCompile& last, const MainText& main, llvm::vfs::FileSystem& files,
                                    const clang::LangOptions& language, const llvm::StringSet<>* precompiled) {
  ReusePlan plan;
  if (const auto before = last.texts.find(main.path); before != last.texts.end()) {
    const std::string& text = before->second.text;
    const auto [differs, now] = std::mismatch(text.begin(), text.end(), main.text.begin(), main.text.end());
    plan.main_same = static_cast<uint32_t>(differs - text.begin());
  }
  for (const auto& [path, before] : last.texts) {
    std::string now = main.text.str();
    if (path != main.path) {
      auto buffer = files.getBufferForFile(path);
      if (!buffer) return std::nullopt;
      now = (*buffer)->getBuffer().str();
    }
    if (now == before.text) continue;
    auto same = same_but_for_bodies(before.text, before.bodies, now, language);
    if (!same) return std::nullopt;
    // A template could find a function by a name that it knows.
    const auto known = [&](const std::string& name) { return precompiled->contains(name); };
    if (!same->added.empty() || !same->removed.empty()) {
      if (!precompiled || std::any_of(same->removed.begin(), same->removed.end(), known)) return std::nullopt;
      for (const std::string& name : same->added)
        if (known(name) || last.names(name)) return std::nullopt;
    }
    plan.changed.insert(path);
    plan.bodies[path] = std::move(same->bodies);
    plan.removed.insert(plan.removed.end(), same->removed.begin(), same->removed.end());
  }
  return plan;
}

std::shared_ptr<LastCompile> remember(const std::map<std::string, Dependency>& dependencies, const MainText& main,
                                      const BodiesByFile& bodies, llvm::vfs::FileSystem& files) {
  auto made = std::make_shared<LastCompile>();
  made->stamps = stamps_of(dependencies, files, /*system=*/true);
  const auto add = [&](const std::string& path, std::string text) {
    const auto found = bodies.find(path);
    made->texts[path] = {std::move(text), found == bodies.end() ? std::vector<Body>{} : found->second};
  };
  add(main.path, main.text.str());
  for (const auto& [path, dependency] : dependencies) {
    if (dependency.system) {
      made->libraries[path] = dependency.content;
      continue;
    }
    auto buffer = files.getBufferForFile(path);
    if (!buffer) return nullptr;
    const llvm::StringRef text = (*buffer)->getBuffer();
    if (program::hash_bytes({text.data(), text.size()}) != dependency.content) return nullptr;
    add(path, text.str());
  }
  return made;
}

bool as_planned(const ReusePlan& plan, const LastCompile& last, const LastCompile& now) {
  const bool same_files = std::equal(last.texts.begin(), last.texts.end(), now.texts.begin(), now.texts.end(),
                                     [](const auto& before, const auto& after) { return before.first == after.first; });
  const bool same_bodies = std::all_of(plan.bodies.begin(), plan.bodies.end(), [&](const auto& expected) {
    const auto found = now.texts.find(expected.first);
    return found != now.texts.end() && found->second.bodies == expected.second;
  });
  const bool named =
      std::any_of(plan.removed.begin(), plan.removed.end(), [&](const std::string& name) { return now.names(name); });
  return same_files && same_bodies && !named &&
         std::all_of(now.libraries.begin(), now.libraries.end(), [&](const auto& library) {
           const auto before = last.libraries.find(library.first);
           return before == last.libraries.end() || before->second == library.second;
         });
}

void add_taken_over(const ReusePlan& plan, const LastCompile& last, LastCompile& now) {
  for (const auto& [path, ends] : last.emitted_from) {
    const bool main = path == now.main_path;
    if (!main && plan.changed.contains(path)) continue;
    for (const uint32_t end : ends)
      if (!main || end <= plan.main_same) now.emitted_from[path].insert(end);
  }
}

}  // namespace heddle::frontend
