// Reports that are one document, written when the check has ended: SARIF and HTML.
//
// In:      events, or the answer to `heddle show`.
// Out:     the document, once per check.
// Owns:    the findings until then.
// Threads: one at a time.
// Fails:   never.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "client/report/report.h"

namespace heddle::client {

struct Document {
  std::string root;                         // absolute: paths are relative to it
  std::vector<v1::Finding> findings;        // each id once, as last reported; also fixed ones
  std::vector<v1::Diagnostic> diagnostics;  // each once
  std::optional<v1::Verdict> verdict;       // none: the answer to a question, not a check
};

std::string sarif_text(const Document& document, bool full);
std::string html_text(const Document& document);

// Text as HTML shows it, in elements and attributes.
std::string escaped(std::string_view text);

// The path relative to the root, or absolute when it is outside of it.
std::string relative_path(const std::string& path, const std::string& root);

}  // namespace heddle::client
