// Finds the program `heddle`: the setting, the one inside this extension, PATH, the build folder of an open folder. Only
// in trusted folders.
import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { wordsOf } from './words';

export interface Binary {
  path: string;
  version: string;
}
export interface NoBinary {
  looked: string[];
  problem: string;
}

const executable = (file: string) => {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
};

/** Where a package for this platform has it. */
function inside(): string[] {
  const extension = vscode.extensions.getExtension('heddle.heddle')?.extensionPath;
  return extension ? [path.join(extension, 'server', 'bin', 'heddle')] : [];
}

function candidates(): string[] {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const builds = (vscode.workspace.workspaceFolders ?? [])
    .filter((folder) => folder.uri.scheme === 'file')
    .map((folder) => path.join(folder.uri.fsPath, 'build', 'bin', 'heddle'));
  return [...inside(), ...folders.map((folder) => path.join(folder, 'heddle')), ...builds];
}

export async function findBinary(): Promise<Binary | NoBinary> {
  const chosen = vscode.workspace.getConfiguration('heddle').get<string>('path', '').trim();
  const looked = chosen ? [chosen] : candidates();
  const found = looked.find(executable);
  if (!found) {
    return {
      looked,
      problem: chosen
        ? `"heddle.path" names ${chosen}, which is no program`
        : 'heddle is not in this extension, not on PATH and not in build/bin of an open folder',
    };
  }
  try {
    const { stdout } = await promisify(execFile)(found, ['--version'], { timeout: 10_000 });
    return { path: found, version: stdout.trim() };
  } catch (error) {
    return {
      looked: [found],
      problem: `${found} does not run: ${wordsOf(error).split('\n')[0]}`,
    };
  }
}
