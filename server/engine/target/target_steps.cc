// The explorations of a check after step 1 (target_pairs.cc): step 2 over the affected objects or everything.
#include <algorithm>

#include "server/engine/explorers/look_inside.h"
#include "server/engine/target/anchors.h"
#include "server/engine/target/guilty_edit.h"
#include "server/engine/target/heap_names.h"
#include "server/engine/target/target_check.h"
#include "server/engine/wire/convert.h"
#include "server/machine/code/image.h"
#include "server/program/select.h"
#include "server/text/lines.h"

namespace heddle::engine {

namespace {

// A race of a statement that reads and writes shows as several; to people it is one.
std::string places_key(const v1::Finding& finding) {
  std::set<std::string> places;
  for (const v1::Place& place : finding.places())
    places.insert(place.file() + ":" + std::to_string(place.line()) + ":" + std::to_string(place.column()));
  std::string key;
  for (const std::string& place : places) key += place + "\n";
  return key;
}

std::string text_key(const std::string& key) { return key + " text"; }

}  // namespace

bool reusable(const v1::JobResult& result) {
  return result.completeness() == v1::JOB_COMPLETE || result.completeness() == v1::JOB_GUEST_LIMIT;
}

// A limit that is given counts exploring, not compiling and analysing.
base::SteadyTime TargetCheck::deadline(double default_seconds, double share) const {
  if (request_.time_limit_seconds > 0) return base::after_seconds(search_started_, request_.time_limit_seconds * share);
  return base::after_seconds(base::now(), default_seconds);
}

Job TargetCheck::pair_job(const edit::Pair& pair) const {
  Job job;
  job.task.mode = explore::Mode::Pairwise;
  job.task.fragment = impact_.fragments[pair.fragment];
  job.task.modified = pair.modified;
  job.task.other = pair.other;
  if (!relevant_.everything) job.task.relevant = relevant_.objects;
  job.task.machine = settings_.machine;
  job.task.reductions = first_reductions(settings_.reductions);
  job.task.each_race = false;     // heard() keeps one
  job.task.follow_races = false;  // what races do is searched after step 2
  return job;
}

// Everything the exploration of a pair depends on. The program counts as a whole: any thread may run in it.
// Of a program by its content, and of the files it is in: findings name them.
void TargetCheck::add_program(program::Hasher& h) const {
  h.hash(request_.version->program()->content());
  for (const program::UnitPtr& unit : request_.version->units()) h.text(unit->path);
}

std::string TargetCheck::pair_key(const edit::Pair& pair) const {
  const edit::Fragment& fragment = impact_.fragments[pair.fragment];
  const program::Program& program = *request_.version->program();
  const analysis::Facts& facts = *request_.version->facts();
  program::Hasher h;
  h.hash(settings_.hash()).number(static_cast<uint64_t>(explore::Mode::Pairwise));
  add_program(h);
  h.number(static_cast<uint64_t>(fragment.kind));
  h.text(fragment.function.valid() ? program.stable_name(fragment.function) : "");
  for (const auto* indices : {&fragment.code, &fragment.statements}) {
    h.number(indices->size());
    for (const uint32_t index : *indices) h.number(index);
  }
  h.number(fragment.inside.size());
  for (const program::CodeAddress at : fragment.inside) h.number(at.bits());
  h.number(relevant_.everything);
  for (const bool relevant : relevant_.objects) h.number(relevant);
  for (const edit::ThreadName& name : {pair.modified, pair.other}) {
    const analysis::Role& role = facts.roles[name.role.value];
    h.text(program.stable_name(role.entry)).text(role.callable.valid() ? program.stable_name(role.callable) : "");
    h.number(role.created_at.size()).number(name.role.value).number(name.instance);
  }
  return h.finish().hex();
}

std::string TargetCheck::whole_key(const Job& job) const {
  program::Hasher h;
  h.hash(settings_.hash());
  add_program(h);
  h.number(static_cast<uint64_t>(job.task.mode)).number(job.task.relevant.size());
  for (const bool relevant : job.task.relevant) h.number(relevant);
  h.number(job.task.follow_races);
  for (const machine::CodeAddress at : job.task.visible) h.number(at.bits());
  return h.finish().hex();
}

// What an exploration of the same program found. Its text may have been another one, as the index's may differ from the
// disk's: what it found is reported at today's places, and is not known where nothing says what the places were.
std::optional<v1::JobResult> TargetCheck::known_result(const std::string& key) {
  if (settings_.look || settings_.memory_model != v1::MEMORY_MODEL_DEFAULT) return std::nullopt;
  std::optional<v1::JobResult> known = project_.ledger().get<v1::JobResult>(Table::Job, key);
  if (!known || known->findings().empty()) return known;
  const auto text = project_.ledger().get<v1::VersionRecord>(Table::Job, text_key(key));
  const VersionPtr version = text ? project_.version_of(*text) : nullptr;
  if (!version) return std::nullopt;
  const Anchors anchors(version->program(), request_.version->program());
  for (v1::Finding& finding : *known->mutable_findings()) finding = anchors.moved(finding);
  return known;
}

void TargetCheck::remember_result(const std::string& key, const v1::JobResult& result) {
  if (settings_.memory_model != v1::MEMORY_MODEL_DEFAULT) return;
  project_.ledger().put(Table::Job, key, result);
  if (!result.findings().empty())
    project_.ledger().put(Table::Job, text_key(key), project_.record_of(*request_.version));
}

void name_objects(v1::Finding& finding, FileStates& texts) {
  std::map<std::string, std::vector<std::string>> files;
  name_heap_memory(finding, [&](const std::string& file, uint32_t line) {
    if (file.starts_with("/usr/")) return std::string();  // the library's own words
    const auto [lines, fresh] = files.try_emplace(file);
    if (fresh)
      if (const auto read = texts.text(file))
        for (const std::string_view text : text::lines_with_ends(read->first)) lines->second.emplace_back(text);
    return line == 0 || line > lines->second.size() ? std::string() : lines->second[line - 1];
  });
}

void TargetCheck::heard(v1::Finding finding, verdict::Search search) {
  name_objects(finding, project_.files());
  if (present_index_.count(finding.id())) return;
  if (finding.rule() == "data-race") {
    const auto [at, fresh] = races_.emplace(places_key(finding), present_.size());
    if (!fresh) {
      present_index_[finding.id()] = at->second;
      return;
    }
  }
  if (const auto old = open_before_.find(finding.id()); old != open_before_.end()) {
    if (finding.state() != v1::FINDING_NOT_CONFIRMED) finding.set_state(v1::FINDING_STILL_THERE);
    finding.set_found_at_unix_ms(old->second.found_at_unix_ms());
    finding.set_step(old->second.step());
    keep_blame(finding, old->second);
    replaced_.erase(finding.id());
  } else if (const v1::Finding* same = replaced_by(finding)) {
    finding.set_state(v1::FINDING_CHANGED);
    finding.set_replaces(same->id());
    finding.set_found_at_unix_ms(same->found_at_unix_ms());
    replaced_[same->id()] = finding.id();
  }
  if (finding.edit().empty() && finding.state() != v1::FINDING_STILL_THERE && base_.version)
    for (const v1::Fragment& fragment : guilty_edit(diffed_, finding)) *finding.add_edit() = fragment;
  if (finding.found_at_unix_ms() == 0) finding.set_found_at_unix_ms(base::unix_ms());
  if (finding.step().empty()) finding.set_step(verdict::name_of(search));
  suppress(finding);
  keep_origins(finding);
  groups_.join(finding);
  finding.set_target(request_.name);
  if (stats_.ms().first_finding() < 0) stats_.mutable_ms()->set_first_finding(base::ms_since(request_.started));
  present_index_[finding.id()] = present_.size();
  v1::Event event;
  *event.mutable_finding() = finding;
  present_.push_back(std::move(finding));
  emit_(event);
}

// What a finding follows from, as far as it is reported here as a finding of its own: a race that is suppressed, or was
// there before the edit, does not take along what it leads to.
void TargetCheck::keep_origins(v1::Finding& finding) const {
  if (!finding.follows_from().empty()) finding.set_inside_race(true);
  std::set<std::string> origins;
  for (const std::string& id : finding.follows_from()) {
    const auto known = present_index_.find(id);
    if (known == present_index_.end()) continue;
    const v1::Finding& race = present_[known->second];
    if (race.id() == finding.id() || race.has_suppressed() || race.older()) continue;
    if (race.follows_from().empty())
      origins.insert(race.id());
    else
      origins.insert(race.follows_from().begin(), race.follows_from().end());
  }
  origins.erase(finding.id());
  finding.mutable_follows_from()->Assign(origins.begin(), origins.end());
}

// Who stands for a defect is settled with the verdict that counts it.
void TargetCheck::report_groups() {
  for (const size_t n : regroup(present_, leaders_)) {
    v1::Event event;
    *event.mutable_finding() = present_[n];
    if (present_[n].older()) event.mutable_finding()->set_state(v1::FINDING_STILL_THERE);
    emit_(event);
  }
  for (const v1::Finding& finding : present_)
    if (!is_led(finding)) leaders_.insert(finding.id());
}

void TargetCheck::note_limits(const v1::JobResult& result) {
  for (const v1::JobLimit& limit : result.limits()) {
    v1::JobLimit& known = limits_[limit.rule() + "\n" + limit.message() + "\n" + limit.place().file() + ":" +
                                  std::to_string(limit.place().line())];
    const uint64_t before = known.count();
    known = limit;
    known.set_count(before + limit.count());
  }
}

// Of a program that ended before it did what it is for, nothing was seen: its threads were not started, or main called
// nothing of it. A test case is given nothing that would make it start them.
void TargetCheck::note_what_was_not_begun() {
  if (threads_met_ != 1 || !limits_.empty() || !incomplete_.empty() || request_.is_test_case) return;
  if (!present_.empty() && !finishes_) return;  // an error ended it before
  const bool nothing = !runs_functions_ && has_more_than_main();
  if (!nothing && scope_facts_.one_thread && !has_thread_creation()) return;
  v1::JobLimit limit;
  limit.set_rule("not-begun");
  limit.set_message(std::string(nothing ? "main calls no other function of the project" : "main starts no thread") +
                    " as it is run here: `arguments` and `stdin` in .heddle.yaml say what it is given");
  limit.set_count(1);
  limits_[limit.rule()] = limit;
}

bool TargetCheck::has_more_than_main() const {
  const program::Program& program = *request_.version->program();
  for (uint32_t f = 0; f < program.function_count(); ++f) {
    if (f != request_.version->image()->main_function &&
        program::is_written_in_project(program.function(program::FunctionId(f))))
      return true;
  }
  return false;
}

// In code that main reaches: a table of what is to be started may be empty, so that the analysis knows of no thread.
bool TargetCheck::has_thread_creation() const {
  const analysis::Facts& facts = *request_.version->facts();
  return std::any_of(facts.interactions.begin(), facts.interactions.end(), [&](const analysis::Interaction& one) {
    return one.kind == analysis::InteractionKind::Create && !facts.roles_of[one.at.function.value].empty();
  });
}

void TargetCheck::note_what_never_ran() {
  if (threads_met_ > 1 && scope_facts_.one_thread) {  // a defect of the analysis
    incomplete_.push_back("a thread was started that the analysis of the program does not know of");
    step2_complete_ = false;
  }
  if (threads_met_ > 0 && !finishes_ && !present_.empty()) {
    scope_.set_never_ends(true);
    scope_.add_limits(
        "no interleaving that was explored comes to a regular end: what lies beyond its errors is searched when they "
        "are mended");
  }
  note_what_was_not_begun();
}

void TargetCheck::count(const std::string& job_name, const v1::JobResult& result, double seconds) {
  add(stats_, result.stats());
  note_assumptions(result);
  note_limits(result);
  if (reusable(result)) return;
  incomplete_.push_back(incomplete_text(job_name, result, seconds));
  if (result.completeness() == v1::JOB_CRASHED) lost_explorer_ = true;
  if (result.completeness() == v1::JOB_TIME_LIMIT) limit_seconds_ = std::max(limit_seconds_, seconds);
}

// Step 2, what follows from races, and full: one job over everything that is relevant.
Job TargetCheck::whole_job(bool follow_races) const {
  Job job;
  const bool whole_program = request_.full || scope_facts_.one_thread || relevant_.everything;
  job.task.mode = whole_program ? explore::Mode::Full : explore::Mode::Affected;
  if (!whole_program) job.task.relevant = relevant_.objects;
  job.task.machine = settings_.machine;
  job.task.reductions = first_reductions(settings_.reductions);
  job.task.each_race = false;  // heard() keeps one
  job.task.follow_races = follow_races;
  if (settings_.memory_model != v1::MEMORY_MODEL_DEFAULT) {
    job.task.mode = explore::Mode::Graphs;
    job.task.rules = graph_rules(static_cast<v1::MemoryModel>(settings_.memory_model));
  }
  return job;
}

Work TargetCheck::whole_work() const {
  Work work;
  work.image = request_.version->image();
  work.facts = request_.version->facts();
  work.background = request_.background;
  const bool first = !base_.version || request_.full;
  if (request_.full && request_.time_limit_seconds == 0)
    work.deadline = base::SteadyTime::max();
  else
    work.deadline = first && request_.time_limit_seconds == 0
                        ? base::after_seconds(search_started_, settings_.first_seconds)
                        : deadline(settings_.step2_seconds, 1);
  return work;
}

// Runs the jobs unless the ledger knows what the last of them, which covers the others, finds. If it was interrupted,
// killed or out of time before, it continues where it stood. Nothing: interrupted.
std::optional<v1::JobResult> TargetCheck::run_whole(Work work, const WholeStep& what) {
  const base::SteadyTime start = base::now();
  const std::string key = whole_key(work.jobs.back());
  if (const auto known = known_result(key); known && reusable(*known)) {
    for (const v1::Finding& finding : known->findings()) heard(finding, what.search);
    note_limits(*known);
    note_assumptions(*known);
    return known;
  }
  const std::string stand_key = key + " stands";
  const auto stand = known_result(stand_key);
  const auto with_earlier = [&](v1::JobResult result) {
    if (!stand) return result;
    result.mutable_stats()->set_resumed(stand->stats().executions());
    for (const v1::Finding& finding : stand->findings()) {
      const auto same = [&](const v1::Finding& other) { return other.id() == finding.id(); };
      if (std::none_of(result.findings().begin(), result.findings().end(), same)) *result.add_findings() = finding;
    }
    return result;
  };
  if (stand) {
    for (const v1::Finding& finding : stand->findings()) heard(finding, what.search);
    work.jobs.back().task.resume = stand->saved();
  }
  const double seconds =
      work.deadline == base::SteadyTime::max() ? 0 : std::max(0.0, base::seconds_until(work.deadline));
  ExplorerListener listener;
  listener.finding = [&](uint32_t, const v1::Finding& finding) { heard(finding, what.search); };
  const size_t jobs = work.jobs.size();
  listener.saved = [&](uint32_t job, const v1::JobResult& now) {
    if (job + 1 != jobs) return;
    remember_result(stand_key, with_earlier(now));
    project_.units().flush();  // an engine that is killed leaves the places of the findings, too
    project_.ledger().commit();
  };
  listener.progress = [&](uint32_t done, const v1::Statistics& stats) {
    v1::Event event;
    v1::Progress& progress = *event.mutable_progress();
    progress.set_phase(verdict::name_of(what.phase));
    progress.set_done(done);
    progress.set_of(static_cast<uint32_t>(jobs));
    *progress.mutable_stats() = stats;
    progress.set_seconds(base::ms_since(request_.started) / 1000);
    emit_(event);
  };
  const Explorers::Outcome outcome = searches_in_parts(work, stand ? &*stand : nullptr)
                                         ? run_in_parts(work, listener, stand ? &*stand : nullptr)
                                         : run_with_concurrent_search(std::move(work), listener);
  stats_.mutable_ms()->set_explore(stats_.ms().explore() + base::ms_since(start));
  if (outcome.interrupted) return std::nullopt;
  for (size_t i = 0; i + 1 < outcome.results.size(); ++i) add(stats_, outcome.results[i].stats());
  const v1::JobResult last = with_earlier(outcome.results.back());
  count(what.name, last, seconds);
  if (reusable(last)) {
    remember_result(key, last);
    project_.ledger().erase(Table::Job, stand_key);
    project_.ledger().erase(Table::Job, text_key(stand_key));
  }
  return last;
}

// All interleavings were explored: nothing is left of the pairs that step 1 did not bring to an end.
void TargetCheck::pairs_are_covered() {
  step1_complete_ = true;
  scope_.set_step1(v1::STEP_COMPLETE);
  scope_.set_pairs_explored(scope_.pairs_explored() + scope_.pairs_owed());
  scope_.set_pairs_owed(0);
  incomplete_.clear();
  limit_seconds_ = 0;
  for (v1::Pair& pair : *diffed_.mutable_pairs())
    if (verdict::is(pair.state(), verdict::PairState::Inconclusive))
      pair.set_state(verdict::name_of(verdict::PairState::Clear));
}

// Reference counts, words of futures: what explore::ValueOrder trusts.
bool TargetCheck::library_reads_atomics() const {
  const program::Program& program = *request_.version->program();
  const auto atomic = [](const program::Instruction& i) {
    return (i.op == program::Opcode::AtomicLoad || i.op == program::Opcode::AtomicUpdate) &&
           program::order_of(i) != program::MemoryOrder::SequentiallyConsistent;
  };
  bool cxx = false, reads = false;
  for (uint32_t f = 0; f < program.function_count(); ++f) {
    const program::FunctionId id(f);
    const program::Function& function = program.function(id);
    if (function.in_project)
      cxx = cxx || !program.unit(program.unit_of(id)).path.ends_with(".c");
    else
      reads = reads || std::any_of(function.code.begin(), function.code.end(), atomic);
  }
  return cxx && reads;
}

bool TargetCheck::run_step2() {
  const bool alone = request_.full || scope_facts_.one_thread;  // no steps: one exploration is all there is
  Work work = whole_work();
  work.jobs.push_back(whole_job(alone));
  if (work.jobs[0].task.mode != explore::Mode::Graphs) work.jobs[0].task.ladder_share = kLadderShare;
  const bool whole_program = work.jobs[0].task.mode != explore::Mode::Affected;
  WholeStep what;
  what.name = scope_facts_.one_thread ? "the program's run" : whole_program ? "all interleavings" : "step 2";
  what.search = whole_program ? verdict::Search::Full : verdict::Search::Affected;
  what.phase = whole_program ? verdict::Phase::Full : verdict::Phase::Step2;
  const std::optional<v1::JobResult> result = run_whole(std::move(work), what);
  if (!result) return false;
  for (const uint64_t at : result->racy()) racy_.insert(at);
  step2_complete_ = reusable(*result);
  whole_searched_ = whole_program && step2_complete_;
  if (!step2_complete_ && result->switches() > 0 && result->limits().empty())
    scope_facts_.preemptive_switches = static_cast<uint32_t>(result->switches() - 1);
  if (const std::string busiest = busiest_text(*result); !step2_complete_ && !busiest.empty())
    busiest_ = what.name + ": " + busiest;
  if (whole_searched_) {  // limits that only searches of parts came to say nothing then
    limits_.clear();
    note_limits(*result);
  }
  // From this number of states on they may be searched by states (server/explore/README.md).
  if (result->stats().states() > explore::Reductions{}.states_before_matching && library_reads_atomics())
    assume(
        "your code does not decide when it may touch other data by what the C++ library reads of its own atomic "
        "variables (use_count() of a shared_ptr, whether a future is ready)");
  if (settings_.memory_model != v1::MEMORY_MODEL_DEFAULT) add_remedies_to_reported();
  if (whole_program && step2_complete_ && !alone && !step1_complete_) pairs_are_covered();
  const v1::StepState state = step2_complete_ ? v1::STEP_COMPLETE : v1::STEP_INCOMPLETE;
  if (!alone) scope_.set_step2(state);
  if (whole_program) scope_.set_full(state);
  return true;
}

// What the races do: everything once more, with the statements that race as scheduling points; pairs first.
bool TargetCheck::run_consequences() {
  const std::vector<std::string> races = open_races();
  const bool user_waits = !request_.background && !request_.full;  // a full search is the way to ask for it
  if (user_waits && (only_known_races() || known_not_to_end(races))) {
    scope_.set_consequences(v1::STEP_INCOMPLETE);
    return true;
  }
  Work work = whole_work();
  if (user_waits) {
    work.deadline = std::min(work.deadline, base::after_seconds(base::now(), settings_.consequences_seconds));
    work.quiet_seconds = std::max(settings_.consequences_quiet_seconds, stats_.ms().explore() / 4000);
  }
  for (const edit::Pair& pair : impact_.pairs)
    if (pair.state == edit::PairState::Chosen) work.jobs.push_back(pair_job(pair));
  for (Job& job : work.jobs) job.seconds_max = settings_.step1_seconds * kPairShare;
  work.jobs.push_back(whole_job(true));
  for (Job& job : work.jobs) {
    job.task.follow_races = true;
    for (const uint64_t at : racy_) job.task.visible.push_back(machine::CodeAddress::from_bits(at));
  }
  const std::vector<std::string> incomplete = incomplete_;
  const double limit_seconds = limit_seconds_;
  const std::optional<v1::JobResult> result = run_whole(
      std::move(work), {"what the races lead to", verdict::Search::Consequences, verdict::Phase::Consequences});
  if (!result) return false;
  consequences_complete_ = reusable(*result);
  if (!consequences_complete_) remember_unended(races);
  if (!consequences_complete_ && !lost_explorer_) {  // the verdict has words of its own for that
    incomplete_ = incomplete;
    limit_seconds_ = limit_seconds;
  }
  scope_.set_consequences(consequences_complete_ ? v1::STEP_COMPLETE : v1::STEP_INCOMPLETE);
  return true;
}

}  // namespace heddle::engine
