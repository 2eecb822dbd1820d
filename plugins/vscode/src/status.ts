// The status item: phase, whether the answer is complete, what is stale. Three separate facts, never a blind spinner.
import * as vscode from 'vscode';
import type { Model } from './model';
import { stateWords } from './model';
import type { State, Status } from './protocol';
import { ageWords } from './words';

const phases: Record<Status['phase'], string> = {
  idle: 'idle',
  queued: 'waiting',
  connecting: 'connecting to the daemon',
  compile: 'compiling',
  step1: 'exploring pairs of threads',
  step2: 'exploring what the edit affects',
  consequences: 'exploring what the races lead to',
  weak: 'exploring what weaker memory orders allow',
  full: 'exploring every interleaving',
  replay: 'replaying',
  down: 'the daemon does not answer',
};

// The one that is shown when projects differ: what runs, then what is wrong, then what is not known.
const order: State[] = ['clear', 'stale', 'inconclusive', 'not-checked', 'error', 'queued', 'running'];
const icons: Record<State, string> = {
  queued: 'loading~spin',
  running: 'loading~spin',
  clear: 'pass',
  error: 'error',
  inconclusive: 'question',
  'not-checked': 'circle-slash',
  stale: 'history',
};
const short: Record<string, string> = {
  'compile-error': 'compile error',
  'no-program': 'no program',
  'no-database': 'no program, no compile_commands.json',
  settings: 'error in .heddle.yaml',
  daemon: 'the daemon does not answer',
  internal: 'internal error',
  cancelled: 'cancelled',
  'unknown-function': 'unknown function',
  limit: 'a limit was reached',
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
  const worst =
    all.length > 0 ? all.reduce((a, b) => (order.indexOf(b.state) > order.indexOf(a.state) ? b : a)) : undefined;
  const findings = all.reduce((sum, status) => sum + status.findings, 0);
  const stale = all.reduce((sum, status) => sum + status.stale, 0);
  const parts = [];
  if (worst?.running) {
    const { progress } = worst;
    parts.push(
      `$(loading~spin) Heddle: ${phases[worst.phase] ?? worst.phase}`,
      ...(progress && progress.of > 0 ? [`${progress.done}/${progress.of}`] : []),
    );
  } else {
    const { state, code } = worst ?? { state: 'not-checked', code: 'not-yet' };
    const failed = state === 'not-checked' && code !== 'not-yet';
    parts.push(`$(${state === 'not-checked' && !failed ? 'circle-outline' : icons[state]}) Heddle`);
    if (failed) parts.push(`not checked: ${short[code ?? ''] ?? code}`);
    else if (state === 'inconclusive') parts.push(`inconclusive${code && short[code] ? `: ${short[code]}` : ''}`);
    else if (state === 'stale' && stale === 0) parts.push('edited since');
  }
  if (findings > 0) parts.push(`${findings} ${findings === 1 ? 'finding' : 'findings'}`);
  if (stale > 0) parts.push(`${stale} stale`);
  if (!worst?.running && all.some((status) => status.background)) parts.push('exploring further');
  return {
    text: parts.join(' · '),
    severity: worst?.code === 'daemon' ? 'error' : worst?.state === 'not-checked' && worst.verdict ? 'warning' : 'none',
    lines: all.map(describe),
  };
}

function describe(status: Status): string {
  const { verdict, remedy } = status;
  const lines = [
    `**${vscode.workspace.asRelativePath(vscode.Uri.parse(status.project))}**: ${
      status.running ? (phases[status.phase] ?? status.phase) : stateWords(status)
    }${status.responsive ? '' : ', the daemon does not answer'}`,
  ];
  if (remedy) lines.push(`[${remedy.title}](command:${remedy.command})`);
  if (verdict?.summary && verdict.kind !== 'error')
    lines.push(`${verdict.summary}; ${duration(verdict.milliseconds)}; checked ${ageWords(verdict.time)}`);
  lines.push(...(verdict?.limits ?? []).map((limit) => `limit: ${limit}`));
  if (status.background)
    lines.push(`exploring further while idle: ${status.background.target}, ${status.background.doing}`);
  if (status.suppressed > 0) lines.push(`${status.suppressed} suppressed`);
  if (status.checksWhileTyping) lines.push('checked while you type, too');
  if (status.savesPower) lines.push('on battery: nothing is checked while you type');
  return lines.join('  \n');
}

const duration = (ms: number) => (ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`);

const remedies = [
  'heddle.check',
  'heddle.checkFull',
  'heddle.mendSetup',
  'heddle.openConfiguration',
  'heddle.restartDaemon',
];
// Without icons, emphasis and links.
const plain = (line: string) =>
  line
    .replace(/\$\([^)]*\) ?/g, '')
    .replace(/\*\*/g, '')
    .replace(/\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/( {2}\n)+/g, '; ');

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
    const ages = setInterval(() => this.show(), 30_000);
    this.subscription = vscode.Disposable.from(
      model.onDidChange(() => this.show()),
      { dispose: () => clearInterval(ages) },
    );
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
    this.item.tooltip.isTrusted = { enabledCommands: remedies };
    this.item.accessibilityInformation = { label: `${plain(text)}. ${lines.map(plain).join('. ')}` };
    this.item.backgroundColor =
      severity === 'none' ? undefined : new vscode.ThemeColor(`statusBarItem.${severity}Background`);
    this.language.text = plain(text);
    this.language.detail = lines.map(plain).join('; ');
    this.language.severity =
      severity === 'error'
        ? vscode.LanguageStatusSeverity.Error
        : severity === 'warning'
          ? vscode.LanguageStatusSeverity.Warning
          : vscode.LanguageStatusSeverity.Information;
    this.language.busy = this.model.running;
    for (const [key, value] of [
      ['state', this.model.connection],
      ['answer', this.model.answer],
      ['running', this.model.running],
    ] as const) {
      void vscode.commands.executeCommand('setContext', `heddle.${key}`, value);
    }
  }
}
