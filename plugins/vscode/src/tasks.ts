// Tasks for the terminal, with the problem matcher $heddle.
import * as vscode from 'vscode';
import { findBinary } from './binary';
import { textOf } from './words';

export const taskProvider: vscode.TaskProvider = {
  provideTasks: () =>
    Promise.all(['check', 'full'].map((command) => make({ type: 'heddle', command }))).then((tasks) =>
      tasks.filter((task) => task !== undefined),
    ),
  resolveTask: (task) => make(task.definition),
};

async function make(definition: vscode.TaskDefinition): Promise<vscode.Task | undefined> {
  const command = textOf(definition.command);
  const binary = await findBinary();
  if ('problem' in binary) return undefined;
  return new vscode.Task(
    definition,
    vscode.TaskScope.Workspace,
    command,
    'heddle',
    new vscode.ProcessExecution(binary.path, [command, '--color=always']),
    '$heddle',
  );
}
