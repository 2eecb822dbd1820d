// The HTML report in a browser: steps, keys, arrows, table, narrow and wide, light and dark; no request leaves the page.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import os from 'node:os';
import { browser, heddle, keepScreenshot, repository } from './support.mjs';

let chromium, root, page;
const asked = [];

// Only weaker memory lets the reader find 1.
const message = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int data, flag;
static void *writer(void *p) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&data, 2, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return p;
}
static void *reader(void *p) {
  if (atomic_load_explicit(&flag, memory_order_relaxed))
    assert(atomic_load_explicit(&data, memory_order_relaxed) != 1);
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
`;

before(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'heddle-report-'));
  chromium = await browser(root);
  fs.writeFileSync(path.join(root, 'message.c'), message);
  for (const name of ['races/counter_lost_update', 'locks/inversion', 'message']) {
    if (name !== 'message')
      fs.copyFileSync(path.join(repository, `tests/programs/${name}.c`), path.join(root, `${path.basename(name)}.c`));
    const { code, error } = heddle(
      root,
      root,
      'check',
      '--no-daemon',
      '--format=html',
      '--output',
      `${path.basename(name)}.html`,
      `${path.basename(name)}.c`,
    );
    assert.equal(code, 1, error);
  }
});
after(async () => {
  await chromium?.close();
  fs.rmSync(root, { recursive: true, force: true });
});

async function open(name, options = {}, hash = '') {
  await page?.close();
  page = await chromium.newPage({ viewport: { width: 1300, height: 900 }, ...options });
  page.setDefaultTimeout(10_000);
  page.on('pageerror', (error) => assert.fail(error));
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(pathToFileURL(path.join(root, `${name}.html`)).href + hash);
  await page.locator('.step.current').waitFor();
}
const current = async () => Number(await page.locator('.step.current > .number').textContent());
const standing = () => page.locator('figure .line.here .number').allTextContents();

async function everyStep() {
  for (const detail of ['lines', 'every step']) {
    await page.keyboard.press('+');
    await page.locator('.detail-name', { hasText: detail }).waitFor();
  }
}

test('stepping with keys and buttons moves through the interleaving', async () => {
  await open('inversion');
  assert.match(await page.locator('h2').first().textContent(), /^deadlock worker 1 waits /); // the rule once
  await everyStep();
  const count = await page.locator('.step').count();
  await page.keyboard.press('Home');
  assert.equal(await current(), 1);
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowDown');
  assert.equal(await current(), 3);
  await page.keyboard.press('k');
  assert.equal(await current(), 2);
  // Every switch, and only those.
  await page.keyboard.press('Home');
  const switches = await page.locator('.step.switched > .number').allTextContents();
  const visited = [];
  for (let n = 0; n < switches.length; n++) {
    await page.keyboard.press(']');
    visited.push(String(await current()));
  }
  assert.deepEqual(visited, switches);
  await page.keyboard.press('End');
  assert.equal(await current(), count);
  await page.keyboard.press('j');
  assert.equal(await current(), count);
  await page.getByRole('button', { name: 'Previous switch' }).click();
  assert.equal(String(await current()), switches.at(-1) === String(count) ? switches.at(-2) : switches.at(-1));
});

test('the code shows where every thread stands', async () => {
  await open('inversion');
  const source = fs.readFileSync(path.join(root, 'inversion.c'), 'utf8').split('\n');
  await page.keyboard.press('End');
  const lines = (await standing()).map((number) => source[number - 1].trim());
  assert.equal(lines.length, 3);
  assert.ok(
    lines.some((line) => line.startsWith('pthread_mutex_lock(&b)')) &&
      lines.some((line) => line.startsWith('pthread_mutex_lock(&a)')),
    lines.join(),
  );
  await page.keyboard.press('Home');
  assert.equal(await page.locator('figcaption', { hasText: 'will begin at' }).count(), 2);
});

test('an arrow leads from the store to a read that finds it although a newer one is there', async () => {
  await open('message');
  assert.equal(await page.locator('.arrows path.older:not(.point)').count(), 1); // at once, and in every detail
  await everyStep();
  const [number] = await page
    .locator('.step', { hasText: 'write data = 1' })
    .first()
    .locator('.number')
    .allTextContents();
  const read = page.locator('.step', { hasText: 'not the value stored last' });
  assert.ok((await read.getAttribute('aria-label')).includes(`reads what step ${number} stored`));
  // It begins and ends beside the two rows.
  const [begin, end] = await page.locator('.arrows path.older:not(.point)').evaluate((path) => {
    const svg = path.ownerSVGElement.getBoundingClientRect();
    return [path.getPointAtLength(0), path.getPointAtLength(path.getTotalLength())].map(({ y }) => y + svg.top);
  });
  for (const [at, row] of [
    [begin, page.locator('.step', { hasText: 'write data = 1' }).first()],
    [end, read],
  ]) {
    const box = await row.boundingBox();
    assert.ok(box.y <= at && at <= box.y + box.height, `${at} in ${box.y} and ${box.height} more`);
  }
  await keepScreenshot(page, 'report-older-read');
  await page.keyboard.press('t');
  assert.equal(await page.locator('.arrows path').count(), 0);
  await page.locator('table', { hasText: `reads what step ${number} stored` }).waitFor();
});

test('arrows join what is ordered; a race says that nothing orders its accesses', async () => {
  await open('counter_lost_update');
  await everyStep(); // whichever finding comes first, some of its steps are ordered
  assert.equal(await page.locator('.arrows path').count(), 0);
  await page.keyboard.press('h');
  assert.ok((await page.locator('.arrows path.point').count()) >= 1);
  assert.equal(
    await page.getByRole('button', { name: 'Show what happens before what' }).getAttribute('aria-pressed'),
    'true',
  );
  await keepScreenshot(page, 'report-arrows');
  await page.keyboard.press('h');
  assert.equal(await page.locator('.arrows path').count(), 0);
  // From each place of a race another one is named that nothing orders with it.
  await open('counter_lost_update', {}, await raceAddress());
  await page.locator('.order', { hasText: 'Nothing orders step' }).waitFor();
});

async function raceAddress() {
  const data = JSON.parse(await page.locator('#data').textContent());
  return `#${data.traces.find((trace) => trace.rule === 'data-race').id}`;
}

