// The language server: started when a folder is trusted and the program is there, started again when it ends by itself
// (with pauses that grow, and not for ever), its messages given to the model.
import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  State as ClientState,
} from 'vscode-languageclient/node';
import type { ErrorHandler, StaticFeature } from 'vscode-languageclient/node';
import { findBinary } from './binary';
import { withPreview } from './fixes';
import type { Model } from './model';
import type { Coverage, FragmentStatus, Findings, Gone, PairStatus, Status } from './protocol';
import { wordsOf } from './words';

const restartsMost = 4; // within restartWindow
const restartWindow = 3 * 60_000;

// Informs the server what this editor shows by itself.
const capabilities: StaticFeature = {
  fillClientCapabilities: (all) => {
    all.experimental = {
      ...(all.experimental as object | undefined),
      heddle: { notifications: true, interleavingView: true },
    };
    // The status item shows what runs: a second one would say the same.
    all.window = { ...all.window, workDoneProgress: false };
  },
  initialize: () => {},
  getState: () => ({ kind: 'static' }),
  clear: () => {},
};

const ruleLink = (rule: string) =>
  vscode.Uri.from({ scheme: 'command', path: 'heddle.explainRule', query: JSON.stringify([rule]) });

export class Server implements vscode.Disposable {
  readonly log = vscode.window.createOutputChannel('Heddle', { log: true });
  private readonly messages = vscode.window.createOutputChannel('Heddle: Messages');
  private client: LanguageClient | undefined;
  private ended: number[] = [];
  private turn: Promise<void> = Promise.resolve(); // starts and stops, one after the other

  constructor(private readonly model: Model) {}

  dispose() {
    void this.stop().finally(() => {
      this.log.dispose();
      this.messages.dispose();
    });
  }
  stop(): Promise<void> {
    return this.inTurn(() => this.end());
  }
  start(): Promise<void> {
    return this.inTurn(async () => {
      await this.end();
      await this.begin();
    });
  }

  async request<Answer>(method: string, parameters: object): Promise<Answer> {
    if (!this.client || this.client.state !== ClientState.Running) throw new Error('the language server does not run');
    return this.client.sendRequest<Answer>(method, parameters);
  }
  /** Asks; what goes wrong is shown, and undefined is returned. */
  async ask<Answer>(method: string, parameters: object): Promise<Answer | undefined> {
    try {
      return await this.request<Answer>(method, parameters);
    } catch (error) {
      void vscode.window.showErrorMessage(`Heddle: ${wordsOf(error)}`);
      return undefined;
    }
  }
  /** A command of the server. */
  command(command: string, ...args: object[]): Promise<unknown> {
    return this.ask('workspace/executeCommand', { command, arguments: args });
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    this.turn = this.turn.then(work, work).catch((error) => {
      this.log.error(String(error));
    });
    return this.turn;
  }

  private async begin() {
    if (!vscode.workspace.isTrusted) return this.model.setConnection('untrusted', 'the folder is not trusted');
    const binary = await findBinary();
    if ('problem' in binary) {
      this.log.warn(`${binary.problem}; looked at ${binary.looked.join(', ')}`);
      return this.model.setConnection('missing', binary.problem);
    }
    this.log.info(`${binary.path}: ${binary.version}`);
    this.model.setConnection('starting');
    const settings = vscode.workspace.getConfiguration('heddle');
    const client = new LanguageClient(
      'heddle',
      'Heddle',
      {
        command: binary.path,
        args: ['lsp', ...settings.get<string[]>('arguments', [])],
        options: { env: this.environment(settings) },
      },
      {
        documentSelector: [
          { scheme: 'file', language: 'c' },
          { scheme: 'file', language: 'cpp' },
        ],
        outputChannel: this.log,
        traceOutputChannel: this.messages,
        errorHandler: this.errorHandler(),
        revealOutputChannelOn: RevealOutputChannelOn.Never, // a server that ends is the status item's business
        synchronize: { configurationSection: 'heddle' },
        initializationOptions: settings,
        diagnosticCollectionName: 'heddle',
        middleware: {
          provideCodeActions: async (document, range, context, token, next) => {
            const actions = await next(document, range, context, token);
            return actions && withPreview(actions);
          },
          // The code of a finding leads to what it means.
          handleDiagnostics: (uri, diagnostics, next) => {
            for (const one of diagnostics as (vscode.Diagnostic & { data?: { id?: string } })[])
              if (typeof one.code === 'string' && one.data?.id)
                one.code = { value: one.code, target: ruleLink(one.code) };
            next(uri, diagnostics);
          },
        },
        markdown: { isTrusted: { enabledCommands: ['heddle.showInterleaving'] } },
        initializationFailedHandler: (error) => {
          this.log.error(String(error));
          return false;
        },
      },
    );
    client.registerFeature(capabilities);
    client.onNotification('heddle/status', (status: Status | Gone) => this.model.setStatus(status));
    client.onNotification('heddle/fragmentStatus', (status: FragmentStatus) => this.model.setFragments(status));
    client.onNotification('heddle/pairStatus', (status: PairStatus) => this.model.setPairs(status));
    client.onNotification('heddle/coverage', (coverage: Coverage) => this.model.setCoverage(coverage));
    client.onNotification('heddle/findings', (findings: Findings) => this.model.setFindings(findings));
    client.onDidChangeState(({ newState }) => {
      if (this.client !== client) return;
      if (newState === ClientState.Running) this.model.setConnection('ready');
      else if (newState === ClientState.Starting) this.model.setConnection('starting');
    });
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.model.setConnection('down', wordsOf(error));
    }
  }

  private async end() {
    const client = this.client;
    this.client = undefined;
    if (!client) return;
    // A client that never came up, or is coming up, refuses to stop.
    await client.dispose(3000).catch((error) => this.log.debug(String(error)));
  }

  // The daemon inherits it when the server starts one.
  private environment(settings: vscode.WorkspaceConfiguration): NodeJS.ProcessEnv {
    const set = (name: string, setting: string) => {
      const set = settings.inspect<number>(setting);
      const value = set?.globalValue ?? set?.workspaceValue;
      return value === undefined ? {} : { [name]: String(value) };
    };
    return {
      ...process.env,
      ...set('HEDDLE_EXPLORERS', 'cores'),
      ...set('HEDDLE_EXPLORER_MEMORY_MB', 'memoryMb'),
      ...set('HEDDLE_STEP1_SECONDS', 'pairsBudgetSeconds'),
      ...set('HEDDLE_STEP2_SECONDS', 'affectedBudgetSeconds'),
    };
  }

  private errorHandler(): ErrorHandler {
    return {
      error: () => ({ action: ErrorAction.Continue }),
      closed: async () => {
        const now = Date.now();
        this.ended = [...this.ended.filter((time) => now - time < restartWindow), now];
        if (this.ended.length > restartsMost) {
          const explanation = `the language server ended ${this.ended.length} times within 3 minutes`;
          this.model.setConnection('down', explanation);
          void vscode.window
            .showErrorMessage(`Heddle: ${explanation}; it is not started again.`, 'Restart', 'Show Log')
            .then((choice) => {
              if (choice === 'Restart') {
                this.ended = [];
                void this.start();
              }
              if (choice === 'Show Log') this.log.show();
            });
          return { action: CloseAction.DoNotRestart, handled: true };
        }
        this.model.setConnection('starting');
        await new Promise((resolve) => setTimeout(resolve, 250 * 2 ** (this.ended.length - 1)));
        return { action: CloseAction.Restart, handled: true };
      },
    };
  }
}
