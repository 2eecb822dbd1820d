// What the user can ask for. The work is the server's; here are the questions that come before it.
import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { findBinary } from './binary';
import type { Interleavings, Move } from './interleaving';
import type { Model } from './model';
import { referenceTo } from './model';
import { showPage } from './pages';
import type { Finding, Reference, Scope, Verdict, Why } from './protocol';
import { debugFinding } from './replay';
import type { Server } from './server';
import { checkSetup } from './setup';
import type { FindingNode } from './trees';
import { ageWords } from './words';

type Asked = Reference | FindingNode | undefined;

export function registerCommands(model: Model, server: Server, interleavings: Interleavings): vscode.Disposable {
  const active = () => vscode.window.activeTextEditor?.document.uri.toString();

  async function findingOf(asked: Asked, title: string): Promise<Reference | undefined> {
    if (asked && 'id' in asked) return referenceTo(asked);
    if (asked && 'finding' in asked) return referenceTo(asked.finding);
    const all = [...new Set([...model.defects, ...model.allFindings])];
    if (all.length <= 1) return all[0] && referenceTo(all[0]);
    const picked = await vscode.window.showQuickPick(
      all.map((finding: Finding) => ({ label: finding.message, description: finding.rule, finding })),
      { title },
    );
    return picked && referenceTo(picked.finding);
  }

  async function suppress(asked: Asked) {
    const finding = await findingOf(asked, 'Suppress which finding?');
    if (!finding) return;
    const reason = await vscode.window.showInputBox({
      title: 'Why is this finding not a defect?',
      prompt: 'The reason is written into the source, next to the finding.',
      validateInput: (text) => (text.trim() ? undefined : 'A reason is needed.'),
    });
    if (!reason) return;
    const more = await suppressionDetails(model.allFindings.find((one) => isMeant(one, finding)));
    if (!more) return;
    await server.command('heddle.suppress', { ...finding, reason: reason.trim(), ...more });
    await saveSettings();
  }

  async function unsuppress(asked: Asked) {
    if (!asked || !('finding' in asked)) return;
    await server.command('heddle.unsuppress', referenceTo(asked.finding));
    await saveSettings();
  }

  async function hook(action: 'install' | 'uninstall') {
    const line = await commandLine();
    const output = line && (await run(line, ['hook', action]));
    if (output !== undefined) void vscode.window.showInformationMessage(`Heddle: ${output}`);
  }

  async function explain() {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return;
    const position = { line: editor.selection.active.line, character: editor.selection.active.character };
    const why = await server.ask<Why>('heddle/why', {
      textDocument: { uri: editor.document.uri.toString() },
      position,
    });
    if (why) await showPage('Why was this explored', `# Why was this explored?\n\n${why.text}\n`);
  }

  async function explainRule(rule: string) {
    const known = await server.ask<{ title: string; description: string }>('heddle/rule', { rule });
    if (!known) return;
    const open = model.allFindings.filter((finding) => finding.rule === rule && !finding.suppressed);
    const places = open.map((finding) => {
      const [place] = finding.places;
      const where = place
        ? `${vscode.workspace.asRelativePath(vscode.Uri.parse(place.uri))}:${place.range.start.line + 1}: `
        : '';
      return `- ${where}${finding.message}`;
    });
    const here = places.length > 0 ? ['', '## Here', '', ...places] : [];
    await showPage(rule, [`# ${known.title}`, '', known.description, ...here, ''].join('\n'));
  }

  async function scope() {
    const uri = active();
    const project = [...model.status.keys()][0];
    const scope = await server.ask<Scope>(
      'heddle/scope',
      uri && vscode.Uri.parse(uri).scheme === 'file' ? { textDocument: { uri } } : { project },
    );
    if (scope) await showPage('What was checked', scopeText(scope));
  }

  /** What a command of the program needs: it, the folder that is meant, and the open file where there is no database. */
  async function commandLine(): Promise<
    { binary: string; folder: vscode.WorkspaceFolder; files: string[] } | undefined
  > {
    const binary = await findBinary();
    const file = vscode.window.activeTextEditor?.document.uri;
    const folder = (file && vscode.workspace.getWorkspaceFolder(file)) ?? vscode.workspace.workspaceFolders?.[0];
    if ('problem' in binary || !folder)
      return void vscode.window.showErrorMessage(
        `Heddle: ${'problem' in binary ? binary.problem : 'open a folder first.'}`,
      );
    const alone = file?.scheme === 'file' && /\.(c|cc|cpp|cxx|C)$/.test(file.path) && !hasDatabase(folder.uri.fsPath);
    return { binary: binary.path, folder, files: alone ? [file.fsPath] : [] };
  }

  const run = (line: { binary: string; folder: vscode.WorkspaceFolder }, args: string[]) =>
    new Promise<string | undefined>((resolve) => {
      execFile(line.binary, args, { cwd: line.folder.uri.fsPath, timeout: 60_000 }, (error, out, problem) => {
        if (error) void vscode.window.showErrorMessage(`Heddle: ${problem.trim() || error.message}`);
        resolve(error ? undefined : out.trim());
      });
    });

  async function collectDiagnostics() {
    const line = await commandLine();
    const target =
      line &&
      (await vscode.window.showSaveDialog({
        defaultUri: vscode.Uri.joinPath(line.folder.uri, 'heddle-diagnostics.txt'),
      }));
    if (!line || !target || (await run(line, ['rage', '--output', target.fsPath, ...line.files])) === undefined) return;
    const about = [...model.status.values()].map(
      (status) => `${status.project}: ${status.phase}, ${status.complete ? 'complete' : 'not complete'}`,
    );
    fs.appendFileSync(
      target.fsPath,
      [
        '',
        '== editor',
        `${vscode.env.appName} ${vscode.version}, ${vscode.env.remoteName ?? 'local'}`,
        `language server: ${model.connection} ${model.explanation}`,
        ...about,
        '',
      ].join('\n'),
    );
    await vscode.commands.executeCommand('vscode.open', target);
  }

  async function clearCache() {
    const line = await commandLine();
    if (!line) return;
    const yes = 'Forget It';
    const answer = await vscode.window.showWarningMessage(
      `Forget what Heddle remembers of ${line.folder.name}?`,
      {
        modal: true,
        detail: 'The daemon is restarted, and the next check owes everything. The history of nights stays.',
      },
      yes,
    );
    if (answer !== yes) return;
    const output = await run(line, ['cache', 'clear', ...line.files]);
    if (output === undefined) return;
    void vscode.window.showInformationMessage(`Heddle: ${output}`);
    await server.start();
  }

  async function checkRange() {
    const line = await commandLine();
    const range =
      line &&
      (await vscode.window.showInputBox({
        title: 'Check which range of commits?',
        value: 'HEAD~1..HEAD',
        prompt: 'A..B: what git has at B against A; or one revision: the files against it.',
        validateInput: (text) =>
          /^\S+$/.test(text.trim()) && !text.includes('...') && !text.trim().startsWith('-')
            ? undefined
            : 'Write A..B, or one revision.',
      }));
    if (!line || !range) return;
    const words = range.trim(),
      place = vscode.ProgressLocation.Notification;
    await vscode.window.withProgress(
      { location: place, title: `Heddle: checking ${words}`, cancellable: true },
      (_progress, token) =>
        new Promise<void>((resolve) => {
          const child = execFile(
            line.binary,
            ['check', '--color=never', words.includes('..') ? '--range' : '--since', words],
            { cwd: line.folder.uri.fsPath, maxBuffer: 1 << 26 },
            (error, out, problem) => {
              resolve();
              if (token.isCancellationRequested) return;
              // Without a result it says why on standard error.
              if (out.trim()) void showPage(`Heddle ${words}`, out);
              else void vscode.window.showErrorMessage(`Heddle: ${problem.trim() || error?.message || 'no answer'}`);
            },
          );
          token.onCancellationRequested(() => child.kill('SIGINT'));
        }),
    );
  }

  async function exportAs(format: 'sarif' | 'html') {
    const line = await commandLine();
    if (!line) return;
    const target = await vscode.window.showSaveDialog({
      defaultUri: vscode.Uri.joinPath(line.folder.uri, `heddle.${format}`),
      filters: { [format.toUpperCase()]: [format] },
    });
    if (!target) return;
    if (
      (await run(line, [
        'show',
        `--format=${format}`,
        '--output',
        target.fsPath,
        ...(line.files.length > 0 ? ['', ...line.files] : []),
      ])) === undefined
    )
      return;
    if (format === 'sarif' && (await openInSarifViewer(target))) return;
    if (format === 'html' && vscode.env.uiKind === vscode.UIKind.Desktop && !vscode.env.remoteName)
      void vscode.env.openExternal(target);
    else void vscode.commands.executeCommand('vscode.open', target);
  }

  async function openConfiguration() {
    const folder = vscode.workspace.workspaceFolders?.[0];
    if (!folder) return;
    const uri = vscode.Uri.joinPath(folder.uri, '.heddle.yaml');
    const there = fs.existsSync(uri.fsPath);
    await vscode.window.showTextDocument(there ? uri : uri.with({ scheme: 'untitled' }));
  }

  /** Makes what is missing, in a terminal that shows it: a compile database, a readable cache. */
  async function mendSetup() {
    const binary = await findBinary();
    if ('problem' in binary) return checkSetup();
    const terminal = vscode.window.createTerminal({
      name: 'Heddle: mend the setup',
      shellPath: binary.path,
      shellArgs: ['doctor', '--fix'],
    });
    terminal.show();
    await new Promise<void>((resolve) => {
      const closed = vscode.window.onDidCloseTerminal((ended) => {
        if (ended !== terminal) return;
        closed.dispose();
        resolve();
      });
    });
    await server.ask('heddle/check', {});
  }

  async function menu() {
    const remedies = [...model.status.values()].flatMap(({ remedy, reason }) =>
      remedy ? [{ label: `$(wrench) ${remedy.title}`, detail: reason, command: remedy.command }] : [],
    );
    const choices: (vscode.QuickPickItem & { command: string })[] = [
      ...remedies.filter(({ command }, at) => remedies.findIndex((other) => other.command === command) === at),
      ...(model.running ? [{ label: '$(debug-stop) Cancel the running check', command: 'heddle.cancelCheck' }] : []),
      ...(model.connection === 'ready'
        ? [
            { label: '$(play) Check changes', command: 'heddle.checkAll' },
            { label: '$(telescope) Explore every interleaving', command: 'heddle.checkEverything' },
            { label: '$(info) What was checked?', command: 'heddle.showScope' },
            { label: '$(list-unordered) Findings', command: 'heddle.findings.focus' },
          ]
        : []),
      { label: '$(checklist) Check setup', command: 'heddle.checkSetup' },
      { label: '$(refresh) Restart daemon and language server', command: 'heddle.restart' },
      { label: '$(output) Show log', command: 'heddle.showLog' },
    ];
    const picked = await vscode.window.showQuickPick(choices, { title: 'Heddle' });
    if (picked) await vscode.commands.executeCommand(picked.command);
  }

  async function restart() {
    // The server that is started then starts the daemon, with the settings as they are now.
    const binary = await findBinary();
    if (!('problem' in binary))
      await new Promise((resolve) => {
        execFile(binary.path, ['daemon', 'stop'], { timeout: 20_000 }, resolve);
      });
    await server.start();
  }

  const commands: Record<string, (...args: never[]) => unknown> = {
    'heddle.checkAll': () => server.ask('heddle/check', {}),
    'heddle.checkFile': () => server.ask('heddle/check', active() ? { textDocument: { uri: active() } } : {}),
    'heddle.checkEverything': () => server.ask('heddle/check', { full: true }),
    'heddle.cancelCheck': () =>
      Promise.all(
        [...model.status.values()]
          .filter((status) => status.running)
          .map(({ project }) => server.ask('heddle/cancelPair', { project })),
      ),
    'heddle.restart': restart,
    'heddle.explainPairs': explain,
    'heddle.explainRule': explainRule,
    'heddle.showScope': scope,
    'heddle.exportSarif': () => exportAs('sarif'),
    'heddle.exportHtml': () => exportAs('html'),
    'heddle.checkRange': checkRange,
    'heddle.clearCache': clearCache,
    'heddle.collectDiagnostics': collectDiagnostics,
    'heddle.openConfiguration': openConfiguration,
    'heddle.checkSetup': checkSetup,
    'heddle.mendSetup': mendSetup,
    'heddle.showLog': () => server.log.show(),
    'heddle.showMenu': menu,
    'heddle.showInterleaving': async (asked: Asked) => {
      const finding = await findingOf(asked, 'Show the interleaving of which finding?');
      if (finding) await interleavings.show(finding);
    },
    'heddle.replayFinding': async (asked: Asked) => {
      const finding = await findingOf(asked, 'Replay which finding?');
      if (finding) await server.command('heddle.replay', finding);
    },
    'heddle.debugFinding': async (asked: Asked) => {
      const finding = await findingOf(asked, 'Step through which finding?');
      if (finding) await debugFinding(finding);
    },
    'heddle.suppressFinding': suppress,
    'heddle.unsuppressFinding': unsuppress,
    'heddle.installHook': () => hook('install'),
    'heddle.uninstallHook': () => hook('uninstall'),
  };
  for (const [suffix, move] of [
    ['nextStep', 'next'],
    ['previousStep', 'previous'],
    ['nextSwitch', 'nextSwitch'],
    ['previousSwitch', 'previousSwitch'],
    ['nextOther', 'nextOther'],
  ] as [string, Move][]) {
    commands[`heddle.interleaving.${suffix}`] = () => interleavings.move(move);
  }
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([id, action]) =>
      vscode.commands.registerCommand(id, action as (...args: unknown[]) => unknown),
    ),
  );
}

