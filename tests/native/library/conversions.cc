// <codecvt>: conversions between UTF-8, UTF-16 and UTF-32, whole and in pieces, of good and of broken text.
#include <codecvt>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <locale>
#include <random>
#include <sstream>
#include <string>

namespace {

template <typename Facet>
struct Owned : Facet {
  using Facet::Facet;
  ~Owned() {}
};

template <typename Element>
unsigned hash_of(const Element* begin, const Element* end) {
  unsigned hash = 7;
  for (const Element* at = begin; at != end; ++at) hash = hash * 31 + static_cast<unsigned>(*at);
  return hash;
}

std::minstd_rand generator(11);
unsigned below(unsigned limit) { return static_cast<unsigned>(generator() >> 8) % limit; }

// Mostly well-formed; sometimes a byte is wrong, sometimes the end is missing.
std::string random_bytes() {
  static const char* const kPieces[] = {
      "a", "\xc3\xa9",     "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xef\xbb\xbf",     "\xfe\xff",
      "z", "\xed\xa0\x80", "\xc0\x80",     "\xe0\x9f\x80",     "\xf4\x90\x80\x80", "\x7f"};
  std::string text;
  for (unsigned n = below(5); n-- > 0;) text += kPieces[below(below(3) == 0 ? 12 : 4)];
  if (!text.empty() && below(4) == 0) text.pop_back();
  return text;
}

template <typename Element>
std::basic_string<Element> random_elements() {
  static const char32_t kPieces[] = {'a', 0xe9, 0x20ac, 0xd83d, 0xde00, 0x1f600, 0x10ffff, 0x110000, 0xfeff};
  std::basic_string<Element> text;
  for (unsigned n = below(5); n-- > 0;) text += static_cast<Element>(kPieces[below(9)]);
  return text;
}

template <typename Element, typename Byte, typename Facet>
void exercise(const char* name) {
  Owned<Facet> facet;
  std::mbstate_t state{};
  unsigned long counts[3] = {}, total = 0;
  for (int round = 0; round < 60; ++round) {
    const std::string bytes = random_bytes();
    const auto* const from = reinterpret_cast<const Byte*>(bytes.data());
    Element elements[24];
    const Byte* read = nullptr;
    Element* written = nullptr;
    const auto in = facet.in(state, from, from + bytes.size(), read, elements, elements + below(8), written);
    total = total * 17 + static_cast<unsigned>(read - from) * 5 + hash_of<Element>(elements, written);
    total = total * 3 + static_cast<unsigned>(facet.length(state, from, from + bytes.size(), below(6)));
    const std::basic_string<Element> text = random_elements<Element>();
    Byte room[32];
    const Element* taken = nullptr;
    Byte* put = nullptr;
    const auto out = facet.out(state, text.data(), text.data() + text.size(), taken, room, room + below(12), put);
    total = total * 17 + static_cast<unsigned>(taken - text.data()) * 5 + hash_of<Byte>(room, put);
    ++counts[in];
    ++counts[out];
  }
  std::printf("%s: %d %d %d, ok %lu partial %lu error %lu, %lx\n", name, facet.encoding(), facet.max_length(),
              static_cast<int>(facet.always_noconv()), counts[0], counts[1], counts[2], total);
}

#define EXERCISE(...) exercise<__VA_ARGS__>(#__VA_ARGS__)

void facets() {
  using std::codecvt_mode;
  constexpr auto kAll = codecvt_mode(std::consume_header | std::generate_header | std::little_endian);
  EXERCISE(char16_t, char, std::codecvt_utf8<char16_t>);
  EXERCISE(char32_t, char, std::codecvt_utf8<char32_t, 0xffff, kAll>);
  EXERCISE(wchar_t, char, std::codecvt_utf8<wchar_t>);
  EXERCISE(char16_t, char, std::codecvt_utf16<char16_t, 0x10ffff, kAll>);
  EXERCISE(char32_t, char, std::codecvt_utf16<char32_t>);
  EXERCISE(wchar_t, char, std::codecvt_utf16<wchar_t, 0x10ffff, std::little_endian>);
  EXERCISE(char16_t, char, std::codecvt_utf8_utf16<char16_t>);
  EXERCISE(char32_t, char, std::codecvt_utf8_utf16<char32_t, 0x7ff, kAll>);
  EXERCISE(wchar_t, char, std::codecvt_utf8_utf16<wchar_t>);
  EXERCISE(char16_t, char, std::codecvt<char16_t, char, std::mbstate_t>);
  EXERCISE(char32_t, char, std::codecvt<char32_t, char, std::mbstate_t>);
  EXERCISE(char16_t, char8_t, std::codecvt<char16_t, char8_t, std::mbstate_t>);
  EXERCISE(char32_t, char8_t, std::codecvt<char32_t, char8_t, std::mbstate_t>);
}

void strings() {
  std::wstring_convert<std::codecvt_utf8<wchar_t>> wide;
  const std::wstring text = wide.from_bytes("gr\xc3\xbc\xc3\x9f \xe2\x82\xac");
  std::cout << text.size() << ' ' << wide.converted() << ' ' << wide.to_bytes(text) << '\n';
  std::wstring_convert<std::codecvt_utf8_utf16<char16_t>, char16_t> utf16;
  for (char16_t c : utf16.from_bytes("\xf0\x9f\x98\x80x")) std::cout << std::hex << static_cast<unsigned>(c) << ' ';
  std::wstring_convert<std::codecvt_utf16<char32_t, 0x10ffff, std::little_endian>, char32_t> little;
  for (unsigned char c : little.to_bytes(U"A\U0001f600")) std::cout << static_cast<unsigned>(c) << ' ';
  std::cout << std::dec << '\n';
  try {
    wide.from_bytes("\xff\xfe");
  } catch (const std::range_error& error) {
    std::cout << error.what() << '\n';
  }
  std::wstring_convert<std::codecvt_utf8<wchar_t>> sure("bad", L"BAD!");
  std::cout << sure.from_bytes("\xff").size() << ' ' << sure.to_bytes(L"\x110000") << '\n';
}

void buffers() {
  std::stringbuf bytes;
  std::wbuffer_convert<std::codecvt_utf8<wchar_t>> wide(&bytes);
  std::wostream out(&wide);
  out << L"\x20ac " << 42 << std::flush;
  std::cout << bytes.str() << ' ' << bytes.str().size() << '\n';
}

void files() {
  const std::locale utf8(std::locale(), new std::codecvt_utf8<wchar_t>);
  std::wofstream out("wide.txt");
  out.imbue(utf8);
  out << L"gr\xfc\xdf \x20ac\n" << 42 << L'\n';
  out.close();
  std::wifstream in("wide.txt");
  in.imbue(utf8);
  std::wstring line;
  int number = 0;
  std::getline(in, line) >> number;
  std::cout << std::ifstream("wide.txt").rdbuf() << line.size() << ' ' << static_cast<unsigned>(line[5]) << ' '
            << number << '\n';
}

}  // namespace

int main() {
  facets();
  strings();
  buffers();
  files();
}
