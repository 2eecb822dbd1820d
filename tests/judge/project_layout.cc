#include "tests/judge/project_layout.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "tests/judge/tree_printer.h"

namespace heddle::judge {
namespace {

std::string number(size_t n) { return std::to_string(n); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool begins_function(const std::string& line) {
  return !line.empty() && line[0] != ' ' && line.find(") {") != std::string::npos && !line.starts_with("class ");
}

// Headers of C++ that a program can do without, and what shows that it cannot: each costs every compilation.
bool needed(const std::string& line, const std::string& program) {
  static const std::vector<std::pair<std::string, std::string>> kShown = {
      {"#include <barrier>", "std::barrier"},           {"#include <condition_variable>", "std::condition_variable"},
      {"#include <memory>", "std::shared_ptr"},         {"#include <semaphore>", "std::counting_semaphore"},
      {"#include <shared_mutex>", "std::shared_mutex"}, {"#include <vector>", "std::vector"}};
  return std::all_of(kShown.begin(), kShown.end(), [&](const auto& shown) {
    return line != shown.first || program.find(shown.second) != std::string::npos;
  });
}

// What every file has: functions and constants are each file's own.
std::string for_each_file(const std::string& shared, const std::string& program) {
  std::string text = "#pragma once\n";
  for (const std::string& line : lines_of(shared)) {
    if (!needed(line, program)) continue;
    const bool own = begins_function(line) || line.starts_with("const ");
    text += (own ? "static " : "") + line + "\n";
  }
  return text;
}

// What the other files have to know of a definition.
std::string declaration(const std::string& definition) {
  std::string text;
  for (const std::string& line : lines_of(definition)) {
    if (line.empty() || line[0] == ' ' || line[0] == '}' || line[0] == '/') continue;
    if (begins_function(line))
      text += line.substr(0, line.find(" {")) + ";\n";
    else
      text += "extern " + line.substr(0, std::min({line.find(" ="), line.find('{'), line.find(';')})) + ";\n";
  }
  return text;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string result;
  for (const std::string& text : texts) result += text;
  return result;
}

// The inputs of a program come from functions that nothing defines, and what they return from the settings.
std::string from_settings(const Tree& tree, TreePrinter::Parts& parts) {
  std::string settings = "unknown-externals:\n";
  for (const Global& g : tree.globals) {
    if (g.kind != GlobalKind::Input) continue;
    const std::string taken = g.name + " = take( " + std::to_string(g.value) + " );", sensor = "sensor_" + g.name;
    parts.main.replace(parts.main.find(taken), taken.size(), g.name + " = " + sensor + "();");
    parts.main = (tree.language == Language::Cxx ? "extern \"C\" int " : "int ") + sensor + "(void);\n" + parts.main;
    settings += "  " + sensor + ": {fresh: {min: 0, max: " + std::to_string(g.value - 1) + "}}\n";
  }
  return settings;
}

}  // namespace

std::string_view name_of(Delivery delivery) {
  static constexpr std::array<std::string_view, kDeliveries> kNames = {"text",      "header",  "flag",   "setting",
                                                                       "appears",   "shadows", "link",   "folder-link",
                                                                       "file-link", "unit",    "forced", "computed"};
  return kNames[static_cast<uint32_t>(delivery)];
}

Layout::Layout(Random& random, const std::vector<Tree>& versions) {
  const bool cxx = versions[0].language == Language::Cxx;
  suffix_ = cxx ? ".cc" : ".c";
  std::vector<TreePrinter::Parts> printed;
  for (const Tree& tree : versions) printed.push_back(cxx ? parts_cxx(tree) : parts_c(tree));
  if (versions[0].inputs && random.chance(60))
    for (size_t n = 0; n < versions.size(); ++n) settings_.push_back(from_settings(versions[n], printed[n]));
  const auto of_all = [&](auto text_of) {
    std::vector<std::string> texts;
    for (const TreePrinter::Parts& parts : printed) texts.push_back(text_of(parts));
    return texts;
  };
  headers_ = of_all([](const TreePrinter::Parts& parts) {
    std::string text = for_each_file(parts.shared, joined(parts.globals) + joined(parts.functions) + parts.main);
    for (const std::string& global : parts.globals) text += declaration(global);
    for (const std::string& function : parts.functions) text += declaration(function);
    return text;
  });
  add_part("data", of_all([](const TreePrinter::Parts& parts) { return joined(parts.globals); }));
  for (size_t f = 0; f < printed[0].functions.size(); ++f)
    add_part("part" + number(f), of_all([f](const TreePrinter::Parts& parts) { return parts.functions[f]; }));
  add_part("start", of_all([](const TreePrinter::Parts& parts) { return parts.main; }));
  files_ = 1 + random.below(std::min<size_t>(4, parts_.size()));
  for (Part& part : parts_) {
    part.delivery = static_cast<Delivery>(random.below(kDeliveries));
    part.unit = random.below(files_);
  }
}

void Layout::add_part(const std::string& name, const std::vector<std::string>& texts) {
  Part part;
  part.name = name;
  for (const std::string& text : texts) {
    const auto known = std::find(part.texts.begin(), part.texts.end(), text);
    part.of_version.push_back(static_cast<size_t>(known - part.texts.begin()));
    if (known == part.texts.end()) part.texts.push_back(text);
  }
  parts_.push_back(std::move(part));
}

void Layout::place(const Part& part, size_t version, Project& project, std::string& text,
                   std::vector<std::string>& flags) const {
  const size_t now = part.of_version[version];
  const std::string header = part.name + ".h", choice = "CHOOSE_" + part.name;
  const auto choose = [&](auto condition) {
    std::string result;
    for (size_t k = part.texts.size(); k-- > 1;)
      result += (result.empty() ? "#if " : "#elif ") + condition(k) + "\n" + part.texts[k];
    return result.empty() ? part.texts[0] : result + "#else\n" + part.texts[0] + "#endif\n";
  };
  const auto by_number = [&](size_t k) { return choice + " == " + number(k); };
  switch (part.delivery) {
    case Delivery::Text:
    case Delivery::Unit:
    case Delivery::FileLink: text += part.texts[now]; break;  // the file is chosen by who calls
    case Delivery::Header:
      project.texts[header] = part.texts[now];
      text += "#include \"" + header + "\"\n";
      break;
    case Delivery::Flag:
      if (now > 0) flags.push_back("-D" + choice + "=" + number(now));
      text += choose(by_number);
      break;
    case Delivery::Setting:
      project.texts["settings/" + header] = "#define " + choice + " " + number(now) + "\n";
      text += "#include \"settings/" + header + "\"\n" + choose(by_number);
      break;
    case Delivery::Appears:
      if (now > 0) project.texts["extra/" + part.name + number(now) + ".h"] = "\n";
      text += choose([&](size_t k) { return "__has_include(\"extra/" + part.name + number(k) + ".h\")"; });
      break;
    case Delivery::Shadows:
      project.texts["base/" + header] = part.texts[0];
      if (now > 0) project.texts["over" + number(now) + "/" + header] = part.texts[now];
      text += "#include <" + header + ">\n";
      break;
    case Delivery::Link:
      for (size_t k = 0; k < part.texts.size(); ++k)
        project.texts["kinds/" + part.name + number(k) + ".h"] = part.texts[k];
      project.links[header] = "kinds/" + part.name + number(now) + ".h";
      text += "#include \"" + header + "\"\n";
      break;
    case Delivery::Forced:
      project.texts["settings/" + header] = "#define " + choice + " " + number(now) + "\n";
      flags.insert(flags.end(), {"-include", "settings/" + header});
      text += choose(by_number);
      break;
    case Delivery::Computed:
      for (size_t k = 0; k < part.texts.size(); ++k)
        project.texts["kinds/" + part.name + number(k) + ".h"] = part.texts[k];
      flags.push_back("-D" + choice + "=\"kinds/" + part.name + number(now) + ".h\"");
      text += "#include " + choice + "\n";
      break;
    case Delivery::FolderLink:
      for (size_t k = 0; k < part.texts.size(); ++k)
        project.texts["kinds/" + part.name + number(k) + "/" + header] = part.texts[k];
      project.links["now_" + part.name] = "kinds/" + part.name + number(now);
      text += "#include \"now_" + part.name + "/" + header + "\"\n";
      break;
  }
}

Project Layout::version(size_t version) const {
  Project project;
  project.texts["all.h"] = headers_[version];
  if (!settings_.empty()) project.texts[".heddle.yaml"] = settings_[version];
  std::vector<std::string> paths;
  for (size_t k = headers_.size(); k-- > 1;) paths.push_back("-Iover" + number(k));
  paths.push_back("-Ibase");
  const auto add_unit = [&](const std::string& file, const std::vector<std::string>& flags) {
    project.units.push_back({file, flags});
    project.units.back().flags.insert(project.units.back().flags.end(), paths.begin(), paths.end());
  };
  const std::string begin = "#include \"all.h\"\n";
  for (size_t file = 0; file < files_; ++file) {
    std::string text = begin;
    std::vector<std::string> flags;
    for (const Part& part : parts_)
      if (part.unit == file && part.delivery != Delivery::Unit && part.delivery != Delivery::FileLink)
        place(part, version, project, text, flags);
    const std::string name = "file" + number(file) + suffix_;
    project.texts[name] = text;
    add_unit(name, flags);
  }
  for (const Part& part : parts_) {
    const size_t now = part.of_version[version];
    if (part.delivery == Delivery::Unit) {
      for (size_t k = 0; k < part.texts.size(); ++k)
        project.texts[part.name + "_" + number(k) + suffix_] = begin + part.texts[k];
      add_unit(part.name + "_" + number(now) + suffix_, {});
    } else if (part.delivery == Delivery::FileLink) {
      project.links[part.name + suffix_] = "kinds/" + part.name + "_" + number(now) + suffix_;
      for (size_t k = 0; k < part.texts.size(); ++k)
        project.texts["kinds/" + part.name + "_" + number(k) + suffix_] = "#include <all.h>\n" + part.texts[k];
      add_unit(part.name + suffix_, {"-I."});
    }
  }
  return project;
}

std::vector<Delivery> Layout::changed(size_t from, size_t to) const {
  std::vector<Delivery> result;
  if (headers_[from] != headers_[to]) result.push_back(Delivery::Header);
  if (!settings_.empty() && settings_[from] != settings_[to]) result.push_back(Delivery::Setting);
  for (const Part& part : parts_)
    if (part.of_version[from] != part.of_version[to]) result.push_back(part.delivery);
  return result;
}

std::vector<std::string> Layout::removable() const {
  std::vector<std::string> result = {"all.h"};
  for (const Part& part : parts_) {
    if (part.delivery == Delivery::Header) result.push_back(part.name + ".h");
    if (part.delivery == Delivery::Setting || part.delivery == Delivery::Forced)
      result.push_back("settings/" + part.name + ".h");
    if (part.delivery == Delivery::Shadows) result.push_back("base/" + part.name + ".h");
    const bool folder = part.delivery == Delivery::FolderLink;
    if (folder || part.delivery == Delivery::Link || part.delivery == Delivery::Computed)
      for (size_t k = 0; k < part.texts.size(); ++k)
        result.push_back("kinds/" + part.name + number(k) + (folder ? "/" + part.name + ".h" : ".h"));
  }
  return result;
}

}  // namespace heddle::judge
