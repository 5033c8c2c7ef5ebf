// The fields of a trace document, struct by struct: one list for writing and for reading, so that
// neither forgets one. `io` is called with each field's name and the field.
#pragma once

#include <type_traits>

#include "trace.hpp"

namespace wakeproof::models::trace_json {

template <class T, class Struct>
concept Is = std::is_same_v<std::remove_const_t<T>, Struct>;

void fields(auto& io, Is<Bounds> auto& bounds) {
  io("producers", bounds.producers);
  io("items", bounds.items);
  io("batch", bounds.max_items);
  io.may_lack("ticks", bounds.ticks);
}

void fields(auto& io, Is<TraceObject> auto& object) {
  io("name", object.name);
  io("kind", object.kind);
  io("initial", object.initial);
  io("watched_by", object.watched_by);
}

void fields(auto& io, Is<TraceChange> auto& change) {
  io("object", change.object);
  io("before", change.before);
  io("after", change.after);
}

void fields(auto& io, Is<TraceValue> auto& value) {
  io("object", value.object);
  io("value", value.value);
}

void fields(auto& io, Is<TraceStore> auto& store) {
  io("step", store.step);
  io("value", store.value);
}

void fields(auto& io, Is<TraceThread> auto& thread) {
  io("state", thread.state);
  io("object", thread.object);
  io("operation", thread.operation);
  io("held_by", thread.held_by);
  io("in_put", thread.in_put);
}

void fields(auto& io, Is<TraceInvariant> auto& invariant) {
  io("queue_nonempty", invariant.queue_nonempty);
  io("consumer_awake", invariant.consumer_awake);
  io("wake_in_flight", invariant.wake_in_flight);
  io("put_under_way", invariant.put_under_way);
  io.derived("holds", [&] { return invariant.holds(); });
}

void fields(auto& io, Is<TraceStep> auto& step) {
  io("number", step.number);
  io("thread", step.thread);
  io("object", step.object);
  io("operation", step.operation);
  io("order", step.order);
  io("purpose", step.purpose);
  io("value", step.value);
  io("failed", step.failed);
  io("read_from", step.read_from);
  io("missed", step.missed);
  io("known", step.known);
  io("protocol", step.protocol);
  io("changes", step.changes);
  io("reads", step.reads);
  io("could_run", step.could_run);
  io("could_read", step.could_read);
  io("results", step.results);
  io("result", step.result);
  io("choices", step.choices);
  io("turn", step.turn);
  io("file", step.file);
  io("line", step.line);
  io("function", step.function);
  io("time_passed", step.time_passed);
  io("threads", step.threads);
  io("invariant", step.invariant);
}

void fields(auto& io, Is<TraceWaiting> auto& waiting) {
  io("thread", waiting.thread);
  io("object", waiting.object);
  io("operation", waiting.operation);
  io("last_signal", waiting.last_signal);
  io("last_taken", waiting.last_taken);
  io("could_have_woken", waiting.could_have_woken);
  io("but", waiting.but);
}

void fields(auto& io, Is<TraceMinimum> auto& minimum) {
  io("preemptions", minimum.preemptions);
  io("stale_reads", minimum.stale_reads);
  io("established", minimum.established);
  io("executions", minimum.executions);
}

void fields(auto& io, Is<TraceSentence> auto& sentence) {
  io("word", sentence.word);
  io("text", sentence.text);
  io("steps", sentence.steps);
}

void fields(auto& io, Is<TracePassing> auto& passing) {
  io("differs_at", passing.differs_at);
  io("sentence", passing.sentence);
  io("about", passing.about);
  io("steps", passing.steps);
  io("choices", passing.choices);
}

void fields(auto& io, Is<TraceShare> auto& share) {
  io("steps", share.steps);
  io("failing", share.failing);
  io("all", share.all);
  io("capped", share.capped);
}

void fields(auto& io, Is<TraceSibling> auto& sibling) {
  io("thread", sibling.thread);
  io("what", sibling.what);
  io("below", sibling.below);
}

void fields(auto& io, Is<TraceNoReturn> auto& no_return) {
  io("shares", no_return.shares);
  io("step", no_return.step);
  io("siblings", no_return.siblings);
}

void fields(auto& io, Is<Trace> auto& trace) {
  io("scenario", trace.scenario);
  io("story", trace.story);
  io("bounds", trace.bounds);
  io("mutations", trace.mutations);
  io("memory_model", trace.memory_model);
  io("verdict", trace.verdict);
  io("detail", trace.detail);
  io("threads", trace.threads);
  io("consumer", trace.consumer);
  io("objects", trace.objects);
  io("at_start", trace.at_start);
  io("invariant_at_start", trace.invariant_at_start);
  io("steps", trace.steps);
  io("found_at", trace.found_at);
  io("breaks_at", trace.breaks_at);
  io("waiting", trace.waiting);
  io("choices", trace.choices);
  io("minimum", trace.minimum);
  io("why", trace.why);
  io("passing", trace.passing);
  io("no_return", trace.no_return);
}

}  // namespace wakeproof::models::trace_json
