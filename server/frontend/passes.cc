#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Passes/PassBuilder.h>

#include "server/frontend/lowering.h"
#include "server/frontend/sure_results.h"
#include "server/frontend/uninitialised.h"

namespace heddle::frontend {

// Only what keeps statements faithful: SROA touches no object whose address escapes, and the restricted simplifycfg
// neither speculates nor merges accesses. Everything stronger deletes or invents racy accesses.
static constexpr const char* kPipeline =
    "function(heddle-keep-unwritten,sroa,heddle-release-unwritten,heddle-sure-results,"
    "simplifycfg<no-speculate-blocks;no-simplify-cond-branch;no-hoist-common-insts;no-sink-common-insts;"
    "no-switch-to-lookup;no-switch-range-to-icmp;keep-loops;bonus-inst-threshold=0>)";

// Coroutines become state machines before anything else: their locals that live across a suspension move to the frame.
static constexpr const char* kCoroutines = "coro-early,cgscc(coro-split),coro-cleanup,";

void run_passes(llvm::Module& module) {
  bool coroutines = false;
  for (const llvm::Function& function : module) coroutines |= function.isPresplitCoroutine();
  const std::string pipeline = (coroutines ? kCoroutines : "") + std::string(kPipeline);

  for (llvm::Function& function : module)
    if (!function.isDeclaration()) function.addFnAttr(llvm::Attribute::SanitizeThread);

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::TargetLibraryInfoImpl library(llvm::Triple(module.getTargetTriple()));
  library.disableAllFunctions();
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });

  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  builder.registerPipelineParsingCallback([](llvm::StringRef name, llvm::FunctionPassManager& pipeline, auto) {
    if (name == "heddle-keep-unwritten")
      pipeline.addPass(KeepUnwritten());
    else if (name == "heddle-release-unwritten")
      pipeline.addPass(ReleaseUnwritten());
    else if (name == "heddle-sure-results")
      pipeline.addPass(SureResults());
    else
      return false;
    return true;
  });
  llvm::ModulePassManager passes;
  if (llvm::Error error = builder.parsePassPipeline(passes, pipeline)) {
    llvm::report_fatal_error(std::move(error));
  }
  passes.run(module, modules);
  forget_keeping(module);
}

}  // namespace heddle::frontend
