#include "client/native_test_inputs.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <vector>

namespace heddle::client {
namespace {

constexpr std::string_view kNondet = "__VERIFIER_nondet_";

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Names that Heddle has for what it lacks are none.
bool is_name(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return is_word(c) || c == '.' || c == '$'; });
}

// Calls of one function take its values in their order; a variable has those of its place.
std::string source_of(const v1::Input& input) {
  if (!is_variable(input)) return input.link_name();
  return input.place().file() + ":" + std::to_string(input.place().line()) + ":" + input.name();
}

bool is_integer(const v1::Input& input) { return input.type() != "float" && input.type() != "double"; }

// What the test has values of or defines, each once, in order: functions and variables.
std::vector<v1::Input> inputs_by_function(const v1::Finding& finding) {
  std::vector<v1::Input> all;
  for (const v1::Input& input : finding.inputs()) {
    const bool called = input.kind() == "value" || input.kind() == "memory";
    if (!called && (input.kind() != "function" || !is_name(input.link_name()))) continue;
    const bool known =
        std::any_of(all.begin(), all.end(), [&](const v1::Input& one) { return source_of(one) == source_of(input); });
    if (!known) all.push_back(input);
  }
  return all;
}

bool calls(const std::string& text, const std::string& name) {
  for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1))
    if ((at == 0 || !is_word(text[at - 1])) && !is_word(text[at + name.size()])) return true;
  return false;
}

bool defines(const std::string& text, const std::string& name) {
  for (size_t at = text.find(name + "("); at != text.npos; at = text.find(name + "(", at + 1)) {
    size_t end = text.find(')', at);
    if (end == text.npos) return false;
    end = text.find_first_not_of(" \t\r\n", end + 1);
    if (end != text.npos && text[end] == '{') return true;
  }
  return false;
}

// Those that the program calls elsewhere have to be there, too.
void add_other_functions(const std::string& text, std::vector<v1::Input>& functions) {
  std::set<std::string> names;
  for (size_t at = text.find(kNondet); at != text.npos; at = text.find(kNondet, at + 1)) {
    size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    names.insert(text.substr(at, end - at));
  }
  for (const std::string& name : names) {
    const bool known =
        std::any_of(functions.begin(), functions.end(), [&](const v1::Input& one) { return source_of(one) == name; });
    if (known || defines(text, name)) continue;
    v1::Input& one = functions.emplace_back();
    one.set_name(name + "()");
    one.set_link_name(name);
    one.set_type(name.ends_with("_float") ? "float" : name.ends_with("_double") ? "double" : "integer");
  }
}

std::string integer(const std::string& text) {
  const bool negative = text.starts_with('-');
  const uint64_t bits = negative ? static_cast<uint64_t>(std::strtoll(text.c_str(), nullptr, 10))
                                 : std::strtoull(text.c_str(), nullptr, 10);
  return text.size() < 18 ? text : "(long long)" + std::to_string(bits) + "ULL";
}

// Where the settings say nothing of a function, it is the library's that the program is linked with, if there is one.
// `filled`: the greatest number of an argument that calls fill; 0: they fill none.
std::string definition(const v1::Input& input, const std::string& number, uint32_t filled) {
  if (input.kind() == "function" && input.missing()) return "__asm__(\".weak " + input.link_name() + "\");\n";
  std::string parameters, places;
  for (uint32_t n = 1; n <= filled; ++n) {
    const std::string one = "a" + std::to_string(n);
    parameters += (n == 1 ? "void *" : ", void *") + one;
    places += (n == 1 ? "" : ", ") + one;
  }
  const std::string name = "heddle_input_" + number + "(" + (filled == 0 ? "void" : parameters) + ")";
  const std::string fill = filled == 0 ? "" : "void *all[] = {" + places + "}; heddle_fill(" + number + ", all); ";
  const std::string type = is_integer(input) ? "long long" : input.type();
  const std::string head = (is_variable(input) ? "static __attribute__((unused)) " : "") + type + " " + name;
  const std::string label = is_variable(input) ? "" : " __asm__(\"" + input.link_name() + "\")";
  return head + label + ";\n" + head + " { " + fill + "return (" + type + ")heddle_take(" + number + ")->" +
         (is_integer(input) ? "integer" : "real") + "; }\n";
}

constexpr const char* kTake = R"(
static const struct heddle_value *heddle_take(int function) {
  static __thread int taken[heddle_functions];
  int n, skip = taken[function]++;
  for (n = 0; heddle_values[n].thread >= 0; ++n)
    if (heddle_values[n].thread == heddle_me && heddle_values[n].function == function && skip-- == 0)
      return &heddle_values[n];
  return &heddle_values[n];
}
)";

