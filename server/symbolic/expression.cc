#include "server/symbolic/expression.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "server/symbolic/arithmetic.h"

namespace heddle::symbolic {
namespace {

constexpr std::array<const char*, 23> kNames = {
    "",   "",    "+",   "-",  "*",  "/u", "/s",     "%u",   "%s",   "&",       "|",     "^",
    "<<", ">>u", ">>s", "==", "<u", "<s", "select", "zext", "sext", "extract", "concat"};

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

bool commutes(Operation operation) {
  return operation == Operation::Add || operation == Operation::Multiply || operation == Operation::And ||
         operation == Operation::Or || operation == Operation::Xor || operation == Operation::Equal;
}

bool compares(Operation operation) {
  return operation == Operation::Equal || operation == Operation::UnsignedLess || operation == Operation::SignedLess;
}

// Zero on the right changes nothing.
bool zero_is_neutral(Operation operation) {
  switch (operation) {
    case Operation::Add:
    case Operation::Subtract:
    case Operation::Or:
    case Operation::Xor:
    case Operation::ShiftLeft:
    case Operation::LogicalShiftRight:
    case Operation::ArithmeticShiftRight: return true;
    default: return false;
  }
}

}  // namespace

uint64_t mask_of(unsigned width) { return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }

size_t operands_of(Operation operation) {
  switch (operation) {
    case Operation::Constant:
    case Operation::Input: return 0;
    case Operation::ZeroExtend:
    case Operation::SignExtend:
    case Operation::Extract: return 1;
    case Operation::Select: return 3;
    default: return 2;
  }
}

size_t Pool::Hash::operator()(const Node& node) const {
  uint64_t hash = static_cast<uint64_t>(node.operation) << 8 | node.width;
  for (uint64_t part : {node.value, uint64_t{node.operands[0].number}, uint64_t{node.operands[1].number},
                        uint64_t{node.operands[2].number}}) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  }
  return hash;
}

bool Pool::is_constant(Expression expression, uint64_t value) const {
  return is_constant(expression) && at(expression).value == value;
}

// Folds a node whose operands are all constant.
Expression Pool::keep(const Node& node) {
  size_t count = operands_of(node.operation);
  bool constant_operands = count > 0;
  for (size_t i = 0; i < count; ++i) constant_operands = constant_operands && is_constant(node.operands[i]);
  if (constant_operands) {
    uint64_t values[3]{};
    for (size_t i = 0; i < count; ++i) values[i] = at(node.operands[i]).value;
    return constant(node.width, result_of(node, at(node.operands[0]).width, at(node.operands[1]).width, values));
  }
  auto [place, is_new] = numbers_.try_emplace(node, static_cast<uint32_t>(nodes_.size()));
  if (is_new) nodes_.push_back(node);
  return {place->second};
}

Expression Pool::constant(unsigned width, uint64_t value) {
  require(width >= 1 && width <= 64, "a constant has 1 to 64 bits");
  return keep({Operation::Constant, static_cast<uint8_t>(width), value & mask_of(width), {}});
}

Expression Pool::input(unsigned width, uint64_t number) {
  require(width >= 1 && width <= 64, "an input has 1 to 64 bits");
  auto known = input_widths_.try_emplace(number, static_cast<uint8_t>(width)).first;
  require(known->second == width, "an input has one width");
  return keep({Operation::Input, static_cast<uint8_t>(width), number, {}});
}

// "x * c / c == x" asks whether the product fits: x is at most this. 0: the two are something else.
uint64_t Pool::most_without_wrap(Expression quotient, Expression factor) const {
  const Node& divided = at(quotient);
  if (divided.operation != Operation::UnsignedDivide || !is_constant(divided.operands[1])) return 0;
  const Node& product = at(divided.operands[0]);
  if (product.operation != Operation::Multiply || product.operands[0] != factor) return 0;
  const uint64_t by = at(divided.operands[1]).value;
  return by > 1 && product.operands[1] == divided.operands[1] ? mask_of(product.width) / by : 0;
}

// "(x << 5) + x" is x * 33, and "(x << 5) - x" is x * 31. Nothing: it is neither.
std::optional<Expression> Pool::as_product(Operation operation, Expression left, Expression right) {
  const bool adds = operation == Operation::Add;
  if (adds && at(left).operation != Operation::ShiftLeft) std::swap(left, right);
  const Node shifted = at(left);
  if (shifted.operation != Operation::ShiftLeft || shifted.operands[0] != right || !is_constant(shifted.operands[1]))
    return std::nullopt;
  const uint64_t by = at(shifted.operands[1]).value;
  if (by >= shifted.width) return std::nullopt;
  const uint64_t power = uint64_t{1} << by;
  return binary(Operation::Multiply, right, constant(shifted.width, adds ? power + 1 : power - 1));
}

