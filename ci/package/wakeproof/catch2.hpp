// WAKEPROOF_REQUIRE and WAKEPROOF_CHECK for Catch2, 2.x or 3.x.
#pragma once

#include "models/testing/catch2.hpp"