constexpr const char* kFill = R"(
static void heddle_fill(int function, void **arguments) {
  static __thread int calls[heddle_functions];
  int n, call = calls[function]++;
  for (n = 0; heddle_fills[n].thread >= 0; ++n)
    if (heddle_fills[n].thread == heddle_me && heddle_fills[n].function == function && heddle_fills[n].call == call)
      __builtin_memcpy(arguments[heddle_fills[n].argument - 1], heddle_fills[n].bytes, heddle_fills[n].size);
}
)";

// What calls fill. Of each function the greatest number of an argument that is filled.
std::string filled_memory(const v1::Finding& finding, const std::vector<v1::Input>& functions,
                          std::map<ptrdiff_t, uint32_t>& arguments) {
  std::string rows;
  std::map<std::string, int> calls;  // so far: by function, thread and argument
  for (const v1::Input& input : finding.inputs()) {
    if (input.kind() != "memory") continue;
    const auto found = std::find_if(functions.begin(), functions.end(),
                                    [&](const v1::Input& one) { return source_of(one) == source_of(input); });
    const ptrdiff_t function = found - functions.begin();
    arguments[function] = std::max(arguments[function], input.argument());
    const std::string thread = std::to_string(input.thread_number()), argument = std::to_string(input.argument());
    const int call = calls[source_of(input) + " " + thread + " " + argument]++;
    const std::string literal = "\"" + input.text() + "\"";
    rows += "    {" + thread + ", " + std::to_string(function) + ", " + std::to_string(call) + ", " + argument + ", " +
            literal + ", sizeof " + literal + " - 1}, /* " + input.place().thread() + ", line " +
            std::to_string(input.place().line()) + ": " + input.name() + " */\n";
  }
  if (rows.empty()) return "";
  return "static const struct heddle_bytes { int thread, function, call, argument; const char *bytes; unsigned long "
         "size; } heddle_fills[] = {\n" +
         rows + "    {-1, 0, 0, 0, 0, 0}};\n" + kFill;
}

std::string values(const v1::Finding& finding, const std::vector<v1::Input>& functions) {
  std::string out = "enum { heddle_functions = " + std::to_string(functions.size()) +
                    " };\nstatic const struct heddle_value { int thread, function; long long integer; double real; } "
                    "heddle_values[] = {\n";
  for (const v1::Input& input : finding.inputs()) {
    if (input.kind() != "value") continue;
    const auto at = std::find_if(functions.begin(), functions.end(),
                                 [&](const v1::Input& one) { return source_of(one) == source_of(input); });
    const bool whole = is_integer(input);
    out += "    {" + std::to_string(input.thread_number()) + ", " + std::to_string(at - functions.begin()) + ", " +
           (whole ? integer(input.text()) : "0") + ", " + (whole ? "0" : input.text()) + "}, /* " +
           input.place().thread() + ", line " + std::to_string(input.place().line()) + ": " + input.name() + " */\n";
  }
  out += "    {-1, 0, 0, 0}};\n" + std::string(kTake);
  std::map<ptrdiff_t, uint32_t> filled;
  out += filled_memory(finding, functions, filled);
  for (size_t n = 0; n < functions.size(); ++n)
    out += definition(functions[n], std::to_string(n), filled[static_cast<ptrdiff_t>(n)]);
  return out;
}

// Of the verification interface what the program calls and does not define.
std::string interface(const std::string& text) {
  struct Row {
    const char *name, *parameters, *body;
  };
  constexpr Row kRows[] = {
      {"__VERIFIER_assume", "int holds", "if (!holds) _exit(3);"},
      {"assume_abort_if_not", "int holds", "if (!holds) _exit(3);"},
      {"__VERIFIER_error", "void", "abort();"},
      {"reach_error", "void", "abort();"},
      {"__VERIFIER_atomic_begin", "void", "pthread_mutex_lock(&heddle_section);"},
      {"__VERIFIER_atomic_end", "void", "pthread_mutex_unlock(&heddle_section);"},
  };
  std::string out;
  bool section = false;
  for (const Row& row : kRows) {
    if (!calls(text, row.name) || defines(text, row.name)) continue;
    const bool atomic = std::string_view(row.name).find("atomic") != std::string_view::npos;
    if (atomic && !section)
      out +=
          "#include <pthread.h>\nstatic pthread_mutex_t heddle_section = "
          "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;\n";
    section |= atomic;
    const std::string head = "void heddle_" + std::string(row.name) + "(" + row.parameters + ")";
    out += head + " __asm__(\"" + row.name + "\");\n" + head + " { " + row.body + " }\n";
  }
  return out;
}

