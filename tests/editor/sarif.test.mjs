// SARIF: valid by the schema of OASIS (the copy that Microsoft's Sarif.Multitool carries), and true.
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { folder, heddle, here, repository } from './support.mjs';

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);
const validate = ajv.compile(
  JSON.parse(
    fs.readFileSync(path.join(here, 'node_modules/@microsoft/sarif-multitool-linux/sarif-2.1.0.json'), 'utf8'),
  ),
);

function valid(text) {
  const log = JSON.parse(text);
  assert.ok(validate(log), ajv.errorsText(validate.errors, { separator: '\n' }));
  return log;
}

const program = (name) => path.join(repository, 'tests/programs', name);
const locations = (result) =>
  (result.locations ?? []).length +
  (result.relatedLocations ?? []).length +
  (result.codeFlows ?? []).flatMap((flow) => flow.threadFlows).flatMap((flow) => flow.locations).length;

function checkResult(result, run, root) {
  assert.match(result.partialFingerprints['heddleFinding/v1'], /^[0-9a-f]{12}$/);
  assert.equal(run.tool.driver.rules[result.ruleIndex].id, result.ruleId);
  assert.ok(locations(result) < 1000, `${locations(result)} locations`);
  const [first] = result.locations;
  const { artifactLocation, region } = first.physicalLocation;
  assert.equal(artifactLocation.uriBaseId, 'PROJECTROOT');
  const file = path.join(root, decodeURIComponent(artifactLocation.uri));
  assert.ok(fs.existsSync(file), file);
  assert.equal(fileURLToPath(run.originalUriBaseIds.PROJECTROOT.uri), root + '/');
  assert.ok(region.startLine <= fs.readFileSync(file, 'utf8').split('\n').length);
  const [interleaved, threads] = result.codeFlows;
  assert.equal(interleaved.threadFlows.length, 1);
  // The second flow has the same steps, by thread; the order puts the interleaving together again.
  const steps = threads.threadFlows.flatMap((flow) => flow.locations.map((step) => ({ ...step, thread: flow.id })));
  steps.sort((a, b) => a.executionOrder - b.executionOrder);
  assert.deepEqual(
    steps.map((step) => `${step.thread}: ${step.location.message.text}`),
    interleaved.threadFlows[0].locations.map((step) => step.location.message.text),
  );
  assert.ok(interleaved.threadFlows[0].locations.some((step) => step.importance === 'essential'));
}

test('every kind of finding is valid SARIF', (t) => {
  const root = folder(t);
  const kinds = [
    'races/counter_lost_update.c',
    'locks/inversion.c',
    'conditions/forgotten_signal.c',
    'locks/unlock_not_held.c',
    'locks/self_relock.c',
    'races/heap_object.c',
  ];
  const seen = new Set();
  for (const kind of kinds) {
    fs.copyFileSync(program(kind), path.join(root, path.basename(kind)));
    const { code, out, error } = heddle(root, root, 'check', '--no-daemon', '--format=sarif', path.basename(kind));
    assert.equal(code, 1, error);
    const [run] = valid(out).runs;
    assert.ok(run.results.length > 0, kind);
    for (const result of run.results) {
      checkResult(result, run, root);
      assert.equal(result.baselineState, 'new');
      seen.add(result.ruleId);
    }
  }
  assert.ok(
    ['data-race', 'deadlock', 'lost-signal', 'lock-misuse'].every((rule) => seen.has(rule)),
    [...seen].join(),
  );
});

const ofCpp = [
  'cxx/vector_race.cc',
  'cxx/exception_keeps_lock.cc',
  'cxx/race_in_a_virtual_call.cc',
  'cxx/uncaught_in_one_order.cc',
];

test('findings in C++ are valid SARIF', { timeout: 120_000 }, (t) => {
  const root = folder(t);
  const seen = new Set();
  for (const kind of ofCpp) {
    fs.copyFileSync(program(kind), path.join(root, path.basename(kind)));
    const { code, out, error } = heddle(root, root, 'check', '--no-daemon', '--format=sarif', path.basename(kind));
    assert.equal(code, 1, `${kind}: ${error}`);
    const [run] = valid(out).runs;
    assert.ok(run.results.length > 0, kind);
    for (const result of run.results) {
      checkResult(result, run, root);
      seen.add(result.ruleId);
    }
  }
  assert.ok(seen.size >= 3, [...seen].join());
});

// The rules of code scanning, too: what GitHub's upload refuses.
test("Microsoft's validator has no errors to tell", { timeout: 120_000 }, (t) => {
  const root = folder(t);
  const validator = path.join(here, 'node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool');
  fs.chmodSync(validator, 0o755);
  const check = (file) => {
    const output = path.join(root, 'told.sarif');
    const { error } = spawnSync(
      validator,
      ['validate', file, '--rule-kind', 'Sarif;Ghas', '--output', output, '--log', 'ForceOverwrite'],
      {
        env: {
          ...process.env,
          HOME: root,
          DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1',
          DOTNET_BUNDLE_EXTRACT_BASE_DIR: path.join(root, 'net'),
        },
        encoding: 'utf8',
        timeout: 60_000,
      },
    );
    if (error) throw error;
    return JSON.parse(fs.readFileSync(output, 'utf8'))
      .runs[0].results.filter(({ level }) => level === 'error')
      .map(({ ruleId }) => ruleId);
  };
  for (const kind of ['locks/inversion.c', ofCpp[0]]) {
    fs.copyFileSync(program(kind), path.join(root, path.basename(kind)));
    const file = path.join(root, 'out.sarif');
    assert.equal(
      heddle(root, root, 'check', '--no-daemon', '--format=sarif', '--output', file, path.basename(kind)).code,
      1,
    );
    assert.deepEqual(check(file), []);
    const log = JSON.parse(fs.readFileSync(file, 'utf8'));
    delete log.runs[0].results[0].locations;
    fs.writeFileSync(file, JSON.stringify(log));
    assert.notDeepEqual(check(file), [], 'it looks');
  }
});

