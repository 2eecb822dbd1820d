// A finding's interleaving in the debugger: a stack per thread, shared values and locks as variables, steps forwards and
// back, breakpoints at lines of the interleaving. Nothing is run: it walks through the trace that was recorded.
import * as vscode from 'vscode';
import * as model from '../../../client/view/interleaving_model.js';
import type { Trace } from './protocol';
import type { Server } from './server';
import { textOf, wordsOf } from './words';

interface Message {
  seq: number;
  type: string;
  command?: string;
  arguments?: Record<string, unknown>;
}
type Body = Record<string, unknown>;
const sharedScope = 1_000_000; // references of variables: of values; of the locks of thread n: n + locksScope
const locksScope = 2_000_000;

class Replay implements vscode.DebugAdapter {
  private readonly sent = new vscode.EventEmitter<vscode.DebugProtocolMessage>();
  readonly onDidSendMessage = this.sent.event;
  private trace: Trace | undefined;
  private current = 0;
  private readonly breakpoints = new Map<string, Set<number>>(); // lines by path
  private sequence = 0;

  constructor(
    private readonly server: Server,
    private readonly follow: (id: string, step: number) => void,
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
    this.follow(this.trace!.id, this.current);
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
        };
      case 'launch':
        return this.launch(textOf(given.finding));
      case 'setBreakpoints':
        return this.setBreakpoints(given);
      case 'threads':
        return { threads: this.trace!.threads.map(({ number, name }) => ({ id: number, name })) };
      case 'stackTrace':
        return this.stack(Number(given.threadId));
      case 'scopes':
        return {
          scopes: [
            { name: 'Shared values', presentationHint: 'locals', variablesReference: sharedScope, expensive: false },
            { name: 'Locks held', variablesReference: locksScope + Number(given.frameId), expensive: false },
          ],
        };
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

  private async launch(finding: string): Promise<Body> {
    const trace = await this.server.request<Trace>('heddle/trace', { id: finding });
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

  /** What is known of a thread: its newest step, or the first one when it has not yet begun. */
  private stack(thread: number): Body {
    const at = model.positions(this.trace!, this.current).find((position) => position.thread === thread);
    if (!at) return { stackFrames: [], totalFrames: 0 };
    const step = this.trace!.steps[at.step];
    const { start } = step.range;
    return {
      totalFrames: 1,
      stackFrames: [
        {
          id: thread,
          name: at.done ? `${step.function}: ${step.action}` : `${step.function}: has not come here yet`,
          source: { path: this.fileOf(at.step) },
          line: start.line + 1,
          column: start.character + 1,
          presentationHint: at.done ? 'normal' : 'subtle',
        },
      ],
    };
  }

  private variables(reference: number) {
    const { values, locks } = model.stateAt(this.trace!, this.current);
    if (reference >= locksScope) {
      return (locks.get(reference - locksScope) ?? []).map((name: string) => ({
        name,
        value: 'held',
        variablesReference: 0,
      }));
    }
    return [...values].map(([name, { value, thread, step, written }]) => ({
      name,
      value,
      variablesReference: 0,
      type: `${written ? 'written' : 'read'} by ${this.trace!.threads.find(({ number }) => number === thread)?.name} in step ${step + 1}`,
    }));
  }

  private evaluate(expression: string): Body {
    const found = model.stateAt(this.trace!, this.current).values.get(expression.trim());
    if (!found) throw new Error('not among the values of this interleaving');
    return { result: found.value, variablesReference: 0 };
  }
}

/** Calls `follow` with each step at which the debugger stops. */
export function registerReplay(server: Server, follow: (id: string, step: number) => void): vscode.Disposable {
  return vscode.debug.registerDebugAdapterDescriptorFactory('heddle-replay', {
    createDebugAdapterDescriptor: () => new vscode.DebugAdapterInlineImplementation(new Replay(server, follow)),
  });
}

export const debugFinding = (id: string) =>
  vscode.debug.startDebugging(undefined, {
    type: 'heddle-replay',
    request: 'launch',
    name: `Interleaving ${id.slice(0, 6)}`,
    finding: id,
  });
