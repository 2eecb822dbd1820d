// A finding's interleaving in the debugger: for each thread the calls that it is in, what each of them has read and
// written, shared values and locks as variables, steps forwards and back, breakpoints at lines of the interleaving.
// Nothing is run: it walks through the trace that was recorded.
import * as vscode from 'vscode';
import * as model from '../../../client/view/interleaving_model.js';
import type { Place, Reference, Trace } from './protocol';
import type { Server } from './server';
import { textOf, wordsOf } from './words';

interface Message {
  seq: number;
  type: string;
  command?: string;
  arguments?: Record<string, unknown>;
}
type Body = Record<string, unknown>;
// References of variables: all values; the locks of thread n: n + locksScope; what frame f touched: f + touchedScope.
const sharedScope = 1_000_000;
const locksScope = 2_000_000;
const touchedScope = 3_000_000;
const framesOfThread = 1000; // the number of a stack frame: of the thread, times this, and its level

class Replay implements vscode.DebugAdapter {
  private readonly sent = new vscode.EventEmitter<vscode.DebugProtocolMessage>();
  readonly onDidSendMessage = this.sent.event;
  private trace: Trace | undefined;
  private current = 0;
  private readonly breakpoints = new Map<string, Set<number>>(); // lines by path
  private sequence = 0;

  constructor(
    private readonly server: Server,
    private readonly follow: (trace: Trace, step: number) => void,
  ) {}
  dispose() {
    this.sent.dispose();
  }

  handleMessage(said: vscode.DebugProtocolMessage) {
    const message = said as Message;
    void this.answer(message)
      .then(
        (body) =>
          this.send({ type: 'response', request_seq: message.seq, command: message.command, success: true, body }),
        (error) =>
          this.send({
            type: 'response',
            request_seq: message.seq,
            command: message.command,
            success: false,
            message: wordsOf(error),
          }),
      )
      .then(() => this.after(message.command ?? ''));
  }

  private send(message: Body) {
    this.sent.fire({ seq: ++this.sequence, ...message } as vscode.DebugProtocolMessage);
  }
  private event(event: string, body: Body = {}) {
    this.send({ type: 'event', event, body });
  }

  private stopped(reason: string) {
    const step = this.trace!.steps[this.current];
    this.follow(this.trace!, this.current);
    this.event('stopped', {
      reason,
      description: `${step.decisive ? 'a place of the finding, ' : ''}step ${this.current + 1} of ${this.trace!.steps.length}`,
      text: step.action,
      threadId: step.thread,
      allThreadsStopped: true,
    });
  }

  /** What follows an answer. */
  private after(command: string) {
    switch (command) {
      case 'launch':
        return this.trace && this.event('initialized'); // breakpoints are places of the trace
      case 'configurationDone':
        return this.trace && this.stopped('entry');
      case 'next':
      case 'stepIn':
      case 'stepBack':
      case 'stepOut':
        return this.stopped('step');
      case 'continue':
      case 'reverseContinue':
        return this.stopped(
          this.isBreakpoint(this.current)
            ? 'breakpoint'
            : this.trace!.steps[this.current].decisive
              ? 'exception'
              : 'step',
        );
      case 'disconnect':
      case 'terminate':
        return this.event('terminated');
    }
  }

  private async answer({ command, arguments: given = {} }: Message): Promise<Body> {
    switch (command) {
      case 'initialize':
        return {
          supportsConfigurationDoneRequest: true,
          supportsStepBack: true,
          supportsEvaluateForHovers: true,
          supportsTerminateRequest: true,
          supportsDelayedStackTraceLoading: true,
        };
      case 'launch':
        return this.launch(given);
      case 'setBreakpoints':
        return this.setBreakpoints(given);
      case 'threads':
        return { threads: this.trace!.threads.map(({ number, name }) => ({ id: number, name })) };
      case 'stackTrace':
        return this.stack(Number(given.threadId), Number(given.startFrame ?? 0), Number(given.levels ?? 0));
      case 'scopes':
        return { scopes: this.scopes(Number(given.frameId)) };
      case 'variables':
        return { variables: this.variables(Number(given.variablesReference)) };
      case 'evaluate':
        return this.evaluate(textOf(given.expression));
      case 'next':
      case 'stepIn':
        this.current = model.next(this.trace!, this.current);
        return {};
      case 'stepBack':
        this.current = model.previous(this.trace!, this.current);
        return {};
      case 'stepOut':
        this.current = model.nextSwitch(this.trace!, this.current);
        return {};
      case 'continue':
        this.go(1);
        return { allThreadsContinued: true };
      case 'reverseContinue':
        this.go(-1);
        return {};
      default:
        return {};
    }
  }

  private async launch(given: Record<string, unknown>): Promise<Body> {
    const { project, target } = given as { project?: string; target?: string };
    const trace = await this.server.request<Trace>('heddle/trace', { id: textOf(given.finding), project, target });
    if (trace.steps.length === 0) throw new Error(`${trace.message}: recorded without an interleaving`);
    this.trace = trace;
    this.event('output', {
      category: 'console',
      output: `${trace.message} [${trace.rule}]\n${trace.stale ? 'The code has changed since.\n' : ''}`,
    });
    return {};
  }

