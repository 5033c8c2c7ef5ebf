// Parts of searches as JSON, for the documents that hold them.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "models/search/search.hpp"

namespace wakeproof::models {

nlohmann::ordered_json json_of(const WorkUnit& unit);
WorkUnit unit_of(const nlohmann::ordered_json& json);
nlohmann::ordered_json json_of(const SearchResult& result);
SearchResult result_of(const nlohmann::ordered_json& json);

// FNV-1a: tells a document that was changed, by accident or by hand, not by an attacker.
std::uint64_t hash_of(const std::string& text);

// Differs for a scenario of the same name that is mutated otherwise.
std::uint64_t definition_of(const Scenario& scenario);

// Calls `read` with the document. Throws BadDocument, also where `read` misses something: what
// nlohmann_json says of a broken document is long; that it is broken is what counts.
template <class Bad, class Read>
auto read_document(const std::string& text, Read read) {
  try {
    return read(nlohmann::ordered_json::parse(text));
  } catch (const nlohmann::json::exception&) {
    throw Bad("damaged, or not a document of wakeproof's");
  }
}

}  // namespace wakeproof::models
