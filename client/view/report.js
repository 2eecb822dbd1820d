// The page of an HTML report: a list of findings, the interleaving of the one that is chosen. The address after `#` says
// which finding and step, so that a link or a reload comes back to it.
// @ts-check
'use strict';

(() => {
  const data = JSON.parse(/** @type {HTMLElement} */ (document.getElementById('data')).textContent ?? '');
  const place = /** @type {HTMLElement} */ (document.getElementById('interleaving'));
  /** @type {{ dispose: () => void, lanes?: HTMLElement } | undefined} */
  let view;
  let shown = '';

  const fromAddress = () => {
    const [id, step, flags] = decodeURIComponent(location.hash.slice(1)).split('.');
    return {
      id,
      current: step ? Number(step) - 1 : undefined,
      arrows: !!flags?.includes('h'),
      table: !!flags?.includes('t'),
      detail: Number(flags?.match(/[123]/)?.[0] ?? 1),
    };
  };

  const show = () => {
    const wanted = fromAddress();
    const trace = data.traces.find((/** @type {any} */ entry) => entry.id === wanted.id) ?? data.traces[0];
    if (!trace) return;
    const list = document.querySelectorAll('nav a');
    list.forEach((link) => link.toggleAttribute('aria-current', link.getAttribute('href') === `#${trace.id}`));
    view?.dispose();
    shown = trace.id;
    if (trace.steps.length === 0) {
      place.textContent = `${trace.message}: this finding was recorded without an interleaving.`;
      return;
    }
    const state = {
      arrows: wanted.arrows,
      table: wanted.table,
      detail: wanted.detail,
      ...(wanted.current === undefined ? {} : { current: wanted.current }),
    };
    view = heddleView.mount(place, trace, {
      state,
      sources: data.sources,
      onState: ({ current, arrows, table, detail }) =>
        history.replaceState(
          null,
          '',
          `#${trace.id}.${current + 1}.${arrows ? 'h' : ''}${table ? 't' : ''}${detail > 1 ? detail : ''}`,
        ),
    });
    view?.lanes?.focus({ preventScroll: true });
  };

  addEventListener('hashchange', () => {
    if (fromAddress().id !== shown || !view) show();
  });
  show();
})();
