// The real workbench: code-server's VS Code server with the packaged extension, in headless Chromium.
import { chromium } from 'playwright-core';
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { artefacts, binaries, browserArguments, chromiumBinary, heddleBinary, here, repository } from './support.mjs';

const server = path.join(here, 'node_modules/code-server/lib/vscode/out/server-main.js');
export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// A limit says that something hangs, not how fast a machine is: a busy one takes many times as long.
const patience = 120_000;

/** Waits until the condition holds, and returns what it returned. One that fails may hold a moment later. */
export async function eventually(condition, what, limit = patience) {
  const end = Date.now() + limit;
  for (let wait = 20; ; wait = Math.min(2 * wait, 200)) {
    let problem = '';
    try {
      const value = await condition();
      if (value) return value;
    } catch (error) {
      problem = `: ${error.message}`;
    }
    assert.ok(Date.now() < end, `not within ${limit / 1000} s: ${what}${problem}`);
    await pause(wait);
  }
}

/** Does something whose effect can be lost, when the focus moves or a list is drawn anew, until it has shown. */
async function insist(body, attempts = 4) {
  for (let attempt = 1; ; ++attempt) {
    try {
      return await body(attempt);
    } catch (error) {
      if (attempt === attempts) throw error;
    }
  }
}

const freePort = () =>
  new Promise((resolve) => {
    const socket = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = socket.address();
      socket.close(() => resolve(port));
    });
  });

export class Workbench {
  /** `more`: packages of further extensions; roots: names of folders that are opened together, beside each other. */
  static async open(project, settings = {}, more = {}) {
    const workbench = new Workbench();
    try {
      await workbench.start(project, settings, more);
      return workbench;
    } catch (error) {
      await workbench.close();
      throw error;
    }
  }

  /**
   * `roots`: folders of a workspace of several. `complete`: the package with Heddle inside, in a window without a folder;
   * no Heddle on PATH.
   */
  async start(project, settings, { extensions = [], roots, complete = false }) {
    this.home = fs.mkdtempSync(path.join(os.tmpdir(), 'hw-')); // short: a socket's path has 108 characters
    const folder = (...parts) => {
      const made = path.join(this.home, ...parts);
      fs.mkdirSync(made, { recursive: true });
      return made;
    };
    this.workspace = folder('bank');
    project(this.workspace);
    fs.writeFileSync(
      path.join(folder('data', 'User'), 'settings.json'),
      JSON.stringify({
        'security.workspace.trust.enabled': false,
        'workbench.startupEditor': 'none',
        'telemetry.telemetryLevel': 'off',
        'extensions.autoCheckUpdates': false,
        'extensions.autoUpdate': false,
        'git.enabled': false,
        'files.autoSave': 'off',
        'workbench.tips.enabled': false,
        'editor.minimap.enabled': false,
        // Without a graphics card, what moves takes a core.
        'workbench.reduceMotion': 'on',
        'editor.cursorBlinking': 'solid',
        'window.commandCenter': false,
        'editor.autoIndent': 'none',
        'editor.stickyScroll.enabled': false,
        'editor.autoClosingBrackets': 'never',
        'editor.quickSuggestions': { other: 'off', comments: 'off', strings: 'off' },
        'editor.wordBasedSuggestions': 'off',
        // As a test goes on, checks become quick: what is typed would be checked without a save.
        'heddle.run': 'save',
        ...settings,
      }),
    );
    // Only what a user has: the program on PATH. HEDDLE_* settings keep this daemon apart from others.
    this.environment = {
      ...process.env,
      HOME: folder('home'),
      TMPDIR: folder('tmp'),
      HEDDLE_RUNTIME_DIR: folder('run'),
      XDG_CACHE_HOME: folder('cache'),
      SHELL: '/bin/bash',
      PATH: complete ? process.env.PATH : `${binaries}${path.delimiter}${process.env.PATH}`,
      EXTENSIONS_GALLERY: '{"serviceUrl":""}',
    };
    // The workbench asks the login shell for its PATH.
    fs.writeFileSync(path.join(this.home, 'home/.profile'), `export PATH='${this.environment.PATH}'\n`);
    const packages = path.join(repository, 'plugins/vscode/dist');
    const named = (file) => (complete ? /^heddle-linux-/.test(file) : file === 'heddle.vsix');
    const folders = [
      '--server-data-dir',
      folder('server'),
      '--user-data-dir',
      folder('data'),
      '--extensions-dir',
      folder('extensions'),
    ];
    for (const file of [path.join(packages, fs.readdirSync(packages).find(named)), ...extensions]) {
      const installed = spawnSync(
        process.execPath,
        [server, '--install-extension', file, '--accept-server-license-terms', ...folders],
        { env: this.environment, encoding: 'utf8', timeout: patience },
      );
      assert.match(installed.stdout, /successfully installed/, installed.stdout + installed.stderr);
    }
    const port = await freePort();
    const log = fs.openSync(path.join(this.home, 'server.log'), 'w');
    this.server = spawn(
      process.execPath,
      [
        server,
        '--host',
        '127.0.0.1',
        '--port',
        String(port),
        '--without-connection-token',
        '--accept-server-license-terms',
        '--telemetry-level',
        'off',
        ...folders,
      ],
      { detached: true, env: this.environment, stdio: ['ignore', log, log] },
    );
    const url = `http://127.0.0.1:${port}/`;
    const answers = async () => this.server.exitCode !== null || (await fetch(url)).ok;
    await eventually(answers, 'the server answers');
    assert.equal(this.server.exitCode, null, 'the server ended');
    this.context = await chromium.launchPersistentContext(folder('profile'), {
      executablePath: chromiumBinary,
      env: this.environment,
      headless: true,
      viewport: { width: 1400, height: 860 },
      args: browserArguments,
    });
    [this.page] = this.context.pages();
    this.page.setDefaultTimeout(patience);
    this.away = []; // requests to anywhere else; the files of webviews have an address of their own, which the page itself answers
    this.page.on('request', (request) => {
      const { protocol, hostname, href } = new URL(request.url());
      if (
        /^(http|ws)/.test(protocol) &&
        hostname !== '127.0.0.1' &&
        !hostname.endsWith('.vscode-resource.vscode-cdn.net')
      )
        this.away.push(href);
    });
    const together = path.join(this.workspace, 'all.code-workspace');
    if (roots) fs.writeFileSync(together, JSON.stringify({ folders: roots.map((name) => ({ path: name })) }));
    this.editor = this.page.locator('.editor-instance .monaco-editor').first();
    if (complete) {
      await this.page.goto(`${url}?ew=true`); // an empty window
      await this.page.locator('.monaco-workbench .part.statusbar').waitFor();
      return;
    }
    await this.page.goto(
      roots
        ? `${url}?workspace=${encodeURIComponent(together)}`
        : `${url}?folder=${encodeURIComponent(this.workspace)}`,
    );
    await this.page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
  }

