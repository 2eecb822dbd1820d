// Which slots and bytes depend on unknown inputs, by which expression, and what the path has assumed of the inputs.
//
// In:      expressions for slots and bytes; conditions that the path takes.
// Out:     the expressions again; which conditions can hold; the smallest inputs that lead along the path.
// Cost:    a vector access for a slot, a look-up for eight bytes; a query of the solver where a condition does not hold
//          for the inputs at hand.
// Owns:    the pool, the solver and the tables. A log takes the tables back to a mark.
// Threads: the thread that uses the machine.
// Fails:   never; a condition that the solver leaves open counts as one that cannot hold, and is noted as a limit.
// From:    ConDpor (concolic execution: values together with expressions); PorSe section 4.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "server/machine/symbolic/inputs.h"
#include "server/machine/types.h"
#include "server/symbolic/solver.h"

namespace heddle::machine {

using symbolic::Expression;

class Symbols {
 public:
  // A cell without an expression has number 0, which no value that depends on an input has.
  struct Granule {
    std::array<Expression, 8> whole{};  // the expression that a byte is a part of
    std::array<uint8_t, 8> part{};      // which byte of it
  };
  struct Input {
    uint64_t number = 0;  // thread << 32 | how many the thread had taken before << 7 | width
    uint32_t width = 0;
    CodeAddress at;
    uint32_t text = kNoText;  // the number of the text that it is a byte of
  };
  static constexpr uint32_t kNoText = ~0u;

  // `keeps_assumed`: see below. `given`: the inputs are these; null: any.
  explicit Symbols(bool keeps_assumed, const GivenValues* given = nullptr);
  symbolic::Pool& pool() { return pool_; }
  const symbolic::Pool& pool() const { return pool_; }

  // Something depends on an input. Null: nothing does.
  static bool any(const Symbols* symbols) {
    return symbols != nullptr && symbols->slots_live_ + symbols->granules_.size() != 0;
  }
  Expression slot(uint32_t thread, uint32_t word) const {
    const std::vector<Expression>& all = slots_[thread];
    return word < all.size() ? all[word] : Expression{};
  }
  void set_slot(uint32_t thread, uint32_t word, Expression expression);
  void clear_slots(uint32_t thread, uint32_t from);  // and all above
  uint32_t slots_end(uint32_t thread) const { return static_cast<uint32_t>(slots_[thread].size()); }

  // By the address of the first of the eight bytes.
  const std::unordered_map<uint64_t, Granule>& granules() const { return granules_; }
  bool any_in(uint64_t address, uint64_t size) const;
  void set_byte(uint64_t address, Expression whole, uint8_t part);
  void clear_bytes(uint64_t address, uint64_t size);
  std::pair<Expression, uint8_t> byte(uint64_t address) const;

  Expression new_input(uint32_t thread, uint32_t width, CodeAddress at);
  // Of a text with this number, by the thread. Its smallest value is the character '0', then the digits follow.
  Expression new_byte(uint32_t thread, uint32_t text);
  std::span<const Input> inputs() const { return inputs_; }
  // Memory that a call filled which nothing defines.
  struct Filled {
    CodeAddress at;
    uint32_t thread = 0, argument = 0, bytes = 0;
    struct Part {
      uint32_t offset = 0, size = 0;
      Expression value;
    };
    std::vector<Part> parts;  // what is unknown; the rest is 0
  };
  void note_filled(Filled filled);
  std::span<const Filled> filled() const { return filled_; }
  uint64_t value_of(Expression expression) const {
    if (evaluated_ != model_) {
      evaluated_ = model_;
      ++values_.round;
    }
    return pool_.evaluate(expression, *model_, values_);
  }
  uint64_t value_of(const Input& input) const;

  void give(symbolic::Model values);  // they are at hand until the log is rewound
  bool given() const { return given_; }
  // Of given inputs: it holds.
  bool can_hold(Expression condition);
  // REQUIRES can_hold(condition). True: the inputs at hand became others.
  bool assume(Expression condition);
  const symbolic::Statistics& solver_statistics() const { return solver_.statistics(); }
  bool undecided() const { return undecided_; }              // on some path, for good
  bool satisfiable(std::span<const Expression> conditions);  // whatever the path assumes

