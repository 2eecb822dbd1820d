// The replies of CMake's file API, version 2 of "codemodel".
#include <algorithm>
#include <filesystem>

#include "server/frontend/command/json_text.h"
#include "server/frontend/command/link_step.h"
#include "server/frontend/command/paths.h"

namespace heddle::frontend {

namespace {

namespace fs = std::filesystem;
using llvm::json::Array;
using llvm::json::Object;

constexpr uint64_t kReplyMost = uint64_t{64} << 20;  // bytes of one file
constexpr size_t kTargetsMost = 10000;

std::string text_of(const Object& object, llvm::StringRef key) { return object.getString(key).value_or("").str(); }

std::optional<BuildKind> kind_of(const std::string& type) {
  if (type == "EXECUTABLE") return BuildKind::Program;
  if (type == "STATIC_LIBRARY") return BuildKind::StaticLibrary;
  if (type == "SHARED_LIBRARY" || type == "MODULE_LIBRARY") return BuildKind::SharedLibrary;
  if (type == "OBJECT_LIBRARY") return BuildKind::Objects;
  return std::nullopt;  // a custom command, an interface
}

// The folders and files of one reply.
struct Reply {
  std::string folder;  // of the reply
  std::string source, build;
  LinkSteps out;
};

// A file of the reply. Its name is one without a folder: the reply cannot lead elsewhere.
std::optional<llvm::json::Value> read_part(Reply& reply, llvm::StringRef name, std::string& problem) {
  const std::string path = reply.folder + "/" + fs::path(name.str()).filename().string();
  std::string why;
  auto value = read_json(path, kReplyMost, why);
  if (value && value->getAsObject()) {
    reply.out.files.push_back(path);
    return value;
  }
  problem = path + " " + (why.empty() ? "holds no object" : why);
  return std::nullopt;
}

void add_sources(const Reply& reply, const Array& sources, LinkStep& step) {
  for (const llvm::json::Value& value : sources) {
    const Object* source = value.getAsObject();
    if (!source) continue;
    const std::string path = absolute_path(text_of(*source, "path"), reply.source);
    if (!source->get("compileGroupIndex")) {  // a header, a rule, or an object of a library of objects
      step.words.push_back(path);
      continue;
    }
    step.sources.push_back(path);
    if (source->getBoolean("isGenerated").value_or(false)) step.generated.push_back(path);
  }
}

void add_link(const Object& target, LinkStep& step) {
  const Object* link = target.getObject("link");
  const Array* fragments = link ? link->getArray("commandFragments") : nullptr;
  if (!fragments) return;
  for (const llvm::json::Value& value : *fragments) {
    const Object* fragment = value.getAsObject();
    if (!fragment) continue;
    const bool options = text_of(*fragment, "role") == "flags";  // others are of no input
    for (std::string& word : split_words(text_of(*fragment, "fragment")))
      if (!options || word.starts_with("-Wl,")) step.words.push_back(std::move(word));
  }
}

std::optional<LinkStep> read_target(const Reply& reply, const Object& target) {
  const std::optional<BuildKind> kind = kind_of(text_of(target, "type"));
  if (!kind) return std::nullopt;
  LinkStep step;
  step.name = text_of(target, "name");
  step.kind = *kind;
  step.directory = reply.build;
  if (const Array* artifacts = target.getArray("artifacts");
      artifacts && !artifacts->empty() && *kind != BuildKind::Objects)
    if (const Object* first = artifacts->front().getAsObject())
      step.output = absolute_path(text_of(*first, "path"), reply.build);
  if (const Array* sources = target.getArray("sources")) add_sources(reply, *sources, step);
  add_link(target, step);
  return step;
}

// The name of the newest codemodel of version 2 that an index lists.
std::string codemodel_of(const Object& index) {
  const Array* objects = index.getArray("objects");
  if (!objects) return "";
  for (const llvm::json::Value& value : *objects) {
    const Object* object = value.getAsObject();
    if (!object || text_of(*object, "kind") != "codemodel") continue;
    const Object* version = object->getObject("version");
    if (version && version->getInteger("major").value_or(0) == 2) return text_of(*object, "jsonFile");
  }
  return "";
}

bool read_targets(Reply& reply, const Object& model, std::string& problem) {
  const Object* paths = model.getObject("paths");
  const Array* configurations = model.getArray("configurations");
  const Object* first = configurations && !configurations->empty() ? configurations->front().getAsObject() : nullptr;
  const Array* targets = first ? first->getArray("targets") : nullptr;
  if (!paths || !targets || targets->size() > kTargetsMost) {
    problem = reply.folder + " has no list of targets that can be read";
    return false;
  }
  reply.source = text_of(*paths, "source");
  reply.build = text_of(*paths, "build");
  for (const llvm::json::Value& value : *targets) {
    const Object* entry = value.getAsObject();
    if (!entry) continue;
    const auto target = read_part(reply, text_of(*entry, "jsonFile"), problem);
    if (!target) return false;
    if (auto step = read_target(reply, *target->getAsObject())) reply.out.steps.push_back(std::move(*step));
  }
  return true;
}

}  // namespace

std::string cmake_reply_index(const std::string& folder) {
  std::string newest;
  std::error_code error;
  for (fs::directory_iterator at(fs::path(folder) / ".cmake/api/v1/reply", error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename().string();  // they sort by time
    if (name.starts_with("index-") && name.ends_with(".json")) newest = std::max(newest, name);
  }
  return newest.empty() ? "" : folder + "/.cmake/api/v1/reply/" + newest;
}

std::optional<LinkSteps> read_cmake_reply(const std::string& folder, std::string& problem) {
  Reply reply;
  const std::string path = cmake_reply_index(folder);
  if (path.empty()) return std::nullopt;
  reply.folder = fs::path(path).parent_path().string();
  const auto index = read_part(reply, path, problem);
  if (!index) return std::nullopt;
  const std::string name = codemodel_of(*index->getAsObject());
  if (name.empty()) {
    problem = path + " lists no codemodel of version 2";
    return std::nullopt;
  }
  const auto model = read_part(reply, name, problem);
  if (!model || !read_targets(reply, *model->getAsObject(), problem)) return std::nullopt;
  return std::move(reply.out);
}

}  // namespace heddle::frontend
