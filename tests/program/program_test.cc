#include <gtest/gtest.h>

#include "server/program/hash.h"
#include "server/program/identity_hash.h"
#include "server/program/operands.h"
#include "server/program/print.h"
#include "server/program/program.h"
#include "server/program/serialise.h"

namespace heddle::program {
namespace {

SymbolId add_symbol(Unit& unit, const std::string& name, SymbolKind kind, bool internal = false, bool weak = false) {
  unit.symbols.push_back({name, kind, internal, weak});
  return SymbolId(static_cast<uint32_t>(unit.symbols.size() - 1));
}

Unit empty_unit(const std::string& path) {
  Unit unit;
  unit.path = path;
  unit.files = {path};
  unit.places = {Place{}, Place{FileId(0), 3, 7}};
  return unit;
}

// A function that returns a constant.
void add_function(Unit& unit, SymbolId symbol, int64_t constant) {
  Function function;
  function.symbol = symbol;
  function.display_name = unit.symbols[symbol.value].name;
  function.frame_slots = 1;
  function.result_slots = 1;
  function.code = {{Opcode::Const, 64, 0, 0, 0, 0, constant}, {Opcode::Return, 0, 0, 0, 0, 1, 0}};
  function.places = {PlaceId(1), PlaceId(1)};
  unit.functions.push_back(function);
}

UnitPtr share(Unit unit) {
  compute_hashes(unit);
  return std::make_shared<const Unit>(std::move(unit));
}

TEST(Opcodes, TableIsComplete) {
  for (uint32_t n = 0; n < opcode_count(); ++n) EXPECT_FALSE(opcode_info(static_cast<Opcode>(n)).mnemonic.empty());
  EXPECT_EQ(opcode_info(Opcode::AddI).mnemonic, "addi");
  EXPECT_EQ(opcode_info(static_cast<Opcode>(60000)).name, "Unknown");
}

TEST(Opcodes, WideValuesTakeTwoSlots) {
  const Function none;
  const SlotRanges loads = definitions_of(none, {Opcode::Load, 80, 0, 4, 1, 0, 0});
  ASSERT_EQ(loads.size, 1u);
  EXPECT_EQ(loads.items[0].count, 2u);
  const SlotRanges shift = uses_of({Opcode::WideBinary, 128, 0, 0, 2, 4, static_cast<int64_t>(WideKind::Shl)});
  EXPECT_EQ(shift.items[1].count, 1u);
}

TEST(Hashing, HexRoundTrip) {
  const Hash hash = hash_bytes("heddle");
  EXPECT_EQ(hash.hex().size(), 32u);
  EXPECT_EQ(Hash::from_hex(hash.hex()), hash);
  EXPECT_FALSE(Hash::from_hex("12"));
  EXPECT_FALSE(Hash::from_hex(std::string(32, 'x')));
  EXPECT_NE(hash_bytes("a"), hash_bytes("b"));
  EXPECT_NE(Hasher().text("ab").text("c").finish(), Hasher().text("a").text("bc").finish());
}

// Known values of XXH3-128; short and long inputs take different ways in it.
TEST(Hashing, ContentIsHashedByXxh3) {
  EXPECT_EQ(hash_bytes("").hex(), "99aa06d3014798d86001c324468d497f");
  const std::string text(100'000, 'x');
  Hasher whole;
  whole.text(text);
  EXPECT_EQ(whole.finish(), Hasher().text(text).finish());
  std::string changed = text;
  changed[99'999] = 'y';
  EXPECT_NE(whole.finish(), Hasher().text(changed).finish());
  EXPECT_NE(Hasher().text(text).text("").finish(), Hasher().text("").text(text).finish());
}

// Suppressions and baselines hold results of this hash: it may never change.
TEST(Hashing, IdentitiesAreThoseOfEarlierBuilds) {
  IdentityHasher hasher;
  hasher.text("data-race").text("main").text("a longer text, with 37 bytes in it...").number(7);
  EXPECT_EQ(hasher.finish().hex(), "1b73607256b95e9a9701e30b493103e2");
}

TEST(Hashing, SymbolsCountByName) {
  Unit first = empty_unit("/p/a.c"), second = empty_unit("/p/a.c");
  add_symbol(second, "unrelated", SymbolKind::Variable);
  for (Unit* unit : {&first, &second}) {
    const SymbolId f = add_symbol(*unit, "f", SymbolKind::Function), g = add_symbol(*unit, "g", SymbolKind::Variable);
    add_function(*unit, f, 0);
    unit->functions[0].code[0] = {Opcode::SymbolAddress, 64, 0, 0, g.value, 0, 0};
    compute_hashes(*unit);
  }
  EXPECT_EQ(first.functions[0].hash, second.functions[0].hash);
  EXPECT_EQ(first.content, second.content);
  second.functions[0].places[0] = PlaceId(0);
  compute_hashes(second);
  EXPECT_EQ(first.content, second.content);
  second.functions[0].code[0].imm = 8;
  compute_hashes(second);
  EXPECT_NE(first.content, second.content);
}

TEST(Linking, BindsAcrossUnits) {
  Unit a = empty_unit("/p/src/a.c"), b = empty_unit("/p/lib/b.c");
  add_function(a, add_symbol(a, "main", SymbolKind::Function), 0);
  const SymbolId wanted = add_symbol(a, "helper", SymbolKind::Function);
  const SymbolId missing = add_symbol(a, "printf", SymbolKind::Function);
  const SymbolId own = add_symbol(a, "local", SymbolKind::Function, true);
  add_function(a, own, 1);
  add_function(b, add_symbol(b, "helper", SymbolKind::Function), 2);
  const SymbolId other = add_symbol(b, "local", SymbolKind::Function, true);
  add_function(b, other, 3);
  const auto program = Program::link({share(a), share(b)});
  ASSERT_EQ(program->function_count(), 4u);
  const Binding bound = program->binding(UnitId(0), wanted);
  EXPECT_EQ(bound.kind, BindingKind::Function);
  EXPECT_EQ(program->function(FunctionId(bound.id)).code[0].imm, 2);
  EXPECT_EQ(program->binding(UnitId(0), missing).kind, BindingKind::External);
  EXPECT_EQ(program->externals()[0].name, "printf");
  EXPECT_NE(program->binding(UnitId(0), own).id, program->binding(UnitId(1), other).id);
  EXPECT_EQ(program->stable_name(FunctionId(program->binding(UnitId(1), other).id)), "lib/b.c:local");
  EXPECT_EQ(program->stable_name(program->find_function("main")), "main");
  EXPECT_TRUE(program->conflicts().empty());
  EXPECT_EQ(program->place({program->find_function("main"), 0}).line, 3u);
  EXPECT_EQ(program->file_of({program->find_function("main"), 0}), "/p/src/a.c");
  EXPECT_EQ(program->content(), Program::link({share(b), share(a)})->content());
}

TEST(Linking, ClonesAreCalledByTheirCallersAlone) {
  Unit own = empty_unit("/p/own.c"), library = empty_unit("/library/l.c");
  const auto add_caller = [](Unit& unit, const char* name, const std::vector<SymbolId>& called, bool in_project) {
    add_function(unit, add_symbol(unit, name, SymbolKind::Function), 0);
    Function& function = unit.functions.back();
    function.in_project = in_project;
    for (const SymbolId callee : called) {
      function.calls.emplace_back();
      function.code.insert(function.code.begin(),
                           {Opcode::Call, 0, 0, 0, callee.value, 0, static_cast<int64_t>(function.calls.size() - 1)});
      function.places.push_back(PlaceId(1));
    }
  };
  const SymbolId outer = add_symbol(own, "outer", SymbolKind::Function);
  add_caller(own, "one", {outer}, true);
  add_caller(own, "two", {outer}, true);
  const SymbolId inner = add_symbol(library, "inner", SymbolKind::Function),
                 back = add_symbol(library, "two", SymbolKind::Function);
  add_caller(library, "outer", {inner, back}, false);
  add_function(library, inner, 1);
  library.functions.back().in_project = false;
  const auto plain = Program::link({share(own), share(library)});
  const FunctionId one = plain->find_function("one"), two = plain->find_function("two");
  const auto program = plain->with_clones({one});
  ASSERT_EQ(program->function_count(), plain->function_count() + 2);
  const auto called = [&](FunctionId caller, size_t n) {
    return FunctionId(program->binding(caller, SymbolId(program->function(caller).code[n].a)).id);
  };
  const FunctionId clone = called(one, 0), original = called(two, 0);
  EXPECT_EQ(original, plain->find_function("outer"));
  EXPECT_EQ(clone, program->clone_of(original));
  EXPECT_EQ(program->original(clone), original);
  EXPECT_EQ(program->original(original), original);
  EXPECT_EQ(called(clone, 0), two) << "the project has no clones";
  EXPECT_EQ(program->original(called(clone, 1)), plain->find_function("inner"));
  EXPECT_NE(called(clone, 1), plain->find_function("inner"));
  EXPECT_EQ(called(original, 1), plain->find_function("inner"));
  EXPECT_EQ(program->named(one, outer).id, original.value) << "an address is the original's";
  EXPECT_NE(program->content(), plain->content());
}

TEST(Linking, WeakGivesWayAndDuplicatesAreReported) {
  Unit weak = empty_unit("/p/a.c"), strong = empty_unit("/p/b.c"), again = empty_unit("/p/c.c");
  const SymbolId f = add_symbol(weak, "f", SymbolKind::Function, false, true);
  add_function(weak, f, 1);
  add_function(strong, add_symbol(strong, "f", SymbolKind::Function), 2);
  add_function(again, add_symbol(again, "f", SymbolKind::Function), 3);
  const auto two = Program::link({share(weak), share(strong)});
  EXPECT_EQ(two->function_count(), 1u);
  EXPECT_EQ(two->function(FunctionId(two->binding(UnitId(0), f).id)).code[0].imm, 2);
  EXPECT_TRUE(two->conflicts().empty());
  const auto three = Program::link({share(weak), share(strong), share(again)});
  EXPECT_EQ(three->conflicts().size(), 1u);
  // The first one is used, so that their order counts; that of others does not.
  EXPECT_NE(three->content(), Program::link({share(weak), share(again), share(strong)})->content());
  EXPECT_EQ(three->content(), Program::link({share(strong), share(again), share(weak)})->content());
  EXPECT_EQ(two->content(), Program::link({share(strong), share(weak)})->content());
  const auto same = Program::link({share(strong), share(strong), share(weak)});
  EXPECT_EQ(same->content(), Program::link({share(weak), share(strong), share(strong)})->content());
}

TEST(Linking, TheOrderOfWeakDefinitionsThatDifferCounts) {
  Unit one = empty_unit("/p/a.c"), other = empty_unit("/p/b.c");
  add_function(one, add_symbol(one, "f", SymbolKind::Function, false, true), 1);
  add_function(other, add_symbol(other, "f", SymbolKind::Function, false, true), 2);
  const auto program = Program::link({share(one), share(other)});
  EXPECT_TRUE(program->conflicts().empty());
  EXPECT_NE(program->content(), Program::link({share(other), share(one)})->content());
}

TEST(Linking, AliasesAreSecondNames) {
  Unit a = empty_unit("/p/a.c"), b = empty_unit("/p/b.c");
  const SymbolId f = add_symbol(a, "f", SymbolKind::Function), second = add_symbol(a, "g", SymbolKind::Function);
  add_function(a, f, 5);
  a.aliases.push_back({second, f});
  const SymbolId used = add_symbol(b, "g", SymbolKind::Function);
  const auto program = Program::link({share(a), share(b)});
  EXPECT_EQ(program->binding(UnitId(1), used).kind, BindingKind::Function);
  EXPECT_EQ(program->binding(UnitId(0), second).id, program->binding(UnitId(0), f).id);
  EXPECT_TRUE(program->find_function("g").valid());
}

Unit unit_with_types() {
  Unit unit = empty_unit("/p/a.c");
  unit.types.resize(6);
  unit.types[0] = {TypeKind::Integer, "int", 4, {}, 0, {}, {}};
  unit.types[1] = {
      TypeKind::Record, "struct item", 16, {}, 0, {{"key", 0, TypeId(0), 0}, {"size", 8, TypeId(4), 0}}, {}};
  unit.types[2] = {TypeKind::Array, "struct item[4]", 64, TypeId(1), 4, {}, {}};
  unit.types[3] = {
      TypeKind::Record, "struct queue", 72, {}, 0, {{"head", 0, TypeId(0), 0}, {"items", 8, TypeId(2), 0}}, {}};
  unit.types[4] = {TypeKind::Unsigned, "unsigned long", 8, {}, 0, {}, {}};
  unit.types[5] = {TypeKind::Enumeration, "enum color", 4, TypeId(0), 0, {}, {{"RED", 0}, {"BLUE", 7}}};
  return unit;
}

TEST(Values, AccessPaths) {
  const Unit unit = unit_with_types();
  EXPECT_EQ(access_path(unit, TypeId(3), 8, 4), ".items[0].key");
  EXPECT_EQ(access_path(unit, TypeId(3), 32, 8), ".items[1].size");
  EXPECT_EQ(access_path(unit, TypeId(3), 0, 4), ".head");
  EXPECT_EQ(access_path(unit, TypeId(3), 24, 16), ".items[1]");
  EXPECT_EQ(access_path(unit, TypeId(3), 4, 4), "");
  EXPECT_EQ(access_path(unit, TypeId::none(), 4, 4), "");
}

TEST(Values, PrintedAsTheSourceShowsThem) {
  const Unit unit = unit_with_types();
  EXPECT_EQ(print_value(unit, TypeId(0), 0xffffffff, 4), "-1");
  EXPECT_EQ(print_value(unit, TypeId(4), 42, 8), "42");
  EXPECT_EQ(print_value(unit, TypeId(5), 7, 4), "BLUE");
  EXPECT_EQ(print_value(unit, TypeId(5), 3, 4), "3");
  EXPECT_EQ(print_value(unit, TypeId::none(), 255, 1), "0xff");
}

TEST(Serialising, RoundTripAndDamage) {
  Unit unit = unit_with_types();
  add_function(unit, add_symbol(unit, "f", SymbolKind::Function), 9);
  unit.functions[0].locals.push_back({"x", 0, 0, 2, TypeId(0)});
  unit.functions[0].statements.push_back({StatementKind::Return, {FileId(0), 1, 2, 3, 4}});
  Global global;
  global.symbol = add_symbol(unit, "g", SymbolKind::Variable);
  global.size = 8;
  global.initialiser.assign(8, 1);
  global.relocations.push_back({0, SymbolId(0), -4});
  unit.globals.push_back(global);
  unit.initialisers.push_back({SymbolId(0), 101, true});
  compute_hashes(unit);
  const std::string bytes = write_unit(unit);
  const auto read = read_unit(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(write_unit(*read), bytes);
  EXPECT_EQ(print(*read), print(unit));
  EXPECT_EQ(read->types, unit.types);
  for (size_t cut = 0; cut < bytes.size(); ++cut) EXPECT_FALSE(read_unit(std::string_view(bytes).substr(0, cut)));
  for (size_t at = 0; at < bytes.size(); ++at) {  // damaged anywhere: no crash, whatever comes out
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x5a);
    (void)read_unit(damaged);
  }
  EXPECT_FALSE(read_unit(bytes + "x"));
}

// f calls g; what it throws goes to a landing pad that catches ints and cleans up for the rest.
Unit unit_with_landing_pad(const std::string& caught) {
  Unit unit = empty_unit("/p/a.cc");
  const SymbolId f = add_symbol(unit, "f", SymbolKind::Function), g = add_symbol(unit, "g", SymbolKind::Function);
  const SymbolId type = add_symbol(unit, caught, SymbolKind::Variable);
  Function function;
  function.symbol = f;
  function.display_name = "f";
  function.frame_slots = 2;
  CallSite site;
  site.unwind = 2;
  function.calls.push_back(site);
  LandingPad pad;
  pad.clauses.push_back({false, {type}});
  pad.clauses.push_back({true, {SymbolId::none()}});
  pad.cleanup = true;
  function.landing_pads.push_back(pad);
  function.code = {{Opcode::Call, 0, 0, 0, g.value, 0, 0},
                   {Opcode::Return, 0, 0, 0, 0, 0, 0},
                   {Opcode::CaughtException, 0, 0, 0, 0, 0, 0},
                   {Opcode::Resume, 0, 0, 0, 0, 0, 0}};
  function.places.assign(4, PlaceId(1));
  unit.functions.push_back(function);
  compute_hashes(unit);
  return unit;
}

TEST(LandingPads, AreReadBackPrintedAndHashed) {
  const Unit unit = unit_with_landing_pad("_ZTIi");
  EXPECT_TRUE(verify(unit).empty()) << verify(unit).front();
  const std::string bytes = write_unit(unit);
  const auto read = read_unit(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(write_unit(*read), bytes);
  EXPECT_EQ(read->functions[0].landing_pads, unit.functions[0].landing_pads);
  const std::string text = print(unit);
  EXPECT_NE(text.find("unwind ->2 pad #0"), std::string::npos) << text;
  EXPECT_NE(text.find("catch(@_ZTIi) filter(...) cleanup"), std::string::npos) << text;
  EXPECT_NE(unit.functions[0].hash, unit_with_landing_pad("_ZTIl").functions[0].hash);
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x5a);
    (void)read_unit(damaged);
  }
}

TEST(LandingPads, AreEdgesOfTheFlowGraph) {
  const Unit unit = unit_with_landing_pad("_ZTIi");
  const Function& function = unit.functions[0];
  std::vector<uint32_t> targets;
  for_each_target(function, function.code[0], [&](uint32_t target) { targets.push_back(target); });
  EXPECT_EQ(targets, std::vector<uint32_t>{2});
  EXPECT_TRUE(ends_block(function, function.code[0]));
  EXPECT_FALSE(is_terminator(function.code[0].op));
  EXPECT_FALSE(ends_block(function, function.code[2]));
  EXPECT_TRUE(is_terminator(Opcode::Resume));
  EXPECT_EQ(definitions_of(function, function.code[2]).items[0].count, 2u);
  EXPECT_EQ(uses_of(function.code[3]).items[0].count, 2u);
}

TEST(LandingPads, MistakesAreFound) {
  Unit unit = unit_with_landing_pad("_ZTIi");
  unit.functions[0].calls[0].landing_pad = 1;
  EXPECT_FALSE(verify(unit).empty());
  unit = unit_with_landing_pad("_ZTIi");
  unit.functions[0].calls[0].unwind = 4;
  EXPECT_FALSE(verify(unit).empty());
  unit = unit_with_landing_pad("_ZTIi");
  unit.functions[0].landing_pads[0].clauses[0].types.clear();
  EXPECT_FALSE(verify(unit).empty());
}

TEST(Verifying, FindsWhatIsWrong) {
  Unit unit = empty_unit("/p/a.c");
  add_function(unit, add_symbol(unit, "f", SymbolKind::Function), 9);
  EXPECT_TRUE(verify(unit).empty());
  Unit broken = unit;
  broken.functions[0].code[0].dst = 7;
  EXPECT_FALSE(verify(broken).empty());
  broken = unit;
  broken.functions[0].code[1] = {Opcode::Jump, 0, 0, 9, 0, 0, 0};
  EXPECT_FALSE(verify(broken).empty());
  broken = unit;
  broken.functions[0].code[1] = {Opcode::Call, 0, 0, 0, 44, 0, 3};
  EXPECT_FALSE(verify(broken).empty());
  broken = unit;
  broken.functions[0].places.pop_back();
  EXPECT_FALSE(verify(broken).empty());
}

TEST(Names, AreReadableAsTheyWereWritten) {
  EXPECT_EQ(readable_name("printf"), "printf");
  EXPECT_EQ(readable_name("_ZN3Lru3putEiNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"),
            "Lru::put(int, std::string)");
  EXPECT_EQ(readable_name("_ZN3Lru3getB5cxx11Ei"), "Lru::get(int)");
  EXPECT_EQ(readable_name("_ZGVZ1cvE1x"), "the initialisation of 'x'");
  EXPECT_EQ(readable_name("_ZGV5tableISt6vectorIiEE"), "the initialisation of 'table<std::vector<int> >'");
}

}  // namespace
}  // namespace heddle::program