constexpr const char* kGive = R"(
static int heddle_file_of(const char *text, unsigned long size, char *name) {
  const int file = mkstemp(name);
  if (file < 0 || write(file, text, size) != (ssize_t)size || lseek(file, 0, SEEK_SET) != 0) _exit(4);
  return file;
}
/* The program starts a second time, with these. */
__attribute__((constructor)) static void heddle_give(int count, char **arguments) {
  char input[] = "/tmp/heddle-XXXXXX";
  char folder[] = "/tmp/heddle-XXXXXX";
  char *words[sizeof heddle_arguments / sizeof *heddle_arguments + 1];
  unsigned long n;
  if (getenv("heddle_given")) {
    unsetenv("heddle_given");
    return;
  }
  (void)count;
  words[0] = arguments[0];
  for (n = 0; n < sizeof heddle_arguments / sizeof *heddle_arguments; ++n) words[n + 1] = (char *)heddle_arguments[n];
  for (n = 0; heddle_variables[n].name; ++n) {
    if (heddle_variables[n].value)
      setenv(heddle_variables[n].name, heddle_variables[n].value, 1);
    else
      unsetenv(heddle_variables[n].name);
  }
  if (heddle_has_input) dup2(heddle_file_of(heddle_input, sizeof heddle_input - 1, input), 0);
  if (heddle_has_input) unlink(input);
  if (heddle_files[0].name && (!mkdtemp(folder) || chdir(folder) != 0)) _exit(4);
  for (n = 0; heddle_files[n].name; ++n) {
    char part[4096] = "";
    const char *slash;
    FILE *file;
    for (slash = strchr(heddle_files[n].name, '/'); slash; slash = strchr(slash + 1, '/')) {
      memcpy(part, heddle_files[n].name, (unsigned long)(slash - heddle_files[n].name));
      part[slash - heddle_files[n].name] = 0;
      mkdir(part, 0777);
    }
    file = fopen(heddle_files[n].name, "wb");
    if (!file || fwrite(heddle_files[n].text, 1, heddle_files[n].size, file) != heddle_files[n].size) _exit(4);
    fclose(file);
  }
  setenv("heddle_given", "1", 1);
  execv("/proc/self/exe", words);
  _exit(4);
}
)";

std::string texts(const v1::Finding& finding, std::set<std::string>& notes) {
  std::string words, variables, files, input;
  bool any = false, has_input = false;
  for (const v1::Input& one : finding.inputs()) {
    const std::string literal = "\"" + one.text() + "\"";
    any |= one.kind() != "value" && one.kind() != "memory" && one.kind() != "function";
    if (one.kind() == "argument") words += literal + ", ";
    if (one.kind() == "variable") variables += "{\"" + one.name() + "\", " + (one.missing() ? "0" : literal) + "}, ";
    if (one.kind() == "standard-input") {
      has_input = true;
      input = one.text();
    }
    if (one.kind() == "connection")
      notes.insert("it does not connect from outside: " + one.name() + " sends " + literal);
    if (one.kind() == "file" && one.name().starts_with("/"))
      notes.insert("it does not write the file " + one.name() + ": a path of the whole system");
    else if (one.kind() == "file")
      files += "{\"" + one.name() + "\", " + literal + ", sizeof " + literal + " - 1}, ";
  }
  if (!any) return "";
  return "#include <stdio.h>\n#include <sys/stat.h>\nstatic const char *const heddle_arguments[] = {" + words +
         "0};\nstatic const struct { const char *name, *value; } heddle_variables[] = {" + variables +
         "{0, 0}};\nenum { heddle_has_input = " + (has_input ? "1" : "0") +
         " };\nstatic const char heddle_input[] = \"" + input +
         "\";\nstatic const struct { const char *name, *text; unsigned long size; } heddle_files[] = {" + files +
         "{0, 0, 0}};" + kGive;
}

}  // namespace

std::string given_inputs(const v1::Finding& finding, const std::string& text, std::set<std::string>& notes) {
  std::vector<v1::Input> functions = inputs_by_function(finding);
  add_other_functions(text, functions);
  std::string out = texts(finding, notes);
  if (!functions.empty()) out += values(finding, functions);
  return out + interface(text);
}

bool is_variable(const v1::Input& input) { return input.kind() == "value" && !input.name().ends_with(')'); }

std::string given_variable(const v1::Finding& finding, const v1::Input& input) {
  const std::vector<v1::Input> functions = inputs_by_function(finding);
  const auto found = std::find_if(functions.begin(), functions.end(),
                                  [&](const v1::Input& one) { return source_of(one) == source_of(input); });
  return input.name() + " = (__typeof__(" + input.name() + "))heddle_input_" +
         std::to_string(found - functions.begin()) + "();";
}

}  // namespace heddle::client
