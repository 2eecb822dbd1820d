// The facets of the "C" locale for dates and money: in front of locale.cc, whose locale holds them.
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0  // the templates are generated here
#include <cstring>
#include <ctime>
#include <locale>
#include <new>

namespace std {

// ---- dates

template <>
void __timepunct<char>::_M_initialize_timepunct(__c_locale) {
  alignas(__timepunct_cache<char>) static char place[sizeof(__timepunct_cache<char>)];
  __timepunct_cache<char>* const names = ::new (place) __timepunct_cache<char>(1);
  names->_M_date_format = names->_M_date_era_format = "%m/%d/%y";
  names->_M_time_format = names->_M_time_era_format = "%H:%M:%S";
  names->_M_date_time_format = names->_M_date_time_era_format = "";
  names->_M_am = "AM";
  names->_M_pm = "PM";
  names->_M_am_pm_format = "";
  names->_M_day1 = "Sunday";
  names->_M_day2 = "Monday";
  names->_M_day3 = "Tuesday";
  names->_M_day4 = "Wednesday";
  names->_M_day5 = "Thursday";
  names->_M_day6 = "Friday";
  names->_M_day7 = "Saturday";
  names->_M_aday1 = "Sun";
  names->_M_aday2 = "Mon";
  names->_M_aday3 = "Tue";
  names->_M_aday4 = "Wed";
  names->_M_aday5 = "Thu";
  names->_M_aday6 = "Fri";
  names->_M_aday7 = "Sat";
  names->_M_month01 = "January";
  names->_M_month02 = "February";
  names->_M_month03 = "March";
  names->_M_month04 = "April";
  names->_M_month05 = "May";
  names->_M_month06 = "June";
  names->_M_month07 = "July";
  names->_M_month08 = "August";
  names->_M_month09 = "September";
  names->_M_month10 = "October";
  names->_M_month11 = "November";
  names->_M_month12 = "December";
  names->_M_amonth01 = "Jan";
  names->_M_amonth02 = "Feb";
  names->_M_amonth03 = "Mar";
  names->_M_amonth04 = "Apr";
  names->_M_amonth05 = "May";
  names->_M_amonth06 = "Jun";
  names->_M_amonth07 = "Jul";
  names->_M_amonth08 = "Aug";
  names->_M_amonth09 = "Sep";
  names->_M_amonth10 = "Oct";
  names->_M_amonth11 = "Nov";
  names->_M_amonth12 = "Dec";
  _M_data = names;
}

template <>
const char* __timepunct_cache<char>::_S_timezones[14] = {"GMT", "HST", "AKST", "PST", "MST", "CST", "EST",
                                                         "AST", "NST", "CET",  "IST", "EET", "CST", "JST"};

static bool is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }
static int days_before(int month, int year) {
  static const int kDays[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
  return kDays[month] + (month > 1 && is_leap(year));
}

// What follows from the fields that were read.
void __time_get_state::_M_finalize_state(tm* time) {
  if (_M_have_I && _M_is_pm) time->tm_hour += 12;
  if (_M_have_century) time->tm_year = (_M_want_century ? time->tm_year % 100 : 0) + (_M_century - 19) * 100;
  const int year = time->tm_year + 1900;
  if (_M_want_xday && !_M_have_wday) {
    if (!(_M_have_mon && _M_have_mday) && _M_have_yday) {
      int month = 0;
      while (month < 11 && days_before(month + 1, year) <= time->tm_yday) ++month;
      if (!_M_have_mon) time->tm_mon = month;
      if (!_M_have_mday) time->tm_mday = time->tm_yday - days_before(month, year) + 1;
      _M_have_mon = _M_have_mday = 1;
    }
    const int before = year - 1;
    const int days =
        before * 365 + before / 4 - before / 100 + before / 400 + days_before(time->tm_mon, year) + time->tm_mday;
    time->tm_wday = days % 7;  // the first day of year 1 was a Monday
  }
  if (_M_want_xday && !_M_have_yday && (_M_have_mon || _M_have_mday))
    time->tm_yday = days_before(time->tm_mon, year) + time->tm_mday - 1;
  if ((_M_have_uweek || _M_have_wweek) && _M_have_wday) {
    const int before = year - 1;
    const int first = (before * 365 + before / 4 - before / 100 + before / 400 + 1) % 7;  // the weekday of 1 January
    const int offset = _M_have_uweek ? 0 : 1;
    const int day =
        (7 - (first - offset)) % 7 + (static_cast<int>(_M_week_no) - 1) * 7 + (time->tm_wday - offset + 7) % 7;
    if (!_M_have_yday) time->tm_yday = day;
    if (!_M_have_mday || !_M_have_mon) {
      int month = 0;
      while (month < 11 && days_before(month + 1, year) <= day) ++month;
      if (!_M_have_mon) time->tm_mon = month;
      if (!_M_have_mday) time->tm_mday = day - days_before(month, year) + 1;
    }
  }
}

// ---- money: no currency, whole numbers

template <bool kInternational>
static void initialise_money(__moneypunct_cache<char, kInternational>& money) {
  money._M_grouping = money._M_curr_symbol = money._M_positive_sign = money._M_negative_sign = "";
  money._M_decimal_point = '.';
  money._M_thousands_sep = ',';
  money._M_pos_format = money._M_neg_format = money_base::_S_default_pattern;
  std::memcpy(money._M_atoms, money_base::_S_atoms, money_base::_S_end);
}
const money_base::pattern money_base::_S_default_pattern = {{symbol, sign, none, value}};
const char* money_base::_S_atoms = "-0123456789";
template <>
void moneypunct<char, false>::_M_initialize_moneypunct(__c_locale, const char*) {
  if (!_M_data) _M_data = new __moneypunct_cache<char, false>;
  initialise_money(*_M_data);
}
template <>
void moneypunct<char, true>::_M_initialize_moneypunct(__c_locale, const char*) {
  if (!_M_data) _M_data = new __moneypunct_cache<char, true>;
  initialise_money(*_M_data);
}
template <>
moneypunct<char, false>::~moneypunct() {
  delete _M_data;
}
template <>
moneypunct<char, true>::~moneypunct() {
  delete _M_data;
}

template class time_get<char>;
template class moneypunct<char, false>;
template class moneypunct<char, true>;
template class money_get<char>;
template class money_put<char>;
template const time_get<char>& use_facet<time_get<char>>(const locale&);
template const moneypunct<char, false>& use_facet<moneypunct<char, false>>(const locale&);
template const moneypunct<char, true>& use_facet<moneypunct<char, true>>(const locale&);
template const money_get<char>& use_facet<money_get<char>>(const locale&);
template const money_put<char>& use_facet<money_put<char>>(const locale&);
template bool has_facet<time_get<char>>(const locale&);
template bool has_facet<moneypunct<char, false>>(const locale&);
template bool has_facet<moneypunct<char, true>>(const locale&);
template bool has_facet<money_get<char>>(const locale&);
template bool has_facet<money_put<char>>(const locale&);

}  // namespace std