  // With Options::exact_spins. What the path assumed since it was taken last, also what it had assumed before.
  std::vector<Expression> assumed;
  const bool keeps_assumed;
  // Stores of unknown values, by numbers from 1; and what locations held before the first store.
  uint32_t note_store(Expression value);
  void note_initial(uint64_t address, Expression value);
  uint32_t stores_noted() const { return static_cast<uint32_t>(stores_.size()); }
  Expression stored(uint32_t number, uint64_t address) const;  // number 0: the initial value

  // The thread stands before a question about the inputs, or has just been given its answer. An operation may ask
  // several, one after the other.
  bool asks(uint32_t thread) const { return asking_[thread] % 2 == 1; }
  uint32_t answers(uint32_t thread) const { return asking_[thread] / 2; }
  void ask(uint32_t thread) { set_asking(thread, asking_[thread] + 1); }
  void answered(uint32_t thread) { set_asking(thread, asking_[thread] + 1); }
  void end_asking(uint32_t thread) { set_asking(thread, 0); }

  uint64_t hash();  // of all tables and of the path's conditions
  uint64_t hash_of_slots(uint32_t thread);
  uint64_t hash_of_bytes(uint64_t address, uint64_t size);
  uint64_t path_hash() const { return path_hash_; }
  size_t mark() const { return log_.size(); }
  void rewind(size_t mark);

  // By thread: which outcomes of the question asked last were possible, and when that holds.
  struct Known {
    uint64_t key = 0, possible = 0;
  };
  std::array<Known, 256> known{};
  // Where a value became one number, because the operation there knows no expressions. Kept for good.
  std::set<CodeAddress> made_concrete;
  uint64_t times_made_concrete = 0;
  bool copies = false;   // memory is moved, not looked at
  bool decided = false;  // all that the library function at pc looks at in memory was asked (symbolic/text.h)
  std::map<CodeAddress, bool> result_is_read;  // of calls that print
  // What the library function at pc will store, alone or as a part of more, where that depends on an input.
  struct Later {
    uint64_t address = 0;
    uint32_t size = 0;
    Expression value;
  };
  std::vector<Later> later;
  bool place_later(uint64_t address, uint64_t size);  // after such a store; false: it is none

 private:
  using ModelPtr = std::shared_ptr<const symbolic::Model>;
  enum class Undo : uint8_t { Slot, Granule, NoGranule, Asking, Condition, Model, Input, Filled, Store, Initial };
  struct Entry {
    Undo what = Undo::Slot;
    uint32_t thread = 0;
    uint64_t key = 0;  // word, address, number, or the path's hash before
    Granule granule;
    ModelPtr model;
  };
  uint64_t hash_of(Expression expression);
  void keep_granule(uint64_t address);
  void set_asking(uint32_t thread, uint32_t asking);

  const bool given_;
  symbolic::Pool pool_;
  symbolic::Solver solver_;
  std::array<std::vector<Expression>, 256> slots_;
  std::unordered_map<uint64_t, Granule> granules_;
  std::array<uint32_t, 256> asking_{};  // twice the answers given; one more: it asks
  std::vector<Expression> path_;
  uint64_t path_hash_ = 0;
  ModelPtr model_;
  mutable ModelPtr evaluated_;  // whose values values_ has
  mutable symbolic::Pool::Evaluation values_;
  std::vector<Input> inputs_;
  std::vector<Filled> filled_;
  std::vector<Expression> stores_;
  std::unordered_map<uint64_t, Expression> initials_;  // by address
  std::array<uint32_t, 256> inputs_taken_{};
  size_t slots_live_ = 0;
  bool undecided_ = false;
  std::vector<Entry> log_;
  std::unordered_map<uint32_t, uint64_t> hashes_;  // by number of expression
};

}  // namespace heddle::machine
