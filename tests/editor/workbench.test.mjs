// A day in the editor, in the real workbench: see README.md. The steps build on each other, so they are one test.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { here, withoutTheUsersGit } from './support.mjs';
import { Workbench, eventually } from './workbench.mjs';

let workbench, page;

function project(folder) {
  fs.cpSync(path.join(here, 'project'), folder, { recursive: true });
  fs.writeFileSync(
    path.join(folder, 'compile_commands.json'),
    JSON.stringify(
      ['account', 'main', 'long'].map((name) => ({
        directory: folder,
        file: `src/${name}.c`,
        arguments: ['cc', '-std=c11', '-c', `src/${name}.c`],
      })),
    ),
  );
}

describe('the workbench', { concurrency: 1 }, () => {
  before(async () => {
    workbench = await Workbench.open(project, { 'heddle.cores': 1 });
    page = workbench.page;
  });
  after(async () => {
    await workbench?.close();
  });
  let failed = false;
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
  const idle = (condition) =>
    eventually(async () => {
      const text = await workbench.statusText();
      return (
        !/loading|starting|exploring|compiling|waiting|connecting|replaying|edited since/.test(text) &&
        condition(text) &&
        text
      );
    }, 'the status settles').catch(async (error) => {
      throw new Error(`${error.message}; it says "${await workbench.statusText()}"`);
    });
  step('the extension installs from its file, finds the daemon, and checks the baseline', async () => {
    await workbench.openFile('account.c');
    await eventually(async () => /Heddle/.test(await workbench.statusText()), 'the status item');
    await idle(() => true);
    // The terminal would start one that knows nothing of the editor's settings.
    await eventually(() => workbench.processes('heddled').length > 0, 'the extension starts the daemon');
    await workbench.command('Heddle: Check Changes');
    await eventually(() => workbench.daemon().projects[0]?.complete, 'the baseline is complete');
    await idle((text) => !/not checked|inconclusive|finding/.test(text));
    assert.equal(await workbench.squiggles(), 0);
    // Settings reach the daemon.
    const [daemon] = workbench.processes('heddled');
    assert.ok(fs.readFileSync(`/proc/${daemon}/environ`, 'latin1').split('\0').includes('HEDDLE_EXPLORERS=1'));
    await workbench.screenshot('workbench-baseline');
  });

  step('a racy edit: squiggles at both lines', async () => {
    await workbench.goTo('pthread_mutex_unlock(&lock);');
    await page.keyboard.press('Enter');
    await page.keyboard.type('  balance++;');
    const begin = Date.now();
    await workbench.save();
    const first = await workbench.editor
      .locator('.squiggly-error')
      .first()
      .waitFor()
      .then(() => Date.now() - begin);
    console.log(`save -> first squiggle in the workbench: ${first} ms`);
    await eventually(async () => {
      const lines = await workbench.squiggledLines();
      const underlined = (begin) => lines.some((line) => line.startsWith(begin));
      assert.ok(underlined('balance++') && underlined('int result = balance'), lines.join(' | '));
      return true;
    }, 'both lines are underlined');
    await idle((text) => /finding/.test(text));
  });

  step('the lens, and the problems with related information', async () => {
    const lens = workbench.editor.locator('.codelens-decoration a', { hasText: /show interleaving/ }).first();
    await lens.waitFor();
    console.log(`lens: ${(await workbench.editor.locator('.codelens-decoration').allTextContents()).join(' / ')}`);
    await page.keyboard.press('Control+Shift+M');
    const rows = page.locator('.markers-panel .monaco-list-row');
    await rows.filter({ hasText: 'data race' }).first().waitFor();
    // Below each: the other place.
    await eventually(
      async () =>
        (await rows.allTextContents()).filter((text) => /account\.c.*\[Ln \d+, Col \d+\]:/.test(text)).length >= 2,
      'related information',
    );
    await eventually(async () => {
      const texts = await rows.allTextContents();
      assert.ok(
        texts.some((text) => text.includes("data race on 'balance'") && text.includes('heddle')),
        texts.join('\n'),
      );
      return true;
    }, 'the finding among the problems');
    await workbench.screenshot('workbench-problems');
    await page.keyboard.press('Control+J'); // the panel goes
    await lens.waitFor();
  });

  step('the side bar: findings, pairs, tests', async () => {
    await workbench.activity('Heddle');
    const tree = page.locator('.pane', { hasText: 'Findings' }).first();
    await tree.locator('.monaco-list-row', { hasText: 'data race on' }).waitFor();
    await page
      .locator('.pane', { hasText: 'Changed Fragments and Pairs' })
      .locator('.monaco-list-row', { hasText: '×' })
      .first()
      .waitFor();
    await workbench.editor.locator('.cgmr[class*="ced-"], .margin-view-overlays [class*="ced-"]').first().waitFor(); // the gutter
    await workbench.screenshot('workbench-side-bar');
    await workbench.activity('Testing');
    await page.locator('.test-explorer .monaco-list-row', { hasText: 'main' }).first().waitFor();
    // Explored again, by hand: as before, and the verdict of the version stays.
    const checks = () => workbench.daemon().projects[0].latencyMs.total.count;
    const before = checks();
    await page.locator('.test-explorer .monaco-list-row', { hasText: 'main' }).first().click();
    await workbench.command('Test: Run All Tests');
    await eventually(() => checks() > before, 'pairs are explored again');
    await idle((text) => /finding/.test(text) && !/not checked|inconclusive/.test(text));
    await eventually(
      async () =>
        (await page
          .locator(
            '.test-explorer [class*="testing-run-"], .test-explorer .codicon-testing-failed-icon, .test-explorer [class*="failed"]',
          )
          .count()) > 0,
      'the failed target',
    );
    await eventually(
      async () =>
        !(await page.locator('.result-summary').textContent()).includes('loading') &&
        (await page.locator('.test-explorer .codicon-loading').count()) === 0,
      'the run has ended',
    );
    await workbench.screenshot('workbench-testing');
    await workbench.activity('Explorer');
  });

  step('what was explored: marks at the statements that matter to other threads', async () => {
    await workbench.command('Test: Run All Tests with Coverage');
    const marks = workbench.editor.locator('.coverage-deco-gutter.coverage-deco-hit');
    await eventually(
      async () => (await marks.count()) === 7,
      'four lines of account_deposit() and three of account_balance() were executed',
    );
    await page.locator('.monaco-list-row', { hasText: 'account.c' }).first().waitFor();
    await workbench.screenshot('workbench-coverage');
    await page.locator('.monaco-list-row', { hasText: 'Close Test Coverage' }).click();
    await eventually(async () => (await marks.count()) === 0, 'the marks go');
    await page.keyboard.press('Control+J'); // the panel goes
    await workbench.activity('Explorer');
  });

  step("the interleaving: stepping marks both threads' lines", async () => {
    await workbench.editor
      .locator('.codelens-decoration a', { hasText: /show interleaving/ })
      .first()
      .click();
    const view = workbench.interleaving();
    await view.locator('.step.current').waitFor();
    const current = async () => Number(await view.locator('.step.current > .number').textContent());
    const count = await view.locator('.step').count();
    await view.locator('.lanes').focus();
    await page.keyboard.press('+');
    await page.keyboard.press('+'); // every step
    await eventually(async () => (await view.locator('.step[hidden]').count()) === 0, 'every step is shown');
    await page.keyboard.press('Home');
    await eventually(async () => (await current()) === 1, 'the first step');
    const seen = new Set();
    const nameIn = (said) => said.replace(/^. /, '').split(':')[0];
    const namesIn = (marks) => new Set(marks.map(({ said }) => nameIn(said)));
    for (let n = 1; n <= count; n++) {
      // The step's own line is marked with its action, the other threads' with their names.
      const action = (await view.locator('.step.current .action:not(.summary)').textContent()).replace(/^● /, '');
      const file = await view.locator('.step.current .where a').textContent();
      const marks = await eventually(async () => {
        const found = await workbench.markedLines();
        return (
          (await workbench.page.locator('.tab.active', { hasText: file.split(':')[0] }).count()) > 0 &&
          found.some(({ said }) => said.startsWith('▶') && said.endsWith(action)) &&
          (n < count || namesIn(found).size >= 2) &&
          found
        );
      }, `the line of step ${n} is marked (${action})`);
      for (const { line, said } of marks) if (!said.startsWith('○')) seen.add(`${line} ${nameIn(said)}`);
      await view.locator('.lanes').focus();
      await page.keyboard.press('j');
      if (n < count) await eventually(async () => (await current()) === n + 1, `step ${n + 1}`);
    }
    assert.ok(
      [...seen].some((text) => /balance\+\+.*depositor/.test(text)),
      [...seen].join('\n'),
    );
    assert.ok(
      [...seen].some((text) => /int result = balance.*auditor/.test(text)),
      [...seen].join('\n'),
    );
    await page.keyboard.press('h');
    await view.locator('.arrows path').first().waitFor({ state: 'attached' });
    await workbench.screenshot('workbench-interleaving');
    // With the editor's own keys too.
    const before = await current();
    await workbench.goTo('balance++');
    await page.keyboard.press('Control+Alt+ArrowUp');
    await eventually(async () => (await current()) === before - 1, 'the step before');
  });

  step('the interleaving is kept over a reload', async () => {
    const at = await workbench.interleaving().locator('.step.current > .number').textContent();
    await Promise.all([page.waitForEvent('load'), workbench.command('Developer: Reload Window')]);
    const number = workbench.interleaving().locator('.step.current > .number');
    await eventually(async () => (await number.textContent()) === at, `step ${at}`);
    await workbench
      .interleaving()
      .getByRole('button', { name: 'Show what happens before what', pressed: true })
      .waitFor();
    await page.locator('.tab', { hasText: 'Interleaving' }).locator('.codicon-close').click();
    await eventually(async () => (await workbench.markedLines()).length === 0, 'the marks are gone');
    await idle((text) => /finding/.test(text));
  });

  step('findings are exported as a page and as SARIF', async () => {
    for (const [command, name] of [
      ['Heddle: Export Findings as HTML', 'heddle.html'],
      ['Heddle: Export Findings as SARIF', 'heddle.sarif'],
    ]) {
      await workbench.command(command);
      await page.waitForFunction(
        (wanted) => document.querySelector('.quick-input-widget input')?.value.endsWith(wanted),
        name,
      );
      await page.keyboard.press('Enter');
      await page.locator('.tab.active', { hasText: name }).waitFor();
      assert.match(fs.readFileSync(path.join(workbench.workspace, name), 'utf8'), /data race on 'balance'/);
      await page.keyboard.press('Control+W');
    }
  });

  step('a diagnostics bundle names what a report needs, and no source text', async () => {
    await workbench.command('Heddle: Collect a Diagnostics Bundle');
    await page.waitForFunction(() =>
      document.querySelector('.quick-input-widget input')?.value.endsWith('heddle-diagnostics.txt'),
    );
    await page.keyboard.press('Enter');
    await page.locator('.tab.active', { hasText: 'heddle-diagnostics.txt' }).waitFor();
    const text = fs.readFileSync(path.join(workbench.workspace, 'heddle-diagnostics.txt'), 'utf8');
    for (const wanted of [
      /^heddle \d\S*, build \d+$/m,
      /^heddled .*process \d+/m,
      /^HEDDLE_RUNTIME_DIR=/m,
      /^cache: .*\.cache\/heddle, \d/m,
      /^compile_commands\.json: /m,
      /phase: +idle/,
      /^== log\n.*listens on/m,
      /^== editor\n.*\d+\.\d+/m,
    ])
      assert.match(text, wanted);
    assert.doesNotMatch(text, /pthread_mutex_lock\(|int result/);
    await page.keyboard.press('Control+W');
  });

  step('the fix: findings go stale, then vanish', async () => {
    await workbench.activity('Heddle');
    await workbench.goTo('balance++;');
    await page.keyboard.press('Control+Shift+K'); // the line goes
    await eventually(async () => /stale/.test(await workbench.statusText()), 'the status says stale');
    await page.locator('.pane .monaco-list-row', { hasText: 'stale' }).first().waitFor();
    await workbench.screenshot('workbench-stale');
    await workbench.save();
    await eventually(async () => (await workbench.squiggles()) === 0, 'the squiggles are gone');
    await idle((text) => !/finding|stale|not checked|inconclusive/.test(text));
    await eventually(
      async () => (await page.locator('.pane .monaco-list-row', { hasText: 'data race on' }).count()) === 0,
      'the Findings view is empty',
    );
  });

  step('a comment explores nothing', async () => {
    const checks = () => workbench.daemon().projects[0].latencyMs.total.count;
    const before = checks();
    await workbench.goTo('pthread_mutex_unlock(&lock);');
    await page.keyboard.type('  // done');
    await workbench.save();
    await eventually(
      () => fs.readFileSync(path.join(workbench.workspace, 'src/account.c'), 'utf8').includes('// done'),
      'the file is written',
    );
    await eventually(
      () => checks() > before && workbench.daemon().projects[0].phase === 'idle',
      'the save was checked',
    );
    await idle((text) => !/finding|stale|not checked|inconclusive/.test(text));
    await workbench.command('Heddle: What Was Checked?');
    await workbench.line('nothing explored').waitFor();
    await workbench.line('0 explored').waitFor();
    await workbench.line('; 0 interleavings;').waitFor();
    await workbench.screenshot('workbench-scope');
    await page.keyboard.press('Control+W');
  });

  step('a long check is cancelled at once', async () => {
    await workbench.openFile('long.c');
    await workbench.goTo('#define ROUNDS');
    await page.keyboard.type('00');
    await workbench.save();
    await eventually(async () => /exploring/.test(await workbench.statusText()), 'a check runs');
    await workbench.screenshot('workbench-running');
    await workbench.command('Heddle: Cancel the Running Check');
    const begin = Date.now();
    // Not at its own end: uncancelled it would run for minutes, and end with another answer.
    await idle((text) => /not checked: cancelled/.test(text));
    console.log(`cancel -> idle: ${Date.now() - begin} ms`);
    await workbench.goTo('#define ROUNDS 100');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await workbench.save();
    await idle((text) => !/not checked|inconclusive/.test(text));
  });

  step('the daemon is killed; the next save is checked as before', async () => {
    const { pid } = workbench.daemon();
    process.kill(pid, 'SIGKILL');
    await workbench.openFile('account.c');
    await workbench.goTo('balance += amount;');
    await page.keyboard.press('Enter');
    await page.keyboard.type('pthread_mutex_unlock(&lock); balance++; pthread_mutex_lock(&lock);');
    await workbench.save();
    await eventually(async () => (await workbench.squiggles()) >= 2, 'squiggles');
    await eventually(() => workbench.daemon().pid !== pid, 'another daemon');
    await idle((text) => /finding/.test(text));
  });

  step('the language server is killed: it is started again, the findings stay', async () => {
    // One that was forked a moment ago has its parent's name.
    const only = () => {
      const servers = workbench.processes('heddle-lsp');
      return servers.length === 1 && servers[0];
    };
    const server = await eventually(only, 'one server');
    process.kill(server, 'SIGKILL');
    await eventually(() => only() && only() !== server, 'another server');
    await idle((text) => /finding/.test(text));
    await eventually(async () => (await workbench.squiggles()) >= 2, 'squiggles');
  });

  step('what a race leads to stands below it, and is no error of its own', async () => {
    await workbench.goTo('int result = balance;');
    await page.keyboard.press('Enter');
    await page.keyboard.type('if (balance != result) __builtin_trap();');
    await workbench.save();
    const row = page
      .locator('.pane', { hasText: 'Findings' })
      .first()
      .locator('.monaco-list-row', { hasText: 'leads to: ' })
      .first();
    await row.waitFor();
    assert.equal(await row.getAttribute('aria-level'), '2');
    await idle((text) => /finding/.test(text));
    await workbench.screenshot('workbench-consequence');
    await workbench.goTo('__builtin_trap');
    await page.keyboard.press('Control+Shift+K');
    await workbench.save();
    await row.waitFor({ state: 'detached' });
    await idle((text) => / 1 finding/.test(text) && !/stale/.test(text));
  });

  step('a finding is suppressed by its object, with an owner, and taken back in the tree', async () => {
    await workbench.activity('Heddle');
    const rows = page.locator('.pane', { hasText: 'Findings' }).first().locator('.monaco-list-row');
    await workbench.contextMenu(rows.filter({ hasText: 'data race on' }).first(), 'Suppress the Finding with a Reason');
    await workbench.answer('Why is this finding', 'statistics only');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'on the same object' }).click();
    await workbench.answer('Who answers', 'ann');
    await workbench.answer('Until which day', '');
    await idle((text) => !/finding|stale|not checked|inconclusive/.test(text));
    const settings = () => fs.readFileSync(path.join(workbench.workspace, '.heddle.yaml'), 'utf8');
    assert.match(settings(), /- object: "balance"\n.*\n    reason: "statistics only"\n    owner: "ann"/);
    await workbench.noBadge();
    const suppressed = rows.filter({ hasText: 'only · owner ann' });
    await workbench.expand(rows.filter({ hasText: '1 suppressed' }), suppressed);
    await workbench.contextMenu(suppressed, 'Take Back the Suppression');
    await idle((text) => / 1 finding/.test(text));
    assert.doesNotMatch(settings(), /balance/);
    await workbench.activity('Explorer');
  });

  step('Check Setup finds everything in place', async () => {
    await workbench.command('Heddle: Check Setup');
    await workbench.line('Everything is in place.').waitFor();
    for (const wanted of [
      /^- ✓ .*\/heddle: heddle \d/,
      /^- ✓ bank: .*compile_commands\.json, 3 entries/,
      /^- ✓ the race in an example program was found/,
      /^- ✓ the daemon is running/,
    ]) {
      await eventually(async () => {
        const lines = (await workbench.editor.locator('.view-line').allTextContents()).map((line) =>
          line.replace(/\u00a0/g, ' ').trim(),
        );
        assert.ok(
          lines.some((line) => wanted.test(line)),
          lines.join('\n'),
        );
        return true;
      }, `a line ${wanted}`);
    }
    await page.keyboard.press('Control+W');
  });

  step('a range of commits is checked', async () => {
    const git = (...words) =>
      execFileSync('git', words, { cwd: workbench.workspace, env: withoutTheUsersGit(process.env) });
    const file = path.join(workbench.workspace, 'src/account.c'),
      racy = fs.readFileSync(file, 'utf8');
    git('init', '--quiet');
    for (const text of [fs.readFileSync(path.join(here, 'project/src/account.c'), 'utf8'), racy]) {
      fs.writeFileSync(file, text);
      git('add', 'src');
      git('commit', '--quiet', '--message', 'another');
    }
    await workbench.command('Heddle: Check a Range of Commits');
    await page.waitForFunction(() => document.querySelector('.quick-input-widget input')?.value === 'HEAD~1..HEAD');
    await page.keyboard.press('Enter');
    await workbench.line("data race on 'balance'").first().waitFor();
    await workbench.line('base: HEAD~1').waitFor();
    await workbench.screenshot('workbench-range');
    await page.keyboard.press('Control+W');
    await idle(() => true);
  });

  step('the cache is cleared, after a question', async () => {
    const ledger = path.join(workbench.workspace, '.cache/heddle/ledger.sqlite');
    const age = () => fs.statSync(ledger).birthtimeMs; // a new file may get the old one's inode
    const before = await eventually(age, 'the books');
    await workbench.command('Heddle: Clear the Cache');
    await page.locator('.monaco-dialog-box', { hasText: 'history of nights stays' }).waitFor();
    await workbench.screenshot('workbench-clear-cache');
    await page.locator('.monaco-dialog-box .monaco-button', { hasText: 'Forget It' }).click();
    await page.locator('.notification-list-item', { hasText: 'the next check owes everything' }).waitFor();
    await eventually(() => !fs.existsSync(ledger) || age() !== before, 'the books are gone');
    await idle(() => true);
  });

  step('nothing was asked of anybody else, and no error was shown', async () => {
    assert.deepEqual(workbench.away, []);
    // The workbench's own HTML server may fail here; ours must not say anything.
    const toasts = await page
      .locator('.notification-list-item', { has: page.locator('.codicon-error') })
      .allTextContents();
    assert.deepEqual(
      toasts.filter((text) => /Source: Heddle/.test(text)),
      [],
    );
  });
});

// Compile commands may name plugins of the compiler: without trust nothing of the folder may be touched.
test('nothing runs in a folder that is not trusted', { timeout: 400_000 }, async () => {
  const untrusted = await Workbench.open(project, {
    'security.workspace.trust.enabled': true,
    'security.workspace.trust.startupPrompt': 'never',
    'security.workspace.trust.banner': 'never',
  });
  try {
    await untrusted.openFile('account.c');
    await eventually(async () => /needs trust/.test(await untrusted.statusText()), 'the status says so');
    await untrusted.activity('Heddle');
    await untrusted.page.locator('.pane', { hasText: 'nothing until this folder is trusted' }).waitFor();
    assert.deepEqual(untrusted.processes('heddle'), []);
    assert.ok(!fs.existsSync(path.join(untrusted.workspace, '.cache')));
    await untrusted.screenshot('workbench-untrusted');
  } catch (error) {
    await untrusted.screenshot('failure').catch(() => {});
    throw error;
  } finally {
    await untrusted.close();
  }
});
