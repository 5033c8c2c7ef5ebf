// output_sink/end*, output_sink/loop/end*: the end of a sink, which is put like an item.
#include "closing.hpp"

namespace wakeproof {
namespace {

using models::skip;
using models::swap;

const bool added[] = {
    add<CloseAfterLastByEvent, EventSink>(
        {.name = "output_sink/end",
         .story = "A producer closes the sink after its last put: the consumer, waiting or not, takes what was put "
                  "and then finds the end.",
         .tags = {"closing"}}),
    add<CloseAfterLastByEvent, EventSink>({.name = "output_sink/end_not_notified",
                                           .story = "The sink is closed and nobody tells the consumer that sleeps.",
                                           .expected = Verdict::deadlock,
                                           .mutations = {skip("notify_of_end")},
                                           .tags = {"closing"}}),
    add<CloseAfterLastByEvent, EventSink>(
        {.name = "output_sink/end_notified_first",
         .story = "The consumer is woken for the end before it is there: it looks, finds none, and sleeps again.",
         .expected = Verdict::deadlock,
         .mutations = {swap("end", "notify_of_end")},
         .tags = {"closing"}}),
    add<CloseAnyTimeByEvent, EventSink>(
        {.name = "output_sink/end_races_put",
         .story = "A close at any time: a put is refused and says so, or its item is taken before the end.",
         .spare_threads = 1,
         .tags = {"closing"}}),
    add<CloseAnyTimeByEvent, CheckFirstSink>(
        {.name = "output_sink/end_checked_first",
         .story = "Closed is looked at before the append and not under its lock: the item arrives when the consumer "
                  "has found the end.",
         .expected = Verdict::item_lost,
         .spare_threads = 1,
         .tags = {"closing"}}),
    add<CloseAfterLastOnLoop, LoopSink>({.name = "output_sink/loop/end",
                                         .story = "A producer closes the sink after its last put: the coroutine is "
                                                  "resumed, takes what was put and then finds the end.",
                                         .tags = {"closing"}}),
    add<CloseAfterLastOnLoop, LoopSink>({.name = "output_sink/loop/end_not_notified",
                                         .story = "The sink is closed and the coroutine stays suspended.",
                                         .expected = Verdict::deadlock,
                                         .mutations = {skip("notify_of_end")},
                                         .tags = {"closing"}}),
};

}  // namespace
}  // namespace wakeproof
