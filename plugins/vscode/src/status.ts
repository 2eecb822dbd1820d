// The status item: phase, whether the answer is complete, what is stale. Three separate facts, never a blind spinner.
import * as vscode from 'vscode';
import type { Model } from './model';
import type { Status } from './protocol';

const phases: Record<Status['phase'], string> = {
  idle: 'idle',
  queued: 'waiting',
  connecting: 'connecting to the daemon',
  compile: 'compiling',
  step1: 'exploring pairs',
  step2: 'exploring what the edit affects',
  consequences: 'exploring what the races lead to',
  weak: 'exploring what weaker memory orders allow',
  full: 'exploring every interleaving',
  replay: 'replaying',
  down: 'the daemon does not answer',
};

/** What the status bar says about all projects together. */
export function summary(model: Model): { text: string; severity: 'none' | 'warning' | 'error'; lines: string[] } {
  if (model.connection !== 'ready') {
    const texts = {
      starting: '$(loading~spin) Heddle: starting',
      missing: '$(warning) Heddle: not found',
      down: '$(error) Heddle: down',
      untrusted: '$(shield) Heddle: needs trust',
    };
    const severity = model.connection === 'down' ? 'error' : model.connection === 'missing' ? 'warning' : 'none';
    return { text: texts[model.connection], severity, lines: model.explanation ? [model.explanation] : [] };
  }
  const all = [...model.status.values()];
  const running = all.find((status) => status.running);
  const findings = all.reduce((sum, status) => sum + status.findings, 0);
  const stale = all.reduce((sum, status) => sum + status.stale, 0);
  const parts = [];
  if (running) {
    const { progress } = running;
    parts.push(
      `$(loading~spin) Heddle: ${phases[running.phase] ?? running.phase}`,
      ...(progress && progress.of > 0 ? [`${progress.done}/${progress.of}`] : []),
    );
  } else {
    const incomplete = all.some((status) => status.verdict && !status.complete);
    const down = all.some((status) => !status.responsive || status.phase === 'down');
    const checked = all.some((status) => status.verdict);
    parts.push(
      `${down ? '$(error)' : findings > 0 ? '$(error)' : incomplete ? '$(question)' : checked ? '$(pass)' : '$(circle-outline)'} Heddle`,
    );
    if (down) parts.push('daemon does not answer');
    else if (checked && incomplete) parts.push('incomplete');
  }
  if (findings > 0) parts.push(`${findings} ${findings === 1 ? 'finding' : 'findings'}`);
  if (stale > 0) parts.push(`${stale} stale`);
  return {
    text: parts.join(' · '),
    severity: all.some((status) => status.phase === 'down') ? 'error' : 'none',
    lines: all.map(describe),
  };
}

function describe(status: Status): string {
  const verdict = status.verdict;
  const lines = [
    `**${vscode.workspace.asRelativePath(vscode.Uri.parse(status.project))}**: ${phases[status.phase] ?? status.phase}` +
      `${status.responsive ? '' : ', no answer'}, ${verdict ? (status.complete ? 'complete' : 'not complete') : 'not checked yet'}`,
  ];
  if (status.message) lines.push(status.message);
  if (verdict) {
    lines.push(
      `${verdict.kind === 'clear' ? 'nothing found within scope' : verdict.kind}: ${verdict.summary || verdict.message} (${verdict.milliseconds.toFixed(0)} ms)`,
    );
    lines.push(...verdict.limits.map((limit) => `limit: ${limit}`));
  }
  if (status.suppressed > 0) lines.push(`${status.suppressed} suppressed`);
  return lines.join('  \n');
}

export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('heddle.status', vscode.StatusBarAlignment.Left, 1);
  private readonly language = vscode.languages.createLanguageStatusItem('heddle.language', [
    { language: 'c' },
    { language: 'cpp' },
  ]);
  private readonly subscription: vscode.Disposable;

  constructor(private readonly model: Model) {
    this.item.name = 'Heddle';
    this.item.command = 'heddle.showMenu';
    this.language.name = 'Heddle';
    this.language.command = { command: 'heddle.showMenu', title: 'Menu' };
    this.subscription = model.onDidChange(() => this.show());
    this.show();
    this.item.show();
  }
  dispose() {
    vscode.Disposable.from(this.item, this.language, this.subscription).dispose();
  }

  private show() {
    const { text, severity, lines } = summary(this.model);
    this.item.text = text;
    this.item.tooltip = new vscode.MarkdownString(lines.join('\n\n'));
    this.item.backgroundColor =
      severity === 'none' ? undefined : new vscode.ThemeColor(`statusBarItem.${severity}Background`);
    this.language.text = text.replace(/\$\([^)]*\) ?/g, '');
    this.language.detail = lines.map((line) => line.replace(/\*\*/g, '').replace(/ {2}\n/g, '; ')).join('; ');
    this.language.severity =
      severity === 'error'
        ? vscode.LanguageStatusSeverity.Error
        : severity === 'warning'
          ? vscode.LanguageStatusSeverity.Warning
          : vscode.LanguageStatusSeverity.Information;
    this.language.busy = this.model.running;
    for (const [key, value] of [
      ['state', this.model.connection],
      ['checked', this.model.checked],
      ['running', this.model.running],
    ] as const) {
      void vscode.commands.executeCommand('setContext', `heddle.${key}`, value);
    }
  }
}
