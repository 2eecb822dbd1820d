// What the scripts of a page find there.
declare const heddleModel: typeof import('../../../client/view/interleaving_model.js');
declare const heddleView: typeof import('../../../client/view/interleaving_view.js');
declare function acquireVsCodeApi(): { getState(): any; setState(state: any): void; postMessage(message: any): void };
