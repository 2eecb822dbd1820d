#include "server/symbolic/z3_slice.h"

#include <z3++.h>

#include <map>
#include <optional>
#include <string>

namespace heddle::symbolic {
namespace {

z3::expr as_bit(const z3::expr& condition) {
  return z3::ite(condition, condition.ctx().bv_val(1, 1), condition.ctx().bv_val(0, 1));
}

z3::expr binary_term(Operation operation, const z3::expr& a, const z3::expr& b) {
  switch (operation) {
    case Operation::Add: return a + b;
    case Operation::Subtract: return a - b;
    case Operation::Multiply: return a * b;
    case Operation::UnsignedDivide: return z3::udiv(a, b);
    case Operation::SignedDivide: return a / b;
    case Operation::UnsignedRemainder: return z3::urem(a, b);
    case Operation::SignedRemainder: return z3::srem(a, b);
    case Operation::And: return a & b;
    case Operation::Or: return a | b;
    case Operation::Xor: return a ^ b;
    case Operation::ShiftLeft: return z3::shl(a, b);
    case Operation::LogicalShiftRight: return z3::lshr(a, b);
    case Operation::ArithmeticShiftRight: return z3::ashr(a, b);
    case Operation::Equal: return as_bit(a == b);
    case Operation::UnsignedLess: return as_bit(z3::ult(a, b));
    case Operation::SignedLess: return as_bit(z3::slt(a, b));
    default: return z3::concat(a, b);
  }
}

class Translation {
 public:
  Translation(const Pool& pool, const Slice& slice, uint32_t work_max) : pool_(pool), solver_(context_, "QF_BV") {
    z3::params params(context_);
    params.set("ctrl_c", false);  // no handlers of signals: the sandbox forbids them
    params.set("rlimit", work_max);
    solver_.set(params);
    for (Expression next : pool.below(slice)) terms_.emplace(next.number, term_of(pool.at(next)));
    for (Expression condition : slice) solver_.add(terms_.at(condition.number) == context_.bv_val(1, 1));
  }

  Answer solve() {
    Decision decision = check();
    if (decision != Decision::Satisfiable) return {decision, {}};
    Model smallest;
    for (const auto& [number, term] : inputs_) {
      std::optional<uint64_t> least = least_value(term);
      if (!least) return {};
      smallest[number] = *least;
    }
    return {Decision::Satisfiable, smallest};
  }

 private:
  Decision check() {
    z3::check_result result = solver_.check();
    if (result == z3::unknown) return Decision::Undecided;
    if (result == z3::unsat) return Decision::Unsatisfiable;
    last_.emplace(solver_.get_model());
    return Decision::Satisfiable;
  }

  // From the highest bit down, a bit is 0 wherever it can be. Only a bit that the last model sets needs a query.
  std::optional<uint64_t> least_value(const z3::expr& input) {
    uint64_t least = 0;
    for (unsigned bit = input.get_sort().bv_size(); bit-- > 0;) {
      z3::expr taken = input.extract(bit, bit);
      z3::expr zero = taken == context_.bv_val(0, 1);
      if (last_->eval(taken, true).get_numeral_uint64() != 0) {
        solver_.push();
        solver_.add(zero);
        Decision decision = check();
        solver_.pop();
        if (decision == Decision::Undecided) return std::nullopt;
        if (decision == Decision::Unsatisfiable) {
          least |= uint64_t{1} << bit;
          solver_.add(!zero);
          continue;
        }
      }
      solver_.add(zero);
    }
    return least;
  }

  z3::expr term_of(const Node& node) {
    auto operand = [&](size_t i) { return terms_.at(node.operands[i].number); };
    switch (node.operation) {
      case Operation::Constant: return context_.bv_val(node.value, node.width);
      case Operation::Input: {
        z3::expr input = context_.bv_const(("input" + std::to_string(node.value)).c_str(), node.width);
        inputs_.emplace(node.value, input);
        return input;
      }
      case Operation::Select: return z3::ite(operand(0) == context_.bv_val(1, 1), operand(1), operand(2));
      case Operation::ZeroExtend: return z3::zext(operand(0), node.width - pool_.at(node.operands[0]).width);
      case Operation::SignExtend: return z3::sext(operand(0), node.width - pool_.at(node.operands[0]).width);
      case Operation::Extract: {
        auto low = static_cast<unsigned>(node.value);
        return operand(0).extract(low + node.width - 1, low);
      }
      default: return binary_term(node.operation, operand(0), operand(1));
    }
  }

  const Pool& pool_;
  z3::context context_;
  z3::solver solver_;
  std::map<uint32_t, z3::expr> terms_;
  std::map<uint64_t, z3::expr> inputs_;
  std::optional<z3::model> last_;
};

}  // namespace

Answer solve_by_z3(const Pool& pool, const Slice& slice, uint32_t work_max) {
  try {
    return Translation(pool, slice, work_max).solve();
  } catch (const z3::exception&) {
    return {};
  }
}

}  // namespace heddle::symbolic