  async close() {
    await this.context?.close().catch(() => {});
    spawnSync(heddleBinary, ['daemon', 'stop'], { env: this.environment, timeout: 20_000 });
    if (this.server) {
      const alive = () => {
        try {
          process.kill(-this.server.pid, 0);
          return true;
        } catch {
          return false;
        }
      };
      const tell = (signal) => {
        try {
          process.kill(-this.server.pid, signal);
        } catch {
          /* gone */
        }
      };
      tell('SIGTERM');
      for (let n = 0; n < 100 && alive(); n++) await pause(50);
      tell('SIGKILL');
    }
    fs.rmSync(this.home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  screenshot(name) {
    fs.mkdirSync(artefacts, { recursive: true });
    return this.page.screenshot({ path: path.join(artefacts, `${name}.png`) });
  }

  /** What the terminal says about the same daemon. */
  heddle(...args) {
    const { stdout, stderr, status } = spawnSync(heddleBinary, args, {
      cwd: this.workspace,
      env: this.environment,
      encoding: 'utf8',
      timeout: patience,
    });
    return { out: stdout, error: stderr, code: status };
  }
  daemon() {
    const { out, error } = this.heddle('status', '--format=jsonl');
    assert.equal(error, '');
    return JSON.parse(out);
  }

  /** Ids of the processes of this workbench whose program's name begins so; a daemon's runtime folder tells whose it is. */
  processes(name) {
    return fs
      .readdirSync('/proc')
      .filter((id) => /^\d+$/.test(id))
      .filter((id) => {
        try {
          return (
            path.basename(fs.readlinkSync(`/proc/${id}/exe`)).startsWith(name) &&
            !fs.readFileSync(`/proc/${id}/cmdline`, 'latin1').includes('--typing-process') && // a part of the server
            fs.readFileSync(`/proc/${id}/environ`, 'latin1').includes(`HEDDLE_RUNTIME_DIR=${this.home}/run\0`)
          );
        } catch {
          return false; // it has ended
        }
      })
      .map(Number);
  }

  status() {
    return this.page.locator('.statusbar-item[id*="heddle.status"]');
  }
  async statusText() {
    return (await this.status().textContent()).trim();
  }

  /** Types into the box that a key opens, and waits for the row that is wanted. */
  async quickInput(key, text, row) {
    await insist(async (attempt) => {
      if (attempt > 1) await this.page.keyboard.press('Escape');
      await this.page.keyboard.press(key);
      const input = this.page.locator('.quick-input-widget input').first();
      await input.waitFor({ timeout: patience / 4 });
      await this.page.keyboard.type(text);
      await row.first().waitFor({ timeout: patience / 4 });
    });
  }

  /** In the box that asks this. */
  async answer(question, text) {
    await this.page.locator('.quick-input-widget', { hasText: question }).waitFor();
    await this.page.keyboard.type(text);
    await this.page.keyboard.press('Enter');
  }

  async openFile(name) {
    const tab = this.page.locator('.tab', { hasText: name });
    await insist(async () => {
      if ((await tab.count()) > 0) {
        await tab.first().click();
      } else {
        const row = this.page.locator('.quick-input-list .monaco-list-row', {
          has: this.page.locator('.label-name', { hasText: name }),
        });
        await this.quickInput('Control+P', name, row);
        await row.first().click({ timeout: patience / 4 });
      }
      await this.page.locator('.tab.active', { hasText: name }).waitFor({ timeout: patience / 4 });
    });
  }

  /** Of the command palette. */
  async command(title) {
    const row = this.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title });
    await this.quickInput('F1', title, row);
    await this.page.keyboard.press('Enter');
  }

