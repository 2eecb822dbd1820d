// Random C programs without undefined behaviour, for comparing the machine with native execution.
//
// In:      a seed. Out: a program on standard output; the same seed gives the same program everywhere.
// How:     typed expressions over safe helpers (wrapping arithmetic, guarded division, masked shifts and indices); an
//          acyclic call graph; fuel bounds all loops. The program prints a checksum and all its variables. Every fourth
//          seed makes a program of three threads, each with variables of its own, that share sums under a mutex and
//          in atomics: no schedule changes what it prints.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/native/generate_texts.h"

namespace {

using std::string;
using std::to_string;

// Small and of our own: the standard's distributions differ between libraries.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 1) {}
  uint32_t below(uint32_t limit) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<uint32_t>((state_ * 0x2545f4914f6cdd1dull >> 32) % limit);
  }
  bool chance(uint32_t percent) { return below(100) < percent; }
  uint64_t bits() {
    return uint64_t{below(1u << 31)} << 40 ^ uint64_t { below(1u << 31) } << 20 ^ below(1u << 31);
  }

 private:
  uint64_t state_;
};

struct Type {
  const char* name;
  const char* tag;  // of the helpers
  int bits;
  bool is_signed, is_float;
};
constexpr Type kTypes[] = {
    {"int8_t", "i8", 8, true, false},       {"uint8_t", "u8", 8, false, false},
    {"int16_t", "i16", 16, true, false},    {"uint16_t", "u16", 16, false, false},
    {"int32_t", "i32", 32, true, false},    {"uint32_t", "u32", 32, false, false},
    {"int64_t", "i64", 64, true, false},    {"uint64_t", "u64", 64, false, false},
    {"float", "f32", 32, true, true},       {"double", "f64", 64, true, true},
    {"_Bool", "b", 8, false, false},        {"long double", "f80", 80, true, true},
    {"__int128", "i128", 128, true, false},
};
constexpr int kInt = 4, kCommonTypes = 11, kTypeCount = 13, kWide = 12;

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed), threads_(seed % 4 == 0) {}

  string program() {
    string out = string(threads_ ? kThreads : kAlone) + kPrelude;
    out += structs();
    out += globals();
    const uint32_t count = 2 + random_.below(5);
    for (uint32_t i = 0; i < count; i++) out += function(i);
    return out + main_function(count);
  }

 private:
  struct Variable {
    string text;  // an lvalue
    int type;
    bool bit_field = false;
  };
  struct Function {
    int result;
    std::vector<int> parameters;  // -1 - n: structure n by value
  };
  struct Structure {
    std::vector<Variable> fields;  // text: name
  };

  string name(int type) const { return kTypes[type].name; }
  int any_type() { return static_cast<int>(random_.below(random_.chance(80) ? kCommonTypes : kTypeCount)); }
  int integer_type() {
    const int type = static_cast<int>(random_.below(9));
    return type == 8 ? (random_.chance(30) ? kWide : kInt) : type;
  }

  string structs() {
    string out;
    for (int n = 0; n < 3; n++) {
      out += "struct s" + to_string(n) + " {\n";
      Structure s;
      for (uint32_t f = 0; f < 1 + random_.below(5); f++) {
        const string field = "f" + to_string(f);
        if (random_.chance(25)) {
          const int type = 2 + static_cast<int>(random_.below(6));
          out += "  " + name(type) + " " + field + " : " +
                 to_string(1 + random_.below(static_cast<uint32_t>(kTypes[type].bits))) + ";\n";
          s.fields.push_back({field, type, true});
        } else {
          const int type = any_type();
          out += "  " + name(type) + " " + field + ";\n";
          s.fields.push_back({field, type});
        }
      }
      out += "};\n";
      structures_.push_back(s);
    }
    return out;
  }

  string globals() {
    string out;
    for (uint32_t i = 0; i < 4 + random_.below(6); i++) {
      const int type = any_type();
      const string global = "g" + to_string(i);
      if (random_.chance(30)) {
        out += "static TL " + name(type) + " " + global + "[8] = {" + constant(type) + ", " + constant(type) + "};\n";
        arrays_.push_back({global, type});
        array_mask_.push_back(7);
      } else {
        out += string(random_.chance(20) ? "TL volatile " : "static TL ") + name(type) + " " + global + " = " +
               constant(type) + ";\n";
        globals_.push_back({global, type});
      }
    }
    for (int n = 0; n < 3; n++) {
      const string global = "t" + to_string(n);
      out += "static TL struct s" + to_string(n) + " " + global + ";\n";
      for (const Variable& f : structures_[static_cast<size_t>(n)].fields)
        globals_.push_back({global + "." + f.text, f.type, f.bit_field});
    }
    return out;
  }

  string constant(int type) {
    if (kTypes[type].is_float) {
      static const char* const kValues[] = {"0.0",  "1.5",   "-2.25",     "0.1",
                                            "1e10", "-3e-5", "1048577.0", "0.333333333333"};
      return string(kValues[random_.below(8)]) + (kTypes[type].bits == 32 ? "f" : "");
    }
    uint64_t value = random_.chance(60) ? random_.below(20) : random_.bits();
    if (random_.chance(10)) value = ~uint64_t{0} << random_.below(63);
    return "(" + name(type) + ")" + to_string(value) + "u" + (kTypes[type].bits >= 64 ? "ll" : "ll");
  }

  // A value of the given type.
  string expression(int type, int depth) {
    const Type& t = kTypes[type];
    if (depth <= 0) return leaf(type);
    const auto sub = [&](int of) { return expression(of, depth - 1 - static_cast<int>(random_.below(2))); };
    switch (random_.below(t.is_float ? 8 : 14)) {
      case 0: return leaf(type);
      case 1: return convert(type, depth);
      case 2: return "(" + condition(depth - 1) + " ? " + sub(type) + " : " + sub(type) + ")";
      case 3: return call(type, depth);
      case 4:
      case 5:
      case 6:
      case 7:
        if (t.is_float) {
          static const char* const kOperators[] = {"+", "-", "*"};
          const string value = "(" + sub(type) + " " + kOperators[random_.below(3)] + " " + sub(type) + ")";
          return (t.bits == 32 ? "narrow(" : t.bits == 80 ? "tame_long(" : "tame(") + value + ")";
        }
        return operation("add", "sub", "mul", t, sub(type), sub(type));
      case 8: return operation("div", "mod", "div", t, sub(type), sub(type));
      case 9: return operation("shl", "shr", "shr", t, sub(type), "(unsigned)" + sub(kInt));
      case 10:
      case 11: {
        static const char* const kOperators[] = {"&", "|", "^"};
        return "(" + name(type) + ")(" + sub(type) + " " + kOperators[random_.below(3)] + " " + sub(type) + ")";
      }
      case 12: return random_.chance(50) ? "(" + name(type) + ")~" + sub(type) : mixed(type, depth);
      default: return "(" + name(type) + ")(" + condition(depth - 1) + ")";
    }
  }

  // The usual arithmetic conversions between types of different width and sign; one side is unsigned and wide enough
  // that nothing overflows.
  string mixed(int type, int depth) {
    static const char* const kOperators[] = {"+", "-", "*", "&", "|", "^"};
    static const char* const kSides[] = {"(uint32_t)", "(uint64_t)", "(unsigned __int128)"};
    const int other = static_cast<int>(random_.below(8));
    const bool wide = kTypes[other].bits == 64;
    const string left =
        kSides[wide ? 1 + random_.below(2) : random_.below(3)] + expression(integer_type_for_switch(), depth - 1);
    return "(" + name(type) + ")(" + left + " " + kOperators[random_.below(6)] + " " + expression(other, depth - 1) +
           ")";
  }

  string operation(const char* a, const char* b, const char* c, const Type& t, const string& left,
                   const string& right) {
    const char* const which[] = {a, b, c};
    return string(which[random_.below(3)]) + "_" + t.tag + "(" + left + ", " + right + ")";
  }

  string condition(int depth) {
    const int type = any_type();
    switch (random_.below(5)) {
      case 0: return "(" + expression(kInt, depth - 1) + " & 1)";
      case 1: return "(" + condition_or_leaf(depth - 1) + " && " + condition_or_leaf(depth - 1) + ")";
      case 2: return "(!" + condition_or_leaf(depth - 1) + ")";
      default: {
        static const char* const kOperators[] = {"<", "<=", ">", ">=", "==", "!="};
        return "(" + expression(type, depth - 1) + " " + kOperators[random_.below(6)] + " " +
               expression(type, depth - 1) + ")";
      }
    }
  }
  string condition_or_leaf(int depth) { return depth > 0 ? condition(depth) : "(" + leaf(kInt) + " > 3)"; }

  string convert(int type, int depth) {
    const int from = any_type();
    const string value = expression(from, depth - 1);
    if (kTypes[type].is_float)
      return "(" + name(type) + ")" +
             (kTypes[from].is_float && kTypes[type].bits < 80 ? "narrow(" + value + ")" : value);
    if (kTypes[from].is_float) return "(" + name(type) + ")to_int(" + value + ")";
    return "(" + name(type) + ")" + value;
  }

  std::vector<Variable> candidates(int type, bool exact_width) {
    std::vector<Variable> out;
    for (const auto* list : {&globals_, &locals_, &locals_}) {
      for (const Variable& v : *list) {
        if (v.type == type && !(exact_width && v.bit_field)) out.push_back(v);
      }
    }
    return out;
  }

  string index(size_t array) { return "[" + leaf_integer() + " & " + to_string(array_mask_[array]) + "]"; }
  string leaf_integer() {
    const auto all = candidates(kInt, false);
    return all.empty() || random_.chance(30) ? to_string(random_.below(9))
                                             : all[random_.below(static_cast<uint32_t>(all.size()))].text;
  }

  string leaf(int type) {
    if (random_.chance(20)) return constant(type);
    for (size_t i = 0; i < arrays_.size(); i++) {
      if (arrays_[i].type == type && random_.chance(35)) return arrays_[i].text + index(i);
    }
    const auto all = candidates(type, false);
    return all.empty() ? constant(type) : all[random_.below(static_cast<uint32_t>(all.size()))].text;
  }

  string call(int type, int depth) {
    if (functions_.empty() || calls_left_ <= 0) return leaf(type);
    calls_left_--;
    const uint32_t n = random_.below(static_cast<uint32_t>(functions_.size()));
    const Function& f = functions_[n];
    string text = random_.chance(20) ? "(*(volatile __typeof__(&h" + to_string(n) + ")[]){h" + to_string(n) + "}[0])("
                                     : "h" + to_string(n) + "(";
    for (size_t i = 0; i < f.parameters.size(); i++) {
      const int parameter = f.parameters[i];
      text += string(i > 0 ? ", " : "") +
              (parameter < 0 ? "t" + to_string(-1 - parameter) : expression(parameter, depth - 2));
    }
    text += ")";
    if (f.result == type) return text;
    if (kTypes[f.result].is_float && !kTypes[type].is_float) return "(" + name(type) + ")to_int(" + text + ")";
    if (kTypes[f.result].is_float) return "(" + name(type) + ")narrow(" + text + ")";
    return "(" + name(type) + ")" + text;
  }

  Variable target(int& type) {
    if (!arrays_.empty() && random_.chance(25)) {
      const size_t n = random_.below(static_cast<uint32_t>(arrays_.size()));
      type = arrays_[n].type;
      return {arrays_[n].text + index(n), type};
    }
    const auto& list = !locals_.empty() && random_.chance(50) ? locals_ : globals_;
    const Variable v = list[random_.below(static_cast<uint32_t>(list.size()))];
    type = v.type;
    return v;
  }

  string assignment() {
    int type;
    const Variable v = target(type);
    if (!kTypes[type].is_float && random_.chance(20)) {
      static const char* const kOperators[] = {"^=", "|=", "&="};
      return v.text + " " + kOperators[random_.below(3)] + " " + expression(type, 2) + ";";
    }
    return v.text + " = " + expression(type, 3) + ";";
  }

  string block(int depth, int indent) {
    string out;
    for (uint32_t n = 1 + random_.below(3); n > 0; n--) out += statement(depth, indent);
    return out;
  }

  string statement(int depth, int indent) {
    const string pad(static_cast<size_t>(indent), ' ');
    if (threads_ && random_.chance(4)) {
      return pad + "{ uint64_t v = " + expression(7, 2) +
             "; pthread_mutex_lock(&mutex); shared ^= v; pthread_mutex_unlock(&mutex); }\n";
    }
    if (threads_ && random_.chance(4)) return pad + "counted += " + expression(7, 2) + ";\n";
    const uint32_t kind = depth <= 0 ? random_.below(4) : random_.below(18);
    switch (kind) {
      case 4:
      case 5:
        return pad + "if (" + condition(3) + ") {\n" + block(depth - 1, indent + 2) + pad + "} else {\n" +
               block(depth - 1, indent + 2) + pad + "}\n";
      case 6:
      case 7: {
        const string i = "i" + to_string(loops_++);
        locals_.push_back({i, kInt});
        string out = pad + "for (int32_t " + i + " = 0, n" + i + " = " + to_string(1 + random_.below(6)) + "; n" + i +
                     "-- > 0 && --fuel > 0; " + i + "++) {\n";
        loop_depth_++;
        out += block(depth - 1, indent + 2);
        loop_depth_--;
        locals_.pop_back();
        return out + pad + "}\n";
      }
      case 8: {
        string out = pad + "switch (" + expression(random_.chance(70) ? kInt : integer_type_for_switch(), 2) + ") {\n";
        for (uint32_t n = 0; n < 2 + random_.below(4); n++) {
          out += pad + "  case " + to_string(n * (1 + random_.below(3)) + n * 4) + ":\n" + block(depth - 1, indent + 4);
          if (random_.chance(70)) out += pad + "    break;\n";
        }
        return out + pad + "  default:\n" + block(depth - 1, indent + 4) + pad + "}\n";
      }
      case 9: {
        int type;
        const Variable v = target(type);
        if (v.bit_field) return pad + assignment() + "\n";
        const string p = "p" + to_string(loops_++);
        return pad + "{ " + name(type) + (v.text[0] == 'g' ? " volatile" : "") + " *" + p + " = &" + v.text + "; *" +
               p + " = " + expression(type, 2) + "; }\n";
      }
      case 10:
        if (loop_depth_ > 0)
          return pad + "if (" + condition(2) + ") " + (random_.chance(50) ? "break" : "continue") + ";\n";
        return pad + assignment() + "\n";
      case 11: {
        const uint32_t n = random_.below(3);
        const string s = "t" + to_string(n), c = "c" + to_string(loops_++);
        return pad + "{ struct s" + to_string(n) + " " + c + " = " + s + "; " + assignment() + " " + s + " = " + c +
               "; }\n";
      }
      case 12: {  // a local array, filled and used
        const string a = "b" + to_string(loops_++);
        const int type = any_type();
        string out =
            pad + "{ " + name(type) + " " + a + "[4] = {" + expression(type, 1) + ", " + expression(type, 1) + "};\n";
        arrays_.push_back({a, type});
        array_mask_.push_back(3);
        out += block(depth - 1, indent + 2);
        arrays_.pop_back();
        array_mask_.pop_back();
        return out + pad + "}\n";
      }
      case 13: {
        const string w = "w" + to_string(loops_++);
        string out = pad + "{ int " + w + " = 0; do {\n";
        loop_depth_++;
        out += block(depth - 1, indent + 2);
        loop_depth_--;
        return out + pad + "} while (++" + w + " < " + to_string(1 + random_.below(4)) + " && --fuel > 0); }\n";
      }
      case 14: {
        const uint32_t a = random_.below(static_cast<uint32_t>(arrays_.size() + 1));
        if (a >= arrays_.size()) return pad + assignment() + "\n";
        const string& array = arrays_[a].text;
        return pad + (random_.chance(50) ? "memmove(" + array + " + 1, " + array + ", 2 * sizeof " + array + "[0]);\n"
                                         : "memset(" + array + ", 0, sizeof " + array + " / 2);\n");
      }
      case 15:
        return pad + "vary(3, \"ild\", " + expression(kInt, 2) + ", " + expression(6, 2) + ", " + expression(9, 2) +
               ");\n";
      case 16: {
        int type;
        const Variable v = target(type);
        if (kTypes[type].is_signed || kTypes[type].is_float || v.text[0] == 'm') return pad + assignment() + "\n";
        static const char* const kForms[] = {"++@;", "@++;", "@--;", "--@;", "@ += 3u;", "@ -= 7u;"};
        string form = kForms[random_.below(6)];
        if (kTypes[type].tag[0] == 'b') form = "@ = !@;";
        for (size_t at; (at = form.find('@')) != string::npos;) form.replace(at, 1, v.text);
        return pad + form + "\n";
      }
      case 17: {
        const string label = "out" + to_string(loops_++);
        return pad + "{ if (" + condition(2) + ") goto " + label + ";\n" + block(depth - 1, indent + 2) + pad + label +
               ":; }\n";
      }
      default: return pad + assignment() + "\n";
    }
  }
  int integer_type_for_switch() { return 2 + static_cast<int>(random_.below(6)); }

  string function(uint32_t number) {
    Function f{any_type(), {}};
    const std::vector<Variable> outer = locals_;
    string parameters;
    calls_left_ = 4;
    for (uint32_t i = 0; i < random_.below(8); i++) {
      const string p = "a" + to_string(i);
      if (random_.chance(25)) {
        const int s = static_cast<int>(random_.below(3));
        f.parameters.push_back(-1 - s);
        parameters += (i > 0 ? ", struct s" : "struct s") + to_string(s) + " " + p;
        for (const Variable& field : structures_[static_cast<size_t>(s)].fields)
          locals_.push_back({p + "." + field.text, field.type, field.bit_field});
      } else {
        const int type = any_type();
        f.parameters.push_back(type);
        parameters += (i > 0 ? ", " : "") + name(type) + " " + p;
        locals_.push_back({p, type});
      }
    }
    string body;
    for (uint32_t i = 0; i < 1 + random_.below(4); i++) {
      const int type = any_type();
      body += "  " + name(type) + " l" + to_string(i) + " = " + expression(type, 2) + ";\n";
      locals_.push_back({"l" + to_string(i), type});
    }
    body += block(3, 2) + block(3, 2);
    string out = string(random_.chance(30) ? "__attribute__((noinline)) " : "") + "static " + name(f.result) + " h" +
                 to_string(number) + "(" + (parameters.empty() ? "void" : parameters) +
                 ") {\n  if (--fuel < 0) return " + constant(f.result) + ";\n" + body + "  return " +
                 expression(f.result, 3) + ";\n}\n";
    locals_ = outer;
    functions_.push_back(f);
    return out;
  }

  string show(const Variable& v) {
    const Type& t = kTypes[v.type];
    if (t.is_float)
      return "  if (" + v.text + " == " + v.text + ") printf(\"" + v.text + " %.18Lg\\n\", (long double)" + v.text +
             ");\n";
    return "  mix((uint64_t)" + v.text + ");" + (t.bits == 128 ? " mix((uint64_t)(" + v.text + " >> 64));" : "") +
           " printf(\"" + v.text + " %lld\\n\", (long long)" + v.text + ");\n";
  }

  string main_function(uint32_t count) {
    string out = string(threads_ ? "static void body(int32_t m) {\n" : "int main(void) {\n  int32_t m = 0;\n");
    locals_.push_back({"m", kInt});
    for (uint32_t round = 0; round < 3; round++) {
      for (uint32_t i = 0; i < count; i++) {
        calls_left_ = 1;
        const int type = any_type();
        out += "  { " + name(type) + " r = " + call(type, 3) + "; " +
               (kTypes[type].is_float ? "if (r == r) printf(\"%.9g\\n\", (double)r);" : "mix((uint64_t)r);") +
               " m++; }\n";
      }
    }
    for (const Variable& v : globals_) out += show(v);
    for (const Variable& a : arrays_) {
      for (int i = 0; i < 8; i += 3) out += show({a.text + "[" + to_string(i) + "]", a.type});
    }
    if (threads_) return out + "}\n" + kThreadMain;
    return out + "  printf(\"%016\" PRIx64 \"\\n\", sum);\n  return (int)(sum & 127);\n}\n";
  }

  Random random_;
  bool threads_;
  std::vector<Structure> structures_;
  std::vector<Variable> globals_, arrays_, locals_;
  std::vector<int> array_mask_;
  std::vector<Function> functions_;
  int loops_ = 0, loop_depth_ = 0, calls_left_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s SEED\n", argv[0]);
    return 2;
  }
  const string text = Generator(std::strtoull(argv[1], nullptr, 10)).program();
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}
