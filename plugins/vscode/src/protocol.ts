// The messages of `heddle lsp` beyond the protocol's own: docs/LSP.md.
import type { Range } from 'vscode-languageclient/node';

export type State = 'queued' | 'running' | 'clear' | 'error' | 'inconclusive' | 'not-checked' | 'stale';
/** What the last verdicts say of something; the server finds it, every view shows it. */
export interface Answer {
  state: State;
  code?: string; // why it is not checked or inconclusive: 'compile-error', 'no-program', ...
  reason?: string;
}
export interface Remedy {
  title: string;
  command: string;
}
/** A place that was not checked, or beyond which nothing was. */
export interface Unchecked extends Answer {
  uri: string;
  range: Range;
}
export type StepState = 'not-needed' | 'running' | 'complete' | 'incomplete';

export interface Verdict {
  kind: 'clear' | 'findings' | 'inconclusive' | 'error';
  error: 'none' | 'usage' | 'build' | 'internal' | 'cancelled';
  message: string;
  summary: string;
  generation: number;
  time: number;
  findings: number;
  milliseconds: number;
  step1: StepState;
  step2: StepState;
  full: StepState;
  pairs: { explored: number; reused: number; skipped: number; owed: number; notReached: number };
  interleavings: number;
  comparedWith: string;
  assumptions: string[];
  limits: string[];
  widened: string[];
  unknownFunctions: { name: string; calls: number }[];
  everything: boolean;
}

/** Of a project that is there no more. */
export interface Gone {
  project: string;
  gone: true;
}

export interface Status extends Answer {
  project: string;
  generation: number;
  phase:
    | 'idle'
    | 'queued'
    | 'connecting'
    | 'compile'
    | 'step1'
    | 'step2'
    | 'consequences'
    | 'weak'
    | 'full'
    | 'replay'
    | 'down';
  running: boolean;
  responsive: boolean;
  complete: boolean;
  progress?: { done: number; of: number; seconds: number; unit?: string };
  findings: number;
  stale: number;
  suppressed: number;
  checksWhileTyping?: boolean; // without a save
  savesPower?: boolean; // on battery: nothing is checked while typing
  background?: { target: string; doing: string }; // what the engine does with what the last check left
  verdict?: Verdict;
  files: string[];
  message?: string;
  remedy?: Remedy;
  unchecked: Unchecked[];
}

export interface Fragment extends Answer {
  index: number;
  kind: 'inserted' | 'deleted' | 'changed';
  description: string;
  function: string;
  implicit: boolean; // a member that a class has without a line of its own: its place is the head of the class
  uri: string;
  range: Range;
  version: number | null;
  findings: string[]; // that run through it
}
export interface FragmentStatus extends Answer {
  project: string;
  target: string;
  generation: number;
  everything: boolean;
  fragments: Fragment[];
}

export interface Pair {
  index: number;
  fragment: number;
  modified: string;
  other: string;
  chosen: boolean;
  reason: string; // why it was chosen or skipped
  state: State;
  code?: string;
  because?: string; // why it is in this state
  engineState: string; // 'reused', 'not-reached', ...
  interleavings: number;
}
export interface PairStatus {
  project: string;
  target: string;
  generation: number;
  version: number | null;
  pairs: Pair[];
}

export interface CoveredStatement {
  uri: string;
  range: Range;
  function: string;
  kind: string;
  pairs: number;
}
export interface Coverage {
  project: string;
  target: string;
  generation: number;
  pairs: number;
  complete: boolean;
  statements: CoveredStatement[];
}

export interface Place {
  uri: string;
  range: Range;
  function: string;
  thread: string;
  role: string;
}
/** What the program was given, where not every input shows the finding. */
export interface Input {
  kind: 'argument' | 'variable' | 'standard-input' | 'file' | 'connection' | 'value' | 'memory';
  name: string;
  value: string | null; // as in a C literal; null: the variable is not set
  shown?: string; // as its type has it: "true", an enumerator
  file?: string;
  line?: number;
  column?: number;
  thread?: string; // of the call that returned the value
}
/** Two programs may have findings of one id: they share code, or one is a copy. */
export interface Reference {
  id: string;
  project?: string;
  target?: string;
}
export interface Finding extends Reference {
  id: string;
  project: string;
  rule: string;
  message: string;
  target: string;
  stale: boolean;
  state: 'new' | 'still-there' | 'changed' | 'not-confirmed';
  step: string;
  foundAt: number;
  withoutInterleaving: boolean;
  followsFrom: string[];
  group?: string; // the id of the finding that stands for the same defect
  inputs?: Input[];
  suppressed?: { reason: string; owner?: string; until?: string };
  places: Place[];
}
/** What a code action with a proved fix carries. */
export interface ProvedFix {
  proof: string;
}

export interface Findings {
  project: string;
  generation: number;
  findings: Finding[];
}

export interface Step {
  index: number;
  thread: number;
  uri: string;
  range: Range;
  line: number;
  column: number;
  function: string;
  text: string;
  action: string;
  kind: string;
  object?: string;
  valueRead?: string;
  valueWritten?: string;
  locksHeld: string[];
  switched: boolean;
  decisive: boolean;
  library?: string;
  row?: number;
  detail?: number;
  summary?: string;
  after: number[];
  readsFrom?: number; // of a read of an older value: the step that stored it
  caller?: number | null; // of the trace's frames, from 1; 0: none; null: not known
}
/** A call that had not returned: where the caller stood. */
export interface Frame {
  uri: string;
  range: Range;
  function: string;
  caller: number;
}
export interface Trace {
  id: string;
  rule: string;
  message: string;
  story?: string[];
  project: string;
  target: string;
  schedule: string;
  stale: boolean;
  withoutInterleaving: boolean;
  inputs?: Input[];
  threads: { number: number; name: string }[];
  places: Place[];
  frames?: Frame[];
  steps: Step[];
}
/** May a step come before another one, and what happens then? */
export interface Reordered {
  possible: boolean;
  answer: string;
  order: number[];
  problem?: string; // why it was not gone on with
  continued?: { outcome: string; error: boolean; same: boolean; moved: number; trace: Trace };
}

export interface Scope {
  project: string;
  generation: number;
  stale: boolean;
  verdict: Verdict | null;
  targets: { target: string; verdict: Verdict }[];
}
export interface Why {
  targets: { target: string; fragments: number[]; pairs: Pair[] }[];
  text: string;
}

export interface NightlyFinding {
  id: string;
  rule: string;
  message: string;
  place: string;
}
export interface NightlyTarget {
  target: string;
  complete: boolean;
  agreed: NightlyFinding[];
  missed: NightlyFinding[];
  unconfirmed: NightlyFinding[];
  fixed: NightlyFinding[];
}
export interface NightlyRun {
  startedUnixMs: number;
  targets: NightlyTarget[];
}
export interface Nightly {
  projects: { project: string; root: string; runs: NightlyRun[] }[];
}
