// Knows the link names of libstdc++ and of the Itanium C++ ABI: no other folder writes one out.
//
// In:      a link name.
// Out:     what it stands for; the names that the machine and the front end ask for.
// Owns:    constant text.
// Threads: pure functions.
// Fails:   never; a name of another library is none of these.
// From:    Itanium C++ ABI, 5.1 (mangling), 2.9 (run-time types); libstdc++ 12.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace heddle::library {

// --- the language ---
inline constexpr std::string_view kOperatorNew = "_Znwm", kOperatorDelete = "_ZdlPv";
inline bool is_operator_new(std::string_view name) { return name.starts_with("_Znw") || name.starts_with("_Zna"); }
inline bool is_operator_delete(std::string_view name) { return name.starts_with("_Zdl") || name.starts_with("_Zda"); }

inline constexpr std::string_view kVirtualTable = "_ZTV", kTypeInfo = "_ZTI", kTypeInfoName = "_ZTS";
inline bool is_virtual_table(std::string_view name) { return name.starts_with(kVirtualTable); }
inline bool is_construction_table(std::string_view name) { return name.starts_with("_ZTC"); }
inline bool is_table_of_tables(std::string_view name) { return name.starts_with("_ZTT"); }
inline bool is_type_info(std::string_view name) { return name.starts_with(kTypeInfo); }
inline bool is_type_info_of_pointer(std::string_view name) { return name.starts_with("_ZTIP"); }
inline bool is_type_info_of_library(std::string_view name) { return name.starts_with("_ZTISt"); }
// Of thread_local variables: the wrapper and the initialiser.
inline bool is_thread_local_access(std::string_view name) {
  return name.starts_with("_ZTW") || name.starts_with("_ZTH");
}

// Virtual tables of the classes that describe types, in the order of machine::TypeInfoKind.
inline constexpr std::string_view kTypeInfoTables[] = {"_ZTVN10__cxxabiv117__class_type_infoE",
                                                       "_ZTVN10__cxxabiv120__si_class_type_infoE",
                                                       "_ZTVN10__cxxabiv121__vmi_class_type_infoE",
                                                       "_ZTVN10__cxxabiv119__pointer_type_infoE",
                                                       "_ZTVN10__cxxabiv129__pointer_to_member_type_infoE",
                                                       "_ZTVN10__cxxabiv123__fundamental_type_infoE",
                                                       "_ZTVN10__cxxabiv120__function_type_infoE"};
inline constexpr std::string_view kEnumTypeInfoTable = "_ZTVN10__cxxabiv116__enum_type_infoE",
                                  kArrayTypeInfoTable = "_ZTVN10__cxxabiv117__array_type_infoE",
                                  kSeveralBasesTypeInfoTable = kTypeInfoTables[2], kNothrow = "_ZSt7nothrow";

// --- libstdc++ ---
// Is it the library's own, or of one of its extensions?
bool is_of_library(std::string_view name);

// std::thread::_M_start_thread(std::unique_ptr<std::thread::_State>, void (*)())
inline constexpr std::string_view kStartThread =
    "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE";
inline bool starts_std_thread(std::string_view name) { return name.starts_with("_ZNSt6thread15_M_start_thread"); }
inline bool is_thread_state_table(std::string_view name) { return name.starts_with("_ZTVNSt6thread11_State_impl"); }

// std::ostream::_M_insert(number)
inline bool inserts_number(std::string_view name) { return name.starts_with("_ZNSo9_M_insertI"); }

// What operator new throws with; the machine calls it.
inline constexpr std::string_view kThrowBadAlloc = "_ZSt17__throw_bad_allocv";
// The functions of the machine that call it.
inline constexpr std::string_view kThrowingNews[] = {"_Znwm", "_Znam", "_ZnwmSt11align_val_t", "_ZnamSt11align_val_t"};

// std::async and what decides whether it starts a thread.
inline bool is_async(std::string_view name) { return name.starts_with("_ZSt5asyncI"); }
inline constexpr std::string_view kLaunchAnd = "_ZStanSt6launchS_",
                                  kMakeDeferredState = "_ZSt11make_sharedINSt13__future_base15_Deferred_state";

// Members that look at single characters.
bool writes_digits(std::string_view name);  // of its third argument: what std::to_string is made of
bool is_of_characters(std::string_view name);
bool is_of_string(std::string_view name);  // of std::basic_string

// Members that lock and unlock, and never throw in a program that Heddle runs (frontend/lower/sure_results.h).
std::span<const std::string_view> sure_locks();

// Where std::counting_semaphore adds and std::latch subtracts.
inline bool adds_for_library(std::string_view name) {
  return name.starts_with("_ZNSt13__atomic_impl9fetch_addIi") || name.starts_with("_ZNSt13__atomic_impl9fetch_subIi");
}
inline constexpr std::string_view kLatchCountDown = "_ZNSt5latch10count_downEl",
                                  kSemaphoreAcquire = "_ZNSt18__atomic_semaphore10_M_acquireEv";
// The maximum of a std::counting_semaphore, by its release().
std::optional<uint64_t> semaphore_maximum(std::string_view release);
// Inside of std::atomic<std::shared_ptr>.
inline bool is_of_atomic_shared_pointer(std::string_view name) {
  return name.starts_with("_ZNKSt10_Sp_atomic") || name.starts_with("_ZNSt10_Sp_atomic");
}

// std::cout and its like.
struct StandardStream {
  std::string_view link_name, name;
  uint32_t settings;  // where in the object std::ios_base begins
};
std::span<const StandardStream> standard_streams();

}  // namespace heddle::library
