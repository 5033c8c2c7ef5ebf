// All that a program hands items over with: the sink and its two wakes, the bounded queue, the event loop, the
// platform of real threads. Each header of sink/ can be included by itself instead.
#pragma once

#include "sink/bounded_queue.hpp"
#include "sink/event_loop.hpp"
#include "sink/event_wake.hpp"
#include "sink/loop_future.hpp"
#include "sink/loop_wake.hpp"
#include "sink/output_sink.hpp"
#include "sink/thread_platform.hpp"
#include "version.hpp"
