// Starts clangd as clangd's own extension does, and writes what the editor knows to a file when asked to.
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

let client: LanguageClient | undefined;
let changes = 0;

export async function activate(context: vscode.ExtensionContext) {
  client = new LanguageClient('clangd', 'clangd', { command: process.env.CLANGD ?? 'clangd', args: ['--background-index=false'] },
    { documentSelector: [{ scheme: 'file', language: 'c' }, { scheme: 'file', language: 'cpp' }], diagnosticCollectionName: 'clangd' });
  const heddle = vscode.extensions.getExtension('heddle.heddle')!;
  const api = await heddle.activate() as { findings: readonly { rule: string; places: readonly object[] }[]; onDidChangeFindings: vscode.Event<void> };
  context.subscriptions.push(api.onDidChangeFindings(() => { changes++; }));
  context.subscriptions.push(vscode.commands.registerCommand('neighbour.look', async () => {
    const editor = vscode.window.activeTextEditor!;
    const { uri } = editor.document;
    const at = editor.selection.active;
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, at);
    const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>('vscode.executeInlayHintProvider', uri, new vscode.Range(0, 0, editor.document.lineCount, 0));
    const seen = {
      hovers: hovers.map((hover) => hover.contents.map((part) => typeof part === 'string' ? part : part.value).join('\n')),
      hints: hints.map((hint) => ({ line: hint.position.line, label: typeof hint.label === 'string' ? hint.label : hint.label.map((part) => part.value).join('') })),
      diagnostics: vscode.languages.getDiagnostics(uri).map((entry) => ({ source: entry.source, line: entry.range.start.line, message: entry.message })),
      completions: (await vscode.commands.executeCommand<vscode.CompletionList>('vscode.executeCompletionItemProvider', uri, at)).items.length,
      definitions: (await vscode.commands.executeCommand<object[]>('vscode.executeDefinitionProvider', uri, at)).length,
      tasks: (await vscode.tasks.fetchTasks({ type: 'heddle' })).map((task) => ({ name: task.name, matchers: task.problemMatchers })),
      findings: api.findings.map((finding) => ({ rule: finding.rule, places: finding.places.length })),
      changes,
      debugged: vscode.debug.activeDebugSession ? await debugged(vscode.debug.activeDebugSession) : null,
      folders: (vscode.workspace.workspaceFolders ?? []).length,
    };
    fs.writeFileSync(path.join(process.env.TMPDIR!, 'seen.json'), JSON.stringify(seen));
  }));
  await client.start();
}

/** What a session in the debugger says. */
async function debugged(session: vscode.DebugSession) {
  const { threads } = await session.customRequest('threads') as { threads: { id: number; name: string }[] };
  const stacks = await Promise.all(threads.map(async ({ id, name }) => {
    const { stackFrames: [frame] } = await session.customRequest('stackTrace', { threadId: id });
    return { thread: name, frame: frame.name, file: path.basename(frame.source.path), line: frame.line };
  }));
  const { scopes } = await session.customRequest('scopes', { frameId: threads[0].id });
  const { variables } = await session.customRequest('variables', { variablesReference: scopes[0].variablesReference });
  return { type: session.type, stacks, variables: variables.map((entry: { name: string; value: string }) => `${entry.name} = ${entry.value}`) };
}

export const deactivate = () => client?.stop();
