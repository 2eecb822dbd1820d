// Green to red to green: six kinds of bugs in C and in C++, each by one line, saved, taken back, saved. After each save
// every surface of the workbench is compared with what the daemon says: see README.md.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { here } from './support.mjs';
import { Workbench, eventually } from './workbench.mjs';

const bugs = path.join(here, 'bugs');
const edits = JSON.parse(fs.readFileSync(path.join(bugs, 'edits.json'), 'utf8'));
const mark = '// here';
let workbench, page;

/** A C++ file of a usual length: functions of one thread follow the program. */
function lengthened(text) {
  const lines = text.split('\n');
  for (let n = 0; lines.length < 300; n++)
    lines.push(`int rounded${n}(int value) {`, `  return (value + ${n + 1}) / ${n + 2} * ${n + 2};`, '}');
  return `${lines.join('\n')}\n`;
}

function project(folder) {
  for (const name of Object.keys(edits)) {
    const text = fs.readFileSync(path.join(bugs, name), 'utf8');
    fs.writeFileSync(path.join(folder, name), name.endsWith('.cpp') ? lengthened(text) : text);
  }
  fs.copyFileSync(path.join(bugs, 'published.c'), path.join(folder, 'published.c'));
  fs.writeFileSync(path.join(folder, 'library.c'), 'int answer(void) { return 42; }\n');
}

const rows = (pane) => page.locator('.pane', { hasText: pane }).first().locator('.monaco-list-row');
const icons = (pane, icon) => rows(pane).locator(`.codicon-${icon}`).count();

/** The tree draws only the rows in view, and the file that was checked last is at its end. */
async function scrollPairs() {
  await page.locator('.pane', { hasText: 'Changed Fragments and Pairs' }).first().hover();
  await page.mouse.wheel(0, 10_000);
}

/** What is red, what is green, by surface. */
async function surfaces() {
  await scrollPairs();
  const lenses = await workbench.editor.locator('.codelens-decoration').allTextContents();
  const gutter = await workbench.editor.evaluate((editor) =>
    [...editor.querySelectorAll('[class*="ced-"]')]
      .map((element) => /gutter(?:\/|%2[fF])([a-z-]+)\.svg/.exec(getComputedStyle(element).backgroundImage)?.[1])
      .filter(Boolean),
  );
  const status = await workbench.statusText();
  return {
    squiggles: (await workbench.squiggles()) > 0,
    lens: lenses.some((text) => /finding/.test(text)),
    gutter: gutter.includes('error'),
    status: /finding/.test(status),
    findings: (await rows('Findings').count()) > 0,
    pairs: (await icons('Changed Fragments and Pairs', 'error')) > 0,
    words: { lenses, gutter, status },
  };
}

const surfaceNames = ['squiggles', 'lens', 'gutter', 'status', 'findings', 'pairs'];
async function all(red, what) {
  let seen;
  await eventually(
    async () => {
      seen = await surfaces();
      return !/loading/.test(seen.words.status) && surfaceNames.every((name) => seen[name] === red);
    },
    what,
    120_000,
  ).catch((error) => {
    throw new Error(`${error.message}: ${JSON.stringify(seen)}`);
  });
}

/** Of the Testing view: does a pair of this file fail? */
async function testsFail(name, red) {
  await workbench.activity('Testing');
  const failed = page.locator('.test-explorer .monaco-list-row .codicon-testing-failed-icon');
  await eventually(
    async () => (await failed.count()) > 0 === red,
    `the Testing view is ${red ? 'red' : 'green'}`,
    120_000,
  );
  if (red) await workbench.screenshot(`states-testing-red-${name}`);
  await workbench.activity('Heddle');
}

const times = { c: { squiggle: [], settled: [] }, cpp: { squiggle: [], settled: [] } };
/** Makes the error of a file, and measures from its save to the first squiggle and to the verdict, in milliseconds. */
async function makeError(name, wrong) {
  await workbench.replaceLine(mark, wrong);
  const begin = Date.now();
  const { squiggle, settled } = times[path.extname(name).slice(1)];
  await workbench.save();
  await workbench.editor.locator('.squiggly-error').first().waitFor();
  squiggle.push(Date.now() - begin);
  await eventually(async () => !/loading/.test(await workbench.statusText()), 'the verdict');
  settled.push(Date.now() - begin);
}

function printTimes() {
  const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
  for (const [language, { squiggle, settled }] of Object.entries(times))
    console.log(
      `${language}: save -> first squiggle ${median(squiggle)} ms, -> verdict ${median(settled)} ms` +
        ` (medians of ${squiggle.length}, fresh text)`,
    );
}

async function replaceLine(text) {
  await workbench.replaceLine(mark, text);
  await workbench.save();
}

