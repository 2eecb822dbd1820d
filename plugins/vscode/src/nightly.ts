// The tree of nights: what exploring everything found and the checks after saves had missed, or had said and was not so.
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Model } from './model';
import type { Nightly, NightlyFinding, NightlyRun } from './protocol';
import type { Server } from './server';

type Kind = 'missed' | 'unconfirmed' | 'agreed';
interface Node {
  root: string;
  run: NightlyRun;
  kind?: Kind;
  finding?: NightlyFinding;
}
const words: Record<Kind, string> = {
  missed: 'missed by the checks after saves',
  unconfirmed: 'reported after a save, not confirmed',
  agreed: 'both found',
};
const icons: Record<Kind, string> = { missed: 'error', unconfirmed: 'question', agreed: 'pass' };

const findings = (run: NightlyRun, kind: Kind) => run.targets.flatMap((target) => target[kind]);

export class NightlyTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changes.event;
  private readonly view: vscode.TreeView<Node>;
  private readonly subscriptions: vscode.Disposable[];
  private wasRunning = false;

  constructor(
    private readonly model: Model,
    private readonly server: Server,
  ) {
    this.view = vscode.window.createTreeView('heddle.nightly', { treeDataProvider: this });
    this.subscriptions = [
      this.view.onDidChangeVisibility(() => this.changes.fire()),
      vscode.commands.registerCommand('heddle.refreshNightly', () => this.changes.fire()),
      model.onDidChange((what) => {
        if (what === 'connection') this.changes.fire();
        if (what !== 'status' || this.wasRunning === model.running) return;
        this.wasRunning = model.running;
        if (!model.running && this.view.visible) this.changes.fire();
      }),
    ];
  }
  dispose() {
    vscode.Disposable.from(this.changes, this.view, ...this.subscriptions).dispose();
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node?.finding) return [];
    if (node) {
      return (['missed', 'unconfirmed', 'agreed'] as const).flatMap((kind) =>
        findings(node.run, kind).map((finding) => ({ ...node, kind, finding })),
      );
    }
    if (this.model.connection !== 'ready') return [];
    try {
      const { projects } = await this.server.request<Nightly>('heddle/nightly', {});
      return projects
        .flatMap(({ root, runs }) => runs.map((run) => ({ root, run })))
        .sort((a, b) => b.run.startedUnixMs - a.run.startedUnixMs);
    } catch {
      return []; // the server is about to end; its status says so
    }
  }

  getTreeItem({ root, run, kind, finding }: Node): vscode.TreeItem {
    if (finding && kind) {
      const item = new vscode.TreeItem(finding.message);
      item.description = words[kind];
      item.iconPath = new vscode.ThemeIcon(icons[kind]);
      item.tooltip = `${finding.message} [${finding.rule}]\n${finding.place}`;
      const [, file, line] = /^(.*):(\d+)$/.exec(finding.place) ?? [];
      if (file) {
        const uri = vscode.Uri.file(path.resolve(vscode.Uri.parse(root).fsPath, file));
        const at = new vscode.Position(Number(line) - 1, 0);
        item.command = {
          command: 'vscode.open',
          title: 'Open',
          arguments: [uri, { selection: new vscode.Range(at, at) }],
        };
      }
      return item;
    }
    const count = (of: Kind) => findings(run, of).length;
    const complete = run.targets.every((target) => target.complete);
    const item = new vscode.TreeItem(
      new Date(run.startedUnixMs).toLocaleString(),
      count('missed') + count('unconfirmed') + count('agreed') > 0
        ? vscode.TreeItemCollapsibleState.Collapsed
        : vscode.TreeItemCollapsibleState.None,
    );
    item.description = `${count('missed')} missed, ${count('unconfirmed')} not confirmed, ${count('agreed')} agreed${complete ? '' : ', not complete'}`;
    item.iconPath = new vscode.ThemeIcon(count('missed') > 0 ? 'error' : complete ? 'pass' : 'question');
    return item;
  }
}
