// The two trees of the side bar: findings with their places; targets, changed fragments, pairs.
import * as vscode from 'vscode';
import type { Model, Target } from './model';
import { baseName, isBelow, pairWords, referenceTo, stateIcon, stateWords, toRange } from './model';
import type { Finding, Fragment, Input, Pair, Place } from './protocol';
import { inputWords } from './words';

const drawPause = 40; // ms

abstract class Tree<Node extends object> implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changes.event;
  private readonly subscription: vscode.Disposable;
  private due: NodeJS.Timeout | undefined;
  readonly view: vscode.TreeView<Node>;

  constructor(
    protected readonly model: Model,
    id: string,
    on: 'findings' | 'targets',
  ) {
    this.view = vscode.window.createTreeView(id, { treeDataProvider: this, showCollapseAll: true });
    // The server reports fragments, pairs and findings one after the other: drawn once.
    this.subscription = model.onDidChange((what) => {
      if (what !== on || this.due) return;
      this.due = setTimeout(() => {
        this.due = undefined;
        this.changes.fire();
        this.refreshed();
      }, drawPause);
    });
  }
  dispose() {
    clearTimeout(this.due);
    vscode.Disposable.from(this.changes, this.subscription, this.view).dispose();
  }
  protected refreshed() {}
  abstract getChildren(node?: Node): Node[];
  abstract getTreeItem(node: Node): vscode.TreeItem;
}

const open = (uri: string, range: Place['range']): vscode.Command => ({
  command: 'vscode.open',
  title: 'Open',
  arguments: [vscode.Uri.parse(uri), { selection: toRange(range), preserveFocus: true }],
});

/** A finding that a user has accepted: why, who, until when. */
function suppressedItem(finding: Finding): vscode.TreeItem {
  const item = new vscode.TreeItem(finding.message, vscode.TreeItemCollapsibleState.Collapsed);
  const { reason, owner, until } = finding.suppressed ?? { reason: '' };
  item.id = `suppressed\n${finding.project}\n${finding.target}\n${finding.id}`;
  item.description = [reason, owner ? `owner ${owner}` : '', until ? `until ${until}` : ''].filter(Boolean).join(' · ');
  item.iconPath = new vscode.ThemeIcon('eye-closed', new vscode.ThemeColor('descriptionForeground'));
  item.contextValue = 'heddle.suppressed';
  item.tooltip = `${finding.message}\nsuppressed: ${item.description}`;
  return item;
}

/** A row is short: what failed comes first, the memory model that it needs last. */
const labelOf = ({ message }: Finding) => message.replace(/^only under (\w+): ([\s\S]*)$/, '$2 (only under $1)');

export type FindingNode = { finding: Finding; place?: Place; input?: Input };
interface SuppressedGroup {
  suppressed: Finding[];
}

export class FindingsTree extends Tree<FindingNode | SuppressedGroup> {
  constructor(model: Model) {
    super(model, 'heddle.findings', 'findings');
  }

  getChildren(node?: FindingNode | SuppressedGroup): (FindingNode | SuppressedGroup)[] {
    if (node && 'suppressed' in node) return node.suppressed.map((finding) => ({ finding }));
    if (node?.finding.suppressed)
      return node.place ? [] : node.finding.places.map((place) => ({ finding: node.finding, place }));
    const suppressed = this.model.allFindings.filter((finding) => finding.suppressed);
    const open = this.model.allFindings.filter((finding) => !finding.suppressed);
    if (!node)
      return [
        ...this.model.defects.map((finding) => ({ finding })),
        ...(suppressed.length > 0 ? [{ suppressed }] : []),
      ];
    if (node.place || node.input) return [];
    // Races of the same missing lock, and what a race leads to, stand below it: one defect. Those that read alike are
    // one row.
    const rows = new Map(
      open
        .filter((finding) => isBelow(finding, node.finding))
        .reverse()
        .map((finding) => [JSON.stringify([finding.message, finding.places[0]]), { finding }]),
    );
    return [
      ...node.finding.places.map((place) => ({ finding: node.finding, place })),
      ...(node.finding.inputs ?? []).map((input) => ({ finding: node.finding, input })),
      ...[...rows.values()].reverse(),
    ];
  }

