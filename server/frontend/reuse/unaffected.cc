#include "server/frontend/reuse/unaffected.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "server/frontend/reuse/still_linked.h"
#include "server/program/hash.h"

namespace heddle::frontend {
namespace {

std::string_view text_of(const std::string& text, const Body& body) {
  return std::string_view(text).substr(body.begin, body.end - body.begin);
}

// Lines from 1 that may be others: from the first to after the last; without end where the number of lines changed.
struct Lines {
  uint32_t first = 0, end = 0;
  bool has(uint32_t line) const { return first <= line && line < end; }
};

uint32_t lines_in(std::string_view text) { return static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n')); }

Lines changed_lines(std::string_view before, std::string_view now) {
  const auto same =
      static_cast<size_t>(std::mismatch(before.begin(), before.end(), now.begin(), now.end()).first - before.begin());
  const auto differs = static_cast<std::ptrdiff_t>(same);
  const auto same_end = static_cast<size_t>(
      std::mismatch(before.rbegin(), before.rend() - differs, now.rbegin(), now.rend() - differs).first -
      before.rbegin());
  const uint32_t first = lines_in(before.substr(0, same)) + 1;
  if (lines_in(before) != lines_in(now)) return {first, UINT32_MAX};
  return {first, lines_in(before.substr(0, before.size() - same_end)) + 2};
}

// Is one of the places at which the unit has code in the lines of the file?
bool has_places(const program::Unit& unit, const std::string& path, const Lines& lines, FilesNow& files) {
  std::vector<bool> is_file;
  for (const std::string& file : unit.files) is_file.push_back(file == path || files.real_path(file) == path);
  return std::any_of(unit.places.begin(), unit.places.end(), [&](const program::Place& place) {
    return place.file.valid() && is_file[place.file.value] && lines.has(place.line);
  });
}

// Is what the braces say what the parser of this unit would say?
bool ends_at_its_brace(std::string_view body, const Macros& macros, const clang::LangOptions& language) {
  if (!macros.has_braces) return true;
  llvm::StringSet<> words;
  add_words(body, language, words);
  return std::none_of(words.begin(), words.end(),
                      [&](const auto& word) { return macros.names.contains(word.getKey()); });
}

// The file's bodies in its new text; nothing if other text changed, or bodies that the unit makes something of.
std::optional<std::vector<Body>> bodies_now(const LastCompile& last, const std::string& path, const std::string& now,
                                            const clang::LangOptions& language) {
  const ProjectText& before = last.texts.at(path);
  const auto known = last.emitted_from.find(path);
  const std::set<uint32_t>* emitted_from = known == last.emitted_from.end() ? nullptr : &known->second;
  auto same = same_but_for_bodies(before.text, before.bodies, now, language);
  if (!same || !same->added.empty() || !same->removed.empty()) return std::nullopt;
  for (size_t n = 0; n < before.bodies.size(); ++n) {
    const Body& body = before.bodies[n];
    same->bodies[n].by_need = body.by_need;
    if (text_of(before.text, body) == text_of(now, same->bodies[n])) continue;
    if (!body.by_need || !ends_at_its_brace(text_of(now, same->bodies[n]), last.macros, language)) return std::nullopt;
    if (emitted_from == nullptr) continue;
    const auto inside = emitted_from->upper_bound(body.begin);
    if (inside != emitted_from->end() && *inside <= body.end) return std::nullopt;
  }
  return std::move(same->bodies);
}

// The files of others are as they were, by size and time.
bool libraries_are_current(const Stamps& stamps, const std::vector<Overlay>& overlays, FilesNow& files) {
  return std::none_of(overlays.begin(), overlays.end(),
                      [&](const Overlay& overlay) { return stamps.contains(overlay.path); }) &&
         std::all_of(stamps.begin(), stamps.end(),
                     [&](const auto& known) { return files.stamp(known.first) == known.second; });
}

}  // namespace

const std::string* FilesNow::text(const std::string& path, const std::vector<Overlay>& overlays) {
  for (const Overlay& overlay : overlays)
    if (overlay.path == path) return overlay.absent ? nullptr : &overlay.text;
  const auto [at, fresh] = texts_.try_emplace(path);
  if (fresh)
    if (const auto buffer = disk_->getBufferForFile(path)) at->second = (*buffer)->getBuffer().str();
  return at->second ? &*at->second : nullptr;
}

const std::optional<FileStamp>& FilesNow::stamp(const std::string& path) {
  const auto [at, fresh] = stamps_.try_emplace(path);
  if (fresh) at->second = stamp_of(*disk_, path);
  return at->second;
}

const std::string& FilesNow::real_path(const std::string& path) {
  const auto [at, fresh] = real_paths_.try_emplace(path);
  llvm::SmallString<256> real;
  if (fresh && !disk_->getRealPath(path, real)) at->second = real.str().str();
  return at->second;
}

std::optional<Unaffected> unaffected(const LastCompile& last, const MainText& main,
                                     const std::vector<Overlay>& overlays, FilesNow& files,
                                     const clang::LangOptions& language) {
  const auto before_main = last.texts.find(main.path);
  if (!last.unit || before_main == last.texts.end() || before_main->second.text != main.text) return std::nullopt;
  Unaffected result;
  for (const auto& [path, before] : last.texts) {
    if (path == main.path) continue;
    const std::string* now = files.text(path, overlays);
    if (now == nullptr) return std::nullopt;
    if (*now == before.text) continue;
    auto bodies = bodies_now(last, path, *now, language);
    if (!bodies || has_places(*last.unit, path, changed_lines(before.text, *now), files)) return std::nullopt;
    const bool failed = std::any_of(last.diagnostics.begin(), last.diagnostics.end(), [&](const Diagnostic& one) {
      return !one.path.starts_with('/') || one.path == path || files.real_path(one.path) == path;
    });
    if (failed) return std::nullopt;
    result.changed[path] = {*now, std::move(*bodies)};
  }
  if (!libraries_are_current(last.stamps, overlays, files) || !still_linked(last.dependencies)) return std::nullopt;
  if (!as_found(last.lookups, added_by(overlays), files.folders())) return std::nullopt;
  return result;
}

bool confirms(const LastCompile& other, const std::string& path, const ProjectText& supposed) {
  const auto found = other.texts.find(path);
  return found != other.texts.end() && found->second.text == supposed.text && found->second.bodies == supposed.bodies;
}

std::shared_ptr<LastCompile> with_changes(const LastCompile& last, Unaffected now) {
  auto next = std::make_shared<LastCompile>(last);
  for (Dependency& dependency : next->dependencies)
    if (const auto changed = now.changed.find(dependency.file.empty() ? dependency.path : dependency.file);
        changed != now.changed.end())
      dependency.content = program::hash_bytes(changed->second.text);
  for (auto& [path, text] : now.changed) {
    // Bodies have moved, and with them what was made of them.
    const std::vector<Body>& before = last.texts.at(path).bodies;
    std::set<uint32_t> ends;
    if (const auto emitted_from = last.emitted_from.find(path); emitted_from != last.emitted_from.end())
      for (const uint32_t end : emitted_from->second)
        for (size_t n = 0; n < before.size(); ++n)
          if (before[n].begin < end && end <= before[n].end) ends.insert(text.bodies[n].end - (before[n].end - end));
    next->emitted_from[path] = std::move(ends);
    next->texts[path] = std::move(text);
  }
  return next;
}

}  // namespace heddle::frontend
