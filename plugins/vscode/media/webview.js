// The page of the interleaving panel: mounts the view, tells the extension each step, keeps the state over a reload.
// @ts-check
'use strict';

(() => {
  const editor = acquireVsCodeApi();
  const given = JSON.parse(/** @type {HTMLElement} */ (document.getElementById('data')).textContent ?? '');
  const root = /** @type {HTMLElement} */ (document.getElementById('interleaving'));
  const old = editor.getState() ?? {};
  // Hidden and shown again: the page is made anew, with what it knew last.
  const same = old.trace?.id === given.trace.id && old.trace?.schedule === given.trace.schedule;
  const newer = same && (old.at ?? 0) > (given.at ?? 0);
  const state = newer ? { ...given.view, ...old.view } : given.view;
  const view = heddleView.mount(root, given.trace, {
    state,
    onState: (view) => {
      editor.setState({ trace: given.trace, view, at: Date.now() });
      editor.postMessage({ type: 'step', state: view });
    },
    note: given.note,
    onOpen: (step) => editor.postMessage({ type: 'open', step }),
    // What came of another order is not asked about again.
    onReorder: given.note?.back ? undefined : (step, before) => editor.postMessage({ type: 'reorder', step, before }),
    onBack: () => editor.postMessage({ type: 'back' }),
  });
  editor.setState({ trace: given.trace, view: view.state, at: Date.now() });
  editor.postMessage({ type: 'step', state: view.state });
  view.lanes?.focus({ preventScroll: true });
  addEventListener('message', ({ data }) => {
    if (data?.type === 'move') view.go(data.move);
    if (data?.type === 'goTo') view.goTo(data.step);
    if (data?.type === 'note') view.showNote(data);
  });
})();
