// `heddle mcp` through the protocol's own client library: every tool, and arguments that are none.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { folder, heddle, heddleBinary } from './support.mjs';

const right = `#include <pthread.h>
#include "step.h"
int total;
pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
void *add(void *p) { pthread_mutex_lock(&guard); total += STEP; pthread_mutex_unlock(&guard); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  pthread_mutex_lock(&guard);
  total++;
  pthread_mutex_unlock(&guard);
  pthread_join(t, 0);
  return 10 / total > 10;
}
`;
const racy = right.replace(
  '  pthread_mutex_lock(&guard);\n  total++;\n  pthread_mutex_unlock(&guard);\n',
  '  total++;\n',
);

test('a program that helps to write code finds, reads and mends a race', async (t) => {
  const home = folder(t);
  const project = path.join(home, 'p');
  fs.mkdirSync(project);
  fs.writeFileSync(path.join(project, 'a.c'), racy);
  fs.writeFileSync(path.join(project, 'step.h'), '#define STEP 1\n');
  const env = { ...process.env, HOME: home, HEDDLE_RUNTIME_DIR: path.join(home, 'run') };
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: heddleBinary, args: ['mcp'], cwd: project, env }));
  try {
    await talk(client, project);
  } finally {
    await client.close();
    heddle(project, home, 'daemon', 'stop');
  }
});

async function talk(client, project) {
  const call = async (name, args) => {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
    return { text: content[0].text, verdict: structuredContent.verdict, isError };
  };
  const files = ['a.c'];

  assert.equal(client.getServerVersion().name, 'heddle');
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name).sort(), [
    'check',
    'findings',
    'fix',
    'interleaving',
    'try_patch',
    'why',
  ]);

  const found = await call('check', { files });
  assert.deepEqual([found.verdict, found.isError], ['findings', false], found.text);
  const [, id] = /finding ([0-9a-f]{12})/.exec(found.text);
  assert.match((await call('findings', { files })).text, new RegExp(id));
  assert.match((await call('interleaving', { id, files })).text, /create thread/);
  assert.match((await call('why', { place: 'a.c:9' })).text, /a\.c/);
  const fix = await call('fix', { id, files });
  assert.match(fix.text, /\+ *pthread_mutex_lock\(&guard\);/, fix.text);
  const tried = await call('try_patch', { texts: [{ path: 'a.c', text: right }] });
  assert.deepEqual([tried.verdict, tried.isError], ['clear', false], tried.text);
  // A header alone says nothing of which program is meant.
  const header = { texts: [{ path: 'step.h', text: '#define STEP -1\n' }] };
  assert.equal((await call('try_patch', header)).isError, true);
  const patched = await call('try_patch', { ...header, files });
  assert.match(patched.text, /division/, patched.text);
  assert.equal(fs.readFileSync(path.join(project, 'a.c'), 'utf8'), racy);

  for (const [name, args] of [
    ['nothing', {}],
    ['interleaving', {}],
    ['interleaving', { id: '' }],
    ['fix', { id: '--apply' }],
    ['check', { files: 'a.c' }],
    ['check', { files: ['a.c\0b.c'] }],
    ['check', { seconds: 'long' }],
    ['check', { folder: 'absent' }],
    ['check', { fast: true }],
    ['try_patch', { texts: [] }],
    ['try_patch', { texts: [{ path: 'a.c' }] }],
  ])
    await assert.rejects(call(name, args), { code: -32602 }, `${name} ${JSON.stringify(args)}`);
  for (const [name, args] of [
    ['check', { files: ['absent.c'] }],
    ['check', { files, seconds: -1 }],
    ['interleaving', { id: 'ffff', files }],
    ['try_patch', { texts: [{ path: 'a.c', text: 'int main(void) {' }] }],
  ])
    assert.equal((await call(name, args)).isError, true, `${name} ${JSON.stringify(args)}`);
  // And it still answers.
  assert.equal((await call('check', { files })).verdict, 'findings');
}
