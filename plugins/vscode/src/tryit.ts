// "Try It": a sample in a new folder, and a walkthrough through squiggle, story and proved fix. The sample's folder has a
// marker, so that the window that opens it shows the walkthrough.
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Model } from './model';
import { referenceTo } from './model';

const sample = 'account.cpp';
const marker = '.heddle-try-it';
const mark = '// try it:';
const walkthrough = 'heddle.heddle#heddle.try';

const sampleFolder = () =>
  vscode.workspace.workspaceFolders?.find(({ uri }) => fs.existsSync(path.join(uri.fsPath, marker)))?.uri;

/** A folder of this name that is not there yet. */
function freshFolder(parent: string): string {
  for (let number = 1; ; ++number) {
    const folder = path.join(parent, number === 1 ? 'heddle-try-it' : `heddle-try-it-${number}`);
    if (!fs.existsSync(folder)) return folder;
  }
}

export function registerTryIt(context: vscode.ExtensionContext, model: Model): vscode.Disposable {
  async function tryIt(given?: string) {
    const parent = given ?? context.globalStorageUri.fsPath;
    const folder = freshFolder(parent);
    fs.mkdirSync(folder, { recursive: true });
    fs.copyFileSync(
      vscode.Uri.joinPath(context.extensionUri, 'media', 'try', sample).fsPath,
      path.join(folder, sample),
    );
    fs.writeFileSync(path.join(folder, marker), '');
    const forceNewWindow = (vscode.workspace.workspaceFolders ?? []).length > 0;
    await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(folder), { forceNewWindow });
  }

  const open = async () => {
    const folder = sampleFolder();
    if (!folder) return;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, sample));
    return vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One });
  };

  /** Deletes the marked line and saves, for those who read along. */
  async function breakIt() {
    const editor = await open();
    const line = editor && [...Array(editor.document.lineCount).keys()].find((n) => isMarked(editor.document, n));
    if (!editor || line === undefined) return;
    await editor.edit((edit) => edit.delete(editor.document.lineAt(line).rangeIncludingLineBreak));
    await editor.document.save();
  }

  async function story() {
    const finding = model.defects.find(isOpen);
    if (!finding) return;
    await vscode.commands.executeCommand('heddle.showInterleaving', referenceTo(finding));
    // The walkthrough notices only commands that a click runs.
    await vscode.commands.executeCommand('setContext', 'heddle.try.read', true);
  }

  /** The cursor goes to the finding in the sample, and the fixes are offered there. */
  async function mend() {
    const editor = await open();
    const places = model.defects.filter(isOpen).flatMap((finding) => finding.places);
    const place = places.find(({ uri }) => vscode.Uri.parse(uri).toString() === editor?.document.uri.toString());
    if (!editor || !place) return;
    const { line, character } = place.range.start;
    editor.selection = new vscode.Selection(line, character, line, character);
    await vscode.commands.executeCommand('editor.action.quickFix');
  }

  let broken = false;
  const follow = () => {
    if (!sampleFolder()) return;
    const found = model.allFindings.some(isOpen);
    const clear = !found && [...model.status.values()].some(({ state }) => state === 'clear');
    broken = broken || found;
    for (const [key, value] of [
      ['broken', broken],
      ['mended', broken && clear],
    ] as const)
      void vscode.commands.executeCommand('setContext', `heddle.try.${key}`, value);
  };

  if (sampleFolder())
    void open().then(() => vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthrough, true));
  return vscode.Disposable.from(
    model.onDidChange(follow),
    vscode.commands.registerCommand('heddle.tryIt', tryIt),
    vscode.commands.registerCommand('heddle.try.break', breakIt),
    vscode.commands.registerCommand('heddle.try.story', story),
    vscode.commands.registerCommand('heddle.try.mend', mend),
  );
}

const isMarked = (document: vscode.TextDocument, line: number) => document.lineAt(line).text.includes(mark);
const isOpen = (finding: { suppressed?: object; stale: boolean }) => !finding.suppressed && !finding.stale;
