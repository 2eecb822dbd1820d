// The tables of unknown values, and their log.
#include "server/machine/symbolic/symbols.h"

#include <algorithm>

#include "server/machine/hashing.h"
#include "server/machine/memory/trail.h"

namespace heddle::machine {
namespace {

constexpr uint32_t kSolverWorkMost = 2'000'000;  // in Z3's own units; a query of this size takes about a second

}  // namespace

Symbols::Symbols(bool keeps, const GivenValues* given)
    : keeps_assumed(keeps),
      given_(given != nullptr),
      solver_(pool_, kSolverWorkMost),
      model_(given != nullptr ? std::make_shared<symbolic::Model>(given->begin(), given->end())
                              : std::make_shared<symbolic::Model>()) {
  pool_.constant(1, 0);  // has the number 0, which stands for none
}

void Symbols::set_slot(uint32_t thread, uint32_t word, Expression expression) {
  std::vector<Expression>& all = slots_[thread];
  if (word >= all.size()) {
    if (expression.number == 0) return;
    all.resize(word + 64);
  }
  if (all[word] == expression) return;
  log_.push_back({Undo::Slot, thread, uint64_t{word} << 32 | all[word].number, {}, {}});
  slots_live_ += size_t{expression.number != 0};
  slots_live_ -= size_t{all[word].number != 0};
  all[word] = expression;
}

void Symbols::clear_slots(uint32_t thread, uint32_t from) {
  for (uint32_t word = from; word < slots_end(thread); ++word) set_slot(thread, word, {});
}

bool Symbols::any_in(uint64_t address, uint64_t size) const {
  if (granules_.empty()) return false;
  for (uint64_t at = address; at < address + size; ++at)
    if (byte(at).first.number != 0) return true;
  return false;
}

std::pair<Expression, uint8_t> Symbols::byte(uint64_t address) const {
  const auto found = granules_.find(address & ~uint64_t{7});
  if (found == granules_.end()) return {};
  return {found->second.whole[address % 8], found->second.part[address % 8]};
}

void Symbols::keep_granule(uint64_t address) {
  const auto found = granules_.find(address);
  if (found == granules_.end())
    log_.push_back({Undo::NoGranule, 0, address, {}, {}});
  else
    log_.push_back({Undo::Granule, 0, address, found->second, {}});
}

void Symbols::set_byte(uint64_t address, Expression whole, uint8_t part) {
  const uint64_t first = address & ~uint64_t{7};
  keep_granule(first);
  Granule& granule = granules_[first];
  granule.whole[address % 8] = whole;
  granule.part[address % 8] = part;
}

void Symbols::clear_bytes(uint64_t address, uint64_t size) {
  if (granules_.empty() || size == 0) return;
  for (uint64_t first = address & ~uint64_t{7}; first < address + size; first += 8) {
    const auto found = granules_.find(first);
    if (found == granules_.end()) continue;
    keep_granule(first);
    bool left = false;
    for (uint64_t n = 0; n < 8; ++n) {
      if (first + n >= address && first + n < address + size) {
        found->second.whole[n] = {};
        found->second.part[n] = 0;
      }
      left |= found->second.whole[n].number != 0;
    }
    if (!left) granules_.erase(found);
  }
}

bool Symbols::place_later(uint64_t address, uint64_t size) {
  bool any = false;
  for (const Later& one : later) {
    if (one.address < address || one.address - address > size || size - (one.address - address) < one.size) continue;
    for (uint32_t n = 0; n < one.size; ++n) set_byte(one.address + n, one.value, static_cast<uint8_t>(n));
    any = true;
  }
  return any;
}

Expression Symbols::new_input(uint32_t thread, uint32_t width, CodeAddress at) {
  const uint64_t number = uint64_t{thread} << 32 | inputs_taken_[thread]++ << 7 | width;
  inputs_.push_back({number, width, at});
  log_.push_back({Undo::Input, thread, 0, {}, {}});
  return pool_.input(width, number);
}

Expression Symbols::new_byte(uint32_t thread, uint32_t text) {
  const Expression input = new_input(thread, 8, {});
  inputs_.back().text = text;
  return pool_.binary(symbolic::Operation::Xor, input, pool_.constant(8, '0'));
}

void Symbols::note_filled(Filled filled) {
  filled_.push_back(std::move(filled));
  log_.push_back({Undo::Filled, 0, 0, {}, {}});
}

uint64_t Symbols::value_of(const Input& input) const {
  const auto found = model_->find(input.number);
  return found == model_->end() ? 0 : found->second;
}

void Symbols::give(symbolic::Model values) {
  log_.push_back({Undo::Model, 0, 0, {}, model_});
  model_ = std::make_shared<symbolic::Model>(std::move(values));
}

bool Symbols::can_hold(Expression condition) {
  if (value_of(condition) != 0) return true;
  if (given_) return false;
  if (pool_.at(condition).operation == symbolic::Operation::Constant) return false;
  const symbolic::Answer& answer = solver_.solve_slice_of(condition, path_);
  undecided_ |= answer.decision == symbolic::Decision::Undecided;
  return answer.decision == symbolic::Decision::Satisfiable;
}

bool Symbols::satisfiable(std::span<const Expression> conditions) {
  const auto holds = [this](Expression condition) { return value_of(condition) != 0; };
  if (given_) return std::all_of(conditions.begin(), conditions.end(), holds);
  const symbolic::Answer answer = solver_.solve(conditions);
  undecided_ |= answer.decision == symbolic::Decision::Undecided;
  return answer.decision == symbolic::Decision::Satisfiable;
}

uint32_t Symbols::note_store(Expression value) {
  stores_.push_back(value);
  log_.push_back({Undo::Store, 0, 0, {}, {}});
  return stores_noted();
}

void Symbols::note_initial(uint64_t address, Expression value) {
  if (!initials_.try_emplace(address, value).second) return;
  log_.push_back({Undo::Initial, 0, address, {}, {}});
}

Expression Symbols::stored(uint32_t number, uint64_t address) const {
  if (number != 0) return number <= stores_.size() ? stores_[number - 1] : Expression{};
  const auto found = initials_.find(address);
  return found == initials_.end() ? Expression{} : found->second;
}

// The inputs at hand are the smallest that satisfy the path. If they satisfy the condition too, they stay so.
bool Symbols::assume(Expression condition) {
  if (pool_.at(condition).operation == symbolic::Operation::Constant) return false;
  if (keeps_assumed) assumed.push_back(condition);
  if (std::find(path_.begin(), path_.end(), condition) != path_.end()) return false;
  const bool holds = value_of(condition) != 0;
  log_.push_back({Undo::Condition, 0, path_hash_, {}, {}});
  path_.push_back(condition);
  path_hash_ ^= hash_of(condition);
  if (holds || given_) return false;
  const symbolic::Answer& answer = solver_.solve_slice_of(condition, path_);
  HEDDLE_CHECK(answer.decision == symbolic::Decision::Satisfiable, "only conditions that can hold are assumed");
  log_.push_back({Undo::Model, 0, 0, {}, model_});
  auto smallest = std::make_shared<symbolic::Model>(*model_);  // of the other slices it is
  for (const auto& [input, value] : answer.model) (*smallest)[input] = value;
  model_ = std::move(smallest);
  return true;
}

void Symbols::set_asking(uint32_t thread, uint32_t asking) {
  if (asking_[thread] == asking) return;
  log_.push_back({Undo::Asking, thread, asking_[thread], {}, {}});
  asking_[thread] = asking;
}

// By structure, so that it does not depend on what was made before.
uint64_t Symbols::hash_of(Expression expression) {
  if (const auto known = hashes_.find(expression.number); known != hashes_.end()) return known->second;
  for (const Expression next : pool_.below({&expression, 1})) {
    if (hashes_.count(next.number)) continue;
    const symbolic::Node& node = pool_.at(next);
    uint64_t hash = combine(static_cast<uint64_t>(node.operation) << 8 | node.width, node.value);
    for (size_t n = 0; n < symbolic::operands_of(node.operation); ++n)
      hash = combine(hash, hashes_.at(node.operands[n].number));
    hashes_.emplace(next.number, hash);
  }
  return hashes_.at(expression.number);
}

uint64_t Symbols::hash_of_slots(uint32_t thread) {
  uint64_t hash = 0;
  for (uint32_t word = 0; word < slots_end(thread); ++word)
    if (slots_[thread][word].number != 0) hash ^= combine(uint64_t{thread} << 32 | word, hash_of(slots_[thread][word]));
  return hash;
}

uint64_t Symbols::hash_of_bytes(uint64_t address, uint64_t size) {
  uint64_t hash = 0;
  for (uint64_t n = 0; n < size; ++n)
    if (const auto [whole, part] = byte(address + n); whole.number != 0)
      hash ^= combine(address + n, combine(hash_of(whole), part + 1u));
  return hash;
}

uint64_t Symbols::hash() {
  uint64_t hash = path_hash_;
  for (uint32_t thread = 0; thread < slots_.size(); ++thread) {
    if (asking_[thread] != 0) hash ^= hash_word(thread, asking_[thread]);
    hash ^= hash_of_slots(thread);
  }
  for (const auto& [address, granule] : granules_)
    for (uint64_t n = 0; n < 8; ++n)
      if (granule.whole[n].number != 0)
        hash ^= combine(address + n, combine(hash_of(granule.whole[n]), granule.part[n] + 1u));
  for (const Input& input : inputs_) hash ^= mix(input.number + 1);
  return hash;
}

void Symbols::rewind(size_t mark) {
  for (; log_.size() > mark; log_.pop_back()) {
    Entry& entry = log_.back();
    switch (entry.what) {
      case Undo::Slot: {
        Expression& slot = slots_[entry.thread][entry.key >> 32];
        const Expression before{static_cast<uint32_t>(entry.key)};
        slots_live_ += size_t{before.number != 0};
        slots_live_ -= size_t{slot.number != 0};
        slot = before;
        break;
      }
      case Undo::Granule: granules_[entry.key] = entry.granule; break;
      case Undo::NoGranule: granules_.erase(entry.key); break;
      case Undo::Asking: asking_[entry.thread] = static_cast<uint32_t>(entry.key); break;
      case Undo::Condition:
        path_hash_ = entry.key;
        path_.pop_back();
        break;
      case Undo::Model: model_ = entry.model; break;
      case Undo::Store: stores_.pop_back(); break;
      case Undo::Filled: filled_.pop_back(); break;
      case Undo::Initial: initials_.erase(entry.key); break;
      case Undo::Input:
        inputs_.pop_back();
        --inputs_taken_[entry.thread];
        break;
    }
  }
}

}  // namespace heddle::machine
