// Starts the language server and what draws its messages. Contributes no completion, formatting, definition or symbols,
// so that it can run alongside clangd.
import * as vscode from 'vscode';
import { registerCommands } from './commands';
import { registerFixes } from './fixes';
import { Gutter } from './gutter';
import { Interleavings } from './interleaving';
import { Model } from './model';
import type { Finding } from './protocol';
import { NightlyTree } from './nightly';
import { registerPages } from './pages';
import { registerReplay } from './replay';
import { Server } from './server';
import { StatusItem } from './status';
import { taskProvider } from './tasks';
import { PairTests } from './testing';
import { FindingsTree, PairsTree } from './trees';
import { registerTryIt } from './tryit';

/** For other extensions. */
export interface Api {
  readonly findings: readonly Finding[];
  readonly onDidChangeFindings: vscode.Event<void>;
}

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): Api {
  const model = new Model();
  server = new Server(model);
  const interleavings = new Interleavings(context.extensionUri, context.storageUri, server);
  const changed = new vscode.EventEmitter<void>();
  context.subscriptions.push(
    model,
    server,
    interleavings,
    changed,
    new StatusItem(model),
    new FindingsTree(model),
    new PairsTree(model),
    new NightlyTree(model, server),
    new Gutter(model, vscode.Uri.joinPath(context.extensionUri, 'media')),
    new PairTests(model, server),
    registerCommands(model, server, interleavings),
    registerPages(),
    registerFixes(),
    registerTryIt(context, model),
    registerReplay(server, (trace, step) => interleavings.follow(trace, step)),
    vscode.tasks.registerTaskProvider('heddle', taskProvider),
    model.onDidChange((what) => {
      if (what === 'findings') changed.fire();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void server?.start()),
    vscode.workspace.onDidChangeConfiguration((event) => void configured(event)),
  );
  void server.start();
  return {
    get findings() {
      return model.allFindings;
    },
    onDidChangeFindings: changed.event,
  };
}

async function configured(event: vscode.ConfigurationChangeEvent) {
  if (['path', 'arguments'].some((name) => event.affectsConfiguration(`heddle.${name}`))) return void server?.start();
  if (
    !['cores', 'memoryMb', 'pairsBudgetSeconds', 'affectedBudgetSeconds'].some((name) =>
      event.affectsConfiguration(`heddle.${name}`),
    )
  )
    return;
  const choice = await vscode.window.showInformationMessage(
    'Heddle: the daemon must be restarted for this setting.',
    'Restart',
  );
  if (choice) await vscode.commands.executeCommand('heddle.restart');
}

export function deactivate(): Promise<void> | undefined {
  return server?.stop();
}
