// WAKEPROOF_ASSERT and WAKEPROOF_EXPECT for GoogleTest.
#pragma once

#include "models/testing/gtest.hpp"
