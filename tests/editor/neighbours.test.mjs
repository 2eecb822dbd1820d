// The extension among others, in the real workbench: beside clangd, in a workspace of several folders, for other
// extensions, and when its language server keeps dying.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { here, repository } from './support.mjs';
import { Workbench, eventually, pause } from './workbench.mjs';

const esbuild = createRequire(path.join(repository, 'plugins/vscode/build.mjs'))('esbuild'); // the extension's

const counter = (name) => `#include <pthread.h>
int ${name};
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *nothing) {
  pthread_mutex_lock(&lock);
  ${name}++;
  pthread_mutex_unlock(&lock);
  return nothing;
}
int main(void) {
  pthread_t other;
  int unused;
  pthread_create(&other, 0, worker, 0);
  ${name}++;
  pthread_join(other, 0);
  return 0;
}
`;

/** Two projects beside each other, as two checkouts are. */
function projects(folder) {
  for (const [name, variable] of [
    ['one', 'apples'],
    ['two', 'pears'],
  ]) {
    const root = path.join(folder, name);
    fs.mkdirSync(root);
    fs.writeFileSync(path.join(root, `${name}.c`), counter(variable));
    fs.writeFileSync(
      path.join(root, 'compile_commands.json'),
      JSON.stringify([{ directory: root, file: `${name}.c`, arguments: ['cc', '-Wall', '-c', `${name}.c`] }]),
    );
  }
}

