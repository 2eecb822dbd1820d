#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/Passes/PassBuilder.h>

#include "server/frontend/lower/assembly.h"
#include "server/frontend/lower/lowering.h"
#include "server/frontend/lower/sure_results.h"
#include "server/frontend/lower/temporaries.h"
#include "server/frontend/lower/uninitialised.h"
#include "server/frontend/lower/unknown_variables.h"

namespace heddle::frontend {

// Only what keeps statements faithful: SROA touches no object whose address escapes, and the restricted simplifycfg
// neither speculates nor merges accesses. Everything stronger deletes or invents racy accesses.
static constexpr const char* kPipeline =
    "function(heddle-end-temporaries,heddle-keep-stored,sroa,heddle-release-unwritten,"
    "heddle-keep-stored,sroa,heddle-release-unwritten,"
    "heddle-keep-unwritten,sroa,heddle-release-unwritten,heddle-sure-results,"
    "simplifycfg<no-speculate-blocks;no-simplify-cond-branch;no-hoist-common-insts;no-sink-common-insts;"
    "no-switch-to-lookup;no-switch-range-to-icmp;keep-loops;bonus-inst-threshold=0>)";

// Coroutines become state machines before anything else: their locals that live across a suspension move to the frame.
static constexpr const char* kCoroutines = "coro-early,cgscc(coro-split),coro-cleanup,";

// The verification competition: a function of such a name is one atomic section, from its entry to its returns.
static void enclose_atomic_functions(llvm::Module& module) {
  constexpr llvm::StringLiteral kBegin = "__VERIFIER_atomic_begin", kEnd = "__VERIFIER_atomic_end";
  llvm::FunctionType* const type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false);
  for (llvm::Function& function : module) {
    const llvm::StringRef name = function.getName();
    if (function.isDeclaration() || !name.starts_with("__VERIFIER_atomic_") || name == kBegin || name == kEnd) continue;
    llvm::Instruction* const first = &*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    llvm::CallInst::Create(module.getOrInsertFunction(kBegin, type), "", first->getIterator())
        ->setDebugLoc(first->getDebugLoc());
    for (llvm::BasicBlock& block : function)
      if (auto* const leave = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
        llvm::CallInst::Create(module.getOrInsertFunction(kEnd, type), "", leave->getIterator())
            ->setDebugLoc(leave->getDebugLoc());
  }
}

// Of the last instruction before the end of a block that has one, else of the function.
static llvm::DebugLoc place_of(const llvm::UnreachableInst& end) {
  if (end.getDebugLoc()) return end.getDebugLoc();
  for (const llvm::Instruction* at = end.getPrevNode(); at; at = at->getPrevNode())
    if (at->getDebugLoc()) return at->getDebugLoc();
  if (const llvm::BasicBlock* const before = end.getParent()->getSinglePredecessor())
    if (before->getTerminator()->getDebugLoc()) return before->getTerminator()->getDebugLoc();
  llvm::DISubprogram* const function = end.getFunction()->getSubprogram();
  return function ? llvm::DILocation::get(end.getContext(), function->getScopeLine(), 0, function) : nullptr;
}

// Reads of the processor's counter of cycles become calls of a model: a thread's own clock, as all time here.
static void call_for_cycles(llvm::Module& module) {
  llvm::Type* const wide = llvm::Type::getInt64Ty(module.getContext());
  llvm::FunctionType* const type = llvm::FunctionType::get(wide, false);
  const auto count = [&](llvm::CallBase& call) {
    llvm::CallInst* const made =
        llvm::CallInst::Create(module.getOrInsertFunction("__heddle_cycles", type), "", call.getIterator());
    made->setDebugLoc(call.getDebugLoc());
    made->setDoesNotThrow();
    return made;
  };
  const auto replace = [](llvm::CallBase& call, llvm::Value* with) {
    call.replaceAllUsesWith(with);
    call.eraseFromParent();
  };
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
        auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (!call) continue;
        switch (call->getIntrinsicID()) {
          case llvm::Intrinsic::readcyclecounter:
          case llvm::Intrinsic::readsteadycounter:
          case llvm::Intrinsic::x86_rdtsc: replace(*call, count(*call)); break;
          case llvm::Intrinsic::x86_rdtscp: {  // and the number of the processor: 0
            llvm::Value* const both = llvm::Constant::getNullValue(call->getType());
            replace(*call, llvm::InsertValueInst::Create(both, count(*call), 0, "", call->getIterator()));
            break;
          }
          default: break;
        }
      }
}

// The processor's CRC-32C of 8, 16, 32 or 64 bits, a bit at a time; 0: another intrinsic.
static unsigned bits_of_checksum(llvm::Intrinsic::ID id) {
  switch (id) {
    case llvm::Intrinsic::x86_sse42_crc32_32_8: return 8;
    case llvm::Intrinsic::x86_sse42_crc32_32_16: return 16;
    case llvm::Intrinsic::x86_sse42_crc32_32_32: return 32;
    case llvm::Intrinsic::x86_sse42_crc32_64_64: return 64;
    default: return 0;
  }
}

