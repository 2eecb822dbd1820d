#include "server/frontend/reuse/macros.h"

#include <clang/Basic/IdentifierTable.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/Token.h>

namespace heddle::frontend {

void MacroRecorder::MacroDefined(const clang::Token& name, const clang::MacroDirective* made) {
  if (sources_.isInSystemHeader(name.getLocation()) || sources_.isWrittenInBuiltinFile(name.getLocation())) return;
  out_.names.insert(name.getIdentifierInfo()->getName());
  int depth = 0;
  for (const clang::Token& token : made->getMacroInfo()->tokens()) {
    depth += token.is(clang::tok::l_brace);
    depth -= token.is(clang::tok::r_brace);
    if (depth < 0) break;
  }
  out_.has_braces |= depth != 0;
}

}  // namespace heddle::frontend