const isMeant = (finding: Finding, wanted: Reference) =>
  finding.id === wanted.id &&
  (wanted.project ?? finding.project) === finding.project &&
  (wanted.target ?? finding.target) === finding.target;

/** An edit of a file that no editor shows stays unsaved. */
async function saveSettings() {
  const open = vscode.workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && /[/]\.heddle\.yaml$/.test(uri.path),
  );
  await Promise.all(open.map((document) => document.save()));
}

/** What a suppression covers, who answers for it and until when; Enter takes what is proposed. */
async function suppressionDetails(finding: Finding | undefined): Promise<object | undefined> {
  const place = finding?.places[0];
  const threads = [...new Set(finding?.places.map(({ thread }) => thread))].join(' and ');
  const scope = await vscode.window.showQuickPick(
    [
      { label: 'This statement', detail: 'A comment in the source', scope: 'comment' },
      { label: 'This finding', detail: 'An entry of .heddle.yaml', scope: 'finding' },
      {
        label: `Every ${finding?.rule ?? 'such finding'} in ${place?.function ? `${place.function}()` : 'the function'}`,
        detail: 'An entry of .heddle.yaml',
        scope: 'function',
      },
      {
        label: `Every ${finding?.rule ?? 'such finding'} on the same object`,
        detail: 'An entry of .heddle.yaml',
        scope: 'object',
      },
      {
        label: `Every ${finding?.rule ?? 'such finding'} between ${threads || 'these threads'}`,
        detail: 'An entry of .heddle.yaml',
        scope: 'threads',
      },
    ],
    { title: 'What is suppressed?' },
  );
  if (!scope) return undefined;
  const owner = await vscode.window.showInputBox({
    title: 'Who answers for it?',
    prompt: 'One word, or nothing.',
    validateInput: (text) => (/\s/.test(text.trim()) ? 'An owner is one word.' : undefined),
  });
  if (owner === undefined) return undefined;
  const until = await vscode.window.showInputBox({
    title: 'Until which day?',
    prompt: 'YYYY-MM-DD, or nothing: it counts until it is taken back.',
    validateInput: (text) =>
      text.trim() === '' || /^\d{4}-\d\d-\d\d$/.test(text.trim()) ? undefined : 'Write YYYY-MM-DD.',
  });
  if (until === undefined) return undefined;
  return { scope: scope.scope, owner: owner.trim(), until: until.trim() };
}