test('a reload comes back to the same step, arrows and table', async () => {
  await open('inversion');
  await everyStep();
  for (const key of ['Home', 'j', 'j', 'h', 't']) await page.keyboard.press(key);
  await page.reload();
  await page.locator('table').waitFor();
  assert.equal(await page.locator('tr.current th').textContent(), '3');
  assert.equal(
    await page.getByRole('button', { name: 'Show what happens before what' }).getAttribute('aria-pressed'),
    'true',
  );
});

test('the story is above the steps, and the slider shows more of them', async () => {
  await open('counter_lost_update');
  await open('counter_lost_update', {}, await raceAddress());
  const story = await page.locator('.story li').allTextContents();
  assert.equal(story.length, 3);
  assert.match(story[2], /^Nothing orders the two: neither thread holds a lock/);
  const shown = () => page.locator('.step:not([hidden])').count();
  const few = await shown();
  assert.ok(few <= 8, String(few));
  await page.keyboard.press('j');
  await page.locator('input[type=range]').fill('3');
  const all = await page.locator('.step').count();
  assert.equal(await shown(), all);
  assert.ok(all > few);
  await page.locator('input[type=range]').fill('1');
  assert.equal(await shown(), few);
  assert.equal(await page.locator('.step.current[hidden]').count(), 0);
  // A line of several steps opens, and folds again.
  const fold = page.locator('.step:not([hidden]) .fold').first();
  await fold.click();
  assert.ok((await shown()) > few);
  await fold.click();
  assert.equal(await shown(), few);
  await keepScreenshot(page, 'report-story');
});

