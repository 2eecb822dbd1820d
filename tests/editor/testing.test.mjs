// Which runs the Testing view is given. Its head shows the newest one, so that of an unchanged file must not come after
// that of a file with a finding.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadExtension } from './support.mjs';

const editor = `
const made = [];
class Items {
  all = new Map();
  replace(items) { this.all = new Map(items.map((item) => [item.id, item])); }
  add(item) { this.all.set(item.id, item); }
  get(id) { return this.all.get(id); }
  [Symbol.iterator]() { return this.all[Symbol.iterator](); }
}
const run = (name) => {
  const states = [];
  const add = (state) => (item) => states.push(state + ' ' + item.label);
  const it = { name, states, ended: 0, end() { this.ended++; }, appendOutput() {} };
  for (const state of ['enqueued', 'started', 'passed', 'failed', 'errored', 'skipped']) it[state] = add(state);
  made.push(it);
  return it;
};
module.exports = {
  made,
  EventEmitter: class {
    heard = [];
    event = (listener) => (this.heard.push(listener), { dispose() {} });
    fire(what) { for (const listener of this.heard) listener(what); }
  },
  Disposable: { from: () => ({ dispose() {} }) },
  Uri: { parse: (text) => ({ path: text.replace('file://', '') }) },
  TestRunRequest: class {},
  TestMessage: class {},
  TestRunProfileKind: { Run: 1, Debug: 2, Coverage: 3 },
  tests: {
    createTestController: () => ({
      items: new Items(),
      createRunProfile: () => ({}),
      createTestItem: (id, label) => ({ id, label, children: new Items() }),
      createTestRun: (request, name) => run(name),
      invalidateTestResults() {},
    }),
  },
};`;
const { PairTests, Model, made } = await loadExtension(
  `export { PairTests } from './src/testing'; export { Model } from './src/model'; export { made } from 'vscode';`,
  editor,
);

function begin() {
  made.length = 0;
  const model = new Model();
  new PairTests(model, {});
  const uri = (file) => `file:///project/${file}`;
  const fragment = (file) => ({ index: 0, kind: 'changed', description: 'write of x', uri: uri(file), findings: [] });
  // As the server says it: the fragments of a new check, and its pairs at each change.
  return (file, generation, ...states) => {
    const of = { project: uri(file), target: file.replace(/\..*/, ''), generation };
    model.setFragments({ ...of, state: 'running', everything: false, fragments: [fragment(file)] });
    for (const state of states) {
      const pair = { index: 0, fragment: 0, modified: 'worker #0', other: 'main', chosen: true, state };
      model.setPairs({ ...of, version: 1, pairs: [pair] });
    }
  };
}
const told = () => made.map((run) => `${run.name}: ${run.states.at(-1)}`);
const pair = 'worker #0 × main';

test('each check is a run, which ends with its last pair', () => {
  const check = begin();
  check('a.c', 1, 'queued', 'running', 'clear');
  check('a.c', 2, 'queued', 'running', 'error');
  assert.deepEqual(told(), [`check 1: passed ${pair}`, `check 2: failed ${pair}`]);
  assert.deepEqual(
    made.map((run) => run.ended),
    [1, 1],
  );
});

test('what is only known still is no run, whatever file was checked', () => {
  const check = begin();
  check('green.c', 1, 'running', 'clear');
  check('red.c', 2, 'running', 'error');
  check('green.c', 3, 'clear'); // asked again, because the ledger was written
  check('red.c', 4, 'error');
  assert.deepEqual(told(), [`check 1: passed ${pair}`, `check 2: failed ${pair}`]);
  check('green.c', 5, 'error'); // another client found something
  assert.equal(told().at(-1), `check 5: failed ${pair}`);
});

test('what turns stale, and is checked with the same result, is a run again', () => {
  const check = begin();
  check('a.c', 1, 'clear');
  check('a.c', 1, 'stale');
  check('a.c', 2, 'clear');
  assert.deepEqual(told(), [`check 1: passed ${pair}`, `check 2: passed ${pair}`]);
});
