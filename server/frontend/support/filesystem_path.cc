// std::filesystem::path: text, cut into its components whenever it changes. From: C++20 [fs.class.path]; libstdc++ 12
// decides what the inline members in the headers see (_List, _Type, _M_find_extension).
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace std::filesystem {
inline namespace __cxx11 {

// A path of one component says in its tag what it is; otherwise the list holds the components.
struct path::_List::_Impl {
  vector<_Cmpt> parts;
};

void path::_List::_Impl_deleter::operator()(_Impl* list) const noexcept {
  if ((reinterpret_cast<uintptr_t>(list) & 3) == 0) delete list;
}
path::_List::_List() { type(_Type::_Filename); }
path::_List::_List(const _List& other) {
  if (other.empty())
    type(other.type());
  else
    _M_impl.reset(new _Impl(*other._M_impl));
}
path::_List& path::_List::operator=(const _List& other) {
  if (this == &other) return *this;
  _List copy(other);
  swap(copy);
  return *this;
}
void path::_List::type(_Type wanted) noexcept {
  _M_impl.reset(reinterpret_cast<_Impl*>(static_cast<uintptr_t>(wanted)));
}
int path::_List::size() const noexcept {
  return type() == _Type::_Multi && _M_impl ? static_cast<int>(_M_impl->parts.size()) : 0;
}
bool path::_List::empty() const noexcept { return size() == 0; }
void path::_List::clear() {
  if (!empty()) _M_impl->parts.clear();
}
path::_List::iterator path::_List::begin() noexcept { return empty() ? nullptr : _M_impl->parts.data(); }
path::_List::iterator path::_List::end() noexcept { return begin() + size(); }
path::_List::const_iterator path::_List::begin() const noexcept { return empty() ? nullptr : _M_impl->parts.data(); }
path::_List::const_iterator path::_List::end() const noexcept { return begin() + size(); }
path::_Cmpt& path::_List::front() noexcept { return _M_impl->parts.front(); }
path::_Cmpt& path::_List::back() noexcept { return _M_impl->parts.back(); }
const path::_Cmpt& path::_List::front() const noexcept { return _M_impl->parts.front(); }
const path::_Cmpt& path::_List::back() const noexcept { return _M_impl->parts.back(); }

void path::_M_split_cmpts() {
  _M_cmpts.type(_Type::_Filename);
  const string_view text = _M_pathname;
  if (text.empty()) return;
  vector<_Cmpt> parts;
  size_t at = 0;
  if (text[0] == '/') {
    parts.emplace_back(text.substr(0, 1), _Type::_Root_dir, 0);
    at = min(text.find_first_not_of('/'), text.size());
  }
  while (at < text.size()) {
    const size_t end = min(text.find('/', at), text.size());
    parts.emplace_back(text.substr(at, end - at), _Type::_Filename, at);
    if (end == text.size()) break;
    at = min(text.find_first_not_of('/', end), text.size());
    if (at == text.size()) parts.emplace_back(string_view(), _Type::_Filename, at);  // after a slash at the end
  }
  if (parts.size() == 1 && parts[0]._M_pathname.size() == text.size()) {
    _M_cmpts.type(parts[0]._M_type());
    return;
  }
  _M_cmpts._M_impl.reset(new _List::_Impl{std::move(parts)});
}

// ---- changes

path& path::operator=(const path& other) = default;
path& path::operator/=(const path& other) {
  _M_append(other._M_pathname);
  return *this;
}
void path::_M_append(string_view other) {
  if (other.starts_with('/')) {
    _M_pathname = other;
  } else {
    const string_type copy(other);
    if (has_filename()) _M_pathname += '/';
    _M_pathname += copy;
  }
  _M_split_cmpts();
}
path& path::operator+=(const path& other) {
  _M_concat(other._M_pathname);
  return *this;
}
void path::_M_concat(string_view other) {
  _M_pathname += string_type(other);
  _M_split_cmpts();
}
path& path::remove_filename() {
  _M_pathname.erase(_M_pathname.rfind('/') + 1);  // npos + 1: all of it
  _M_split_cmpts();
  return *this;
}
path& path::replace_filename(const path& other) {
  const path copy(other);
  remove_filename();
  return *this /= copy;
}
path& path::replace_extension(const path& other) {
  const string_type wanted = other._M_pathname;
  const auto [name, point] = _M_find_extension();
  if (name && point != string_type::npos) _M_pathname.erase(_M_pathname.size() - (name->size() - point));
  if (!wanted.empty() && wanted[0] != '.') _M_pathname += '.';
  _M_pathname += wanted;
  _M_split_cmpts();
  return *this;
}

// ---- parts

pair<const path::string_type*, size_t> path::_M_find_extension() const noexcept {
  const string_type* name = nullptr;
  if (_M_type() == _Type::_Filename)
    name = &_M_pathname;
  else if (!_M_cmpts.empty() && _M_cmpts.back()._M_type() == _Type::_Filename)
    name = &_M_cmpts.back()._M_pathname;
  if (!name || name->empty()) return {};
  if (*name == "." || *name == "..") return {name, string_type::npos};
  const size_t point = name->rfind('.');
  return {name, point == 0 ? string_type::npos : point};
}

static size_t root_length(const string& text) {
  return text.empty() || text[0] != '/' ? 0 : min(text.find_first_not_of('/'), text.size());
}

path path::root_name() const { return path(); }
path path::root_directory() const { return has_root_directory() ? path("/") : path(); }
path path::root_path() const { return root_directory(); }
path path::relative_path() const { return path(_M_pathname.substr(root_length(_M_pathname))); }
path path::parent_path() const {
  if (!has_relative_path()) return *this;
  const size_t slash = _M_pathname.rfind('/');
  if (slash == string_type::npos) return path();
  const size_t last = _M_pathname.find_last_not_of('/', slash);
  return path(last == string_type::npos ? _M_pathname.substr(0, 1) : _M_pathname.substr(0, last + 1));
}
bool path::has_root_name() const noexcept { return false; }
bool path::has_root_directory() const noexcept { return !_M_pathname.empty() && _M_pathname[0] == '/'; }
bool path::has_root_path() const noexcept { return has_root_directory(); }
bool path::has_relative_path() const noexcept { return root_length(_M_pathname) < _M_pathname.size(); }
bool path::has_parent_path() const noexcept { return !parent_path().empty(); }
bool path::has_filename() const noexcept { return !_M_pathname.empty() && _M_pathname.back() != '/'; }

// ---- comparison

// The names after the root, without copies.
static vector<string_view> names_of(string_view text) {
  vector<string_view> names;
  size_t at = min(text.find_first_not_of('/'), text.size());
  while (at < text.size()) {
    const size_t end = min(text.find('/', at), text.size());
    names.push_back(text.substr(at, end - at));
    if (end == text.size()) break;
    at = min(text.find_first_not_of('/', end), text.size());
    if (at == text.size()) names.push_back({});
  }
  return names;
}
static int compare_texts(string_view a, string_view b) noexcept {
  const bool a_root = a.starts_with('/'), b_root = b.starts_with('/');
  if (a_root != b_root) return a_root ? 1 : -1;
  const vector<string_view> mine = names_of(a), others = names_of(b);
  for (size_t n = 0; n < mine.size() && n < others.size(); ++n)
    if (const int order = mine[n].compare(others[n])) return order;
  return static_cast<int>(mine.size()) - static_cast<int>(others.size());
}
int path::compare(const path& other) const noexcept { return compare_texts(_M_pathname, other._M_pathname); }
int path::compare(string_view other) const noexcept { return compare_texts(_M_pathname, other); }

size_t hash_value(const path& of) noexcept {
  size_t seed = of.has_root_directory();
  for (const string_view name : names_of(of.native()))
    seed ^= hash<string_view>()(name) + 0x9e3779b9 + (seed << 6) + (seed >> 2);
  return seed;
}

// ---- without looking at files

path path::lexically_normal() const {
  if (empty()) return *this;
  const bool root = has_root_directory();
  vector<string_view> kept;
  bool directory = false;  // a slash at the end
  for (const string_view name : names_of(_M_pathname)) {
    directory = name.empty() || name == "." || name == "..";
    if (name.empty() || name == ".") continue;
    if (name == ".." && !kept.empty() && kept.back() != "..")
      kept.pop_back();
    else if (name != ".." || !root)
      kept.push_back(name);
  }
  string_type text = root ? "/" : "";
  for (size_t n = 0; n < kept.size(); ++n) text += (n ? "/" : "") + string_type(kept[n]);
  if (text.empty()) return path(".");
  if (directory && !kept.empty() && kept.back() != "..") text += '/';
  return path(text);
}

path path::lexically_relative(const path& base) const {
  if (has_root_directory() != base.has_root_directory()) return path();
  const vector<string_view> mine = names_of(_M_pathname), theirs = names_of(base._M_pathname);
  size_t same = 0;
  while (same < mine.size() && same < theirs.size() && mine[same] == theirs[same]) ++same;
  if (same == mine.size() && same == theirs.size()) return path(".");
  int up = 0;
  for (size_t n = same; n < theirs.size(); ++n)
    up += theirs[n] == ".." ? -1 : !theirs[n].empty() && theirs[n] != "." ? 1 : 0;
  if (up < 0) return path();
  if (up == 0 && (same == mine.size() || mine[same].empty())) return path(".");
  path result;
  while (up-- > 0) result /= "..";
  for (size_t n = same; n < mine.size(); ++n) result /= path(mine[n]);
  return result;
}
path path::lexically_proximate(const path& base) const {
  path result = lexically_relative(base);
  return result.empty() ? *this : result;
}

}  // namespace __cxx11
}  // namespace std::filesystem