  /** Of a row's context menu, which ignores the mouse in the first tenth of a second after it has opened. */
  async contextMenu(row, label) {
    await row.click({ button: 'right' });
    const item = this.page.locator('.monaco-menu .action-label', { hasText: label });
    await item.waitFor();
    await insist(async () => {
      await pause(300);
      await item.click({ timeout: 5000 });
      await item.waitFor({ state: 'detached', timeout: 5000 });
    });
  }

  /** Opens a row of a tree until the one below it is shown: a tree that is drawn anew may close it. */
  expand(row, below) {
    return eventually(async () => {
      if ((await below.count()) === 0) await row.click();
      return (await below.count()) > 0;
    }, 'the row opens');
  }

  /** The view that is shown has no number at its icon. */
  noBadge() {
    const badge = this.page.locator('.activitybar .action-item.checked .badge-content:visible');
    return eventually(async () => (await badge.count()) === 0, 'the badge is gone');
  }

  /** Opens a view of the activity bar, and waits until it is the one that is shown: it takes the focus then. */
  async activity(name) {
    const item = this.page.locator('.activitybar .action-item', {
      has: this.page.locator(`a[aria-label^="${name}"]`),
    });
    await insist(async () => {
      const shown = await item.evaluate((element) => element.classList.contains('checked'));
      if (!shown) await item.click({ timeout: patience / 4 }); // a click on the view that is shown hides it
      await this.page
        .locator('.part.sidebar .composite.title h2', { hasText: new RegExp(`^${name}`, 'i') })
        .waitFor({ timeout: patience / 4 });
    });
  }

  line(text) {
    return this.editor.locator('.view-line', { hasText: text }).first();
  }

  /** Puts the cursor at the end of the line that holds the text. A code lens that comes meanwhile moves the lines. */
  async goTo(text) {
    await eventually(async () => {
      await this.line(text).click({ position: { x: 2, y: 8 } });
      await this.page.keyboard.press('End');
      const place = await this.line(text).boundingBox();
      const cursor = await this.editor.locator('.cursors-layer .cursor').first().boundingBox();
      const middle = cursor.y + cursor.height / 2;
      return middle > place.y && middle < place.y + place.height && cursor.x > place.x + 2;
    }, `the cursor is at the end of '${text}'`);
  }
  /** Puts a text in the place of the line that holds the mark, and makes sure of it: a view that opens takes the keys. */
  async replaceLine(mark, text) {
    await insist(async () => {
      await this.goTo(mark);
      await this.page.keyboard.press('Home');
      await this.page.keyboard.press('Home');
      await this.page.keyboard.press('Shift+End');
      await this.page.keyboard.insertText(text); // all of it arrives, or nothing
      await eventually(
        async () => (await this.line(mark).textContent()).replace(/\u00a0/g, ' ') === text,
        `the line reads '${text}'`,
        patience / 12,
      );
    });
  }
  async save() {
    await insist(async () => {
      await this.page.keyboard.press('Control+S');
      await this.page.locator('.tab.active.dirty').waitFor({ state: 'detached', timeout: patience / 12 });
    });
  }

  squiggles() {
    return this.editor.locator('.squiggly-error').count();
  }
  /** The lines of the editor that are underlined. */
  async squiggledLines() {
    return this.editor.evaluate((editor) => {
      const rows = [...editor.querySelectorAll('.view-line')].map((row) => ({
        top: row.getBoundingClientRect().top,
        text: row.textContent.replace(/\u00a0/g, ' ').trim(),
      }));
      const lines = [...editor.querySelectorAll('.squiggly-error')]
        .map((mark) => mark.getBoundingClientRect())
        .map(
          ({ top, height }) =>
            rows.reduce((best, row) =>
              Math.abs(row.top - top) < Math.abs(best.top - top) && row.top <= top + height ? row : best,
            ).text,
        );
      return [...new Set(lines)];
    });
  }

  /** Whole-line marks of the interleaving, with the words behind them. */
  markedLines() {
    return this.editor.evaluate((editor) =>
      [...editor.querySelectorAll('.view-line')].flatMap((row) => {
        const words = [...row.querySelectorAll('span[class*="ced-"]')]
          .map((span) => getComputedStyle(span, '::after').content)
          .filter((content) => content !== 'none' && content !== 'normal')
          .map((content) => content.replace(/^"|"$/g, ''));
        return words.map((said) => ({
          line: row.textContent.replace(/\u00a0/g, ' ').trim(),
          said: said.replace(/\u00a0/g, ' '),
        }));
      }),
    );
  }

  /** The document inside the interleaving panel. */
  interleaving() {
    return this.page
      .frameLocator('iframe.webview.ready[src*="extensionId=heddle.heddle"]')
      .frameLocator('iframe#active-frame');
  }
}
