// What library functions make of unknown text: their decisions as questions, one after the other, and their results as
// expressions. The function itself runs afterwards, on the bytes for the inputs at hand, and decides the same.
//
// In:      a machine and a thread that stands at a call of the library; how many of its questions are answered.
// Out:     the next question, as outcomes that exclude each other; or what the result depends on.
// Owns:    nothing.
// Threads: the thread that uses the machine.
// Fails:   known() is false for a function that is not here, and where an address or a size depends on an input: then
//          the operands and the memory become numbers.
// From:    ISO C17 7.4, 7.22.1 and 7.24, in the C locale.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "server/machine/state.h"
#include "server/machine/symbolic/symbols.h"

namespace heddle::machine {

class TextCall {
 public:
  TextCall(Machine::State& state, Thread& thread, uint32_t answers);

  bool known() const { return known_; }
  const std::vector<Expression>& question() const { return question_; }  // empty: all are answered
  // Number 0: what the function returns follows from the answers.
  Expression result() const { return result_; }
  Expression second() const { return second_; }  // of a result of two words

 private:
  using Model = void (TextCall::*)();
  struct Row {
    std::string_view name;
    Model model;
    int character = -1;  // the argument that may depend on an input: no address and no size; kEach: each of them
    int size = -1;       // how many bytes: its value is asked first
  };
  static const Row kRows[];
  static constexpr int kEach = 100;
  using Predicate = std::function<Expression(uint64_t place)>;
  class Scan;     // symbolic/scan.cc
  class Options;  // symbolic/options.cc
  static constexpr uint64_t kNoEnd = ~uint64_t{0};

  // The outcome that holds; a question if it is none of those answered.
  size_t decide(std::vector<Expression> outcomes);
  bool holds(Expression condition);
  // The first place in the text, before `end`, for which the condition holds; `end` if there is none. Memory that is
  // not there ends the search.
  uint64_t find(uint64_t text, uint64_t end, const Predicate& condition);
  uint64_t length_of(uint64_t text, uint64_t most);

  bool is_there(uint64_t address) const;
  bool others_may_write(uint64_t address) const;
  Expression byte(uint64_t address);
  Expression number(uint32_t width, uint64_t value) { return pool_.constant(width, value); }
  Expression equals(Expression e, uint64_t value);
  Expression between(Expression e, uint64_t least, uint64_t most);
  Expression either(Expression a, Expression b) { return pool_.binary(symbolic::Operation::Or, a, b); }
  Expression both(Expression a, Expression b) { return pool_.binary(symbolic::Operation::And, a, b); }
  Expression is_space(Expression e) { return either(equals(e, ' '), between(e, 9, 13)); }
  Expression lower(Expression e);
  Expression member(Expression e, uint64_t set);

  uint64_t argument(uint32_t n) const;
  uint64_t standard_input() const;  // the stream
  bool known_text(uint64_t address, std::string& text);
  // What the function stores there depends on inputs.
  void writes_later(uint64_t address, uint32_t size, Expression value);
  Expression unknown_argument(uint32_t n, uint32_t width);  // may depend on an input
  bool depends_on_place(const Row& row) const;
  bool asks_size(int size);  // false: it is not one of those that are asked
  void sized() {}            // nothing but the size is asked
  void move_bytes() { moved(true); }
  void set_bytes() { moved(false); }
  void moved(bool reads);
  void absolute() { absolute_of(32); }
  void absolute_long() { absolute_of(64); }
  void absolute_of(uint32_t width);
  void reverse_short() { reverse(2); }
  void reverse_long() { reverse(4); }
  void reverse(uint32_t bytes);
  void divide() { divide_of(32); }
  void divide_long() { divide_of(64); }
  void divide_of(uint32_t width);
  void give_up() { known_ = false; }

  void length();
  void bounded_length();
  void copy();  // strcpy and the like: only where the text ends
  void copy_bounded();
  void append();
  void append_bounded();
  void duplicate();
  void duplicate_bounded();
  void first_character();
  void last_character();
  void first_byte();
  void span();
  void complement_span();
  void find_text();
  void compare();
  void compare_bounded();
  void compare_bytes();
  void compare_folded();
  void compare_folded_bounded();
  void compare_texts(uint64_t most, bool texts, bool folded);
  void integer_of_base();
  void plain_integer();
  void plain_long();
  void integer(uint32_t base, uint32_t width);
  Expression digit(Expression e, uint32_t base);
  Expression digit_value(Expression e);
  Expression value_of_digits(uint64_t text, uint64_t count, uint32_t base);
  static uint32_t digits_that_fit(uint32_t base);
  void classify();
  void character_of_input();
  void character_of_stream();
  void character_from(uint64_t stream);
  void line();
  void line_checked();
  void whole_line();
  void delimited();
  void line_from(uint64_t stream, uint64_t most, uint8_t delimiter);
  void scan(uint64_t begin, uint64_t size, uint32_t format);
  void scan_text();
  void scan_input();
  void scan_stream();
  // symbolic/print.cc
  struct PrintDirective;
  static PrintDirective next_print_directive(const std::string& format, size_t& at);
  void put(uint64_t address, uint64_t room, std::vector<Expression> characters);
  std::vector<Expression> padded(const PrintDirective& d, std::vector<Expression> sign,
                                 std::vector<Expression> characters);
  std::vector<Expression> digits_of(Expression value, uint32_t base);
  std::vector<Expression> printed_integer(const PrintDirective& d, uint32_t argument);
  std::vector<Expression> printed_text(const PrintDirective& d, uint32_t at);
  void print(uint64_t room, uint32_t format);
  void print_text();
  void print_text_checked();
  void print_bounded();
  void print_bounded_checked();
  void give_back();
  void first_word(uint64_t text);
  void end_of_word(uint64_t text);
  void next_word();
  void next_word_from();
  void separate();
  void read_piece();
  void options();
  void long_options();
  void only_long_options();
  bool reads_file(uint64_t stream, uint64_t& place, uint64_t& size);

  Machine::State& state_;
  Thread& thread_;
  Symbols& symbols_;
  symbolic::Pool& pool_;
  const CallInfo& call_;
  Callee callee_;
  uint32_t answers_, decided_ = 0;
  bool known_ = false;
  uint64_t printed_ = 0;  // characters
  std::vector<Expression> question_;
  Expression result_, second_;
};

// What a table of `values` holds at place `index` from `least` on, as an expression; number 0: it has too many parts.
Expression from_table(symbolic::Pool& pool, Expression index, const std::vector<uint64_t>& values, uint32_t width);

}  // namespace heddle::machine
