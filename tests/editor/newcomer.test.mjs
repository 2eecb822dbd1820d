// The first quarter of an hour: the package with Heddle inside, installed into a fresh profile; "Try It" from the palette;
// squiggle, story, a step dragged before another, a proved fix. In dark colours. See README.md.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Workbench, eventually } from './workbench.mjs';

let workbench, page;
const removed = 'std::lock_guard<std::mutex> guard(mutex_);  // try it: delete this line and save';

const status = (pattern, what) =>
  eventually(async () => pattern.test(await workbench.statusText()), what, 120_000).catch(async (error) => {
    throw new Error(`${error.message}; it says "${await workbench.statusText()}"`);
  });
/** A button of the walkthrough, whose step it opens first. */
async function takeStep(title, button) {
  const step = page.locator('.gettingStartedContainer .getting-started-step', { hasText: title });
  const link = step.getByText(button, { exact: true });
  await eventually(async () => {
    if (!(await link.isVisible())) await step.locator('.step-title').click();
    return link.isVisible();
  }, `the step "${title}" opens`);
  await link.click();
}
const done = (title) =>
  page
    .locator('.gettingStartedContainer .getting-started-step', { hasText: title })
    .locator('.codicon.complete')
    .waitFor();

describe('a newcomer', { concurrency: 1 }, () => {
  before(async () => {
    const settings = { 'workbench.colorTheme': 'Default Dark Modern', 'heddle.cores': 1 };
    workbench = await Workbench.open(() => {}, settings, { complete: true });
    page = workbench.page;
  });
  after(async () => {
    await workbench?.close();
  });
  let failed = false;
  const step = (name, body) =>
    test(name, { timeout: 200_000 }, async () => {
      if (failed) throw 'a step before failed';
      try {
        await body();
      } catch (error) {
        failed = true;
        await workbench.screenshot('failure-newcomer').catch(() => {});
        throw error;
      }
    });

  step('"Try It" opens a sample, and the walkthrough', async () => {
    await Promise.all([page.waitForEvent('load'), workbench.command('Heddle: Try It')]);
    await page.locator('.tab', { hasText: 'account.cpp' }).waitFor();
    await page.locator('.gettingStartedContainer .getting-started-step', { hasText: 'Delete the lock' }).waitFor();
    await status(/^Heddle$/, 'the sample is right');
  });

  step('the programs are those of the package', () => {
    const own = path.join(workbench.home, 'extensions');
    for (const name of ['heddled', 'heddle-lsp', 'heddle-engine']) {
      const ids = workbench.processes(name);
      assert.ok(ids.length > 0, name);
      for (const id of ids) assert.ok(fs.readlinkSync(`/proc/${id}/exe`).startsWith(own), name);
    }
  });

  step('the lock is deleted: a squiggle', async () => {
    await takeStep('Delete the lock', 'Delete It for Me');
    await workbench.editor.locator('.squiggly-error').first().waitFor();
    await status(/1 finding/, 'one finding');
    assert.equal(await workbench.line(removed).count(), 0);
    await done('Delete the lock');
  });

  const view = () => workbench.interleaving();

  step('the story, and a step dragged before others', async () => {
    await takeStep('Read the story', 'Show the Interleaving');
    await view().locator('.step.current').waitFor();
    await workbench.screenshot('newcomer-story');
    const rows = view().locator('.step:not([hidden])');
    const before = await rows.allTextContents();
    // The threads are created before they do anything.
    await rows.last().dragTo(rows.first());
    await view().locator('.note.impossible').waitFor();
    await workbench.screenshot('newcomer-impossible');
    assert.deepEqual(await rows.allTextContents(), before);
    // Nothing orders the two accesses.
    const accesses = view().locator('.step.decisive:not([hidden])', { hasText: 'balance_' });
    assert.ok((await accesses.count()) >= 2, before.join('\n'));
    await accesses.last().dragTo(accesses.first());
    await view()
      .locator('.note.error', { hasText: /^possible: nothing orders/ })
      .waitFor(); // it fails there, too
    await workbench.screenshot('newcomer-possible');
    await view().getByRole('button', { name: 'Recorded order' }).click();
    await eventually(async () => (await rows.allTextContents()).join() === before.join(), 'the recorded order');
    await done('Read the story');
  });

  step('a proved fix: all is clear, and the walkthrough is done', async () => {
    const widget = page.locator('.action-widget');
    const offered = widget.locator('.monaco-list-row', { hasText: /proved: / });
    await eventually(async () => {
      await takeStep('Take a proved fix', 'Show the Fixes');
      await widget.waitFor();
      if ((await offered.count()) > 0) return true;
      await page.keyboard.press('Escape'); // it is still looked for
      await widget.waitFor({ state: 'detached' });
      return false;
    }, 'a proved fix is offered');
    await workbench.screenshot('newcomer-fix');
    await page.locator('.action-widget .monaco-list-row.focused', { hasText: /proved: / }).waitFor(); // the preferred one
    await page.keyboard.press('Enter');
    const locks = workbench.editor.locator('.view-line', { hasText: 'lock_guard' });
    await eventually(async () => (await locks.count()) === 3, 'the lock is back');
    await workbench.save();
    await status(/^Heddle$/, 'the sample is right again');
    await done('Take a proved fix');
    await workbench.screenshot('newcomer-done');
  });

  step('nothing was asked of anybody else', () => assert.deepEqual(workbench.away, []));
});
