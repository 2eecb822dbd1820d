// The Testing view: target, changed fragment, pair. What the daemon explores by itself appears as runs of its own.
// Items have no range and failures no message: their marks in the text would say once more what ours say.
import * as vscode from 'vscode';
import type { Model, Target } from './model';
import { keyOf, pairWords, referenceTo, toRange } from './model';
import type { Coverage, CoveredStatement, Pair, State } from './protocol';
import { debugFinding } from './replay';
import type { Server } from './server';

const ended = new Set<State>(['clear', 'error', 'inconclusive', 'not-checked', 'stale']);
interface Asked {
  run: vscode.TestRun;
  project: string;
  target: string;
  pair: number;
  seen: boolean;
  coverage: boolean;
} // seen: it was running
const nameOf = ({ index, modified, other }: Pair) => `${index} ${modified} × ${other}`;
const notSeenLimit = 3000; // ms; a pair may be explored before the server says that it runs

export class PairTests implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController('heddle', 'Heddle');
  private readonly runs = new Map<
    string,
    { run: vscode.TestRun; generation: number; ended: boolean; states: Map<string, State> } // by the pair's name
  >();
  private readonly asked = new Map<string, Asked>(); // pairs that the user wants explored again, by item
  private readonly details = new WeakMap<vscode.FileCoverage, vscode.FileCoverageDetail[]>();
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly model: Model,
    private readonly server: Server,
  ) {
    this.controller.createRunProfile(
      'Explore again',
      vscode.TestRunProfileKind.Run,
      (request, token) => this.run(request, token),
      true,
    );
    this.controller.createRunProfile(
      'Step through',
      vscode.TestRunProfileKind.Debug,
      (request) => this.debug(request),
      true,
    );
    const coverage = this.controller.createRunProfile(
      'What was explored',
      vscode.TestRunProfileKind.Coverage,
      (request, token) => this.run(request, token, true),
      true,
    );
    coverage.loadDetailedCoverage = (_run, file) => Promise.resolve(this.details.get(file) ?? []);
    this.subscription = vscode.Disposable.from(
      model.onDidCover((coverage) => this.cover(coverage)),
      model.onDidChange((what) => {
        if (what === 'targets') this.update();
        if (what === 'status') this.settle(false);
      }),
    );
  }
  dispose() {
    vscode.Disposable.from(this.controller, this.subscription).dispose();
  }

  private update() {
    const targets = [...this.model.targets.values()].filter((target) => target.pairs.length > 0);
    this.controller.items.replace(targets.map((target) => this.targetItem(target)));
    for (const target of targets) this.report(target);
    // Of a program that is gone, or whose edit is over, no run stays open.
    const shown = new Set(targets.map(keyOf));
    for (const [key, known] of this.runs) {
      if (shown.has(key)) continue;
      if (!known.ended) known.run.end();
      known.ended = true;
      if (!this.model.targets.has(key)) this.runs.delete(key);
    }
  }

  private targetItem(target: Target): vscode.TestItem {
    const item = this.controller.createTestItem(keyOf(target), this.model.labelOf(target));
    const fragments = new Map<number, vscode.TestItem>();
    for (const fragment of target.fragments) {
      const child = this.controller.createTestItem(
        `${keyOf(target)}\nf${fragment.index}`,
        fragment.description || fragment.kind,
        vscode.Uri.parse(fragment.uri),
      );
      child.description = fragment.function ? `${fragment.function}()` : '';
      child.sortText = String(fragment.index).padStart(6, '0');
      fragments.set(fragment.index, child);
      item.children.add(child);
    }
    for (const pair of target.pairs.filter((entry) => entry.chosen)) {
      const parent = fragments.get(pair.fragment) ?? item;
      const child = this.controller.createTestItem(
        `${keyOf(target)}\np${pair.index}`,
        `${pair.modified} × ${pair.other}`,
        parent.uri,
      );
      child.sortText = String(pair.index).padStart(6, '0');
      parent.children.add(child);
    }
    return item;
  }

  private find(target: Target, pair: Pair): vscode.TestItem | undefined {
    const item = this.controller.items.get(keyOf(target));
    return (item?.children.get(`${keyOf(target)}\nf${pair.fragment}`) ?? item)?.children.get(
      `${keyOf(target)}\np${pair.index}`,
    );
  }

  /** What has changed since it was reported last; in a run of its own when that of the check has ended. */
  private report(target: Target) {
    const key = keyOf(target);
    const pairs = target.pairs.filter((pair) => pair.chosen);
    let known = this.runs.get(key);
    if (!known || known.generation !== target.generation) {
      const same = (states: Map<string, State>) =>
        states.size === pairs.length && pairs.every((pair) => states.get(nameOf(pair)) === pair.state);
      // The server has asked what is known, because another client or another file was checked: nothing is new, and
      // what was found last stays the newest result.
      if (known?.ended && same(known.states)) {
        known.generation = target.generation;
        return;
      }
      if (known && !known.ended) known.run.end();
      known = { ...this.begin(target), states: new Map() };
      this.runs.set(key, known);
    }
    for (const pair of pairs) {
      const item = this.find(target, pair);
      if (!item || known.states.get(nameOf(pair)) === pair.state) continue;
      known.states.set(nameOf(pair), pair.state);
      if (pair.state === 'stale') {
        this.controller.invalidateTestResults(item);
        continue;
      }
      if (known.ended) Object.assign(known, this.begin(target));
      this.reportPair(known.run, item, pair);
    }
    if (!known.ended && pairs.every((pair) => ended.has(pair.state))) {
      known.run.end();
      known.ended = true;
    }
  }
  private begin({ generation }: Target) {
    const run = this.controller.createTestRun(new vscode.TestRunRequest(), `check ${generation}`, false);
    return { run, generation, ended: false };
  }

  private reportPair(run: vscode.TestRun, item: vscode.TestItem, pair: Pair) {
    switch (pair.state) {
      case 'queued':
        return run.enqueued(item);
      case 'running':
        return run.started(item);
      case 'clear':
        run.appendOutput(`${item.label}: ${pairWords(pair)}\r\n`, undefined, item);
        return run.passed(item);
      case 'error':
        for (const text of this.messages(item)) run.appendOutput(`${text}\r\n`, undefined, item);
        return run.failed(item, []);
      case 'inconclusive':
        return run.errored(item, new vscode.TestMessage(pairWords(pair)));
      default:
        run.appendOutput(`${item.label}: ${pairWords(pair)}\r\n`, undefined, item);
        return run.skipped(item);
    }
  }

  /** Those that run through the fragment of the pair. */
  private findings(item: vscode.TestItem) {
    const [project, name, part] = item.id.split('\n');
    const target = this.model.targets.get(`${project}\n${name}`);
    const pair = target?.pairs.find(({ index }) => `p${index}` === part);
    const ids = new Set(target?.fragments.find(({ index }) => index === pair?.fragment)?.findings);
    return this.model.allFindings.filter(
      (finding) => finding.project === project && finding.target === name && ids.has(finding.id),
    );
  }
  private messages(item: vscode.TestItem): string[] {
    return this.findings(item).map((finding) => `${finding.message} [${finding.rule}]`);
  }

  /** In the debugger: the interleaving of what was found there. */
  private async debug(request: vscode.TestRunRequest) {
    const items = (request.include ?? [...this.controller.items].map(([, item]) => item)).flatMap(pairsBelow);
    const findings = [
      ...new Map(
        items.flatMap((item) => this.findings(item)).map((finding) => [JSON.stringify(referenceTo(finding)), finding]),
      ).values(),
    ];
    const chosen =
      findings.length <= 1
        ? findings[0]
        : (
            await vscode.window.showQuickPick(
              findings.map((finding) => ({ label: finding.message, description: finding.rule, finding })),
              { title: 'Step through which finding?' },
            )
          )?.finding;
    if (chosen) await debugFinding(referenceTo(chosen));
    else if (findings.length === 0)
      void vscode.window.showInformationMessage(
        'Heddle: nothing was found there, so there is no interleaving to step through.',
      );
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken, coverage = false) {
    const run = this.controller.createTestRun(request);
    const items = (request.include ?? [...this.controller.items].map(([, item]) => item)).flatMap(pairsBelow);
    const asked = items.map((item) => {
      const [project, target, part] = item.id.split('\n');
      run.enqueued(item);
      const entry = { run, project, target, pair: Number(part.slice(1)), seen: false, coverage };
      this.asked.set(item.id, entry);
      return { id: item.id, ...entry };
    });
    token.onCancellationRequested(() => {
      for (const project of new Set(asked.map((entry) => entry.project)))
        void this.server.ask('heddle/cancelPair', { project });
    });
    // Pairs are reported one by one; what they cover is reported of all pairs of a target together.
    const groups = coverage
      ? [...new Set(asked.map((entry) => `${entry.project}\n${entry.target}`))].map((key) =>
          asked.filter((entry) => `${entry.project}\n${entry.target}` === key),
        )
      : asked.map((entry) => [entry]);
    for (const group of groups) {
      const [{ project, target }] = group;
      const question = coverage
        ? { project, target, pairs: group.map((entry) => entry.pair), coverage }
        : { project, target, pair: group[0].pair };
      if (token.isCancellationRequested || !(await this.server.ask('heddle/runPair', question)))
        for (const { id } of group) this.asked.delete(id);
    }
    if (![...this.asked.values()].some((entry) => entry.run === run)) return run.end();
    setTimeout(() => this.settle(true), notSeenLimit);
  }

  /** A file has a mark at each of its statements that matter to other threads: in how many of the pairs it was executed. */
  private cover(coverage: Coverage) {
    const runs = new Set(
      [...this.asked.values()]
        .filter((asked) => asked.coverage && asked.project === coverage.project && asked.target === coverage.target)
        .map((asked) => asked.run),
    );
    const files = new Map<string, CoveredStatement[]>();
    for (const statement of coverage.statements)
      files.set(statement.uri, [...(files.get(statement.uri) ?? []), statement]);
    for (const run of runs) {
      for (const [uri, statements] of files) {
        const details = statements.map(
          (statement) => new vscode.StatementCoverage(statement.pairs, toRange(statement.range)),
        );
        const file = vscode.FileCoverage.fromDetails(vscode.Uri.parse(uri), details);
        this.details.set(file, details);
        run.addCoverage(file);
      }
      const executed = coverage.statements.filter((statement) => statement.pairs > 0).length;
      run.appendOutput(
        `${executed} of ${coverage.statements.length} statements that matter to other threads were executed in ${coverage.pairs} ${coverage.pairs === 1 ? 'pair' : 'pairs'} of threads${coverage.complete ? '' : '; not every interleaving of them was explored'}\r\n`,
      );
    }
  }

  /** Reports the states of the pairs that were asked for and are explored: the project runs no more. */
  private settle(late: boolean) {
    for (const [id, asked] of [...this.asked]) {
      if (this.model.status.get(asked.project)?.running) {
        asked.seen = true;
      } else if (asked.seen || late) {
        this.asked.delete(id);
        const target = this.model.targets.get(`${asked.project}\n${asked.target}`);
        const pair = target?.pairs.find((entry) => entry.index === asked.pair);
        const item = target && pair && this.find(target, pair);
        if (item) this.reportPair(asked.run, item, pair);
        if (![...this.asked.values()].some(({ run }) => run === asked.run)) asked.run.end();
      }
    }
  }
}

/** The pairs of an item: itself, or all below it. */
function pairsBelow(item: vscode.TestItem): vscode.TestItem[] {
  return item.id.split('\n').at(-1)?.startsWith('p')
    ? [item]
    : [...item.children].flatMap(([, child]) => pairsBelow(child));
}
