// The state of each changed fragment beside its first line: an icon whose form, not only colour, says which.
import * as vscode from 'vscode';
import type { Model } from './model';
import { stateWords, toRange } from './model';
import type { State } from './protocol';

const icons: Record<State, string> = {
  queued: 'queued',
  running: 'running',
  clear: 'clear',
  reused: 'clear',
  findings: 'findings',
  inconclusive: 'inconclusive',
  cancelled: 'cancelled',
  skipped: 'cancelled',
  'not-reached': 'cancelled',
};
const rulers: Partial<Record<State, string>> = {
  findings: 'editorOverviewRuler.errorForeground',
  inconclusive: 'editorOverviewRuler.warningForeground',
};

export class Gutter implements vscode.Disposable {
  private readonly types = new Map<string, vscode.TextEditorDecorationType>();
  private readonly subscriptions: vscode.Disposable[] = [];

  constructor(
    private readonly model: Model,
    media: vscode.Uri,
  ) {
    for (const state of Object.keys(icons) as State[]) {
      for (const stale of [false, true]) {
        const ruler = rulers[state];
        this.types.set(
          `${state}/${stale}`,
          vscode.window.createTextEditorDecorationType({
            gutterIconPath: vscode.Uri.joinPath(media, 'gutter', `${icons[state]}${stale ? '-stale' : ''}.svg`),
            gutterIconSize: 'contain',
            rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
            overviewRulerLane: vscode.OverviewRulerLane.Left,
            ...(ruler && !stale ? { overviewRulerColor: new vscode.ThemeColor(ruler) } : {}),
          }),
        );
      }
    }
    this.subscriptions.push(
      model.onDidChange((what) => {
        if (what === 'targets') this.show();
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => this.show()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('heddle.gutter')) this.show();
      }),
    );
  }
  dispose() {
    vscode.Disposable.from(...this.types.values(), ...this.subscriptions).dispose();
  }

  private show() {
    const wanted = vscode.workspace.getConfiguration('heddle').get<boolean>('gutter', true);
    const fragments = wanted ? [...this.model.targets.values()].flatMap((target) => target.fragments) : [];
    for (const editor of vscode.window.visibleTextEditors) {
      const uri = editor.document.uri.toString();
      const here = fragments.filter((fragment) => vscode.Uri.parse(fragment.uri).toString() === uri);
      for (const [key, type] of this.types) {
        editor.setDecorations(
          type,
          here
            .filter((fragment) => `${fragment.state}/${fragment.stale}` === key)
            .map((fragment) => ({
              range: new vscode.Range(toRange(fragment.range).start, toRange(fragment.range).start),
              hoverMessage: `Heddle: ${fragment.kind}, ${stateWords[fragment.state]}${fragment.stale ? ' (stale: the code has changed since)' : ''}`,
            })),
        );
      }
    }
  }
}