/** True if the SARIF viewer is installed and has opened the file. */
async function openInSarifViewer(file: vscode.Uri): Promise<boolean> {
  const viewer = vscode.extensions.getExtension<{ openLogs(logs: vscode.Uri[]): Promise<void> }>(
    'MS-SarifVSCode.sarif-viewer',
  );
  if (!viewer) return false;
  try {
    await (await viewer.activate()).openLogs([file]);
    return true;
  } catch {
    return false;
  }
}

const hasDatabase = (folder: string) =>
  [folder, path.join(folder, 'build')].some((place) => fs.existsSync(path.join(place, 'compile_commands.json')));

function verdictLines(verdict: Verdict): string[] {
  const { pairs } = verdict;
  return [
    `- checked ${ageWords(verdict.time)}`,
    `- **${verdict.kind === 'clear' ? 'nothing found within scope' : verdict.kind}**: ${verdict.summary || verdict.message}`,
    `- compared with ${verdict.comparedWith || 'nothing'}`,
    `- step 1 (pairs): ${verdict.step1}; step 2 (everything affected): ${verdict.step2}; every interleaving: ${verdict.full}`,
    `- pairs: ${pairs.explored} explored, ${pairs.reused} reused, ${pairs.skipped} skipped, ${pairs.owed} owed, ${pairs.notReached} never came to the change; ${verdict.interleavings} interleavings; ${verdict.milliseconds.toFixed(0)} ms`,
    ...verdict.limits.map((text) => `- limit: ${text}`),
    ...verdict.unknownFunctions.map(({ name, calls }) => `- unknown function: ${name}(), called ${calls} times`),
    ...verdict.widened.map((text) => `- widened: ${text}`),
    ...verdict.assumptions.map((text) => `- assumed: ${text}`),
  ];
}

function scopeText({ verdict, targets, stale }: Scope): string {
  if (!verdict) return '# What was checked?\n\nNothing yet.\n';
  return [
    '# What was checked?',
    '',
    ...(stale ? ['The code has changed since.', ''] : []),
    ...verdictLines(verdict),
    '',
    ...(targets.length > 1
      ? targets.flatMap((entry) => [`## ${entry.target}`, '', ...verdictLines(entry.verdict), ''])
      : []),
    'A clear verdict after an edit means that the edit introduced none of the errors Heddle looks for. It does not mean that the program is correct.',
    '',
  ].join('\n');
}
