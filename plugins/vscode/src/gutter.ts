// The state of each changed fragment next to its first line: an icon whose form, not only colour, says which.
import * as vscode from 'vscode';
import type { Model } from './model';
import { stateWords, toRange } from './model';
import type { State } from './protocol';

const rulers: Partial<Record<State, string>> = {
  error: 'editorOverviewRuler.errorForeground',
  inconclusive: 'editorOverviewRuler.warningForeground',
};
const states: State[] = ['queued', 'running', 'clear', 'error', 'inconclusive', 'not-checked', 'stale'];

export class Gutter implements vscode.Disposable {
  private readonly types = new Map<string, vscode.TextEditorDecorationType>();
  private readonly subscriptions: vscode.Disposable[] = [];

  constructor(
    private readonly model: Model,
    media: vscode.Uri,
  ) {
    for (const state of states) {
      const ruler = rulers[state];
      this.types.set(
        state,
        vscode.window.createTextEditorDecorationType({
          gutterIconPath: vscode.Uri.joinPath(media, 'gutter', `${state}.svg`),
          gutterIconSize: 'contain',
          rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
          overviewRulerLane: vscode.OverviewRulerLane.Left,
          ...(ruler ? { overviewRulerColor: new vscode.ThemeColor(ruler) } : {}),
        }),
      );
    }
    this.subscriptions.push(
      model.onDidChange((what) => {
        if (what === 'targets' || what === 'status') this.show();
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
    const fragments = [...this.model.targets.values()].flatMap((target) => target.fragments);
    const unchecked = [...this.model.status.values()].flatMap((status) => status.unchecked);
    const marks = wanted
      ? [
          ...fragments.map((fragment) => ({ ...fragment, words: `${fragment.kind}, ${stateWords(fragment)}` })),
          ...unchecked.map((place) => ({ ...place, words: place.reason ?? stateWords(place) })),
        ]
      : [];
    for (const editor of vscode.window.visibleTextEditors) {
      const uri = editor.document.uri.toString();
      const here = marks.filter((mark) => vscode.Uri.parse(mark.uri).toString() === uri);
      for (const [state, type] of this.types) {
        editor.setDecorations(
          type,
          here
            .filter((mark) => mark.state === state)
            .map((mark) => ({
              range: new vscode.Range(toRange(mark.range).start, toRange(mark.range).start),
              hoverMessage: `Heddle: ${mark.words}`,
            })),
        );
      }
    }
  }
}