static void expand_checksums(llvm::Module& module) {
  constexpr uint32_t kPolynomial = 0x82f63b78;  // of Castagnoli, its lowest power in the highest bit
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
        auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        const unsigned bits = call ? bits_of_checksum(call->getIntrinsicID()) : 0;
        if (bits == 0) continue;
        llvm::IRBuilder<> build(call);
        llvm::Value* sum = build.CreateTrunc(call->getArgOperand(0), build.getInt32Ty());
        llvm::Value* const data = build.CreateZExt(call->getArgOperand(1), build.getInt64Ty());
        for (unsigned n = 0; n < bits; ++n) {
          if (n % 32 == 0) sum = build.CreateXor(sum, build.CreateTrunc(build.CreateLShr(data, n), build.getInt32Ty()));
          llvm::Value* const odd = build.CreateNeg(build.CreateAnd(sum, 1));
          sum = build.CreateXor(build.CreateLShr(sum, 1), build.CreateAnd(odd, kPolynomial));
        }
        call->replaceAllUsesWith(build.CreateZExt(sum, call->getType()));
        call->eraseFromParent();
      }
}

constexpr const char* kUnreachable = "heddle.unreachable";

// The end of a function that has to return something, and __builtin_unreachable(): the machine says that a thread came
// there. Left alone, simplifycfg would remove the branch that leads to it.
static void keep_unreachable(llvm::Module& module) {
  llvm::FunctionType* const type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false);
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function) {
      auto* const end = llvm::dyn_cast<llvm::UnreachableInst>(block.getTerminator());
      if (!end) continue;
      const auto* const call = llvm::dyn_cast_or_null<llvm::CallBase>(end->getPrevNonDebugInstruction());
      if (call && call->doesNotReturn()) continue;
      end->setDebugLoc(place_of(*end));
      llvm::CallInst* const keep =
          llvm::CallInst::Create(module.getOrInsertFunction(kUnreachable, type), "", end->getIterator());
      keep->setDebugLoc(end->getDebugLoc());
      keep->setDoesNotThrow();
      keep->setDoesNotReturn();
    }
}

static void release_unreachable(llvm::Module& module) {
  llvm::Function* const keep = module.getFunction(kUnreachable);
  if (!keep) return;
  for (llvm::User* call : llvm::make_early_inc_range(keep->users()))
    llvm::cast<llvm::CallInst>(call)->eraseFromParent();
  keep->eraseFromParent();
}

// Clang knows of a function that it does not throw only if it has generated it before its callers. That order is none
// of the program's: what does not throw is found here for all of them, so that equal functions stay equal.
static void mark_what_does_not_throw(llvm::Module& module) {
  const auto may_throw = [](const llvm::Function& function) {
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& instruction : block)
        if (instruction.mayThrow()) return true;
    return false;
  };
  for (bool found = true; found;) {
    found = false;
    for (llvm::Function& function : module) {
      if (function.isDeclaration() || function.isInterposable() || function.doesNotThrow() || may_throw(function))
        continue;
      function.setDoesNotThrow();
      found = true;
    }
  }
}

// Clang numbers the functions that initialise variables along with all else that it numbers. They get the names of
// their variables.
static void name_initialisers(llvm::Module& module) {
  const auto variable_of = [](const llvm::Function& function) -> const llvm::GlobalVariable* {
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& instruction : block)
        for (const llvm::Use& use : instruction.operands())
          if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(use.get()->stripPointerCasts()))
            if (!variable->isDeclaration() && !variable->isConstant() && !variable->getName().starts_with("_ZGV"))
              return variable;
    return nullptr;
  };
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.hasLocalLinkage()) continue;
    for (const llvm::StringRef kind : {"__cxx_global_var_init", "__cxx_global_array_dtor"})
      if (function.getName().starts_with(kind))
        if (const llvm::GlobalVariable* variable = variable_of(function))
          function.setName(kind + "." + variable->getName());
  }
}

void run_passes(llvm::Module& module) {
  name_initialisers(module);
  enclose_atomic_functions(module);
  take_unknown_variables(module);
  call_for_cycles(module);
  expand_checksums(module);
  translate_assembly(module);
  keep_unreachable(module);
  mark_what_does_not_throw(module);
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
    if (name == "heddle-end-temporaries")
      pipeline.addPass(EndTemporaries());
    else if (name == "heddle-keep-stored")
      pipeline.addPass(KeepUnwritten(Round::Earlier));
    else if (name == "heddle-keep-unwritten")
      pipeline.addPass(KeepUnwritten(Round::Last));
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
  release_unreachable(module);
}

}  // namespace heddle::frontend
