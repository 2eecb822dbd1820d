// The interleaving view in a panel, and every thread's current line in the editor while one steps through it.
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import * as steps from '../../../client/view/interleaving_model.js';
import { isSame, referenceTo, toRange } from './model';
import type { Reference, Reordered, Trace } from './protocol';
import type { Server } from './server';
import { wordsOf } from './words';

const viewType = 'heddle.interleaving';
interface ViewState {
  current: number;
  arrows: boolean;
  table: boolean;
  detail: number;
}
interface Kept {
  trace: Trace;
  view: Partial<ViewState>;
  at?: number;
  note?: Note;
} // over a reload; at: when, in ms
/** Above the steps: what was answered about an order; back: the recorded one can be shown again. */
interface Note {
  possible: boolean;
  text: string;
  error?: boolean;
  back?: boolean;
}
type Said =
  | { type: 'step'; state: ViewState }
  | { type: 'open'; step: number }
  | { type: 'reorder'; step: number; before: number }
  | { type: 'back' };
export type Move = 'next' | 'previous' | 'nextSwitch' | 'previousSwitch' | 'nextOther';

// The line of the thread whose step it is stands out; the others' lines are marked in their colours.
const colours = ['heddle.thread1', 'heddle.thread2', 'heddle.thread3'];
const lineType = (column: number, now: boolean) =>
  vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor(colours[Math.min(column, colours.length - 1)]),
    overviewRulerColor: new vscode.ThemeColor(colours[Math.min(column, colours.length - 1)]),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
    after: { margin: '0 0 0 2em', color: new vscode.ThemeColor('editorInlayHint.foreground') },
    ...(now ? { borderWidth: '1px 0', borderStyle: 'solid', borderColor: new vscode.ThemeColor('focusBorder') } : {}),
  });

export class Interleavings implements vscode.Disposable, vscode.WebviewPanelSerializer {
  private panel: vscode.WebviewPanel | undefined;
  private trace: Trace | undefined;
  private recorded: { trace: Trace; view: ViewState } | undefined; // what is shown came of it, by another order
  private state: ViewState = { current: 0, arrows: false, table: false, detail: 1 };
  private readonly lines = [0, 1, 2].flatMap((column) => [lineType(column, false), lineType(column, true)]);
  private readonly subscriptions: vscode.Disposable[] = [];

  /** `storage`: the workbench writes a webview's state down only now and then; the newest step is kept here. */
  constructor(
    private readonly extension: vscode.Uri,
    private readonly storage: vscode.Uri | undefined,
    private readonly server: Server,
  ) {
    this.subscriptions.push(
      vscode.window.registerWebviewPanelSerializer(viewType, this),
      vscode.window.onDidChangeVisibleTextEditors(() => this.decorate()),
    );
  }
  dispose() {
    vscode.Disposable.from(...this.subscriptions, ...this.lines, ...(this.panel ? [this.panel] : [])).dispose();
  }

  async show(finding: Reference) {
    const trace = await this.server.ask<Trace>('heddle/trace', finding);
    if (!trace) return;
    if (trace.steps.length === 0) {
      void vscode.window.showInformationMessage(`Heddle: ${trace.message}: recorded without an interleaving.`);
      return;
    }
    if (!this.panel) {
      this.adopt(
        vscode.window.createWebviewPanel(
          viewType,
          'Interleaving',
          { viewColumn: vscode.ViewColumn.Beside, preserveFocus: false },
          { enableScripts: true, enableFindWidget: true, localResourceRoots: this.roots() },
        ),
      );
    }
    this.recorded = undefined;
    this.load({ trace, view: {} });
    this.panel?.reveal(undefined, false);
  }

  /** Of a step key in the editor. */
  move(move: Move) {
    void this.panel?.webview.postMessage({ type: 'move', move });
  }

  /** The debugger stands at this step: the view goes there, if it shows the same finding. */
  follow(trace: Trace, step: number) {
    if (this.trace && isSame(this.trace, trace) && this.trace.schedule === trace.schedule)
      void this.panel?.webview.postMessage({ type: 'goTo', step });
  }

