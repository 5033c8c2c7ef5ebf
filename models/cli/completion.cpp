// wakeproof completion, wakeproof man: what a shell and a reader of manuals are to know, made from the command's own
// description, so that neither says less or other than --help.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "cli.hpp"

namespace wakeproof::models::cli {

namespace {

struct Verb {
  const CLI::App* app;
  std::vector<const CLI::Option*> options;  // but those that are told apart by their place
  bool takes_scenarios = false;
};

std::vector<Verb> verbs_of(const CLI::App& app) {
  std::vector<Verb> verbs;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    verbs.push_back({verb, {}});
    for (const CLI::Option* option : verb->get_options()) {
      const std::string& place = option->get_name(true);
      verbs.back().takes_scenarios |= place == "glob" || place == "scenario" || place == "subject";
      if (option->get_positional()) continue;
      verbs.back().options.push_back(option);
    }
  }
  return verbs;
}

// "-P --producers"
std::string flags_of(const CLI::Option& option) {
  std::string all;
  for (const std::string& name : option.get_snames()) all += (all.empty() ? "-" : " -") + name;
  for (const std::string& name : option.get_lnames()) all += (all.empty() ? "--" : " --") + name;
  return all;
}

std::string flags_of(const Verb& verb) {
  std::string all;
  for (const CLI::Option* option : verb.options) all += (all.empty() ? "" : " ") + flags_of(*option);
  return all;
}

// In single quotes, for any of the shells.
std::string in_quotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c == '\n' ? ' ' : c);
  return out + "'";
}

constexpr const char* kNames = "wakeproof list --names 2>/dev/null";

std::string for_bash(const std::vector<Verb>& verbs) {
  std::string names;
  std::string cases;
  for (const Verb& verb : verbs) {
    names += (names.empty() ? "" : " ") + verb.app->get_name();
    cases += fmt::format("    {}) words={}{} ;;\n", verb.app->get_name(), in_quotes(flags_of(verb)),
                         verb.takes_scenarios ? fmt::format("\" $({})\"", kNames) : "");
  }
  return fmt::format(
      "# wakeproof: completion for bash. In ~/.bashrc: eval \"$(wakeproof completion bash)\"\n"
      "_wakeproof() {{\n"
      "  local words\n"
      "  case ${{COMP_WORDS[1]}} in\n{}"
      "    *) words={} ;;\n"
      "  esac\n"
      "  [ \"$COMP_CWORD\" -eq 1 ] && words={}\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"${{COMP_WORDS[COMP_CWORD]}}\"))\n"
      "}}\n"
      "complete -o default -F _wakeproof wakeproof\n",
      cases, in_quotes(names + " --help --version"), in_quotes(names + " --help --version"));
}

std::string for_zsh(const std::vector<Verb>& verbs) {
  std::string names;
  std::string cases;
  for (const Verb& verb : verbs) {
    names += fmt::format("      {}\n", in_quotes(verb.app->get_name() + ":" + verb.app->get_description()));
    cases += fmt::format("    {}) compadd -- {}{} ;;\n", verb.app->get_name(), flags_of(verb),
                         verb.takes_scenarios ? fmt::format(" $({})", kNames) : "");
  }
  return fmt::format(
      "#compdef wakeproof\n"
      "# wakeproof: completion for zsh. In ~/.zshrc, after compinit: eval \"$(wakeproof completion zsh)\"\n"
      "_wakeproof() {{\n"
      "  if (( CURRENT == 2 )); then\n"
      "    local -a verbs=(\n{}    )\n"
      "    _describe verb verbs\n"
      "    return\n"
      "  fi\n"
      "  case $words[2] in\n{}"
      "  esac\n"
      "  _files\n"
      "}}\n"
      "compdef _wakeproof wakeproof\n",
      names, cases);
}

std::string for_fish(const std::vector<Verb>& verbs) {
  std::string out =
      "# wakeproof: completion for fish. wakeproof completion fish > ~/.config/fish/completions/wakeproof.fish\n";
  for (const Verb& verb : verbs) {
    const std::string name = verb.app->get_name();
    out += fmt::format("complete -c wakeproof -n __fish_use_subcommand -a {} -d {}\n", name,
                       in_quotes(verb.app->get_description()));
    const std::string here = fmt::format("complete -c wakeproof -n '__fish_seen_subcommand_from {}'", name);
    for (const CLI::Option* option : verb.options) {
      std::string flags;
      for (const std::string& flag : option->get_snames()) flags += " -s " + flag;
      for (const std::string& flag : option->get_lnames()) flags += " -l " + flag;
      out += fmt::format("{}{} -d {}\n", here, flags, in_quotes(option->get_description()));
    }
    if (verb.takes_scenarios) out += fmt::format("{} -a '({})'\n", here, kNames);
  }
  return out;
}

// For roff: a backslash, and a dot or quote that begins a line, mean something to it.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
      out += c;
    }
  }
  return out;
}

std::string as_manual(const CLI::App& app, const std::vector<Verb>& verbs) {
  std::string out = fmt::format(
      ".TH WAKEPROOF 1 \"\" \"wakeproof {}\" \"User Commands\"\n.SH NAME\nwakeproof \\- {}\n"
      ".SH SYNOPSIS\n.B wakeproof\n.I verb\n[options]\n.SH VERBS\n",
      WAKEPROOF_VERSION, escaped(app.get_description().substr(app.get_description().find(": ") + 2)));
  for (const Verb& verb : verbs) {
    out += fmt::format(".SS {}\n{}.\n", escaped(verb.app->get_name()), escaped(verb.app->get_description()));
    for (const CLI::Option* option : verb.app->get_options()) {
      const std::string flags = option->get_positional() ? option->get_name(true) : flags_of(*option);
      out += fmt::format(".TP\n.B {}\n{}\n", escaped(flags), escaped(option->get_description()));
    }
    if (!verb.app->get_footer().empty()) out += fmt::format(".PP\n.nf\n{}\n.fi\n", escaped(verb.app->get_footer()));
  }
  return out + fmt::format(".SH NOTES\n.nf\n{}\n.fi\n", escaped(app.get_footer()));
}

}  // namespace

int completion(const CLI::App& app, const std::string& shell) {
  const std::vector<Verb> verbs = verbs_of(app);
  if (shell == "bash") {
    fmt::print("{}", for_bash(verbs));
  } else if (shell == "zsh") {
    fmt::print("{}", for_zsh(verbs));
  } else {
    fmt::print("{}", for_fish(verbs));
  }
  return kAsExpected;
}

int manual(const CLI::App& app) {
  fmt::print("{}", as_manual(app, verbs_of(app)));
  return kAsExpected;
}

}  // namespace wakeproof::models::cli
