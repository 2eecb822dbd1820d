#include "server/frontend/reuse/harmless.h"

#include <clang/Basic/TargetOptions.h>
#include <clang/Frontend/FrontendOptions.h>
#include <clang/Lex/HeaderSearchOptions.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Support/Errc.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace heddle::frontend {
namespace {

// Switches and enumerations; of the texts, those that name no file.
void take_code_generation(const clang::CodeGenOptions& asked, clang::CodeGenOptions& out) {
  static_cast<clang::CodeGenOptionsBase&>(out) = asked;
  out.CodeModel = asked.CodeModel;
  out.LargeDataThreshold = asked.LargeDataThreshold;
  out.DebugCompilationDir = asked.DebugCompilationDir;
  out.DebugPrefixMap = asked.DebugPrefixMap;
  out.FloatABI = asked.FloatABI;
  out.FPDenormalMode = asked.FPDenormalMode;
  out.FP32DenormalMode = asked.FP32DenormalMode;
  out.MainFileName = asked.MainFileName;
  out.RelocationModel = asked.RelocationModel;
  out.TrapFuncName = asked.TrapFuncName;
  out.NoBuiltinFuncs = asked.NoBuiltinFuncs;
  // Of these the switch alone would ask for the file.
  out.setProfileInstr(clang::CodeGenOptions::ProfileNone);
  out.setProfileUse(clang::CodeGenOptions::ProfileNone);
  out.setEmbedBitcode(clang::CodeGenOptions::Embed_Off);
  out.CoverageMapping = out.DumpCoverageMapping = false;
  out.SanitizeCoverageType = 0;
  out.TimePasses = out.TimePassesPerRun = false;
}

// Which warnings are errors decides whether there is a program; where they go does not.
void take_warnings(const clang::DiagnosticOptions& asked, clang::DiagnosticOptions& out) {
  out.Warnings = asked.Warnings;
  out.UndefPrefixes = asked.UndefPrefixes;
  out.IgnoreWarnings = asked.IgnoreWarnings;
  out.Pedantic = asked.Pedantic;
  out.ErrorLimit = asked.ErrorLimit;
  out.TemplateBacktraceLimit = asked.TemplateBacktraceLimit;
}

void take_language(const clang::LangOptions& asked, clang::LangOptions& out) {
  constexpr unsigned kBracketDepthMax = 2000;  // deeper ones are no text that a person wrote
  out = asked;
  out.BracketDepth = std::min<unsigned>(out.BracketDepth, kBracketDepthMax);
  out.ImplicitModules = false;
  out.Sanitize.clear();
  out.XRayInstrument = false;
  for (std::vector<std::string>* lists :
       {&out.NoSanitizeFiles, &out.XRayAlwaysInstrumentFiles, &out.XRayNeverInstrumentFiles, &out.XRayAttrListFiles,
        &out.ProfileListFiles, &out.ModuleFeatures})
    lists->clear();
  for (std::string* text : {&out.ModuleName, &out.CurrentModule, &out.OMPHostIRFile}) text->clear();
}

void take_header_search(const clang::HeaderSearchOptions& asked, clang::HeaderSearchOptions& out) {
  out.Sysroot = asked.Sysroot;
  out.UserEntries = asked.UserEntries;
  out.SystemHeaderPrefixes = asked.SystemHeaderPrefixes;
  out.ResourceDir = asked.ResourceDir;
  out.UseBuiltinIncludes = asked.UseBuiltinIncludes;
  out.UseStandardSystemIncludes = asked.UseStandardSystemIncludes;
  out.UseStandardCXXIncludes = asked.UseStandardCXXIncludes;
  out.UseLibcxx = asked.UseLibcxx;
}

void take_preprocessor(const clang::PreprocessorOptions& asked, clang::PreprocessorOptions& out) {
  out.Macros = asked.Macros;
  out.Includes = asked.Includes;
  out.MacroIncludes = asked.MacroIncludes;
  out.UsePredefines = asked.UsePredefines;
  out.DefineTargetOSMacros = asked.DefineTargetOSMacros;
  out.EmbedEntries = asked.EmbedEntries;
  out.SourceDateEpoch = asked.SourceDateEpoch;
}

// A precompiled header is read as the text it was made of: the driver takes `x.h.pch` where the command says
// `-include x.h`, and build systems name the text next to it.
std::string take_precompiled(const std::string& precompiled, clang::PreprocessorOptions& out,
                             llvm::vfs::FileSystem& files) {
  if (precompiled.empty()) return "";
  std::string_view text = precompiled;
  for (const std::string_view suffix : {".pch", ".gch"})
    if (text.ends_with(suffix)) text.remove_suffix(suffix.size());
  const bool named = std::find(out.Includes.begin(), out.Includes.end(), text) != out.Includes.end();
  if (named) return "";
  if (text == precompiled || !files.exists(std::string(text)))
    return "the command names the precompiled header " + precompiled +
           ", which is not read; name its text with -include";
  out.Includes.insert(out.Includes.begin(), std::string(text));
  return "";
}

class DriverView : public llvm::vfs::ProxyFileSystem {
 public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    const std::string name = path.str();
    constexpr std::string_view kReleases[] = {"/etc/lsb-release",    "/etc/os-release",      "/usr/lib/os-release",
                                              "/etc/redhat-release", "/etc/debian_version",  "/etc/SuSE-release",
                                              "/etc/gentoo-release", "/etc/exherbo-release", "/etc/alpine-release",
                                              "/etc/arch-release"};
    if (std::find(std::begin(kReleases), std::end(kReleases), name) != std::end(kReleases))
      return ProxyFileSystem::openFileForRead(path);
    return llvm::errc::permission_denied;
  }
};

}  // namespace

std::variant<std::shared_ptr<clang::CompilerInvocation>, Objection> harmless(const clang::CompilerInvocation& asked,
                                                                             llvm::vfs::FileSystem& files) {
  const auto& inputs = asked.getFrontendOpts().Inputs;
  if (inputs.size() != 1 || !inputs[0].isFile()) return Objection{"the compile command cannot be understood"};
  const clang::InputKind kind = inputs[0].getKind();
  const bool known = kind.getLanguage() == clang::Language::C || kind.getLanguage() == clang::Language::CXX;
  if (!known || kind.getFormat() != clang::InputKind::Source)
    return Objection{"the command compiles another language; only C and C++ are supported"};
  auto made = std::make_shared<clang::CompilerInvocation>();
  take_language(asked.getLangOpts(), made->getLangOpts());
  made->getTargetOpts() = asked.getTargetOpts();
  take_code_generation(asked.getCodeGenOpts(), made->getCodeGenOpts());
  take_warnings(asked.getDiagnosticOpts(), made->getDiagnosticOpts());
  take_header_search(asked.getHeaderSearchOpts(), made->getHeaderSearchOpts());
  take_preprocessor(asked.getPreprocessorOpts(), made->getPreprocessorOpts());
  made->getFrontendOpts().Inputs = inputs;
  made->getFrontendOpts().DashX = asked.getFrontendOpts().DashX;
  std::string objection =
      take_precompiled(asked.getPreprocessorOpts().ImplicitPCHInclude, made->getPreprocessorOpts(), files);
  if (!objection.empty()) return Objection{std::move(objection)};
  return made;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> driver_view(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  return llvm::makeIntrusiveRefCnt<DriverView>(std::move(files));
}

std::string configuration_objection(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    if (argument == "--config" || argument.starts_with("--config="))
      return "the command names a configuration file (" + argument +
             "): these are not read; write its flags into the command";
  }
  return "";
}

}  // namespace heddle::frontend
