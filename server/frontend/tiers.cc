// The tiers of a compile that rest on precompiled text, best first, and the functions of the last compile on top.
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <string>
#include <utility>

#include "server/frontend/attempt.h"
#include "server/frontend/compiler_state.h"

namespace heddle::frontend {

const std::vector<Compiler::State::BaseTier>& Compiler::State::base_tiers() {
  static const std::vector<BaseTier> tiers = {
      {Tier::ExtendedPreamble, &State::offer_extended}, {Tier::Preamble, &State::offer_preamble},
      {Tier::LibraryHeaders, &State::offer_library},    {Tier::Preamble, &State::offer_new_preamble},
      {Tier::Scratch, &State::offer_scratch},
  };
  return tiers;
}

Compiler::State::Offer Compiler::State::offer_extended(Job& job, Base& base, std::string& why_not) {
  why_not = job.file->extended ? "the text before the place that it was prepared for changed, or a header did"
                               : "none is prepared for this place";
  bool ready = false;
  if (!run_guarded([&] { ready = extended_is_current(job); })) return Offer::Crashed;
  if (ready) base.extended = &*job.file->extended;
  return ready ? Offer::Ready : Offer::No;
}

Compiler::State::Offer Compiler::State::offer_preamble(Job& job, Base& base, std::string& why_not) {
  why_not = job.file->preamble ? "an include changed, or a header that it leads to" : "none is built yet";
  bool ready = false;
  if (!run_guarded([&] { ready = preamble_is_current(job); })) return Offer::Crashed;
  if (ready) base.preamble = &*job.file->preamble;
  return ready ? Offer::Ready : Offer::No;
}

Compiler::State::Offer Compiler::State::offer_library(Job& job, Base& base, std::string& why_not) {
  const File& file = *job.file;
  if (!may_use_library(*file.invocation))
    why_not = "it is not for C, -include, or modules of headers";
  else if (file.headers.empty())
    why_not = "it is not known which of these headers the file includes";
  else if (file.objections >= kObjectionsMax)
    why_not = "its text objected several times, or the headers do not compile together";
  else if (file.costs.worth_building())
    why_not = "compiles without a preamble have cost as much as building one";
  if (!why_not.empty()) return Offer::No;
  if (!make_library(job, base.library)) return Offer::Crashed;
  if (!base.library) why_not = "the headers do not compile together";
  return base.library ? Offer::Ready : Offer::No;
}

Compiler::State::Offer Compiler::State::offer_new_preamble(Job& job, Base& base, std::string& why_not) {
  if (is_for_later(job)) {
    why_not = "the file may not be compiled again: one is built by the second compile, or between compiles";
    return Offer::No;
  }
  why_not = "the file begins with no include, or its includes have errors";
  if (!run_guarded([&] { build_preamble(job); })) return Offer::Crashed;
  if (job.file->preamble) base.preamble = &*job.file->preamble;
  return base.preamble ? Offer::Ready : Offer::No;
}

Compiler::State::Offer Compiler::State::offer_scratch(Job&, Base&, std::string&) { return Offer::Ready; }

// Which functions of the last compile this one may use; nothing: none.
std::optional<ReusePlan> Compiler::State::plan_functions(Job& job, const Base& base, std::string& why_not) {
  File& file = *job.file;
  const PrecompiledPrefix* prefix = base.prefix();
  if (!options.tiers.on(Tier::Functions))
    why_not = "switched off";
  else if (file.pause > 0)
    why_not = "it failed before; " + std::to_string(file.pause--) + " compiles do without";
  else if (!base.library && !prefix)
    why_not = "nothing of the text is precompiled";
  else if (!file.last)
    why_not = "the last compile of the file left nothing";
  if (!why_not.empty()) return std::nullopt;
  FoldersNow now;
  std::optional<ReusePlan> plan;
  if (!as_found(file.last->lookups, job.added, now)) {
    why_not = "a file that was missing may be there now";
    return plan;
  }
  const MainText main{file.last->main_path, job.text->getBuffer()};
  plan = plan_reuse(*file.last, main, *job.files, file.invocation->getLangOpts(),
                    prefix ? prefix->identifiers.get() : file.known.get());
  if (!plan) why_not = "more than bodies of functions changed";
  return plan;
}

// False: it could not be done on this base; the job's objection says why.
bool Compiler::State::compile(const CompileCommand& command, Job& job, const Base& base) {
  constexpr unsigned kFailuresMax = 2, kPause = 4;
  File& file = *job.file;
  std::string why_not;
  const auto note = [&] {
    std::erase_if(job.notes, [](const TierNote& known) { return known.tier == Tier::Functions; });
    job.notes.push_back({Tier::Functions, why_not});
  };
  if (const std::optional<ReusePlan> plan = plan_functions(job, base, why_not)) {
    const Outcome outcome = Attempt(*this, command, job, base, &*plan).run();
    if (outcome != Outcome::NotReusable) {
      note();
      return outcome == Outcome::Done;
    }
    why_not = job.objection;
    if (++file.failures == kFailuresMax) {
      file.failures = 0;
      file.pause = kPause;
    }
  }
  note();
  return Attempt(*this, command, job, base, nullptr).run() == Outcome::Done;
}

}  // namespace heddle::frontend
