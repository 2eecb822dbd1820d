// Proved fixes, shown before they are made: the text next to what the fix makes of it, with a button and a key that
// apply it. A quick fix by itself is applied at once.
import * as vscode from 'vscode';
import type { ProvedFix } from './protocol';

const scheme = 'heddle-fix';
const shownKey = 'heddle.fixShown';

/** As the client library keeps it. */
type Action = vscode.CodeAction & { data?: ProvedFix };

interface Shown {
  title: string; // of its tab
  edit: vscode.WorkspaceEdit;
  before: Map<string, string>; // texts by address
}

/** The fixes of the menus that were asked for last, by number: a command's arguments are copies without methods. */
const offers = new Map<number, Action[]>();
const offersMost = 8;
let offered = 0;

/** One more action where there are proved fixes: shows the change first. */
export function withPreview(actions: (vscode.Command | vscode.CodeAction)[]): (vscode.Command | vscode.CodeAction)[] {
  const fixes = (actions as Action[]).filter((action) => action.edit && action.data?.proof);
  if (fixes.length === 0) return actions;
  const show = new vscode.CodeAction('Show the change before it is made', vscode.CodeActionKind.QuickFix);
  show.diagnostics = fixes[0]?.diagnostics;
  show.command = { command: 'heddle.showFix', title: show.title, arguments: [++offered] };
  offers.set(offered, fixes).delete(offered - offersMost);
  const last = actions.indexOf(fixes.at(-1) as Action);
  return [...actions.slice(0, last + 1), show, ...actions.slice(last + 1)];
}

/** The text after edits that do not overlap. */
function edited(document: vscode.TextDocument, edits: vscode.TextEdit[]): string {
  let text = document.getText();
  const last = [...edits].sort((a, b) => b.range.start.compareTo(a.range.start));
  for (const { range, newText } of last)
    text = text.slice(0, document.offsetAt(range.start)) + newText + text.slice(document.offsetAt(range.end));
  return text;
}

async function chosen(fixes: Action[]): Promise<Action | undefined> {
  if (fixes.length <= 1) return fixes[0];
  const items = fixes.map((fix) => ({
    label: fix.title.replace(` (${fix.data?.proof ?? ''})`, ''),
    detail: fix.data?.proof,
    fix,
  }));
  return (await vscode.window.showQuickPick(items, { title: 'Show which fix?' }))?.fix;
}

export function registerFixes(): vscode.Disposable {
  const texts = new Map<string, string>(); // what a fix makes of a file, by the path of its page
  const changed = new vscode.EventEmitter<vscode.Uri>();
  let shown: Shown | undefined;

  const isActive = () => !!shown && vscode.window.tabGroups.activeTabGroup.activeTab?.label === shown.title;
  const follow = () => void vscode.commands.executeCommand('setContext', shownKey, isActive());

  async function show(offer: number) {
    const fix = await chosen(offers.get(offer) ?? []);
    if (!fix?.edit) return;
    const files = fix.edit.entries();
    shown = { title: fix.title, edit: new vscode.WorkspaceEdit(), before: new Map() };
    const pages: [vscode.Uri, vscode.Uri, vscode.Uri][] = [];
    for (const [uri, edits] of files) {
      const document = await vscode.workspace.openTextDocument(uri);
      const page = vscode.Uri.from({ scheme, path: uri.path });
      texts.set(page.path, edited(document, edits));
      changed.fire(page);
      shown.edit.set(uri, edits);
      shown.before.set(uri.toString(), document.getText());
      pages.push([uri, uri, page]);
    }
    const [first] = pages;
    if (pages.length > 1) await vscode.commands.executeCommand('vscode.changes', shown.title, pages);
    else if (first)
      await vscode.commands.executeCommand('vscode.diff', first[1], first[2], shown.title, { preview: true });
    follow();
  }

  async function apply() {
    if (!shown) return;
    const { title, edit, before } = shown;
    for (const [uri, text] of before) {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
      if (document.getText() !== text)
        return void vscode.window.showErrorMessage(
          `Heddle: ${vscode.workspace.asRelativePath(document.uri)} has changed since this fix was explored. Save it; the fix is looked for again.`,
        );
    }
    shown = undefined;
    const tab = vscode.window.tabGroups.all.flatMap((group) => group.tabs).find((one) => one.label === title);
    if (tab) await vscode.window.tabGroups.close(tab);
    await vscode.workspace.applyEdit(edit);
    const [first] = before.keys();
    if (first) await vscode.window.showTextDocument(vscode.Uri.parse(first));
  }

  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => texts.get(uri.path) ?? '',
    }),
    vscode.window.tabGroups.onDidChangeTabs(follow),
    vscode.window.tabGroups.onDidChangeTabGroups(follow),
    vscode.commands.registerCommand('heddle.showFix', show),
    vscode.commands.registerCommand('heddle.applyFix', apply),
  );
}
