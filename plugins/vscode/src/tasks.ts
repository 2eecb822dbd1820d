// Tasks for the terminal, with the problem matcher $heddle.
import * as vscode from 'vscode';
import { findBinary } from './binary';

export const taskProvider: vscode.TaskProvider = {
  provideTasks: () => Promise.all(['check', 'full'].map((command) => make({ type: 'heddle', command }))).then((tasks) => tasks.filter((task) => task !== undefined)),
  resolveTask: (task) => make(task.definition),
};

async function make(definition: vscode.TaskDefinition): Promise<vscode.Task | undefined> {
  const binary = await findBinary();
  if ('problem' in binary) return undefined;
  return new vscode.Task(definition, vscode.TaskScope.Workspace, definition.command, 'heddle',
    new vscode.ProcessExecution(binary.path, [definition.command, '--color=always']), '$heddle');
}
