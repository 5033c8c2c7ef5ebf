// What a scenario includes, in a project of its own: the platforms, the ledger, add().
#pragma once

#include "models/handoff.hpp"
#include "version.hpp"