describe('states that are true', { concurrency: 1 }, () => {
  before(async () => {
    workbench = await Workbench.open(project, { 'heddle.cores': 1 });
    page = workbench.page;
    await workbench.activity('Heddle');
  });
  after(async () => {
    printTimes();
    await workbench?.close();
  });
  const step = (name, body) =>
    test(name, { timeout: 400_000 }, async () => {
      try {
        await body();
      } catch (error) {
        await workbench.screenshot(`failure-states-${name.replace(/\W+/g, '-')}`).catch(() => {});
        throw error;
      }
    });

  for (const [name, wrong] of Object.entries(edits)) {
    step(`${name}: green, red, green`, async () => {
      const right = fs
        .readFileSync(path.join(bugs, name), 'utf8')
        .split('\n')
        .find((line) => line.endsWith(mark));
      await workbench.openFile(name);
      await eventually(async () => !/loading/.test(await workbench.statusText()), 'the first check', 60_000);
      await all(false, 'all is green');
      await makeError(name, wrong);
      await all(true, 'all is red');
      await testsFail(name, true);
      await workbench.screenshot(`states-red-${name}`);
      await replaceLine(right);
      await all(false, 'all is green again');
      await testsFail(name, false);
    });
  }

  const actions = () => page.locator('.action-widget .monaco-list-row');
  async function openProvedFixes() {
    await eventually(async () => {
      await workbench.goTo('assert(');
      await page.keyboard.press('Control+.');
      await actions().first().waitFor();
      const texts = await actions().allTextContents();
      if (texts.some((text) => /release \(proved: /.test(text))) return true;
      await page.keyboard.press('Escape'); // it is still looked for
      return false;
    }, 'the fix is offered');
  }
  /** Only lines in view are there. */
  const isReleased = () =>
    eventually(async () => {
      await page.keyboard.press('Control+Home');
      return workbench.line('atomic_store_explicit(&flag, 1, memory_order_release);').isVisible();
    }, 'the fix is applied');

  step('a proved fix is applied by keys: the weakest order that forbids what only weak memory shows', async () => {
    await workbench.openFile('published.c');
    await all(true, 'all is red');
    await openProvedFixes();
    await workbench.screenshot('states-weak-fix');
    await page.keyboard.press('Enter'); // the preferred one
    await isReleased();
    await workbench.save();
    await all(false, 'all is green');
    await workbench.replaceLine('&flag, 1,', '  atomic_store_explicit(&flag, 1, memory_order_relaxed);');
    await workbench.save();
    await all(true, 'all is red again');
  });

  step('the change of a fix is shown before it is made, if the user wants', async () => {
    await openProvedFixes();
    await eventually(async () => {
      const chosen = await page.locator('.action-widget .monaco-list-row.focused').textContent();
      if (/^Show the change before/.test(chosen)) return true;
      await page.keyboard.press('ArrowDown');
      return false;
    }, 'it follows the fixes');
    await page.keyboard.press('Enter');
    const picks = page.locator('.quick-input-widget:visible .monaco-list-row'),
      change = page.locator('.monaco-diff-editor .modified .view-line', { hasText: 'memory_order_release' });
    await picks.or(change).first().waitFor();
    if ((await picks.count()) > 0) await picks.first().click(); // which fix
    await change.waitFor();
    await workbench.screenshot('states-fix-shown');
    assert.equal(await page.locator('.tab.dirty').count(), 0, 'nothing is changed yet');
    await page.keyboard.press('Control+Enter');
    await change.waitFor({ state: 'detached' });
    await isReleased();
    await workbench.save();
    await all(false, 'all is green');
  });

  step('a file that does not compile is not checked, and says so', async () => {
    await workbench.openFile('race.c');
    await replaceLine('  return argument  // here');
    await eventually(async () => /not checked: compile error/.test(await workbench.statusText()), 'the status');
    await workbench.editor.locator('.codelens-decoration', { hasText: /not checked, because of this error/ }).waitFor();
    await eventually(async () => (await surfaces()).words.gutter.includes('not-checked'), 'the mark in the gutter');
    await page.locator('.pane', { hasText: 'a file does not compile' }).first().waitFor();
    await workbench.screenshot('states-compile-error');
    await replaceLine('  return argument;  // here');
    await all(false, 'all is green again');
  });

  step('a file without a program is not checked, and there is a button that helps', async () => {
    await workbench.openFile('library.c');
    await eventually(async () => /not checked: no program/.test(await workbench.statusText()), 'the status');
    await page.locator('.pane .monaco-button', { hasText: 'Make compile_commands.json' }).waitFor();
    await workbench.editor.locator('.codelens-decoration', { hasText: /Mend the setup/ }).waitFor();
    await workbench.screenshot('states-no-program');
  });
});