// "x * 3 + 1 == 7" asks whether x is 2, and "x - y == 0" whether x is y. Nothing: it is none of these.
std::optional<Expression> Pool::equal_to(Expression sum, uint64_t value) {
  const Node node = at(sum);  // a copy: nodes are added
  const bool by_number = operands_of(node.operation) == 2 && is_constant(node.operands[1]);
  const uint64_t second = by_number ? at(node.operands[1]).value : 0;
  const auto first_is = [&](Expression operand, uint64_t wanted) {
    return binary(Operation::Equal, operand, constant(at(operand).width, wanted));
  };
  switch (node.operation) {
    case Operation::Add:
      if (by_number) return first_is(node.operands[0], value - second);
      break;
    case Operation::Xor:
      if (by_number) return first_is(node.operands[0], value ^ second);
      break;
    case Operation::Subtract:
      if (value == 0) return binary(Operation::Equal, node.operands[0], node.operands[1]);
      if (is_constant(node.operands[0])) return first_is(node.operands[1], at(node.operands[0]).value - value);
      break;
    case Operation::SignExtend: {
      const unsigned width = at(node.operands[0]).width;
      if ((static_cast<uint64_t>(as_signed(width, value)) & mask_of(node.width)) != value) return constant(1, 0);
      return first_is(node.operands[0], value & mask_of(width));
    }
    case Operation::Multiply:
      if (by_number && second % 2 == 1) return first_is(node.operands[0], value * inverse_of(second));
      break;
    case Operation::ZeroExtend:
      if (value > mask_of(at(node.operands[0]).width)) return constant(1, 0);
      return first_is(node.operands[0], value);
    case Operation::Concatenate: {
      const unsigned low = at(node.operands[1]).width;
      const Expression upper = first_is(node.operands[0], value >> low);
      return binary(Operation::And, upper, first_is(node.operands[1], value & mask_of(low)));
    }
    default: break;
  }
  return std::nullopt;
}

Expression Pool::binary(Operation operation, Expression left, Expression right) {
  unsigned width = at(left).width;
  require(operation >= Operation::Add && operation <= Operation::SignedLess, "the operation has two operands");
  require(width == at(right).width, "both operands have one width");
  if (commutes(operation) && (is_constant(left) || (!is_constant(right) && right < left))) std::swap(left, right);
  if (is_constant(right, 0) && zero_is_neutral(operation)) return left;
  if (is_constant(right, 0) && (operation == Operation::And || operation == Operation::Multiply)) return right;
  if (is_constant(right, 0) && operation == Operation::UnsignedLess) return constant(1, 0);
  if (is_constant(right, mask_of(width)) && operation == Operation::And) return left;
  if (is_constant(right, 1) && operation == Operation::Multiply) return left;
  if (is_constant(right, 1) && operation == Operation::Equal && width == 1) return left;
  if (is_constant(right, 0) && operation == Operation::Equal && width == 1) return complement(left);
  if (left == right) {
    if (operation == Operation::And || operation == Operation::Or) return left;
    if (operation == Operation::Xor || operation == Operation::Subtract) return constant(width, 0);
    if (compares(operation)) return constant(1, operation == Operation::Equal ? 1 : 0);
  }
  if (operation == Operation::Add || operation == Operation::Subtract)
    if (const std::optional<Expression> product = as_product(operation, left, right)) return *product;
  if (operation == Operation::Equal && is_constant(right))
    if (const std::optional<Expression> simpler = equal_to(left, at(right).value)) return *simpler;
  if (operation == Operation::Equal) {
    for (const auto& [quotient, factor] : {std::pair(left, right), std::pair(right, left)})
      if (const uint64_t most = most_without_wrap(quotient, factor); most != 0)
        return binary(Operation::UnsignedLess, factor, constant(width, most + 1));
  }
  const Node inner = at(left);
  bool nests = operation == Operation::Add || operation == Operation::Xor || operation == Operation::And;
  if (nests && inner.operation == operation && is_constant(right) && is_constant(inner.operands[1])) {
    return binary(operation, inner.operands[0], binary(operation, inner.operands[1], right));
  }
  unsigned result = compares(operation) ? 1 : width;
  return keep({operation, static_cast<uint8_t>(result), 0, {left, right}});
}

Expression Pool::complement(Expression operand) {
  unsigned width = at(operand).width;
  return binary(Operation::Xor, operand, constant(width, mask_of(width)));
}

Expression Pool::select(Expression condition, Expression then, Expression otherwise) {
  require(at(condition).width == 1, "a condition has one bit");
  require(at(then).width == at(otherwise).width, "both values have one width");
  if (is_constant(condition)) return at(condition).value != 0 ? then : otherwise;
  if (then == otherwise) return then;
  return keep({Operation::Select, at(then).width, 0, {condition, then, otherwise}});
}