function neighbour(folder) {
  const extension = path.join(repository, 'plugins/vscode');
  fs.copyFileSync(path.join(here, 'neighbour/package.json'), path.join(folder, 'package.json'));
  fs.writeFileSync(path.join(folder, 'README.md'), 'For a test.\n');
  esbuild.buildSync({
    entryPoints: [path.join(here, 'neighbour/extension.ts')],
    outfile: path.join(folder, 'extension.js'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node18',
    external: ['vscode'],
    nodePaths: [path.join(extension, 'node_modules')],
    logLevel: 'error',
  });
  const packed = spawnSync(
    process.execPath,
    [
      path.join(extension, 'node_modules/@vscode/vsce/vsce'),
      'package',
      '--no-dependencies',
      '--allow-missing-repository',
      '--skip-license',
      '--out',
      'neighbour.vsix',
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  assert.equal(packed.status, 0, packed.stdout + packed.stderr);
  return path.join(folder, 'neighbour.vsix');
}

describe('among others', { concurrency: 1 }, () => {
  let workbench,
    page,
    failed = false;
  before(async () => {
    const folder = fs.mkdtempSync(path.join(fs.realpathSync('/tmp'), 'heddle-neighbour-'));
    try {
      workbench = await Workbench.open(
        projects,
        { 'editor.inlayHints.enabled': 'on' },
        { extensions: [neighbour(folder)], roots: ['one', 'two'] },
      );
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
    page = workbench.page;
  });
  after(async () => {
    await workbench?.close();
  });
  const step = (name, body) =>
    test(name, { timeout: 400_000 }, async () => {
      if (failed) throw 'a step before failed';
      try {
        await body();
      } catch (error) {
        failed = true;
        await workbench.screenshot('failure').catch(() => {});
        throw error;
      }
    });
  const file = () => path.join(workbench.home, 'tmp/seen.json');
  /** What the other extension sees at the cursor. */
  async function look() {
    fs.rmSync(file(), { force: true });
    let pressed = 0;
    return JSON.parse(
      await eventually(async () => {
        if (fs.existsSync(file())) return fs.readFileSync(file(), 'utf8');
        if (Date.now() - pressed > 2000) {
          // again: a key is lost while the debugger's toolbar goes away
          pressed = Date.now();
          await page.keyboard.press('Control+Alt+L'); // the palette would lose the focus to the debugger
        }
        return false;
      }, 'the neighbour has looked'),
    );
  }
  const settled = () =>
    eventually(
      async () =>
        /finding/.test(await workbench.statusText()) &&
        !/loading|exploring|compiling|waiting|connecting/.test(await workbench.statusText()),
      'the status settles',
    );

  step('both folders of the workspace are checked, each as its own project', async () => {
    await workbench.openFile('one.c');
    await settled();
    await workbench.openFile('two.c');
    await eventually(async () => /2 findings/.test(await workbench.statusText()), 'findings of both');
    assert.equal(workbench.daemon().projects.length, 2);
    await workbench.activity('Heddle');
    for (const name of ['apples', 'pears']) {
      await page
        .locator('.pane', { hasText: 'Findings' })
        .first()
        .locator('.monaco-list-row', { hasText: `data race on '${name}'` })
        .waitFor();
    }
    await workbench.screenshot('workbench-several-folders');
  });

  step('beside clangd: its diagnostics and ours, one hover each, its completions and definitions alone', async () => {
    await workbench.openFile('two.c');
    await workbench.goTo('pears++;\n'.trim());
    await page.keyboard.press('Home');
    const seen = await eventually(async () => {
      const now = await look();
      return now.diagnostics.some(({ source }) => source === 'clang') && now.hovers.length === 2 && now;
    }, 'clangd and Heddle have answered');
    assert.deepEqual(
      seen.diagnostics
        .filter(({ source }) => source === 'heddle')
        .map(({ line }) => line)
        .sort((a, b) => a - b),
      [5, 13],
    );
    assert.match(seen.diagnostics.find(({ source }) => source === 'clang').message, /unused/i);
    const ours = seen.hovers.filter((text) => /heddle/.test(text));
    assert.equal(ours.length, 1, seen.hovers.join('\n---\n'));
    assert.ok(ours[0].length < 400, ours[0]); // one short block
    assert.equal(seen.definitions, 1);
    assert.ok(seen.completions > 0);
    // Where no thread meets another one, only clangd has something to say.
    await workbench.goTo('int unused');
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+ArrowRight');
    await page.keyboard.press('Control+ArrowRight');
    await page.keyboard.press('ArrowLeft');
    const elsewhere = await look();
    assert.equal(elsewhere.hovers.filter((text) => /heddle/.test(text)).length, 0);
    await workbench.screenshot('workbench-beside-clangd');
  });

  step('hints at the lines of the changed function', async () => {
    await workbench.openFile('two.c');
    await workbench.goTo('int unused');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('  pears += 2;');
    await workbench.save();
    await workbench.editor.locator('.view-line', { hasText: 'no lock held' }).first().waitFor();
    // Before, everything counted as changed, also the function that holds the lock.
    await eventually(async () => {
      const ours = (await look()).hints.filter(({ label }) => /lock held|holds/.test(label));
      return ours.length === 2 && ours.every(({ label }) => label === 'no lock held');
    }, 'hints in main alone');
    await workbench.screenshot('workbench-hints');
  });

  step('other extensions see the findings and hear of changes', async () => {
    const seen = await look();
    assert.equal(seen.folders, 2);
    assert.ok(
      seen.findings.length >= 2 && seen.findings.every(({ rule, places }) => rule === 'data-race' && places === 2),
      JSON.stringify(seen.findings),
    );
    const { changes } = seen;
    await workbench.goTo('pears += 2');
    await page.keyboard.press('Control+Shift+K');
    await workbench.save();
    await eventually(async () => (await look()).changes > changes, 'a change is told');
  });

  step('tasks for the terminal, with the problem matcher', async () => {
    const { tasks } = await look();
    assert.deepEqual(tasks.map(({ name, matchers }) => [name, matchers]).sort(), [
      ['check', ['$heddle']],
      ['full', ['$heddle']],
    ]);
  });

  step('the nights: what every interleaving showed', async () => {
    await settled();
    workbench.heddle('nightly', '-p', 'one');
    await page.locator('.pane-header', { hasText: 'Nightly' }).click();
    await workbench.command('Heddle: Refresh the Nights');
    const row = page
      .locator('.pane', { hasText: 'Nightly' })
      .locator('.monaco-list-row', { hasText: '0 missed, 0 not confirmed, 1 agreed' });
    await row.click();
    await page
      .locator('.pane', { hasText: 'Nightly' })
      .locator('.monaco-list-row', { hasText: "data race on 'apples'" })
      .first()
      .click();
    await page.locator('.tab.active', { hasText: 'one.c' }).waitFor();
    await workbench.screenshot('workbench-nightly');
    await page.locator('.pane-header', { hasText: 'Nightly' }).click();
  });

  step(
    'an interleaving in the debugger: a stack per thread, values, steps forwards and back, breakpoints',
    async () => {
      await settled();
      await workbench.openFile('two.c');
      await workbench.contextMenu(
        page
          .locator('.pane', { hasText: 'Findings' })
          .first()
          .locator('.monaco-list-row', { hasText: `data race on 'pears'` }),
        'Step Through in the Debugger',
      );
      await page.locator('.debug-toolbar').waitFor();
      const begin = await eventually(async () => (await look()).debugged, 'the session runs');
      assert.equal(begin.type, 'heddle-replay');
      assert.deepEqual(
        begin.stacks.map(({ thread }) => thread),
        ['main', 'worker 1'],
      );
      assert.match(begin.stacks[1].frame, /has not come here yet/);
      assert.deepEqual(begin.variables, []);
      // A breakpoint in the worker, on the line of its access.
      await workbench.goTo('pears++;');
      await page.keyboard.press('F9');
      // Continue stops at the places of the finding, too: main's access comes first.
      const lines = ({ stacks }) => stacks.map(({ frame, line }) => `${line} ${frame}`).join(' | ');
      let there = begin;
      for (let stops = 0; stops < 5 && there.stacks[1].line !== 6; stops++) {
        const before = lines(there);
        await page.keyboard.press('F5');
        there = await eventually(async () => {
          const { debugged } = await look();
          return lines(debugged) !== before && debugged;
        }, 'the next place of the finding');
      }
      assert.equal(there.stacks[1].line, 6, 'the breakpoint is reached');
      assert.match(there.stacks[1].frame, /^worker: (read|write) pears/);
      await workbench.screenshot('workbench-debugger');
      assert.ok(
        there.variables.some((text) => /^pears = 1/.test(text)),
        JSON.stringify(there),
      );
      await page.locator('.debug-toolbar .codicon-debug-step-back').click();
      await eventually(async () => lines((await look()).debugged) !== lines(there), 'the step before');
      await page.keyboard.press('F10');
      await eventually(async () => lines((await look()).debugged) === lines(there), 'the next step');
      // Without a breakpoint it stops at a place of the finding, in another thread.
      await workbench.goTo('pears++;');
      await page.keyboard.press('F9');
      await page.locator('.debug-toolbar .codicon-debug-reverse-continue').click();
      await eventually(async () => lines((await look()).debugged) !== lines(there), 'the place before');
      await page
        .locator('.debug-toolbar .codicon-debug-disconnect, .debug-toolbar .codicon-debug-stop')
        .first()
        .click();
      await eventually(async () => (await look()).debugged === null, 'the session has ended');
      await workbench.activity('Heddle');
    },
  );

  step('a language server that keeps dying is given up, said, and started again on request', async () => {
    await settled();
    for (let deaths = 1; deaths <= 5; deaths++) {
      const [server] = await eventually(() => {
        const now = workbench.processes('heddle-lsp');
        return now.length === 1 && now;
      }, `server ${deaths} runs`);
      await pause(300);
      process.kill(server, 'SIGKILL');
      await eventually(() => !workbench.processes('heddle-lsp').includes(server), 'it is gone');
    }
    await eventually(async () => /Heddle: down/.test(await workbench.statusText()), 'the status says so');
    const toast = page.locator('.notification-list-item', { hasText: 'ended 5 times within 3 minutes' });
    await toast.waitFor();
    await pause(3000);
    assert.deepEqual(workbench.processes('heddle-lsp'), []);
    await workbench.screenshot('workbench-server-given-up');
    await toast.getByRole('button', { name: 'Restart' }).click();
    await eventually(() => workbench.processes('heddle-lsp').length === 1, 'it runs again');
    await settled();
  });

  step('nothing was asked of anybody else', () => assert.deepEqual(workbench.away, []));
});