test('the validator is not a rubber stamp', (t) => {
  const root = folder(t);
  fs.copyFileSync(program('locks/inversion.c'), path.join(root, 'a.c'));
  const log = valid(heddle(root, root, 'check', '--no-daemon', '--format=sarif', 'a.c').out);
  delete log.runs[0].results[0].message;
  assert.ok(!validate(log));
});

test('columns count UTF-16 units, and paths with odd characters are addresses', (t) => {
  const root = path.join(folder(t), 'a b#%é');
  fs.mkdirSync(root);
  fs.writeFileSync(
    path.join(root, 'c d.c'),
    `#include <pthread.h>
int shared;
static void *worker(void *x) { return x; }
static void *writer(void *x) {
  /* 😀é */ shared = 1;
  return x;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, worker, 0);
  /* 😀😀 */ shared = 2;
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
`,
  );
  const output = path.join(root, 'out.sarif');
  const { code, out } = heddle(root, root, 'check', '--no-daemon', '--format=sarif', '--output', output, 'c d.c');
  assert.equal(code, 1);
  assert.equal(out, '');
  const [run] = valid(fs.readFileSync(output, 'utf8')).runs;
  const race = run.results.find((result) => result.ruleId === 'data-race');
  checkResult(race, run, root);
  const lines = fs.readFileSync(path.join(root, 'c d.c'), 'utf8').split('\n');
  for (const {
    physicalLocation: { region },
  } of [...race.locations, ...race.relatedLocations]) {
    assert.match(lines[region.startLine - 1].slice(region.startColumn - 1), /^= [12];/); // Clang's place of an assignment
  }
});

test('baseline state and fingerprint over edits', (t) => {
  const root = folder(t);
  const file = path.join(root, 'a.c');
  const text = fs.readFileSync(program('races/counter.c'), 'utf8');
  const check = (source) => {
    fs.writeFileSync(file, source);
    return valid(heddle(root, root, 'check', '--no-daemon', '--format=sarif', 'a.c').out).runs[0];
  };
  const [first] = check(text).results;
  const [second] = check(`/* moved */\n\n${text}`).results;
  assert.equal(second.baselineState, 'unchanged');
  assert.deepEqual(second.partialFingerprints, first.partialFingerprints);
  assert.equal(
    second.locations[0].physicalLocation.region.startLine,
    first.locations[0].physicalLocation.region.startLine + 2,
  );
  fs.copyFileSync(program('races/counter_locked.c'), path.join(root, 'locked.c'));
  const gone = check(fs.readFileSync(program('races/counter_locked.c'), 'utf8')).results;
  assert.deepEqual(
    gone.map((result) => [result.baselineState, result.partialFingerprints['heddleFinding/v1']]),
    [['absent', first.partialFingerprints['heddleFinding/v1']]],
  );
});

test('what was not checked is told', (t) => {
  const root = folder(t);
  fs.writeFileSync(path.join(root, 'broken.c'), 'int main(void) { return x; }\n');
  const broken = heddle(root, root, 'check', '--no-daemon', '--format=sarif', 'broken.c');
  assert.equal(broken.code, 4);
  const [failed] = valid(broken.out).runs;
  assert.equal(failed.invocations[0].executionSuccessful, false);
  const note = failed.invocations[0].toolExecutionNotifications.find((entry) => entry.locations);
  assert.equal(note.level, 'error');
  assert.equal(note.locations[0].physicalLocation.region.startColumn, 25);
  fs.writeFileSync(path.join(root, 'unknown.c'), 'int mystery(int);\nint main(void) { return mystery(1); }\n');
  const cut = heddle(root, root, 'full', '--no-daemon', '--format=sarif', 'unknown.c');
  assert.equal(cut.code, 3);
  const [open] = valid(cut.out).runs;
  assert.deepEqual(
    open.results.map((result) => [result.ruleId, result.kind, result.level]),
    [['inconclusive', 'open', 'none']],
  );
  assert.match(
    open.invocations[0].toolExecutionNotifications.map((entry) => entry.message.text).join('\n'),
    /unknown function mystery\(\)/,
  );
  const missing = heddle(root, root, 'check', '--no-daemon', '--format=sarif', 'nowhere.c');
  assert.equal(missing.code, 2);
  assert.equal(valid(missing.out).runs[0].invocations[0].executionSuccessful, false);
  assert.equal(heddle(root, root, 'status', '--format=sarif').code, 2);
  assert.equal(heddle(root, root, 'check', '--no-daemon', '--output', '/nowhere/x', 'unknown.c').code, 2);
});
