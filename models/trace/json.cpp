#include "json.hpp"

#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "consistent.hpp"
#include "json_fields.hpp"

namespace wakeproof::models {

using nlohmann::ordered_json;

namespace trace_json {

namespace {

constexpr std::array<std::string_view, 4> kStates{"runs", "waits", "not_started", "done"};
constexpr std::array<std::string_view, 3> kTurns{"stays", "needed", "preemption"};

std::string_view word_of(TraceThread::State state) {
  return kStates[static_cast<std::size_t>(state)];
}
std::string_view word_of(TraceSwitch turn) {
  return kTurns[static_cast<std::size_t>(turn)];
}
std::string_view word_of(Verdict verdict) {
  return name_of(verdict);
}

template <std::size_t N, class Enum>
bool find_word(const std::array<std::string_view, N>& words, std::string_view word, Enum& value) {
  for (std::size_t i = 0; i < N; ++i) {
    if (words[i] != word) continue;
    value = static_cast<Enum>(i);
    return true;
  }
  return false;
}
bool parse_word(std::string_view word, TraceThread::State& state) {
  return find_word(kStates, word, state);
}
bool parse_word(std::string_view word, TraceSwitch& turn) {
  return find_word(kTurns, word, turn);
}
bool parse_word(std::string_view word, Verdict& verdict) {
  const auto known = verdict_named(word);
  if (known) verdict = *known;
  return known.has_value();
}

// --- writing -------------------------------------------------------------------------------------------

class Writer {
 public:
  explicit Writer(ordered_json& json) : json_(json) {}

  template <class T>
  void operator()(const char* name, const T& value) {
    json_[name] = json_of(value);
  }
  void may_lack(const char* name, const auto& value) { json_[name] = json_of(value); }
  void derived(const char* name, auto value) { json_[name] = value(); }

  template <class T>
  static ordered_json json_of(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      return std::string(word_of(value));
    } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
      return value;
    } else {
      ordered_json json = ordered_json::object();
      Writer writer(json);
      fields(writer, value);
      return json;
    }
  }
  template <class T>
  static ordered_json json_of(const std::vector<T>& values) {
    ordered_json json = ordered_json::array();
    for (const T& value : values) json.push_back(json_of(value));
    return json;
  }
  template <class T>
  static ordered_json json_of(const std::optional<T>& value) {
    return value ? json_of(*value) : ordered_json(nullptr);
  }

 private:
  ordered_json& json_;
};

// --- reading -------------------------------------------------------------------------------------------

// Where in the document one is; only put into words when something is wrong there.
struct Place {
  const Place* above = nullptr;
  const char* name = nullptr;  // of a field; none: one of a list
  std::size_t index = 0;

  std::string text() const {
    if (above == nullptr) return "";
    const std::string before = above->text();
    if (name == nullptr) return before + "[" + std::to_string(index) + "]";
    return before.empty() ? name : before + "." + name;
  }
};

[[noreturn]] void not_a(const char* what, const Place& place) {
  const std::string where = place.text();
  throw BadTrace("no trace of wakeproof's: '" + (where.empty() ? "the document" : where) + "' is not " + what);
}

class Reader {
 public:
  Reader(const ordered_json& json, const Place& place) : json_(json), place_(place) {
    if (!json_.is_object()) not_a("an object", place_);
  }

  template <class T>
  void operator()(const char* name, T& value) {
    read(field(name), {&place_, name}, value);
  }
  // A field that older documents do not have.
  void may_lack(const char* name, auto& value) {
    if (json_.contains(name)) (*this)(name, value);
  }
  void derived(const char* name, auto value) {
    if (field(name) != value())
      throw BadTrace("damaged: '" + Place{&place_, name}.text() + "' contradicts what is beside it");
  }

 private:
  const ordered_json& field(const char* name) const {
    const auto found = json_.find(name);
    if (found == json_.end())
      throw BadTrace("no trace of wakeproof's: '" + Place{&place_, name}.text() + "' is missing");
    return *found;
  }

  template <class T>
  static void read(const ordered_json& json, const Place& place, T& value) {
    if constexpr (std::is_enum_v<T>) {
      if (!json.is_string() || !parse_word(json.template get_ref<const std::string&>(), value))
        not_a("a word that is known", place);
    } else if constexpr (std::is_same_v<T, bool>) {
      if (!json.is_boolean()) not_a("true or false", place);
      value = json.template get<bool>();
    } else if constexpr (std::is_integral_v<T>) {
      read_number(json, place, value);
    } else if constexpr (std::is_same_v<T, std::string>) {
      if (!json.is_string()) not_a("a text", place);
      value = json.template get<std::string>();
    } else {
      Reader reader(json, place);
      fields(reader, value);
    }
  }
  template <class T>
  static void read(const ordered_json& json, const Place& place, std::vector<T>& values) {
    if (!json.is_array()) not_a("a list", place);
    values.reserve(json.size());
    for (const ordered_json& one : json) {
      const std::size_t index = values.size();
      read(one, {&place, nullptr, index}, values.emplace_back());
    }
  }
  template <class T>
  static void read(const ordered_json& json, const Place& place, std::optional<T>& value) {
    if (!json.is_null()) read(json, place, value.emplace());
  }
  // No rounding and no wrapping around: such a number is not ours.
  template <class T>
  static void read_number(const ordered_json& json, const Place& place, T& value) {
    if (json.is_number_unsigned()) {
      const auto number = json.template get<std::uint64_t>();
      if (number > static_cast<std::uint64_t>(std::numeric_limits<T>::max())) not_a("a number of that size", place);
      value = static_cast<T>(number);
    } else if (json.is_number_integer()) {
      const auto number = json.template get<std::int64_t>();
      if (!std::is_signed_v<T> || number < static_cast<std::int64_t>(std::numeric_limits<T>::min()))
        not_a("a number of that size", place);
      value = static_cast<T>(number);
    } else {
      not_a("a whole number", place);
    }
  }

  const ordered_json& json_;
  const Place& place_;
};

}  // namespace
}  // namespace trace_json

std::string as_json(const Trace& trace) {
  ordered_json json{{"schema", kTraceSchema}, {"wakeproof", WAKEPROOF_VERSION}};
  trace_json::Writer writer(json);
  trace_json::fields(writer, trace);
  // A name in the source may be anything; the document is UTF-8 all the same.
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Trace trace_from_json(const std::string& text) {
  ordered_json json;
  try {
    json = ordered_json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    throw BadTrace("damaged: no whole JSON document, from byte " + std::to_string(error.byte) + " on");
  } catch (const nlohmann::json::exception&) {  // a number beyond all bounds
    throw BadTrace("damaged: no whole JSON document");
  }
  const trace_json::Place top;
  trace_json::Reader reader(json, top);
  int schema = 0;
  reader("schema", schema);
  if (schema != kTraceSchema) {
    throw BadTrace("made for schema " + std::to_string(schema) + "; this program reads schema " +
                   std::to_string(kTraceSchema));
  }
  Trace trace;
  trace_json::fields(reader, trace);
  const std::string wrong = inconsistency(trace);
  if (!wrong.empty()) throw BadTrace("damaged: " + wrong);
  return trace;
}

}  // namespace wakeproof::models
