#include "server/engine/explorers/verify.h"

#include <algorithm>
#include <set>

#include "server/engine/explorers/look_inside.h"
#include "server/program/print.h"
#include "server/program/serialise.h"

namespace heddle::engine {

namespace {

constexpr uint64_t kVerifyStates = 300;
constexpr double kVerifySeconds = 30;
constexpr size_t kProblemsMax = 20;

// Collects problems up to a limit.
class Problems {
 public:
  void unless(bool good, const std::string& text) {
    if (!good && all_.size() < kProblemsMax) all_.push_back(text);
  }
  std::vector<std::string> take() { return std::move(all_); }

 private:
  std::vector<std::string> all_;
};

template <typename Ids>
bool are_sorted_and_below(const Ids& ids, size_t count) {
  return std::is_sorted(ids.begin(), ids.end()) &&
         std::all_of(ids.begin(), ids.end(), [&](const auto& id) { return id.value < count; });
}

void verify_roles(const analysis::Facts& facts, Problems& problems) {
  const size_t functions = facts.program->function_count();
  problems.unless(facts.roles_of.size() == functions, "not every function has a list of roles");
  for (size_t r = 0; r < facts.roles.size(); ++r) {
    const analysis::Role& role = facts.roles[r];
    problems.unless(are_sorted_and_below(role.reachable, functions),
                    "role " + role.name + ": its functions are out of order or do not exist");
    for (const program::FunctionId f : role.reachable) {
      if (f.value >= facts.roles_of.size()) continue;
      const auto& roles = facts.roles_of[f.value];
      problems.unless(
          std::binary_search(roles.begin(), roles.end(), analysis::RoleId(static_cast<uint32_t>(r))),
          "role " + role.name + " runs " + facts.program->function(f).display_name + ", whose list of roles lacks it");
    }
  }
  for (size_t f = 0; f < facts.roles_of.size(); ++f)
    for (const analysis::RoleId role : facts.roles_of[f]) {
      const bool known = role.value < facts.roles.size();
      const program::FunctionId id(static_cast<uint32_t>(f));
      const auto reaches = [&] {
        const auto& all = facts.roles[role.value].reachable;
        return std::binary_search(all.begin(), all.end(), id);
      };
      problems.unless(known && reaches(),
                      facts.program->function(id).display_name + " has a role that does not run it");
    }
}

void verify_interactions(const analysis::Facts& facts, Problems& problems) {
  const auto& all = facts.interactions;
  const auto before = [](const analysis::Interaction& a, const analysis::Interaction& b) { return a.at < b.at; };
  problems.unless(std::is_sorted(all.begin(), all.end(), before), "interactions are out of order");
  for (const analysis::Interaction& one : all) {
    const bool exists = one.at.function.value < facts.program->function_count() &&
                        one.at.index < facts.program->function(one.at.function).code.size();
    problems.unless(exists, "an interaction is at no instruction");
    problems.unless(are_sorted_and_below(one.objects, facts.objects.size()) &&
                        are_sorted_and_below(one.mutexes, facts.objects.size()),
                    "an interaction's objects are out of order or do not exist");
  }
}

void verify_objects(const analysis::Facts& facts, Problems& problems) {
  for (const analysis::ObjectId object : facts.global_objects)
    problems.unless(object.value < facts.objects.size(), "a variable has no object");
  for (const auto& parts : facts.sub_objects) {
    uint64_t end = 0;
    for (const analysis::Facts::SubObject& part : parts) {
      problems.unless(part.object.value < facts.objects.size() && part.begin >= end && part.end > part.begin,
                      "sub-objects overlap, are empty or do not exist");
      end = part.end;
    }
  }
}

}  // namespace

std::vector<std::string> verify_unit(const program::Unit& unit) {
  std::vector<std::string> problems = program::verify(unit);
  const std::optional<program::Unit> again = program::read_unit(program::write_unit(unit));
  if (!again)
    problems.push_back("it cannot be read once it is written");
  else if (program::print(*again) != program::print(unit))
    problems.push_back("it is another once it is written and read");
  return problems;
}

std::vector<std::string> verify_facts(const analysis::Facts& facts) {
  Problems problems;
  verify_roles(facts, problems);
  verify_interactions(facts, problems);
  verify_objects(facts, problems);
  return problems.take();
}

std::vector<std::string> verify_impact(const analysis::Facts& facts, const edit::Impact& impact,
                                       const edit::Relevant& relevant) {
  Problems problems;
  for (const edit::RoleId role : impact.modified_roles)
    problems.unless(role.value < facts.roles.size(), "a modified role does not exist");
  bool skipped = false;
  for (const edit::Pair& pair : impact.pairs) {
    problems.unless(pair.fragment < impact.fragments.size(), "a pair is of no fragment");
    for (const edit::ThreadName& thread : {pair.modified, pair.other}) {
      const bool known = thread.role.value < facts.roles.size();
      problems.unless(known, "a pair is of a role that does not exist");
      problems.unless(
          !known || thread.instance == 0 || facts.roles[thread.role.value].multiplicity == analysis::Multiplicity::Many,
          "a pair is of the second instance of a role that has one");
    }
    const auto& roles = impact.modified_roles;
    problems.unless(std::find(roles.begin(), roles.end(), pair.modified.role) != roles.end(),
                    "the modified thread of a pair has no modified role");
    problems.unless(pair.state == edit::PairState::Skipped || !skipped, "a chosen pair comes after a skipped one");
    skipped = skipped || pair.state == edit::PairState::Skipped;
  }
  problems.unless(!impact.kinds.empty(), "the edit is of no kind");
  problems.unless(relevant.objects.size() == facts.objects.size(), "not every object is relevant or irrelevant");
  std::set<edit::ObjectId> touched;  // by statements that other threads can notice
  for (const analysis::Interaction& one : facts.interactions) {
    touched.insert(one.objects.begin(), one.objects.end());
    touched.insert(one.mutexes.begin(), one.mutexes.end());
  }
  for (const edit::ObjectId seed : impact.seeds)
    problems.unless(seed.value < relevant.objects.size() && (relevant.objects[seed.value] || !touched.contains(seed)),
                    "an object that the change touches is not relevant");
  return problems.take();
}

bool is_verified(const Job& job, const v1::JobResult& result) {
  return job.kind == Job::Kind::Explore && result.completeness() == v1::JOB_COMPLETE &&
         result.stats().states() <= kVerifyStates;
}

Work without_reductions(const Work& work, const std::vector<v1::JobResult>& results) {
  Work again = work;
  again.jobs.clear();
  again.last_begins_after = 0;
  again.deadline = base::after_seconds(base::now(), kVerifySeconds);
  for (size_t n = 0; n < work.jobs.size() && n < results.size(); ++n) {
    if (!is_verified(work.jobs[n], results[n])) continue;
    again.jobs.push_back(work.jobs[n]);
    again.jobs.back().task.reductions = first_reductions(1);  // without the first, waiting loops never end
    again.jobs.back().task.budget = {};
    again.jobs.back().task.resume.clear();
  }
  return again;
}

std::vector<std::string> same_findings(const v1::JobResult& reduced, const v1::JobResult& whole) {
  if (reduced.completeness() != v1::JOB_COMPLETE || whole.completeness() != v1::JOB_COMPLETE) return {};
  const auto rules = [](const v1::JobResult& result) {
    std::set<std::string> out;
    for (const v1::Finding& finding : result.findings()) out.insert(finding.rule());
    return out;
  };
  std::vector<std::string> out;
  const std::set<std::string> with = rules(reduced), without = rules(whole);
  for (const std::string& rule : without)
    if (!with.contains(rule)) out.push_back("a " + rule + " is found without reductions only");
  for (const std::string& rule : with)
    if (!without.contains(rule)) out.push_back("a " + rule + " is found with reductions only");
  return out;
}

}  // namespace heddle::engine
