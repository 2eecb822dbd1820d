#include "server/frontend/frameworks.h"

#include <algorithm>
#include <map>

#include "server/base/mutex.h"
#include "server/frontend/command/compile_command.h"
#include "server/frontend/command/framework_files.h"
#include "server/frontend/command/framework_note.h"
#include "server/frontend/gcc_atomics.h"

namespace heddle::frontend {
namespace {

// Where a framework is not installed, under these names.
constexpr std::pair<std::string_view, std::string_view> kAbsentNames[] = {
    {"gtest/gtest.h", "googletest"},
    {"gmock/gmock.h", "googlemock"},
    {"catch2/catch.hpp", "catch2"},
    {"catch2/catch_test_macros.hpp", "catch2"},
    {"catch2/catch_template_test_macros.hpp", "catch2"},
    {"catch2/catch_all.hpp", "catch2"},
    {"catch2/catch_approx.hpp", "catch2"},
    {"catch2/catch_message.hpp", "catch2"},
    {"catch2/catch_session.hpp", "catch2"},
    {"catch2/catch_tostring.hpp", "catch2"},
    {"catch2/catch_translate_exception.hpp", "catch2"},
    {"catch2/catch_version_macros.hpp", "catch2"},
    {"catch2/matchers/catch_matchers.hpp", "catch2"},
    {"catch2/matchers/catch_matchers_all.hpp", "catch2"},
    {"catch2/matchers/catch_matchers_container_properties.hpp", "catch2"},
    {"catch2/matchers/catch_matchers_contains.hpp", "catch2"},
    {"catch2/matchers/catch_matchers_exception.hpp", "catch2"},
    {"catch2/matchers/catch_matchers_floating_point.hpp", "catch2"},
    {"catch2/matchers/catch_matchers_predicate.hpp", "catch2"},
    {"catch2/matchers/catch_matchers_quantifiers.hpp", "catch2"},
    {"catch2/matchers/catch_matchers_range_equals.hpp", "catch2"},
    {"catch2/matchers/catch_matchers_string.hpp", "catch2"},
    {"catch2/matchers/catch_matchers_templated.hpp", "catch2"},
    {"catch2/matchers/catch_matchers_vector.hpp", "catch2"},
    {"catch2/generators/catch_generators.hpp", "catch2"},
    {"catch2/generators/catch_generators_adapters.hpp", "catch2"},
    {"catch2/generators/catch_generators_all.hpp", "catch2"},
    {"catch2/generators/catch_generators_random.hpp", "catch2"},
    {"catch2/generators/catch_generators_range.hpp", "catch2"},
    {"catch2/benchmark/catch_benchmark.hpp", "catch2"},
    {"catch2/benchmark/catch_benchmark_all.hpp", "catch2"},
    {"doctest/doctest.h", "doctest"},
    {"boost/test/unit_test.hpp", "boost_test"},
    {"boost/test/included/unit_test.hpp", "boost_test"},
    {"boost/test/data/test_case.hpp", "boost_data"},
    {"boost/test/data/monomorphic.hpp", "boost_data"},
    {"boost/test/data/dataset.hpp", "boost_data"},
};

std::string text_of_model(std::string_view model) {
  if (model.empty()) return "";
  return "#pragma once\n#pragma GCC system_header\n#include <heddle/" + std::string(model) + ".hpp>\n";
}

bool is_stdatomic(std::string_view path) { return path.ends_with("/include/stdatomic.h"); }

// Catch2's own sources, when a project compiles them with its tests.
bool is_catch_source(std::string_view path, std::string_view text) {
  return path.ends_with(".cpp") && has_framework_name(path) &&
         text.find("Copyright Catch2 Authors") != std::string_view::npos;
}

class ModelFile : public llvm::vfs::File {
 public:
  ModelFile(llvm::vfs::Status status, std::string text) : status_(std::move(status)), text_(std::move(text)) {}
  llvm::ErrorOr<llvm::vfs::Status> status() override { return status_; }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, int64_t, bool, bool) override {
    return llvm::MemoryBuffer::getMemBufferCopy(text_, name);
  }
  std::error_code close() override { return {}; }

