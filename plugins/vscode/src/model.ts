// What the server has said, newest first. The views draw from here; nothing else is kept.
import * as vscode from 'vscode';
import type {
  Answer,
  Coverage,
  Finding,
  FragmentStatus,
  Findings,
  Fragment,
  Gone,
  Pair,
  PairStatus,
  Reference,
  State,
  Status,
} from './protocol';

export type Connection = 'starting' | 'ready' | 'missing' | 'down' | 'untrusted';

/** What one target was compared for. */
export interface Target {
  project: string;
  target: string;
  generation: number;
  answer: Answer;
  everything: boolean;
  fragments: Fragment[];
  pairs: Pair[];
}

export class Model implements vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<'connection' | 'status' | 'findings' | 'targets'>();
  readonly onDidChange = this.changes.event;
  private readonly coverages = new vscode.EventEmitter<Coverage>();
  readonly onDidCover = this.coverages.event;
  connection: Connection = 'starting';
  explanation = ''; // of the connection, when it is not ready
  readonly status = new Map<string, Status>();
  readonly findings = new Map<string, Finding[]>();
  readonly targets = new Map<string, Target>();

  dispose() {
    vscode.Disposable.from(this.changes, this.coverages).dispose();
  }

  setConnection(connection: Connection, explanation = '') {
    this.connection = connection;
    this.explanation = explanation;
    if (connection !== 'ready') this.status.clear();
    if (connection !== 'ready' && connection !== 'starting') {
      this.findings.clear();
      this.targets.clear();
      this.changes.fire('findings');
      this.changes.fire('targets');
    }
    this.changes.fire('connection');
    this.changes.fire('status');
  }
  setStatus(status: Status | Gone) {
    if ('gone' in status) this.forget(status.project);
    else this.status.set(status.project, status);
    this.changes.fire('status');
  }
  private forget(project: string) {
    this.status.delete(project);
    this.findings.delete(project);
    for (const [key, target] of this.targets) if (target.project === project) this.targets.delete(key);
    this.changes.fire('findings');
    this.changes.fire('targets');
  }
  setFindings({ project, findings }: Findings) {
    this.findings.set(project, findings);
    this.changes.fire('findings');
  }
  setFragments(status: FragmentStatus) {
    const target = this.target(status);
    target.answer = { state: status.state, code: status.code, reason: status.reason };
    target.everything = status.everything;
    target.fragments = status.fragments;
    this.changes.fire('targets');
  }
  setPairs(status: PairStatus) {
    const target = this.target(status);
    target.pairs = status.pairs;
    // The last that is said of a program that is gone.
    if (target.answer.state === 'not-checked' && target.fragments.length + target.pairs.length === 0)
      this.targets.delete(keyOf(target));
    this.changes.fire('targets');
  }

  setCoverage(coverage: Coverage) {
    this.coverages.fire(coverage);
  }

  get allFindings(): Finding[] {
    return [...this.findings.values()].flat();
  }
  /** One finding of each defect, without the suppressed ones: no consequences, and one race of each missing lock. */
  get defects(): Finding[] {
    const open = this.allFindings.filter((finding) => !finding.suppressed);
    return open.filter((finding) => !open.some((origin) => isBelow(finding, origin)));
  }
  /** What is shown of a target: its name's end, as much of it as distinguishes it from the others. */
  labelOf(target: Target): string {
    const names = [...this.targets.values()].map((other) => nameOf(other));
    const parts = nameOf(target).split('/');
    for (let count = 1; count < parts.length; ++count) {
      const end = parts.slice(-count).join('/');
      if (names.filter((name) => name === end || name.endsWith(`/${end}`)).length <= 1) return end;
    }
    return nameOf(target);
  }
  get running(): boolean {
    return [...this.status.values()].some((status) => status.running);
  }
  /** The answer of all projects together: the first that is no answer, else 'checked'. */
  get answer(): string {
    const all = [...this.status.values()];
    const open = all.find(({ state }) => state === 'not-checked');
    return open?.code ?? (all.some(({ verdict }) => verdict) ? 'checked' : 'not-yet');
  }

  // A newer generation begins with an empty page.
  private target({ project, target, generation }: { project: string; target: string; generation: number }): Target {
    const key = keyOf({ project, target });
    let known = this.targets.get(key);
    if (!known || known.generation !== generation) {
      known = {
        project,
        target,
        generation,
        answer: { state: 'running' },
        everything: false,
        fragments: [],
        pairs: [],
      };
      this.targets.set(key, known);
    }
    return known;
  }
}

// A lone file is a project of its own, and its program has the file's name.
const isFile = (uri: string) => /\.[A-Za-z+]+$/.test(uri.slice(uri.lastIndexOf('/') + 1));
const nameOf = ({ project, target }: Target) => {
  const path = decodeURIComponent(vscode.Uri.parse(project).path);
  return isFile(project) && path.includes(`/${target}.`) ? path : `${path}/${target}`;
};

export const keyOf = ({ project, target }: { project: string; target: string }) => `${project}\n${target}`;
export const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);
export const referenceTo = ({ id, project, target }: Reference): Reference => ({ id, project, target });
export const isSame = (a: Reference, b: Reference) => a.id === b.id && a.project === b.project && a.target === b.target;
/** The same defect as `origin`, or what it leads to. */
export const isBelow = (finding: Finding, origin: Finding) =>
  finding.project === origin.project &&
  finding.target === origin.target &&
  finding.id !== origin.id &&
  (finding.group ?? finding.followsFrom[0]) === origin.id;
export const toRange = (range: {
  start: { line: number; character: number };
  end: { line: number; character: number };
}) => new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);

export const stateIcons: Record<State, [icon: string, colour: string]> = {
  queued: ['circle-outline', 'descriptionForeground'],
  running: ['loading~spin', 'charts.blue'],
  clear: ['pass', 'testing.iconPassed'],
  error: ['error', 'testing.iconFailed'],
  inconclusive: ['question', 'testing.iconQueued'],
  'not-checked': ['circle-slash', 'descriptionForeground'],
  stale: ['history', 'descriptionForeground'],
};
export const stateIcon = (state: State) => {
  const [icon, colour] = stateIcons[state];
  return new vscode.ThemeIcon(icon, new vscode.ThemeColor(colour));
};
const words: Record<State, string> = {
  queued: 'waiting',
  running: 'being explored',
  clear: 'nothing found within its scope',
  error: 'findings',
  inconclusive: 'inconclusive',
  'not-checked': 'not checked',
  stale: 'stale',
};
/** An answer in words, with its reason. */
export const stateWords = ({ state, reason }: Answer) => words[state] + (reason ? `: ${reason}` : '');
export const pairWords = ({ state, engineState, because }: Pair) =>
  engineState === 'reused' && state === 'clear'
    ? 'as before: nothing it depends on has changed'
    : stateWords({ state, reason: because });
