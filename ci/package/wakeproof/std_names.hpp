// The standard's own names on the model: wakeproof::checked, CheckedNames and StdNames.
#pragma once

#include "models/std_names.hpp"
