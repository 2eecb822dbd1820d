// The action for GitHub without GitHub: its form, and its steps run in a shell as a runner would run them.
import { validateAction, validateWorkflow } from '@action-validator/core';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import YAML from 'yaml';
import { binaries, folder, heddleBinary, repository, withoutTheUsersGit } from './support.mjs';

const action = fs.readFileSync(path.join(repository, 'plugins/github/action.yml'), 'utf8');
const workflow = fs.readFileSync(path.join(repository, 'docs/nightly/github-workflow.yml'), 'utf8');
const [checkStep, uploadStep, endStep] = YAML.parse(action).runs.steps;

const counter = (locked) => `#include <mutex>
#include <thread>
std::mutex m;
int counter;
void add() {
${locked ? '  std::lock_guard<std::mutex> guard(m);\n' : ''}  counter++;
}
int main() {
  std::thread other(add);
  add();
  other.join();
}
`;

/** A repository with a commit for each text, and what a runner sets. */
function checkout(t, texts) {
  let environment;
  t.after(() => spawnSync(heddleBinary, ['daemon', 'stop'], { env: environment, timeout: 20_000 })); // before its folder goes
  const home = folder(t, 'ha-');
  const top = path.join(home, 'repository');
  fs.mkdirSync(top);
  environment = {
    ...withoutTheUsersGit(process.env),
    HOME: home,
    HEDDLE_RUNTIME_DIR: path.join(home, 'run'),
    XDG_CACHE_HOME: path.join(home, 'cache'),
  };
  const git = (...args) =>
    assert.equal(spawnSync('git', args, { cwd: top, env: environment }).status, 0, args.join(' '));
  git('init', '-q', '-b', 'main');
  fs.mkdirSync(path.join(top, 'build'));
  fs.writeFileSync(
    path.join(top, 'build/compile_commands.json'),
    JSON.stringify([{ directory: top, file: 'a.cc', arguments: ['c++', '-std=c++17', '-c', 'a.cc'] }]),
  );
  for (const text of texts) {
    fs.writeFileSync(path.join(top, 'a.cc'), text);
    git('add', '.');
    git('commit', '-q', '-m', 'commit');
  }
  return { top, home, environment };
}

/** The steps that are scripts, with the inputs' defaults. */
function run({ top, home, environment }, inputs = {}) {
  const defaults = Object.fromEntries(
    Object.entries(YAML.parse(action).inputs).map(([name, { default: value }]) => [name, value]),
  );
  const all = { ...defaults, heddle: path.join(binaries, 'heddle'), ...inputs };
  const output = path.join(home, 'output');
  fs.writeFileSync(output, '');
  const given = {
    BASE: all.base || 'HEAD~1',
    COMPILE_COMMANDS: all['compile-commands'],
    BUDGET: all.budget,
    ON_INCONCLUSIVE: all['on-inconclusive'],
    HEDDLE: all.heddle,
  };
  assert.deepEqual(Object.keys(checkStep.env).sort(), Object.keys(given).sort());
  const shell = (script) =>
    spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      cwd: top,
      encoding: 'utf8',
      timeout: 120_000,
      env: { ...environment, ...given, RUNNER_TEMP: home, GITHUB_OUTPUT: output },
    });
  const check = shell(checkStep.run);
  const outputs = Object.fromEntries(
    fs
      .readFileSync(output, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  );
  const end = shell(endStep.run.replace('${{ steps.check.outputs.code || 5 }}', outputs.code ?? '5'));
  return { check, outputs, code: end.status };
}

test('the form of the action and of the nightly workflow', () => {
  assert.deepEqual(validateAction(action).errors, []);
  assert.deepEqual(validateWorkflow(workflow).errors, []);
  assert.notDeepEqual(validateAction(action.replace('using: composite', 'using: nothing')).errors, []); // it looks
});

test('what is named in expressions is there', () => {
  const { inputs } = YAML.parse(action);
  const named = [...action.matchAll(/\$\{\{(.*?)\}\}/g)].map(([, text]) => text).concat(uploadStep.if);
  for (const text of named) {
    for (const [, input] of text.matchAll(/inputs\.([\w-]+)/g)) assert.ok(input in inputs, input);
    for (const [, name] of text.matchAll(/steps\.check\.outputs\.(\w+)/g))
      assert.match(checkStep.run, new RegExp(`echo "${name}=`));
  }
  assert.equal(uploadStep.with.sarif_file, '${{ steps.check.outputs.sarif }}');
});

test('a lock taken away: the findings are in the file, and the job fails', { timeout: 180_000 }, (t) => {
  const { check, outputs, code } = run(checkout(t, [counter(true), counter(false)]));
  assert.equal(check.status, 0, check.stderr);
  assert.equal(code, 1, check.stderr);
  const [sarif] = JSON.parse(fs.readFileSync(outputs.sarif, 'utf8')).runs;
  assert.deepEqual(
    sarif.results.filter(({ baselineState }) => baselineState === 'new').map(({ ruleId }) => ruleId),
    ['data-race'],
  );
});

test('a harmless change passes', { timeout: 180_000 }, (t) => {
  const { outputs, code } = run(checkout(t, [counter(true), counter(true).replace('counter++', 'counter += 2')]));
  assert.equal(code, 0);
  assert.deepEqual(
    JSON.parse(fs.readFileSync(outputs.sarif, 'utf8')).runs[0].results.filter(({ kind }) => kind !== 'open'),
    [],
  );
});

test('what does not compile, and a program that is not there, fail', { timeout: 180_000 }, (t) => {
  const repository = checkout(t, [counter(true), counter(true).replace('counter++', 'counter+')]);
  const broken = run(repository);
  assert.equal(broken.code, 4);
  assert.ok(fs.existsSync(broken.outputs.sarif)); // says so, too
  const missing = run(repository, { heddle: '/nowhere/heddle' });
  assert.notEqual(missing.check.status, 0);
});
