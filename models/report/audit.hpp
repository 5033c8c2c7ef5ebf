// An audit as JSON. Fields may be added, never renamed.
#pragma once

#include <string>
#include <vector>

#include "models/search/audit.hpp"

namespace wakeproof::models {

std::string audits_as_json(const std::vector<AuditReport>& reports);

}  // namespace wakeproof::models