  /** After a reload: the trace as it was, or as it is now when the finding is still known. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, kept: Kept | undefined): Promise<void> {
    if (kept?.trace) {
      this.adopt(panel);
      const newest = this.read();
      this.load(newest && isSame(newest.trace, kept.trace) && (newest.at ?? 0) > (kept.at ?? 0) ? newest : kept);
    } else {
      panel.dispose();
    }
    return Promise.resolve();
  }

  private get file() {
    return this.storage && path.join(this.storage.fsPath, 'interleaving.json');
  }

  private read(): Kept | undefined {
    try {
      return this.file ? (JSON.parse(fs.readFileSync(this.file, 'utf8')) as Kept) : undefined;
    } catch {
      return undefined; // there is none, or half of one
    }
  }

  private write(kept: Kept) {
    if (!this.file) return;
    try {
      fs.mkdirSync(path.dirname(this.file), { recursive: true });
      fs.writeFileSync(this.file, JSON.stringify(kept));
    } catch (error) {
      this.server.log.warn(`${this.file}: ${wordsOf(error)}`);
    }
  }

  private roots() {
    return [vscode.Uri.joinPath(this.extension, 'dist', 'view'), vscode.Uri.joinPath(this.extension, 'media')];
  }

  private adopt(panel: vscode.WebviewPanel) {
    this.panel?.dispose();
    this.panel = panel;
    panel.webview.options = { enableScripts: true, localResourceRoots: this.roots() };
    panel.iconPath = vscode.Uri.joinPath(this.extension, 'media', 'heddle.svg');
    panel.webview.onDidReceiveMessage((said: Said) => this.said(said));
    panel.onDidDispose(() => {
      if (this.panel !== panel) return;
      this.panel = undefined;
      this.trace = undefined;
      this.recorded = undefined;
      this.decorate();
      void vscode.commands.executeCommand('setContext', 'heddle.interleavingOpen', false);
    });
    void vscode.commands.executeCommand('setContext', 'heddle.interleavingOpen', true);
  }

  private load({ trace, view, at, note }: Kept) {
    if (!this.panel) return;
    this.trace = trace;
    this.state = {
      arrows: false,
      table: false,
      detail: 1,
      ...view,
      current: steps.clamp(trace, view.current ?? steps.first(trace)),
    };
    this.panel.title = `Interleaving: ${trace.rule || 'another order'}`;
    this.panel.webview.html = this.page(this.panel.webview, { trace, view: this.state, at, note });
    this.decorate();
    void this.reveal(this.state.current);
  }

  private said(said: Said) {
    if (said.type === 'step') {
      this.state = said.state;
      if (this.trace && !this.recorded) this.write({ trace: this.trace, view: said.state, at: Date.now() });
      this.decorate();
      void this.reveal(said.state.current);
    } else if (said.type === 'open') {
      void this.reveal(said.step, true);
    } else if (said.type === 'reorder') {
      void this.reorder(said.step, said.before);
    } else if (this.recorded) {
      const { trace, view } = this.recorded;
      this.recorded = undefined;
      this.load({ trace, view });
    }
  }

  /** The user has moved a step before another one: the answer, and the interleaving that comes of it. */
  private async reorder(step: number, before: number) {
    if (!this.trace || this.recorded) return;
    const trace = this.trace;
    const answer = await this.server.ask<Reordered>('heddle/reorder', { ...referenceTo(trace), step, before });
    if (!answer || this.trace !== trace) return;
    const { continued, problem } = answer;
    if (!continued) {
      const note = [answer.answer, problem ? `not run: ${problem}` : ''].filter(Boolean).join('; ');
      void this.panel?.webview.postMessage({ type: 'note', possible: answer.possible, text: note });
      return;
    }
    this.recorded = { trace, view: this.state };
    this.load({
      trace: { ...continued.trace, message: `${trace.message}, in another order` },
      view: { ...this.state, detail: continued.error ? 1 : 2, current: continued.moved },
      note: {
        possible: true,
        text: `${answer.answer}. Then: ${continued.outcome}`,
        error: continued.error,
        back: true,
      },
    });
  }

