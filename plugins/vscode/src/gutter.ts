// The state of each changed fragment next to its first line: an icon whose form, not only colour, says which. A line has
// one icon: the worst of what is known there, and never that of a clear fragment where an open finding has a place.
import * as vscode from 'vscode';
import type { Model } from './model';
import { stateWords } from './model';
import type { Finding, State } from './protocol';

const rulers: Partial<Record<State, string>> = {
  error: 'editorOverviewRuler.errorForeground',
  inconclusive: 'editorOverviewRuler.warningForeground',
};
// The later counts where a line has several.
const states: State[] = ['clear', 'queued', 'running', 'stale', 'inconclusive', 'not-checked', 'error'];
interface Mark {
  line: number;
  state: State;
  words: string;
}

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
        if (what !== 'connection') this.show();
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
    for (const editor of vscode.window.visibleTextEditors) {
      const lines = wanted ? this.lines(editor.document.uri.toString()) : new Map<number, Mark>();
      for (const [state, type] of this.types) {
        editor.setDecorations(
          type,
          [...lines.values()]
            .filter((mark) => mark.state === state)
            .map((mark) => ({
              range: new vscode.Range(mark.line, 0, mark.line, 0),
              hoverMessage: `Heddle: ${mark.words}`,
            })),
        );
      }
    }
  }

  /** One mark for each line of a file that has any. */
  private lines(uri: string): Map<number, Mark> {
    const marks = new Map<number, Mark>();
    const here = (place: { uri: string }) => vscode.Uri.parse(place.uri).toString() === uri;
    const add = (mark: Mark) => {
      const known = marks.get(mark.line);
      const worse = !known || states.indexOf(mark.state) > states.indexOf(known.state);
      const words = known && !known.words.includes(mark.words) ? `${known.words}; ${mark.words}` : mark.words;
      marks.set(mark.line, { ...(worse ? mark : known), words: known ? words : mark.words });
    };
    const fragments = [...this.model.targets.values()].flatMap((target) => target.fragments).filter(here);
    // A tick at the head of a class would speak for the whole class.
    for (const fragment of fragments.filter((one) => !one.implicit || one.state !== 'clear'))
      add({
        line: fragment.range.start.line,
        state: fragment.state,
        words: `${fragment.kind}, ${stateWords(fragment)}`,
      });
    for (const place of [...this.model.status.values()].flatMap((status) => status.unchecked).filter(here))
      add({ line: place.range.start.line, state: place.state, words: place.reason ?? stateWords(place) });
    for (const finding of this.model.allFindings.filter(isOpen)) {
      for (const place of finding.places.filter(here))
        if (marks.has(place.range.start.line))
          add({ line: place.range.start.line, state: 'error', words: finding.message });
    }
    return marks;
  }
}

const isOpen = (finding: Finding) => !finding.suppressed && !finding.stale && finding.state !== 'not-confirmed';
