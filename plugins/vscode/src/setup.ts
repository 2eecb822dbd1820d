// "Check Setup": the program, the daemon, the compile database, and one known-bad example, in a page of plain words.
import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { findBinary } from './binary';
import { showPage } from './pages';
import { wordsOf } from './words';

const example = `#include <pthread.h>
static int counter;
static void *worker(void *argument) {
  counter++;
  return argument;
}
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, worker, 0);
  pthread_create(&second, 0, worker, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return counter;
}
`;

const run = (file: string, args: string[], cwd: string) =>
  new Promise<{ code: number; out: string; error: string }>((resolve) => {
    execFile(file, args, { cwd, timeout: 60_000, maxBuffer: 1 << 24 }, (error, out, problem) =>
      resolve({
        code: error ? (typeof error.code === 'number' ? error.code : -1) : 0,
        out,
        error: problem || (error && typeof error.code !== 'number' ? error.message : ''),
      }),
    );
  });

/** As the server looks for it: the folder, its parents, and `build` in each. */
function findDatabase(folder: string): string | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    for (const file of [path.join(at, 'compile_commands.json'), path.join(at, 'build', 'compile_commands.json')]) {
      if (fs.existsSync(file)) return file;
    }
    if (path.dirname(at) === at) return undefined;
  }
}

function databaseLine(folder: vscode.WorkspaceFolder): { ok: boolean; text: string } {
  const setting = vscode.workspace.getConfiguration('heddle', folder).get<string>('compileCommands', '');
  const file = setting
    ? path.resolve(folder.uri.fsPath, setting, 'compile_commands.json')
    : findDatabase(folder.uri.fsPath);
  if (!file || !fs.existsSync(file)) {
    const cmake = fs.existsSync(path.join(folder.uri.fsPath, 'CMakeLists.txt'));
    return {
      ok: false,
      text:
        `${folder.name}: no compile_commands.json${file ? ` at ${file}` : ''}. ` +
        (cmake
          ? '`cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON` makes one.'
          : '`bear -- make` makes one. Single files are checked without.'),
    };
  }
  try {
    const entries = JSON.parse(fs.readFileSync(file, 'utf8')) as { file: string }[];
    return {
      ok: entries.length > 0,
      text: `${folder.name}: ${file}, ${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}`,
    };
  } catch (error) {
    return {
      ok: false,
      text: `${folder.name}: ${file} cannot be read: ${wordsOf(error)}`,
    };
  }
}

async function exampleLine(binary: string): Promise<{ ok: boolean; text: string }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'heddle-setup-'));
  try {
    fs.writeFileSync(path.join(folder, 'example.c'), example);
    const begin = Date.now();
    const { code, out, error } = await run(binary, ['check', '--no-daemon', '--format=jsonl', 'example.c'], folder);
    const found = out
      .split('\n')
      .some((line) => line.includes('"type":"finding"') && line.includes('"rule":"data-race"'));
    return found && code === 1
      ? { ok: true, text: `the race in an example program was found in ${Date.now() - begin} ms` }
      : {
          ok: false,
          text: `the race in an example program was not found (exit code ${code}): ${error.trim() || out.trim().split('\n').at(-1)}`,
        };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

export async function checkSetup() {
  const lines: { ok: boolean; text: string }[] = [];
  if (!vscode.workspace.isTrusted)
    lines.push({
      ok: false,
      text: 'The folder is not trusted: nothing is compiled or run. Use "Workspaces: Manage Workspace Trust".',
    });
  const binary = await findBinary();
  if ('problem' in binary) {
    lines.push({
      ok: false,
      text: `${binary.problem}. Looked at: ${binary.looked.join(', ')}. Set "heddle.path", or put heddle on PATH.`,
    });
  } else {
    lines.push({ ok: true, text: `${binary.path}: ${binary.version}` });
    for (const folder of vscode.workspace.workspaceFolders ?? []) lines.push(databaseLine(folder));
    if (vscode.workspace.isTrusted) {
      lines.push(await exampleLine(binary.path));
      const { code, out, error } = await run(binary.path, ['daemon', 'start'], os.tmpdir());
      lines.push({ ok: code === 0, text: (out || error).trim() });
    }
  }
  const bad = lines.filter((line) => !line.ok).length;
  const text = [
    '# Heddle: setup',
    '',
    ...lines.map((line) => `- ${line.ok ? '✓' : '✗'} ${line.text}`),
    '',
    bad === 0 ? 'Everything is in place.' : `${bad} of ${lines.length} need attention.`,
    '',
  ].join('\n');
  await showPage('Heddle setup', text);
}
