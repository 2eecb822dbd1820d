// Wide characters of C: output, formats, numbers, conversions.
#include <stdio.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
  wprintf(L"%ls %d %lc\n", L"wide", 5, L'x');
  fputws(L"line\n", stdout);
  wchar_t b[32];
  swprintf(b, 32, L"%05d|%s", 42, "nar");
  wprintf(L"%ls\n", b);
  wchar_t* e;
  wprintf(L"%ld %f\n", wcstol(L"77x", &e, 10), wcstod(L"1.25", 0));
  wprintf(L"%d %d\n", (int)wcslen(L"abc"), wcscmp(L"a", L"b") < 0);
  wchar_t t[] = L"a b";
  wchar_t* sv;
  wprintf(L"%ls\n", wcstok(t, L" ", &sv));
  putwchar(L'z');
  putwchar(L'\n');
  wprintf(L"%d %d\n", iswalpha(L'q') != 0, (int)towupper(L'q'));
  mbstate_t s = {0};
  wchar_t w;
  wprintf(L"%d\n", (int)mbrtowc(&w, "k", 1, &s));
  int x;
  wchar_t word[10];
  swscanf(L"12 abc", L"%d %ls", &x, word);
  wprintf(L"%d %ls\n", x, word);
  wprintf(L"%d\n", fwide(stdout, 0) > 0);
  wprintf(L"%ls\n", wcsstr(L"hello", L"ll"));
  wprintf(L"%d\n", wmemcmp(L"ab", L"ac", 2) < 0);
}