  getTreeItem(node: FindingNode | SuppressedGroup): vscode.TreeItem {
    if ('suppressed' in node) {
      const item = new vscode.TreeItem(
        `${node.suppressed.length} suppressed`,
        vscode.TreeItemCollapsibleState.Collapsed,
      );
      item.id = 'suppressed';
      item.iconPath = new vscode.ThemeIcon('eye-closed');
      return item;
    }
    const { finding, place, input } = node;
    if (finding.suppressed && !place) return suppressedItem(finding);
    if (input) {
      const item = new vscode.TreeItem(inputWords(input));
      item.description = [input.thread, input.file ? `${baseName(input.file)}:${input.line ?? 0}` : '']
        .filter(Boolean)
        .join(' at ');
      item.tooltip = 'What the program was given: with other inputs the finding may not show.';
      item.iconPath = new vscode.ThemeIcon('symbol-parameter');
      if (input.file && input.line) {
        const at = { line: input.line - 1, character: (input.column ?? 1) - 1 };
        item.command = open(vscode.Uri.file(input.file).toString(), { start: at, end: at });
      }
      return item;
    }
    if (place) {
      const item = new vscode.TreeItem(`${baseName(place.uri)}:${place.range.start.line + 1}`);
      item.description = `${place.thread} ${place.role}${place.function ? ` in ${place.function}()` : ''}`;
      item.iconPath = new vscode.ThemeIcon('circle-small-filled');
      item.command = open(place.uri, place.range);
      return item;
    }
    const follows = finding.followsFrom.length > 0;
    const below = follows || (finding.group ?? finding.id) !== finding.id;
    const item = below
      ? new vscode.TreeItem(
          `${follows ? 'leads to' : 'also seen'}: ${finding.message}`,
          vscode.TreeItemCollapsibleState.Collapsed,
        )
      : new vscode.TreeItem(labelOf(finding), vscode.TreeItemCollapsibleState.Expanded);
    item.id = `${finding.project}\n${finding.target}\n${finding.id}`;
    item.description = [
      finding.state === 'not-confirmed' ? 'not confirmed' : finding.stale ? 'stale' : '',
      finding.rule,
    ]
      .filter(Boolean)
      .join(' · ');
    item.iconPath =
      finding.state === 'not-confirmed'
        ? new vscode.ThemeIcon('question', new vscode.ThemeColor('descriptionForeground'))
        : finding.stale
          ? new vscode.ThemeIcon('history', new vscode.ThemeColor('descriptionForeground'))
          : below
            ? new vscode.ThemeIcon('arrow-right')
            : new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    item.contextValue = 'heddle.finding';
    item.command = {
      command: 'heddle.showInterleaving',
      title: 'Show Interleaving',
      arguments: [referenceTo(finding)],
    };
    item.tooltip =
      `${finding.message}\nfinding ${finding.id}, ${
        finding.state === 'new'
          ? 'new'
          : finding.state === 'changed'
            ? 'changed since it was first seen'
            : finding.state === 'not-confirmed'
              ? 'seen in an earlier version, neither seen nor excluded now'
              : 'still there'
      }` + (finding.stale ? '\nThe code has changed since; the next complete check will show.' : '');
    return item;
  }

  protected override refreshed() {
    const count = this.getChildren().filter((node) => 'finding' in node).length;
    this.view.badge =
      count > 0 ? { value: count, tooltip: `${count} open ${count === 1 ? 'finding' : 'findings'}` } : undefined;
  }
}

type TargetNode = { target: Target; fragment?: Fragment; pair?: Pair };

export class PairsTree extends Tree<TargetNode> {
  constructor(model: Model) {
    super(model, 'heddle.pairs', 'targets');
  }

  getChildren(node?: TargetNode): TargetNode[] {
    if (!node)
      return [...this.model.targets.values()]
        .filter((target) => target.fragments.length + target.pairs.length > 0)
        .map((target) => ({ target }));
    const { target, fragment, pair } = node;
    if (pair) return [];
    if (fragment)
      return target.pairs
        .filter((entry) => entry.fragment === fragment.index)
        .map((entry) => ({ target, fragment, pair: entry }));
    const known = new Set(target.fragments.map((entry) => entry.index));
    return [
      ...target.fragments.map((entry) => ({ target, fragment: entry })),
      ...target.pairs.filter((entry) => !known.has(entry.fragment)).map((entry) => ({ target, pair: entry })),
    ];
  }

  getTreeItem({ target, fragment, pair }: TargetNode): vscode.TreeItem {
    if (pair) {
      const item = new vscode.TreeItem(`${pair.modified} × ${pair.other}`);
      item.description = [pairWords(pair), pair.interleavings > 0 ? `${pair.interleavings} interleavings` : '']
        .filter(Boolean)
        .join(', ');
      item.tooltip = pair.reason;
      item.iconPath = stateIcon(pair.state);
      item.contextValue = 'heddle.pair';
      return item;
    }
    if (fragment) {
      const item = new vscode.TreeItem(fragment.description || fragment.kind, vscode.TreeItemCollapsibleState.Expanded);
      item.description = [
        fragment.state === 'stale' ? 'stale' : '',
        fragment.function && !fragment.description.endsWith(fragment.function) ? `${fragment.function}()` : '',
        `${baseName(fragment.uri)}:${fragment.range.start.line + 1}`,
      ]
        .filter(Boolean)
        .join(' · ');
      item.tooltip = `${fragment.kind}: ${stateWords(fragment)}`;
      item.iconPath = stateIcon(fragment.state);
      item.command = open(fragment.uri, fragment.range);
      return item;
    }
    const item = new vscode.TreeItem(this.model.labelOf(target), vscode.TreeItemCollapsibleState.Expanded);
    item.description = target.everything ? 'everything counts as changed' : '';
    item.tooltip = stateWords(target.answer);
    item.iconPath = stateIcon(target.answer.state);
    return item;
  }
}
