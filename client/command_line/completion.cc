#include "client/command_line/completion.h"

#include <functional>
#include <sstream>
#include <vector>

namespace heddle::client {
namespace {

enum class Values { None, Any, Words, Files, Folders };

struct Argument {
  std::vector<std::string> names;  // with dashes; empty: a positional argument
  std::string type, help, words;   // words: separated by spaces
  Values values = Values::None;
};

// A command with what may follow it.
struct Node {
  std::string path, name, help, footer;  // path: "heddle daemon start"
  std::vector<Argument> arguments;
  std::vector<Node> commands;
};

Argument argument_of(const CLI::Option& option) {
  Argument out;
  for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
  out.help = option.get_description();
  if (option.get_items_expected_max() == 0) return out;
  out.type = option.get_type_name();
  out.type = out.type.substr(0, out.type.find(':'));  // what follows is a validator's
  if (out.type.find('|') != std::string::npos) {
    out.words = out.type;
    for (char& c : out.words)
      if (c == '|') c = ' ';
    out.values = Values::Words;
  } else {
    out.values = out.type == "FILE" || out.type == "PATH" ? Values::Files
                 : out.type == "DIR"                      ? Values::Folders
                                                          : Values::Any;
  }
  return out;
}

Node node_of(const CLI::App& app, const std::string& above) {
  Node node{above + app.get_name(), app.get_name(), app.get_description(), app.get_footer(), {}, {}};
  for (const CLI::Option* option : app.get_options()) node.arguments.push_back(argument_of(*option));
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    node.commands.push_back(node_of(*sub, node.path + " "));
  return node;
}

void each(const Node& node, const std::function<void(const Node&)>& visit) {
  visit(node);
  for (const Node& command : node.commands) each(command, visit);
}

std::string words_after(const Node& node) {
  std::string out;
  for (const Node& command : node.commands) out += command.name + " ";
  for (const Argument& argument : node.arguments)
    for (const std::string& name : argument.names) out += name + " ";
  return out;
}

const Argument* positional(const Node& node) {
  for (const Argument& argument : node.arguments)
    if (argument.names.empty()) return &argument;
  return nullptr;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size()) text.replace(at, what.size(), by);
  return text;
}

std::string quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

// For zsh, where : [ ] separate the parts of an argument's description.
std::string zsh_text(std::string text) {
  for (const char* mark : {"\\", ":", "[", "]"}) text = replaced(text, mark, std::string("\\") + mark);
  return text;
}

std::string zsh_action(const Argument& argument) {
  switch (argument.values) {
    case Values::None: return "";
    case Values::Words: return ":" + zsh_text(argument.type) + ":(" + argument.words + ")";
    case Values::Files: return ":" + argument.type + ":_files";
    case Values::Folders: return ":" + argument.type + ":_files -/";
    case Values::Any: return ":" + (argument.type.empty() ? "value" : zsh_text(argument.type)) + ": ";
  }
  return "";
}

std::string man_text(std::string text) {
  text = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
  text = replaced(text, "\n", "\n.br\n");
  return text.starts_with('.') || text.starts_with('\'') ? "\\&" + text : text;
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

}  // namespace

std::string bash_completion(const CLI::App& table) {
  const Node root = node_of(table, "");
  std::ostringstream paths, values, words;
  each(root, [&](const Node& node) {
    if (&node != &root) paths << (paths.tellp() > 0 ? "|" : "") << quoted(node.path);
    const Argument* const place = positional(node);
    words << "    " << quoted(node.path) << ") words=" << quoted(words_after(node) + (place ? place->words : ""))
          << " kind=" << (place && place->values == Values::Files ? "file" : "none") << " ;;\n";
    for (const Argument& argument : node.arguments) {
      if (argument.values == Values::None || argument.names.empty()) continue;
      for (const std::string& name : argument.names) {
        const bool files = argument.values == Values::Files, folders = argument.values == Values::Folders;
        values << "    " << quoted(node.path + " " + name) << ") words=" << quoted(argument.words) << " kind="
               << (files     ? "file"
                   : folders ? "folder"
                             : "none")
               << " value=yes ;;\n";
      }
    }
  });
  return "# Completion of heddle for bash, written by `heddle completion bash`.\n"
         "_heddle() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "  local path=heddle words= kind=none value= i\n"
         "  COMPREPLY=()\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "    [ \"${COMP_WORDS[i]}\" = -- ] && return  # flags of the compiler\n"
         "    case \"$path ${COMP_WORDS[i]}\" in\n      " +
         paths.str() +
         ") path=\"$path ${COMP_WORDS[i]}\" ;;\n    esac\n  done\n"
         "  # bash splits --name=value into three words.\n"
         "  if [ \"$current\" = = ]; then current=\n"
         "  elif [ \"$previous\" = = ]; then previous=${COMP_WORDS[COMP_CWORD - 2]}\n  fi\n"
         "  case \"$path $previous\" in\n" +
         values.str() + "  esac\n  [ -n \"$value\" ] || case $path in\n" + words.str() +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  case $kind in\n"
         "    file) COMPREPLY+=($(compgen -f -- \"$current\")); compopt -o filenames 2>/dev/null ;;\n"
         "    folder) COMPREPLY+=($(compgen -d -- \"$current\")); compopt -o filenames 2>/dev/null ;;\n"
         "  esac\n"
         "}\n"
         "complete -F _heddle heddle\n";
}

std::string zsh_completion(const CLI::App& table) {
  const Node root = node_of(table, "");
  std::ostringstream paths, cases;
  each(root, [&](const Node& node) {
    if (&node != &root) paths << (paths.tellp() > 0 ? "|" : "") << quoted(node.path);
    cases << "    " << quoted(node.path) << ")\n";
    if (!node.commands.empty()) {
      cases << "      commands=(";
      for (const Node& command : node.commands)
        cases << "\n        " << quoted(command.name + ":" + zsh_text(command.help));
      cases << ")\n      _describe command commands\n";
    }
    cases << "      _arguments";
    for (const Argument& argument : node.arguments) {
      if (argument.names.empty()) cases << " \\\n        " << quoted("*" + zsh_action(argument));
      for (const std::string& name : argument.names) {
        const bool long_value = name.starts_with("--") && argument.values != Values::None;
        cases << " \\\n        "
              << quoted("*" + name + (long_value ? "=" : "") + "[" + zsh_text(argument.help) + "]" +
                        zsh_action(argument));
      }
    }
    cases << " ;;\n";
  });
  return "#compdef heddle\n# Completion of heddle for zsh, written by `heddle completion zsh`.\n"
         "_heddle() {\n"
         "  local at=heddle word\n"
         "  local -i depth=1 i\n"
         "  local -a commands\n"
         "  for ((i = 2; i < CURRENT; i++)); do\n"
         "    case \"$at ${words[i]}\" in\n      " +
         paths.str() +
         ") at=\"$at ${words[i]}\"; depth=i ;;\n    esac\n  done\n"
         "  words=(\"${(@)words[depth,-1]}\")\n"
         "  ((CURRENT -= depth - 1))\n"
         "  case $at in\n" +
         cases.str() + "  esac\n}\n_heddle \"$@\"\n";
}

std::string fish_completion(const CLI::App& table) {
  const Node root = node_of(table, "");
  std::ostringstream out, paths;
  each(root, [&](const Node& node) {
    if (&node != &root) paths << " " << quoted(node.path);
  });
  out << "# Completion of heddle for fish, written by `heddle completion fish`.\n"
         "function __heddle_at\n"
         "  set -l path heddle\n"
         "  for word in (commandline -opc)[2..-1]\n"
         "    contains -- \"$path $word\""
      << paths.str()
      << "; and set path \"$path $word\"\n"
         "  end\n"
         "  test \"$path\" = \"$argv\"\n"
         "end\n"
         "complete -c heddle -f\n";
  each(root, [&](const Node& node) {
    const std::string condition = "__heddle_at " + node.path;
    for (const Node& command : node.commands)
      out << "complete -c heddle -n " << quoted(condition) << " -a " << command.name << " -d " << quoted(command.help)
          << "\n";
    for (const Argument& argument : node.arguments) {
      out << "complete -c heddle -n " << quoted(condition);
      for (const std::string& name : argument.names)
        out << (name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1));
      if (argument.values == Values::Files)
        out << (argument.names.empty() ? " -F" : " -r -F");
      else if (argument.values == Values::Folders)
        out << " -x -a '(__fish_complete_directories)'";
      else if (argument.values != Values::None)
        out << (argument.names.empty() ? "" : " -x");
      if (!argument.words.empty()) out << " -a " << quoted(argument.words);
      out << " -d " << quoted(argument.help) << "\n";
    }
  });
  return out.str();
}

std::string manual_page(const CLI::App& table) {
  const Node root = node_of(table, "");
  std::ostringstream out;
  out << ".\\\" Written by `heddle man`.\n.TH HEDDLE 1 \"\" \"heddle " << HEDDLE_VERSION << "\" \"User Commands\"\n"
      << ".SH NAME\n"
      << man_text("heddle - checks the interleavings of multithreaded C and C++ programs while you edit them")
      << "\n.SH SYNOPSIS\n.B heddle\n.I COMMAND\n[\\fIOPTIONS\\fR]\n.SH COMMANDS\n";
  each(root, [&](const Node& node) {
    if (&node != &root) out << ".SS " << man_text(node.path) << "\n" << man_text(node.help) << ".\n";
    for (const Argument& argument : node.arguments) {
      const std::string name = argument.names.empty() ? argument.type : joined(argument.names);
      if (&node != &root && name == "--help, -h") continue;
      out << ".TP\n\\fB" << man_text(name) << "\\fR";
      if (!argument.names.empty() && !argument.type.empty()) out << " \\fI" << man_text(argument.type) << "\\fR";
      out << "\n" << man_text(argument.help) << ".\n";
    }
    if (!node.footer.empty() && &node != &root) out << ".PP\n" << man_text(node.footer) << "\n";
  });
  out << ".SH EXIT STATUS\n"
      << man_text(root.footer) << "\n.SH FILES\n.TP\n.B .heddle.yaml\n"
      << man_text("Settings of a project; `heddle config` names each.") << "\n";
  return out.str();
}

}  // namespace heddle::client
