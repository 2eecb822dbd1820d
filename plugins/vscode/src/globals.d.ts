// What the scripts of a page find there.
declare const heddleModel: typeof import('../../../client/view/interleaving_model.js');
declare const heddleParts: typeof import('../../../client/view/interleaving_parts.js');
declare const heddleView: typeof import('../../../client/view/interleaving_view.js');
/** What the page of the interleaving panel keeps over a reload. */
interface PageState {
  trace?: { id?: string; schedule?: string };
  view?: object;
  at?: number;
}
declare function acquireVsCodeApi(): {
  getState(): PageState | undefined;
  setState(state: PageState): void;
  postMessage(message: unknown): void;
};