  /** Shows the code of a step next to the view; takes the focus when asked to. */
  private async reveal(index: number, focus = false) {
    const step = this.trace?.steps[index];
    if (!step) return;
    const uri = vscode.Uri.parse(step.uri);
    const shown = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri.toString());
    const column =
      shown?.viewColumn ??
      vscode.window.visibleTextEditors.find((editor) => editor.viewColumn !== this.panel?.viewColumn)?.viewColumn ??
      vscode.ViewColumn.One;
    try {
      const editor = await vscode.window.showTextDocument(uri, {
        viewColumn: column,
        preserveFocus: !focus,
        preview: true,
      });
      const { start } = toRange(step.range);
      if (focus) editor.selection = new vscode.Selection(start, start);
      editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
      this.decorate();
    } catch (error) {
      this.server.log.warn(`${uri.fsPath}: ${wordsOf(error)}`);
    }
  }

  private decorate() {
    for (const editor of vscode.window.visibleTextEditors) {
      const marks: vscode.DecorationOptions[][] = this.lines.map(() => []);
      for (const { step, words, now } of this.marks()) {
        const at = this.trace!.steps[step];
        if (vscode.Uri.parse(at.uri).toString() !== editor.document.uri.toString()) continue;
        const column = Math.max(
          0,
          this.trace!.threads.findIndex(({ number }) => number === at.thread),
        );
        marks[Math.min(column, 2) * 2 + (now ? 1 : 0)].push({
          range: toRange(at.range),
          renderOptions: { after: { contentText: words } },
          hoverMessage: `Interleaving, step ${step + 1}: ${this.nameOf(at.thread)}: ${at.action}`,
        });
      }
      this.lines.forEach((type, n) => editor.setDecorations(type, marks[n]));
    }
  }

  private nameOf(thread: number) {
    return this.trace?.threads.find(({ number }) => number === thread)?.name ?? '';
  }

  /** Where every thread stands; at a place of the finding also the other places, whose threads may have gone on. */
  private marks(): { step: number; words: string; now: boolean }[] {
    const {
      trace,
      state: { current },
    } = this;
    if (!trace) return [];
    const others = steps.otherPlaces(trace, current);
    const standing = steps
      .positions(trace, current)
      .filter(({ step }) => !others.includes(step))
      .map(({ thread, step, done }) => {
        const now = step === current;
        const name = this.nameOf(thread);
        return {
          step,
          now,
          words: now
            ? `▶ ${name}: ${trace.steps[step].action}`
            : done
              ? `● ${name}`
              : `○ ${name} has not come here yet`,
        };
      });
    return [
      ...standing,
      ...others.map((step) => ({
        step,
        now: false,
        words: `● ${this.nameOf(trace.steps[step].thread)}: ${trace.steps[step].action}`,
      })),
    ];
  }

  private page(webview: vscode.Webview, kept: Kept): string {
    const nonce = randomBytes(16).toString('base64');
    const resource = (...parts: string[]) =>
      webview.asWebviewUri(vscode.Uri.joinPath(this.extension, ...parts)).toString();
    const script = (...parts: string[]) => `<script nonce="${nonce}" src="${resource(...parts)}"></script>`;
    const data = JSON.stringify(kept).replace(/</g, '\\u003c');
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'">
<link rel="stylesheet" href="${resource('dist', 'view', 'interleaving.css')}">
<link rel="stylesheet" href="${resource('media', 'webview.css')}">
<title>Interleaving</title>
</head>
<body>
<main id="interleaving"></main>
<script nonce="${nonce}" type="application/json" id="data">${data}</script>
${script('dist', 'view', 'interleaving_model.js')}${script('dist', 'view', 'interleaving_parts.js')}
${script('dist', 'view', 'interleaving_view.js')}${script('media', 'webview.js')}
</body>
</html>`;
  }
}
