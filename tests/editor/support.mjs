// What the tests here share: a folder of their own, the binaries, Chromium.
import { chromium } from 'playwright-core';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const here = path.dirname(fileURLToPath(import.meta.url));
export const repository = path.resolve(here, '../..');
export const binaries = path.resolve(process.env.HEDDLE_BINARIES ?? path.join(repository, 'build/bin'));
export const heddleBinary = path.join(binaries, 'heddle');
export const artefacts = path.resolve(process.env.HEDDLE_ARTEFACTS ?? path.join(repository, 'build/artefacts/editor'));

/** A folder that is gone at the end of the test. */
export function folder(test, name = 'heddle-editor-') {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), name));
  test.after(() => fs.rmSync(made, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  return made;
}

/** The environment with git as no user has set it up. */
export function withoutTheUsersGit(environment) {
  const kept = Object.entries(environment).filter(([name]) => !name.startsWith('GIT_') && name !== 'XDG_CONFIG_HOME');
  return {
    ...Object.fromEntries(kept),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.org',
  };
}

/** Runs heddle in `cwd`, with a daemon and caches that live in `home`. */
export function heddle(cwd, home, ...args) {
  const result = spawnSync(heddleBinary, args, {
    cwd,
    encoding: 'utf8',
    timeout: 60_000,
    maxBuffer: 1 << 28,
    env: {
      ...process.env,
      HEDDLE_RUNTIME_DIR: path.join(home, 'run'),
      XDG_CACHE_HOME: path.join(home, 'cache'),
      HOME: home,
      NO_COLOR: '1',
    },
  });
  if (result.error) throw result.error;
  return { code: result.status, out: result.stdout, error: result.stderr };
}

export const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
export const chromiumBinary = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const browser = (home) =>
  chromium.launch({
    executablePath: chromiumBinary,
    args: browserArguments,
    env: { ...process.env, HOME: home, TMPDIR: home },
  });

export function keepScreenshot(page, name) {
  fs.mkdirSync(artefacts, { recursive: true });
  return page.screenshot({ path: path.join(artefacts, `${name}.png`) });
}

/** Parts of the extension without an editor: `exports` names them, `editor` is the text of a module `vscode`. */
export async function loadExtension(exports, editor) {
  const extension = path.join(repository, 'plugins/vscode');
  const esbuild = createRequire(path.join(extension, 'package.json'))('esbuild');
  const plugin = {
    name: 'editor',
    setup(build) {
      build.onResolve({ filter: /^vscode$/ }, () => ({ path: 'vscode', namespace: 'editor' }));
      build.onLoad({ filter: /.*/, namespace: 'editor' }, () => ({ contents: editor }));
    },
  };
  const { outputFiles } = await esbuild.build({
    stdin: { contents: exports, resolveDir: extension },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    plugins: [plugin],
  });
  const module = { exports: {} };
  const require = createRequire(import.meta.url);
  new Function('module', 'exports', 'require', outputFiles[0].text)(module, module.exports, require);
  return module.exports;
}