test('screen readers get sentences, a live step and a table', async () => {
  await open('inversion');
  await everyStep();
  await page.keyboard.press('End');
  const option = page.getByRole('option', { selected: true });
  assert.match(
    await option.getAttribute('aria-label'),
    /^step 7 of 7, worker \d \(\w+\), waits for mutex '.' held by worker \d, inversion\.c line \d+, in \w+, holds ., another thread ran before, a place of the finding$/,
  );
  assert.equal(await page.locator('[aria-live]').textContent(), await option.getAttribute('aria-label'));
  assert.equal(await page.getByRole('listbox').getAttribute('aria-activedescendant'), await option.getAttribute('id'));
  await page.keyboard.press('t');
  assert.equal(await page.getByRole('table').locator('tbody tr').count(), 7);
  assert.deepEqual(await page.getByRole('columnheader').allTextContents(), [
    'Step',
    'Thread',
    'Action',
    'Place',
    'Locks held',
    'After steps',
    'Note',
  ]);
});

test('narrow pages name the thread in each step; nothing is wider than the page', async () => {
  for (const [width, scheme] of [
    [1300, 'light'],
    [1300, 'dark'],
    [900, 'light'],
    [420, 'dark'],
  ]) {
    await open('inversion', { viewport: { width, height: 800 }, colorScheme: scheme });
    await page.keyboard.press('j');
    assert.equal(await page.locator('.step .who').first().isVisible(), width < 500, String(width));
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `wider than ${width}`);
    await keepScreenshot(page, `report-${scheme}-${width}`);
  }
});

test('the table is read in a side panel, too: no word is broken, nothing is wider than the panel', async () => {
  for (const width of [320, 420, 700, 1300]) {
    await open('inversion', { viewport: { width, height: 800 } });
    await everyStep();
    await page.keyboard.press('t');
    await page.getByRole('table').waitFor();
    const seen = await page.evaluate(() => {
      const broken = [];
      const table = document.querySelector('.interleaving table');
      for (const cell of table.querySelectorAll('tbody th, tbody td')) {
        const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        for (let node = walk.nextNode(); node; node = walk.nextNode()) {
          for (const { 0: word, index } of node.data.matchAll(/[A-Za-z0-9_']{2,20}/g)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
            if (lines.size > 1) broken.push(word);
          }
        }
      }
      return {
        broken,
        right: table.getBoundingClientRect().right,
        rows: table.querySelectorAll('tbody tr:not([hidden])').length,
      };
    });
    assert.deepEqual(seen.broken, [], `at ${width}`);
    assert.ok(seen.right <= width, `${seen.right} at ${width}`);
    assert.equal(seen.rows, 7);
    assert.equal(await page.getByRole('table').getByRole('row').count(), 8, 'screen readers still have the table');
    if (width === 420) await keepScreenshot(page, 'report-table-420');
  }
});

test('several findings: a list, an address for each', async () => {
  const names = ['counter_lost_update.c', 'inversion.c'];
  fs.mkdirSync(path.join(root, 'both'));
  for (const name of names) fs.copyFileSync(path.join(root, name), path.join(root, 'both', name));
  const { code, error } = heddle(
    path.join(root, 'both'),
    root,
    'check',
    '--no-daemon',
    '--format=html',
    '--output',
    '../both.html',
    ...names,
  );
  assert.equal(code, 1, error);
  await open('both');
  const links = page.locator('nav a');
  assert.ok((await links.count()) >= 2);
  for (let n = 0; n < (await links.count()); n++) {
    await links.nth(n).click();
    await page.locator('nav a[aria-current]').and(links.nth(n)).waitFor();
    const message = await links.nth(n).locator('span').first().textContent();
    const title = await page.locator('.interleaving h2').textContent();
    assert.ok(title.endsWith(message.replace(/^deadlock: /, ' ')), title); // the rule stands in front
  }
});

test('the pages asked for nothing but themselves', () => {
  assert.ok(asked.length > 0);
  assert.deepEqual(
    asked.filter((url) => !url.startsWith('file://')),
    [],
  );
});
