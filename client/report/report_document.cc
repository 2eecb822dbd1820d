#include "client/report/report_document.h"

#include <algorithm>
#include <functional>

namespace heddle::client {
namespace {

class DocumentReport final : public Report {
 public:
  using Print = std::function<std::string(const Document&)>;
  DocumentReport(const ReportOptions& options, Progress& progress, Print print)
      : options_(options), progress_(progress), print_(std::move(print)) {
    document_.root = options.root;
  }

  void findings(const v1::ShowResponse& response) override {
    for (const v1::Finding& finding : response.findings()) add(finding);
    write();
  }
  // Refused with the options: these answers have no findings.
  void pairs(const v1::PairsResponse&, const std::string&) override {}
  void status(const v1::StatusResponse&) override {}

 protected:
  void show(const v1::Event& event) override {
    progress_.event(event);
    if (event.has_finding()) add(event.finding());
    if (event.has_diagnostic()) add(event.diagnostic());
    if (!event.has_verdict()) return;
    for (const v1::Diagnostic& diagnostic : event.verdict().diagnostics()) add(diagnostic);
    if (!is_combined_verdict(event)) return;
    document_.verdict = event.verdict();
    write();
  }

 private:
  void add(const v1::Finding& finding) {
    auto& all = document_.findings;
    const auto same = std::find_if(all.begin(), all.end(), [&](const v1::Finding& other) {
      return other.id() == finding.id() && other.target() == finding.target();
    });
    if (same != all.end())
      *same = finding;
    else
      all.push_back(finding);
  }

  void add(const v1::Diagnostic& diagnostic) {
    const auto key = [](const v1::Diagnostic& entry) {
      return std::tie(entry.severity(), entry.file(), entry.message());
    };
    for (const v1::Diagnostic& other : document_.diagnostics) {
      if (key(other) == key(diagnostic) && other.line() == diagnostic.line() && other.column() == diagnostic.column())
        return;
    }
    document_.diagnostics.push_back(diagnostic);
  }

  void write() {
    if (options_.only_new)
      std::erase_if(document_.findings, [](const v1::Finding& finding) { return !is_introduced(finding); });
    const std::string text = print_(document_);
    progress_.erase();
    std::fwrite(text.data(), 1, text.size(), options_.out);
    std::fflush(options_.out);
  }

  const ReportOptions options_;
  Progress& progress_;
  const Print print_;
  Document document_;
};

}  // namespace

std::string relative_path(const std::string& path, const std::string& root) {
  const bool inside =
      root.size() > 1 && path.size() > root.size() + 1 && path.starts_with(root) && path[root.size()] == '/';
  return inside ? path.substr(root.size() + 1) : path;
}

std::unique_ptr<Report> make_sarif_report(const ReportOptions& options, Progress& progress) {
  return std::make_unique<DocumentReport>(
      options, progress, [full = options.full](const Document& document) { return sarif_text(document, full); });
}

std::unique_ptr<Report> make_html_report(const ReportOptions& options, Progress& progress) {
  return std::make_unique<DocumentReport>(options, progress, html_text);
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  }
  return result;
}

}  // namespace heddle::client
