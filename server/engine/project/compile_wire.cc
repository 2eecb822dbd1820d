#include "server/engine/project/compile_wire.h"

#include <algorithm>
#include <map>

#include "server/disk/utf8_name.h"
#include "server/program/serialise.h"

namespace heddle::engine {

using base::WireReader;
using base::WireWriter;

namespace {

enum class UnitIs : uint8_t { None, Known, Given };

void write_hash(WireWriter& out, const program::Hash& hash) { out.number(hash.high).number(hash.low); }

program::Hash read_hash(WireReader& in) {
  program::Hash hash;
  hash.high = in.number();
  hash.low = in.number();
  return hash;
}

// The bindings name every member: a new one does not compile until it is sent, too.
void write(WireWriter& out, const frontend::Diagnostic& diagnostic) {
  const auto& [severity, path, line, column, message] = diagnostic;
  out.number(static_cast<uint64_t>(severity)).text(path).number(line).number(column).text(message);
}

void read(WireReader& in, frontend::Diagnostic& out) {
  auto& [severity, path, line, column, message] = out;
  severity = static_cast<frontend::Severity>(std::min<uint64_t>(in.number(), 2));
  path = in.text();
  line = static_cast<uint32_t>(in.number());
  column = static_cast<uint32_t>(in.number());
  message = in.text();
}

void write(WireWriter& out, const frontend::Dependency& dependency) {
  const auto& [path, content, system, file] = dependency;
  out.text(path).number(system).text(file);
  write_hash(out, content);
}

void read(WireReader& in, frontend::Dependency& out) {
  auto& [path, content, system, file] = out;
  path = disk::utf8_name(std::string(in.text()));
  system = in.number() != 0;
  file = disk::utf8_name(std::string(in.text()));
  content = read_hash(in);
}

void write(WireWriter& out, const frontend::FolderState& folder) {
  const auto& [path, modified_ns, changed_ns, inode, device] = folder;
  out.text(path).number(static_cast<uint64_t>(modified_ns)).number(static_cast<uint64_t>(changed_ns));
  out.number(inode).number(device);
}

void read(WireReader& in, frontend::FolderState& out) {
  auto& [path, modified_ns, changed_ns, inode, device] = out;
  path = disk::utf8_name(std::string(in.text()));
  modified_ns = static_cast<int64_t>(in.number());
  changed_ns = static_cast<int64_t>(in.number());
  inode = in.number();
  device = in.number();
}

void write(WireWriter& out, const frontend::TierNote& note) {
  const auto& [tier, why_not] = note;
  out.number(static_cast<uint64_t>(tier)).text(why_not);
}

void read(WireReader& in, frontend::TierNote& out) {
  auto& [tier, why_not] = out;
  tier = static_cast<frontend::Tier>(std::min<uint64_t>(in.number(), static_cast<uint64_t>(frontend::Tier::Scratch)));
  why_not = in.text();
}

void write_texts(WireWriter& out, const std::vector<std::string>& texts) {
  out.number(texts.size());
  for (const std::string& text : texts) out.text(text);
}

void read_texts(WireReader& in, std::vector<std::string>& out) {
  out.resize(in.count(sizeof(uint64_t)));
  for (std::string& text : out) text = in.text();
}

void write(WireWriter& out, const frontend::Absent& absent);
void read(WireReader& in, frontend::Absent& out);

template <typename Value>
void write_all(WireWriter& out, const std::vector<Value>& values) {
  out.number(values.size());
  for (const Value& value : values) write(out, value);
}

template <typename Value>
void read_all(WireReader& in, std::vector<Value>& out) {
  out.resize(in.count(2 * sizeof(uint64_t)));
  for (Value& value : out) read(in, value);
}

void write(WireWriter& out, const frontend::Absent& absent) {
  const auto& [folders, names] = absent;
  write_all(out, folders);
  write_texts(out, names);
}

void read(WireReader& in, frontend::Absent& out) {
  auto& [folders, names] = out;
  read_all(in, folders);
  read_texts(in, names);
  for (std::string& name : names) name = disk::utf8_name(name);
}

}  // namespace

void write_paths(WireWriter& out, const std::vector<std::string>& paths) { write_texts(out, paths); }

std::optional<std::vector<std::string>> read_paths(WireReader& in) {
  std::vector<std::string> paths;
  read_texts(in, paths);
  return in.good() ? std::optional(std::move(paths)) : std::nullopt;
}

void write_jobs(WireWriter& out, const std::vector<frontend::CompileJob>& jobs, const std::vector<size_t>& which) {
  // By content: the editor's texts are the same for all jobs.
  std::map<std::pair<std::string_view, std::string_view>, uint64_t> numbers;
  std::vector<const frontend::Overlay*> texts;
  for (const size_t job : which)
    for (const frontend::Overlay& overlay : jobs[job].overlays)
      if (numbers.try_emplace({overlay.path, overlay.text}, texts.size()).second) texts.push_back(&overlay);
  out.number(texts.size());
  for (const frontend::Overlay* overlay : texts)
    out.text(overlay->path).text(overlay->text).number(overlay->absent ? 1 : 0);
  out.number(which.size());
  for (const size_t job : which) {
    const auto& [command, overlays] = jobs[job];
    const auto& [file, directory, arguments, outputs] = command;
    out.text(file).text(directory);
    write_texts(out, arguments);
    write_texts(out, outputs);
    out.number(overlays.size());
    for (const frontend::Overlay& overlay : overlays) out.number(numbers.at({overlay.path, overlay.text}));
  }
}

std::optional<std::vector<frontend::CompileJob>> read_jobs(WireReader& in) {
  std::vector<frontend::Overlay> texts(in.count(3 * sizeof(uint64_t)));
  for (frontend::Overlay& overlay : texts) {
    overlay.path = in.text();
    overlay.text = in.text();
    overlay.absent = in.number() != 0;
  }
  std::vector<frontend::CompileJob> jobs(in.count(5 * sizeof(uint64_t)));
  for (auto& [command, overlays] : jobs) {
    auto& [file, directory, arguments, outputs] = command;
    file = in.text();
    directory = in.text();
    read_texts(in, arguments);
    read_texts(in, outputs);
    for (size_t left = in.count(sizeof(uint64_t)); left > 0; --left) {
      const uint64_t number = in.number();
      if (number >= texts.size()) return std::nullopt;
      overlays.push_back(texts[number]);
    }
  }
  if (!in.ended()) return std::nullopt;
  return jobs;
}

void write_result(WireWriter& out, const frontend::CompileResult& result, bool known) {
  const auto& [unit, diagnostics, dependencies, absent, preamble_built, library_built, on_library_headers,
               on_extended_preamble, as_before, functions_taken_over, tiers, problems, lost] = result;
  out.number(static_cast<uint64_t>(!unit ? UnitIs::None : known ? UnitIs::Known : UnitIs::Given));
  if (unit && !known) out.text(program::write_unit(*unit));
  write_all(out, diagnostics);
  write_all(out, dependencies);
  write_all(out, absent);
  for (const bool flag : {preamble_built, library_built, on_library_headers, on_extended_preamble, as_before, lost})
    out.number(flag);
  out.number(functions_taken_over);
  write_all(out, tiers);
  write_texts(out, problems);
}

std::optional<frontend::CompileResult> read_result(WireReader& in, const program::UnitPtr& last) {
  frontend::CompileResult result;
  auto& [unit, diagnostics, dependencies, absent, preamble_built, library_built, on_library_headers,
         on_extended_preamble, as_before, functions_taken_over, tiers, problems, lost] = result;
  const auto is = static_cast<UnitIs>(in.number());
  if (is == UnitIs::Given) {
    std::optional<program::Unit> read = program::read_unit(in.text());
    if (!read) return std::nullopt;
    unit = std::make_shared<const program::Unit>(std::move(*read));
  } else if (is == UnitIs::Known) {
    if (!last) return std::nullopt;
    unit = last;
  }
  read_all(in, diagnostics);
  read_all(in, dependencies);
  read_all(in, absent);
  for (bool* flag : {&preamble_built, &library_built, &on_library_headers, &on_extended_preamble, &as_before, &lost})
    *flag = in.number() != 0;
  functions_taken_over = in.number();
  read_all(in, tiers);
  read_texts(in, problems);
  if (!in.ended()) return std::nullopt;
  return result;
}

void write_order(WireWriter& out, const frontend::HarnessOrder& order) {
  const auto& [command, overlays, include, names, linearizable, sequential] = order;
  out.text(include).number(linearizable).number(sequential);
  write_texts(out, names);
  write_jobs(out, {{command, overlays}}, {0});
}

std::optional<frontend::HarnessOrder> read_order(WireReader& in) {
  frontend::HarnessOrder order;
  order.include = in.text();
  order.linearizable = in.number() != 0;
  order.sequential = in.number() != 0;
  read_texts(in, order.names);
  auto jobs = read_jobs(in);
  if (!jobs || jobs->size() != 1) return std::nullopt;
  order.command = std::move((*jobs)[0].command);
  order.overlays = std::move((*jobs)[0].overlays);
  return order;
}

void write_harness(WireWriter& out, const frontend::Harness& harness) {
  const auto& [text, problem, absent, notes] = harness;
  out.text(text).text(problem);
  write_texts(out, absent);
  write_texts(out, notes);
}

std::optional<frontend::Harness> read_harness(WireReader& in) {
  frontend::Harness harness;
  auto& [text, problem, absent, notes] = harness;
  text = in.text();
  problem = in.text();
  read_texts(in, absent);
  read_texts(in, notes);
  return in.ended() ? std::optional(std::move(harness)) : std::nullopt;
}

}  // namespace heddle::engine