  private setBreakpoints(given: Record<string, unknown>): Body {
    const file = (given.source as { path: string }).path;
    const lines = ((given.breakpoints ?? []) as { line: number }[]).map(({ line }) => line);
    this.breakpoints.set(file, new Set(lines));
    const known = new Set(
      this.trace?.steps.filter((step) => this.fileOf(step.index) === file).map((step) => step.range.start.line + 1),
    );
    return {
      breakpoints: lines.map((line) =>
        known.has(line)
          ? { verified: true, line }
          : { verified: false, line, message: 'No step of this interleaving is here.' },
      ),
    };
  }

  private fileOf(step: number) {
    return vscode.Uri.parse(this.trace!.steps[step].uri).fsPath;
  }
  private isBreakpoint(step: number) {
    return this.breakpoints.get(this.fileOf(step))?.has(this.trace!.steps[step].range.start.line + 1) ?? false;
  }

  /** To the next breakpoint or place of the finding, or to the end. */
  private go(way: 1 | -1) {
    this.current = model.nextStop(this.trace!, this.current, way, (step: number) => this.isBreakpoint(step));
  }

  /** The calls that a thread is in, the innermost first: at its newest step, or at the first one it will come to. */
  private stack(thread: number, startFrame: number, levels: number): Body {
    const at = model.positions(this.trace!, this.current).find((position) => position.thread === thread);
    if (!at) return { stackFrames: [], totalFrames: 0 };
    const step = this.trace!.steps[at.step];
    const all = [
      {
        name: at.done ? `${step.function}: ${step.action}` : `${step.function}: has not come here yet`,
        source: { path: this.fileOf(at.step) },
        ...placeOf(step.range),
        presentationHint: at.done ? 'normal' : 'subtle',
      },
      ...model.callers(this.trace!, at.step).map((frame) => ({
        name: frame.function,
        source: { path: vscode.Uri.parse(frame.uri).fsPath },
        ...placeOf(frame.range as Place['range']),
        presentationHint: at.done ? 'normal' : 'subtle',
      })),
      ...(step.caller === null ? [{ name: 'calls not recorded', line: 0, column: 0, presentationHint: 'label' }] : []),
    ].map((frame, level) => ({ id: thread * framesOfThread + level, ...frame }));
    return {
      totalFrames: all.length,
      stackFrames: all.slice(startFrame, levels > 0 ? startFrame + levels : undefined),
    };
  }

  private scopes(frame: number) {
    const thread = Math.floor(frame / framesOfThread);
    const name = this.nameOf(thread);
    return [
      { name: 'In This Call', presentationHint: 'locals', variablesReference: touchedScope + frame, expensive: false },
      { name: 'Shared Values', variablesReference: sharedScope, expensive: false },
      { name: `Locks Held by ${name}`, variablesReference: locksScope + thread, expensive: false },
    ];
  }

  private nameOf(thread: number) {
    return this.trace!.threads.find(({ number }) => number === thread)?.name ?? '';
  }

  private variables(reference: number) {
    const { values, locks } = model.stateAt(this.trace!, this.current);
    if (reference >= touchedScope) {
      const frame = reference - touchedScope;
      return this.shown(
        model.touchedIn(this.trace!, this.current, Math.floor(frame / framesOfThread), frame % framesOfThread),
      );
    }
    if (reference >= locksScope) {
      return (locks.get(reference - locksScope) ?? []).map((name: string) => ({
        name,
        value: 'held',
        variablesReference: 0,
      }));
    }
    return this.shown(values);
  }

  private shown(values: Map<string, { value: string; thread: number; step: number; written: boolean }>) {
    return [...values].map(([name, { value, thread, step, written }]) => ({
      name,
      value,
      variablesReference: 0,
      type: `${written ? 'written' : 'read'} by ${this.nameOf(thread)} in step ${step + 1}`,
    }));
  }

  private evaluate(expression: string): Body {
    const found = model.stateAt(this.trace!, this.current).values.get(expression.trim());
    if (!found) throw new Error('not among the values of this interleaving');
    return { result: found.value, variablesReference: 0 };
  }
}

const placeOf = ({ start }: Place['range']) => ({ line: start.line + 1, column: start.character + 1 });

/** Calls `follow` with each step at which the debugger stops. */
export function registerReplay(server: Server, follow: (trace: Trace, step: number) => void): vscode.Disposable {
  return vscode.debug.registerDebugAdapterDescriptorFactory('heddle-replay', {
    createDebugAdapterDescriptor: () => new vscode.DebugAdapterInlineImplementation(new Replay(server, follow)),
  });
}

export const debugFinding = ({ id, project, target }: Reference) =>
  vscode.debug.startDebugging(undefined, {
    type: 'heddle-replay',
    request: 'launch',
    name: `Interleaving ${id.slice(0, 6)}`,
    finding: id,
    project,
    target,
  });
