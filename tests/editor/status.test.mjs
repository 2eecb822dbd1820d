// What the status bar says, for each state and phase: one line without words of the engine, and a tooltip and a label for
// screen readers that contradict neither each other nor the line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadExtension } from './support.mjs';

const editor = `module.exports = {
  EventEmitter: class { event = () => ({ dispose() {} }); fire() {} dispose() {} },
  Disposable: { from: () => ({ dispose() {} }) },
  Uri: { parse: (text) => ({ path: text.replace('file://', '') }) },
  workspace: { asRelativePath: (uri) => uri.path.replace('/project/', '') },
};`;

const { summary, Model } = await loadExtension(
  `export { summary } from './src/status'; export { Model } from './src/model';`,
  editor,
);

const verdict = (kind, words) => ({
  kind,
  error: 'none',
  message: '',
  summary: words,
  milliseconds: 12_664,
  time: Date.now(),
  limits: [],
});
const status = (project, more) => ({
  project: `file:///project/${project}`,
  generation: 1,
  phase: 'idle',
  running: false,
  responsive: true,
  complete: false,
  state: 'clear',
  findings: 0,
  stale: 0,
  suppressed: 0,
  files: [],
  unchecked: [],
  ...more,
});
function shown(...all) {
  const model = new Model();
  model.setConnection('ready');
  for (const each of all) model.setStatus(each);
  return summary(model);
}

const clear = { verdict: verdict('clear', 'nothing found; 5 pairs') };
const rows = [
  [clear, '$(pass) Heddle'],
  [{ state: 'error', findings: 1, verdict: verdict('findings', '1 finding') }, '$(error) Heddle · 1 finding'],
  [{ state: 'error', findings: 4, stale: 2 }, '$(error) Heddle · 4 findings · 2 stale'],
  [{ state: 'stale', verdict: clear.verdict }, '$(history) Heddle · edited since'],
  [{ state: 'stale', findings: 2, stale: 2 }, '$(history) Heddle · 2 findings · 2 stale'],
  [{ state: 'inconclusive', code: 'limit' }, '$(question) Heddle · inconclusive: a limit was reached'],
  [{ state: 'inconclusive', code: 'unknown-function' }, '$(question) Heddle · inconclusive: unknown function'],
  [{ state: 'not-checked', code: 'not-yet' }, '$(circle-outline) Heddle'],
  [{ state: 'not-checked', code: 'compile-error' }, '$(circle-slash) Heddle · not checked: compile error'],
  [{ state: 'not-checked', code: 'no-program' }, '$(circle-slash) Heddle · not checked: no program'],
  [
    { state: 'not-checked', code: 'no-database' },
    '$(circle-slash) Heddle · not checked: no program, no compile_commands.json',
  ],
  [{ state: 'not-checked', code: 'settings' }, '$(circle-slash) Heddle · not checked: error in .heddle.yaml'],
  [{ state: 'not-checked', code: 'cancelled' }, '$(circle-slash) Heddle · not checked: cancelled'],
  [{ state: 'not-checked', code: 'daemon' }, '$(circle-slash) Heddle · not checked: the daemon does not answer'],
  [{ state: 'not-checked', code: 'internal' }, '$(circle-slash) Heddle · not checked: internal error'],
];
const phases = ['queued', 'connecting', 'compile', 'step1', 'step2', 'consequences', 'weak', 'full', 'replay', 'down'];
const engineWords = /step ?\d|\bidle\b|incomplete|not complete|undefined|\(\d+ ms\)/;

test('each state has one line, and the tooltip begins with the same answer', () => {
  for (const [more, text] of rows) {
    const { text: said, lines } = shown(status('a.c', more));
    assert.equal(said, text);
    assert.equal(lines.length, 1);
    const answer = { clear: 'nothing found', error: 'findings', 'not-checked': 'not checked' }[more.state ?? 'clear'];
    assert.match(lines[0], new RegExp(`^\\*\\*a\\.c\\*\\*: ${answer ?? more.state}`));
    assert.doesNotMatch(`${said} ${lines}`, engineWords);
  }
});

test('the tooltip has the age of the verdict, and what is saved on battery', () => {
  const ages = [
    [0, 'just now'],
    [61, '1 minute ago'],
    [7200, '2 hours ago'],
    [86_400 * 3, '3 days ago'],
  ];
  for (const [seconds, words] of ages) {
    const aged = { ...clear.verdict, time: Date.now() - seconds * 1000 };
    assert.ok(shown(status('a.c', { verdict: aged })).lines[0].includes(`12.7 s; checked ${words}`), words);
  }
  assert.match(shown(status('a.c', { ...clear, savesPower: true })).lines[0], /on battery: nothing is checked while/);
  assert.doesNotMatch(shown(status('a.c', clear)).lines[0], /battery/);
});

test('what the engine does unasked is said, and not of one whose check runs', () => {
  const background = { target: 'queue', doing: 'exploring every interleaving' };
  const { text, lines } = shown(status('a.c', { state: 'inconclusive', code: 'limit', background }));
  assert.equal(text, '$(question) Heddle · inconclusive: a limit was reached · exploring further');
  assert.match(lines[0], /exploring further while idle: queue, exploring every interleaving/);
  const running = status('b.c', { state: 'running', running: true, phase: 'compile' });
  assert.equal(shown(status('a.c', { ...clear, background }), running).text, '$(loading~spin) Heddle: compiling');
});

test('each phase has words, with its progress and what was found so far', () => {
  const all = phases.map((phase) => {
    const running = { state: 'running', running: true, phase, findings: 1, progress: { done: 4, of: 6, seconds: 1 } };
    const { text, lines } = shown(status('a.c', running));
    assert.match(text, /^\$\(loading~spin\) Heddle: [a-z ]+ · 4\/6 · 1 finding$/);
    assert.doesNotMatch(`${text} ${lines}`, engineWords, phase);
    assert.ok(lines[0].includes(text.slice(text.indexOf(': ') + 2, text.indexOf(' · '))), lines[0]);
    return text;
  });
  assert.equal(new Set(all).size, phases.length, 'no two phases say the same');
});

test('of several projects the line tells the one that matters most; the tooltip tells each', () => {
  const broken = status('b.c', { state: 'not-checked', code: 'compile-error', reason: 'b.c does not compile' });
  const wrong = status('c.c', { state: 'error', findings: 2 });
  assert.equal(shown(status('a.c', clear), broken).text, '$(circle-slash) Heddle · not checked: compile error');
  const { text, lines } = shown(status('a.c', clear), broken, wrong);
  assert.equal(text, '$(error) Heddle · 2 findings');
  assert.deepEqual(
    lines.map((line) => /^\*\*([^*]+)\*\*: ([a-z ]*[a-z])/.exec(line).slice(1)),
    [
      ['a.c', 'nothing found within its scope'],
      ['b.c', 'not checked'],
      ['c.c', 'findings'],
    ],
  );
});
