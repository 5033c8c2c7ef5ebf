#include "book_pages.hpp"

#include <algorithm>

#include "models/trace/html.hpp"
#include "models/trace/html_text.hpp"

namespace wakeproof::models::cli {

namespace {

// "output_sink/loop" of "output_sink/loop/correct".
std::string folder_of(const std::string& scenario) {
  return scenario.substr(0, scenario.rfind('/'));
}

std::string link_to(const std::string& scenario, const std::string& text) {
  return "<a href=\"" + html_escaped(file_name_of(scenario)) + ".html\">" + html_escaped(text) + "</a>";
}

bool is_mutant(const BookEntry& entry) {
  return entry.scenario->expected != Verdict::proved;
}

std::string verdict_of(const BookEntry& entry) {
  if (!entry.trace) {
    if (is_mutant(entry)) return "<span class=\"verdict\">&#10007; not found</span>";
    for (const Proof& proof : entry.proofs) {
      if (proof.result.verdict != Verdict::proved) return "<span class=\"verdict\">? inconclusive</span>";
    }
    return "<span class=\"verdict good\">&#10003; proved</span>";
  }
  return "<span class=\"verdict\">&#10007; " + std::string(name_of(entry.trace->verdict)) + "</span>";
}

std::string navigation(const std::vector<BookEntry>& entries, std::size_t at) {
  std::string out = "<nav aria-label=\"Book\"><a href=\"index.html\">all scenarios</a>";
  if (at > 0) out += " &#183; " + link_to(entries[at - 1].scenario->name, "previous");
  if (at + 1 < entries.size()) out += " &#183; " + link_to(entries[at + 1].scenario->name, "next");
  if (entries[at].trace) {
    out += " &#183; <a href=\"" + html_escaped(file_name_of(entries[at].scenario->name)) +
           ".json\">this counterexample as JSON</a>";
  }
  return out + "</nav>\n";
}

std::string difference_of(const Difference& one) {
  std::string out = "<div class=\"lines\"><h2>What differs: " + html_escaped(one.what) +
                    "</h2>\n<table class=\"differs-by\">\n<tbody>";
  for (const SourceLine& line : one.correct) {
    out += "<tr><th scope=\"row\">correct</th><td>" +
           (line.file.empty() ? std::string() : html_escaped(line.file) + ":" + std::to_string(line.line)) +
           "</td><td><code>" + html_escaped(line.text) + "</code></td></tr>\n";
  }
  for (const std::string& text : one.mutated)
    out += "<tr><th scope=\"row\">mutant</th><td></td><td><code>" + html_escaped(text) + "</code></td></tr>\n";
  return out + "</tbody></table></div>\n";
}

std::string executions(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " complete execution" : " complete executions");
}

// Of a mutant: that its subject without it is proved.
std::string proof_in_words(const BookEntry& entry) {
  if (entry.proofs.empty()) return "";
  std::string sizes;
  for (const Proof& proof : entry.proofs) {
    sizes += (sizes.empty() ? "" : ", ") + size_of(proof.bounds) + ": " + std::string(name_of(proof.result.verdict)) +
             ", " + executions(proof.result.complete);
  }
  const std::string who =
      entry.correct.empty() ? "The same without the mutation" : "Correct is " + link_to(entry.correct, entry.correct);
  return "<p class=\"facts\">" + who + " &#8211; " + html_escaped(sizes) + ".</p>\n";
}

std::string proof_table(const BookEntry& entry) {
  std::string out =
      "<section><h2>What was looked at</h2>\n<table class=\"proof\">\n<thead><tr><th scope=\"col\">producers x items "
      "of each</th><th scope=\"col\">verdict</th><th scope=\"col\">complete executions</th><th scope=\"col\">steps of "
      "the longest</th></tr></thead>\n<tbody>";
  for (const Proof& proof : entry.proofs) {
    out += "<tr><th scope=\"row\">" + size_of(proof.bounds) + "</th><td>" + std::string(name_of(proof.result.verdict)) +
           "</td><td>" + std::to_string(proof.result.complete) + "</td><td>" + std::to_string(proof.result.steps_max) +
           "</td></tr>\n";
  }
  return out + "</tbody></table>\n<p>Every schedule at these sizes, under the memory model " +
         html_escaped(kMemoryModel) +
         "; of executions that differ only in the order of independent steps, one.</p></section>\n";
}

std::string mutants_of(const std::vector<BookEntry>& entries, const BookEntry& correct) {
  std::string list;
  for (const BookEntry& entry : entries) {
    if (!is_mutant(entry) || folder_of(entry.scenario->name) != folder_of(correct.scenario->name)) continue;
    list += "<li>" + link_to(entry.scenario->name, entry.scenario->name) + ": " + html_escaped(entry.scenario->story) +
            "</li>\n";
  }
  if (list.empty()) return "";
  return "<section><h2>What breaks it and its like</h2>\n<ul>\n" + list + "</ul></section>\n";
}

std::string card(const BookEntry& entry) {
  std::string proof;
  if (!entry.trace && !entry.proofs.empty()) {
    const Proof& largest = entry.proofs.back();
    proof = "<p class=\"facts\">at " + size_of(largest.bounds) + ", " + executions(largest.result.complete) + "</p>";
  }
  return "<li>" + link_to(entry.scenario->name, entry.scenario->name) + " " + verdict_of(entry) + "<p>" +
         html_escaped(entry.scenario->story) + "</p>" + proof + "</li>\n";
}

}  // namespace

std::string file_name_of(const std::string& scenario) {
  std::string name;
  for (const char c : scenario) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    name += plain ? c : '.';
  }
  return name;
}

std::string scenario_page(const std::vector<BookEntry>& entries, std::size_t at) {
  const BookEntry& entry = entries[at];
  std::string more;
  for (const Difference& one : entry.differences) more += difference_of(one);
  if (entry.trace) return as_html(*entry.trace, {navigation(entries, at), more + proof_in_words(entry)});
  return html_page(entry.scenario->name, "<header>\n" + navigation(entries, at) + "<h1>" +
                                             html_escaped(entry.scenario->name) + " " + verdict_of(entry) +
                                             "</h1>\n<p class=\"story\">" + html_escaped(entry.scenario->story) +
                                             "</p>\n" + more + "</header>\n<main>\n" + proof_table(entry) +
                                             mutants_of(entries, entry) + "</main>\n");
}

std::string index_page(const std::vector<BookEntry>& entries) {
  std::string body =
      "<header><h1>Lost wakeups, one page each</h1>\n<p>Threads put items into a sink, one loop takes them and sleeps "
      "in "
      "between. Each page is a way to get that wrong, with the smallest schedule that shows it, or a way that is "
      "proved right within its bounds.</p></header>\n<main>\n";
  body += lost_wakeup_figure(entries);
  std::vector<std::string> folders;
  for (const BookEntry& entry : entries) {
    const std::string folder = folder_of(entry.scenario->name);
    if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(folder);
  }
  for (const std::string& folder : folders) {
    body += "<section><h2>" + html_escaped(folder) + "</h2>\n<ul class=\"cards\">\n";
    for (const bool mutants : {false, true}) {
      for (const BookEntry& entry : entries) {
        if (folder_of(entry.scenario->name) == folder && is_mutant(entry) == mutants) body += card(entry);
      }
    }
    body += "</ul></section>\n";
  }
  return html_page("Lost wakeups, one page each", body + "</main>\n");
}

}  // namespace wakeproof::models::cli
