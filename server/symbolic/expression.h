// Expressions over the bits of unknown inputs. Equal expressions are one node, and each is simplified when it is made.
//
// In:      inputs and constants of 1 to 64 bits, and operations on them.
// Out:     an Expression: a number within its pool. An operand always has a smaller number than what uses it.
// Cost:    constant per operation; evaluation is linear in the distinct nodes below the root.
// Owns:    the pool owns its nodes until it ends.
// Threads: one per pool; several threads may call const members as long as none adds.
// Fails:   std::invalid_argument if widths do not fit the operation; that is an error of the caller.
// From:    SMT-LIB, theory FixedSizeBitVectors: division by zero and long shifts have the values that it defines.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle::symbolic {

enum class Operation : uint8_t {
  Constant,
  Input,
  Add,
  Subtract,
  Multiply,
  UnsignedDivide,
  SignedDivide,
  UnsignedRemainder,
  SignedRemainder,
  And,
  Or,
  Xor,
  ShiftLeft,
  LogicalShiftRight,
  ArithmeticShiftRight,
  Equal,
  UnsignedLess,
  SignedLess,
  Select,
  ZeroExtend,
  SignExtend,
  Extract,
  Concatenate,
};

// Only the pool that made it can read it.
struct Expression {
  uint32_t number = 0;
  friend auto operator<=>(const Expression&, const Expression&) = default;
};

struct Node {
  Operation operation = Operation::Constant;
  uint8_t width = 1;         // bits of the result
  uint64_t value = 0;        // Constant: its bits. Input: its number. Extract: the lowest bit taken
  Expression operands[3]{};  // as many as the operation has; the others are 0
  friend bool operator==(const Node&, const Node&) = default;
};

// The values of the inputs, by their numbers. An input without a value is 0.
using Model = std::unordered_map<uint64_t, uint64_t>;

uint64_t mask_of(unsigned width);
size_t operands_of(Operation operation);

class Pool {
 public:
  Expression constant(unsigned width, uint64_t value);
  // The same number must always come with the same width.
  Expression input(unsigned width, uint64_t number);
  // Two operands of one width. Comparisons have one bit, the others the operands' width.
  Expression binary(Operation operation, Expression left, Expression right);
  Expression complement(Expression operand);
  Expression select(Expression condition, Expression then, Expression otherwise);
  // ZeroExtend or SignExtend, to at least the operand's width.
  Expression extend(Operation operation, unsigned width, Expression operand);
  Expression extract(unsigned low, unsigned width, Expression operand);
  Expression concatenate(Expression high, Expression low);

  const Node& at(Expression expression) const { return nodes_[expression.number]; }
  uint64_t evaluate(Expression expression, const Model& model) const;
  // The same, where many expressions are evaluated for one model. `known` has the values that were found before.
  struct Evaluation {
    std::vector<uint64_t> values;    // by number
    std::vector<uint32_t> found_in;  // by number: the round in which the value was found
    uint32_t round = 1;              // another one begins with each other model
    std::vector<uint32_t> open;
  };
  uint64_t evaluate(Expression expression, const Model& model, Evaluation& known) const;
  // Every node below the roots and the roots, ascending, each once.
  std::vector<Expression> below(std::span<const Expression> roots) const;
  // One line per operation, operands first; the last line is the expression.
  std::string print(Expression expression) const;

 private:
  struct Hash {
    size_t operator()(const Node& node) const;
  };
  Expression keep(const Node& node);
  uint64_t most_without_wrap(Expression quotient, Expression factor) const;
  std::optional<Expression> equal_to(Expression sum, uint64_t value);
  std::optional<Expression> as_product(Operation operation, Expression left, Expression right);
  bool is_constant(Expression expression) const { return at(expression).operation == Operation::Constant; }
  bool is_constant(Expression expression, uint64_t value) const;

  std::vector<Node> nodes_;
  std::unordered_map<Node, uint32_t, Hash> numbers_;
  std::unordered_map<uint64_t, uint8_t> input_widths_;
};

}  // namespace heddle::symbolic