Expression Pool::extend(Operation operation, unsigned width, Expression operand) {
  require(operation == Operation::ZeroExtend || operation == Operation::SignExtend, "the operation extends");
  require(width >= at(operand).width && width <= 64, "the result has at least the operand's bits");
  if (width == at(operand).width) return operand;
  if (at(operand).operation == operation) operand = at(operand).operands[0];
  return keep({operation, static_cast<uint8_t>(width), 0, {operand}});
}

Expression Pool::extract(unsigned low, unsigned width, Expression operand) {
  const Node whole = at(operand);
  require(width >= 1 && low + width <= whole.width, "the bits lie within the operand");
  if (width == whole.width) return operand;
  if (whole.operation == Operation::Extract) {
    return extract(low + static_cast<unsigned>(whole.value), width, whole.operands[0]);
  }
  if (whole.operation == Operation::Concatenate) {
    unsigned border = at(whole.operands[1]).width;
    if (low + width <= border) return extract(low, width, whole.operands[1]);
    if (low >= border) return extract(low - border, width, whole.operands[0]);
  }
  if (whole.operation == Operation::ZeroExtend || whole.operation == Operation::SignExtend) {
    unsigned border = at(whole.operands[0]).width;
    if (low + width <= border) return extract(low, width, whole.operands[0]);
    if (low >= border && whole.operation == Operation::ZeroExtend) return constant(width, 0);
  }
  return keep({Operation::Extract, static_cast<uint8_t>(width), low, {operand}});
}

// Bytes that were taken apart become their origin again.
Expression Pool::concatenate(Expression high, Expression low) {
  const Node top = at(high);
  const Node bottom = at(low);
  unsigned width = top.width + bottom.width;
  require(width <= 64, "the result has at most 64 bits");
  if (is_constant(high, 0)) return extend(Operation::ZeroExtend, width, low);
  if (top.operation == Operation::Extract && bottom.operation == Operation::Extract &&
      top.operands[0] == bottom.operands[0] && top.value == bottom.value + bottom.width) {
    return extract(static_cast<unsigned>(bottom.value), width, top.operands[0]);
  }
  return keep({Operation::Concatenate, static_cast<uint8_t>(width), 0, {high, low}});
}

std::vector<Expression> Pool::below(std::span<const Expression> roots) const {
  std::vector<Expression> found(roots.begin(), roots.end());
  std::unordered_map<uint32_t, bool> seen;
  std::vector<Expression> result;
  while (!found.empty()) {
    Expression next = found.back();
    found.pop_back();
    if (!seen.try_emplace(next.number, true).second) continue;
    result.push_back(next);
    const Node& node = at(next);
    for (size_t i = 0; i < operands_of(node.operation); ++i) found.push_back(node.operands[i]);
  }
  std::sort(result.begin(), result.end());
  return result;
}

uint64_t Pool::evaluate(Expression expression, const Model& model) const {
  Evaluation none;
  return evaluate(expression, model, none);
}

uint64_t Pool::evaluate(Expression expression, const Model& model, Evaluation& known) const {
  if (known.values.size() < nodes_.size()) {
    known.values.resize(nodes_.size() + nodes_.size() / 2);
    known.found_in.resize(known.values.size());
  }
  known.open.assign(1, expression.number);
  while (!known.open.empty()) {
    const uint32_t next = known.open.back();
    const Node& node = nodes_[next];
    const size_t operands = operands_of(node.operation);
    uint64_t values[3]{};
    bool ready = true;
    for (size_t i = 0; i < operands && known.found_in[next] != known.round; ++i) {
      const uint32_t operand = node.operands[i].number;
      values[i] = known.values[operand];
      if (known.found_in[operand] == known.round) continue;
      known.open.push_back(operand);
      ready = false;
    }
    if (!ready) continue;
    known.open.pop_back();
    if (known.found_in[next] == known.round) continue;
    known.found_in[next] = known.round;
    if (node.operation == Operation::Input) {
      const auto given = model.find(node.value);
      known.values[next] = given == model.end() ? 0 : given->second & mask_of(node.width);
    } else {
      known.values[next] = result_of(node, at(node.operands[0]).width, at(node.operands[1]).width, values);
    }
  }
  return known.values[expression.number];
}

std::string Pool::print(Expression expression) const {
  std::unordered_map<uint32_t, std::string> names;
  std::string text;
  for (Expression next : below({&expression, 1})) {
    const Node& node = at(next);
    std::string& name = names[next.number];
    if (operands_of(node.operation) == 0) {
      name = (node.operation == Operation::Input ? "input" : "") + std::to_string(node.value);
      if (next == expression) text += name + "\n";
      continue;
    }
    name = "e" + std::to_string(next.number);
    text += name + ":" + std::to_string(node.width) + " = " + kNames[static_cast<size_t>(node.operation)];
    for (size_t i = 0; i < operands_of(node.operation); ++i) text += " " + names[node.operands[i].number];
    if (node.operation == Operation::Extract) text += " from " + std::to_string(node.value);
    text += "\n";
  }
  return text;
}

}  // namespace heddle::symbolic