 private:
  llvm::vfs::Status status_;
  std::string text_;
};

class FrameworkFiles : public llvm::vfs::ProxyFileSystem {
 public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    auto found = ProxyFileSystem::status(path);
    const std::string name = path.str();
    if (!found || !may_be_of_framework(name)) return found;
    const std::optional<std::string> model = model_for(name, *found);
    return model ? llvm::vfs::Status::copyWithNewSize(*found, model->size()) : found;
  }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    const std::string name = path.str();
    if (may_be_of_framework(name))
      if (const auto found = ProxyFileSystem::status(path))
        if (const std::optional<std::string> model = model_for(name, *found))
          return std::make_unique<ModelFile>(llvm::vfs::Status::copyWithNewSize(*found, model->size()), *model);
    return ProxyFileSystem::openFileForRead(path);
  }

 private:
  struct Looked {
    uint64_t size = 0;
    llvm::sys::TimePoint<> modified;
    std::optional<std::string> model;
  };
  struct Known {
    base::Mutex mutex;
    std::map<std::string, Looked> by_path HEDDLE_GUARDED_BY(mutex);
  };

  std::optional<std::string> model_for(const std::string& path, const llvm::vfs::Status& status) {
    if (!status.isRegularFile()) return std::nullopt;
    static Known known_models;
    const std::string name = path.starts_with('/') ? path : getCurrentWorkingDirectory().get() + "/" + path;
    {
      const base::MutexLock lock(known_models.mutex);
      const auto known = known_models.by_path.find(name);
      if (known != known_models.by_path.end() && known->second.size == status.getSize() &&
          known->second.modified == status.getLastModificationTime())
        return known->second.model;
    }
    Looked made{status.getSize(), status.getLastModificationTime(), std::nullopt};
    if (auto file = ProxyFileSystem::openFileForRead(path))
      if (auto text = (*file)->getBuffer(path)) made.model = model_of(name, (*text)->getBuffer());
    const base::MutexLock lock(known_models.mutex);
    return (known_models.by_path[name] = std::move(made)).model;
  }
};

}  // namespace

bool may_be_of_framework(std::string_view path) { return has_framework_name(path) || is_stdatomic(path); }

std::optional<std::string> model_of(std::string_view path, std::string_view text) {
  if (is_catch_source(path, text)) return "";
  if (is_stdatomic(path) && text.find("__CLANG_STDATOMIC_H") != std::string_view::npos)
    return std::string(text) + gcc_atomics();
  const FrameworkFile* file = framework_file(path);
  if (!file || text.find(file->mark) == std::string_view::npos) return std::nullopt;
  return text_of_model(file->model);
}

std::optional<std::string> unknown_version(std::string_view path, std::string_view text) {
  const FrameworkFile* file = framework_file(path);
  const bool names_itself = text.find("CATCH_CONFIG") != std::string_view::npos ||
                            text.find("DOCTEST_CONFIG") != std::string_view::npos || path.ends_with("/gtest/gtest.h");
  if (!file || file->ending.empty() || !names_itself || text.find(file->mark) != std::string_view::npos)
    return std::nullopt;
  return std::string(kFrameworkNote) + std::string(path) + " is of a version without a model; Heddle knows " +
         std::string(kGoogleTest) + ", " + std::string(kCatch) + ", " + std::string(kDoctest) + " and " +
         std::string(kBoost);
}

bool is_absent_framework(std::string_view error) {
  return std::any_of(std::begin(kAbsentNames), std::end(kAbsentNames), [&](const auto& name) {
    return error.find("'" + std::string(name.first) + "' file not found") != std::string_view::npos;
  });
}

bool is_framework_model(const std::string& path) { return path.starts_with(kFrameworkFolder); }

FileView with_framework_models(FileView below) {
  auto models = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  const std::string folder(kFrameworkFolder);
  const auto add = [&](const std::string& name, const std::string& text) {
    models->addFile(folder + "/" + name, 0, llvm::MemoryBuffer::getMemBufferCopy(text, folder + "/" + name));
  };
  for (const auto& [name, text] : framework_texts()) add("heddle/" + name, text);
  for (const auto& [name, model] : kAbsentNames) add(std::string(name), text_of_model(model));
  auto both = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::makeIntrusiveRefCnt<FrameworkFiles>(std::move(below)));
  both->pushOverlay(models);
  return both;
}

}  // namespace heddle::frontend
