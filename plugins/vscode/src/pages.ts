// Answers in words, as read-only pages that ask nothing when they are closed.
import * as vscode from 'vscode';

const scheme = 'heddle-page';

class Pages implements vscode.TextDocumentContentProvider {
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changes.event;
  private readonly texts = new Map<string, string>();

  provideTextDocumentContent(uri: vscode.Uri) {
    return this.texts.get(uri.path) ?? '';
  }

  async show(title: string, text: string) {
    const uri = vscode.Uri.from({ scheme, path: `/${title}.md` });
    this.texts.set(uri.path, text);
    this.changes.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }
}

const pages = new Pages();
export const registerPages = () => vscode.workspace.registerTextDocumentContentProvider(scheme, pages);
export const showPage = (title: string, text: string) => pages.show(title, text);
