// The page of the interleaving panel: mounts the view, tells the extension each step, keeps the state over a reload.
// @ts-check
'use strict';

(() => {
  const editor = acquireVsCodeApi();
  const given = JSON.parse(/** @type {HTMLElement} */ (document.getElementById('data')).textContent ?? '');
  const root = /** @type {HTMLElement} */ (document.getElementById('interleaving'));
  const old = editor.getState() ?? {};
  // Hidden and shown again: the page is made anew, with what it knew last.
  const newer = old.trace?.id === given.trace.id && (old.at ?? 0) > (given.at ?? 0);
  const state = newer ? { ...given.view, ...old.view } : given.view;
  const view = heddleView.mount(root, given.trace, {
    state,
    onState: (view) => {
      editor.setState({ trace: given.trace, view, at: Date.now() });
      editor.postMessage({ type: 'step', state: view });
    },
    onOpen: (step) => editor.postMessage({ type: 'open', step }),
  });
  editor.setState({ trace: given.trace, view: view.state, at: Date.now() });
  editor.postMessage({ type: 'step', state: view.state });
  view.lanes?.focus({ preventScroll: true });
  addEventListener('message', ({ data }) => {
    if (data?.type === 'move') view.go(data.move);
    if (data?.type === 'goTo') view.goTo(data.step);
  });
})();
