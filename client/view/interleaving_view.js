// The interleaving of a finding: a column per thread, a row per step. Used by the HTML report and the editor's webview.
//
// In:      a trace (heddle/trace of docs/LSP.md), options. Out: elements in `root`; calls of the options.
// Owns:    what it put into `root`; dispose() takes it away.
// Fails:   never; text of the user's program is only ever put in as text.
// @ts-check
'use strict';

/**
 * @typedef {import('./interleaving_model.js')} Model
 * @typedef {{ current: number, arrows: boolean, table: boolean, detail: number }} ViewState
 * @typedef {{ state?: Partial<ViewState>, onState?: (state: ViewState) => void,
 *   onOpen?: (step: number) => void, onReorder?: (step: number, before: number) => void, onBack?: () => void,
 *   note?: Note, sources?: Record<string, { first: number, lines: string[] }[]> }} ViewOptions
 *   onOpen: the user wants to see the code of a step. onReorder: the user has moved a step before another one. onBack: the
 *   recorded order is wanted again. sources: the view shows the code itself
 * @typedef {{ possible: boolean, text: string, error?: boolean, back?: boolean }} Note  what was answered about an order
 */

const heddleView = (() => {
  const model = heddleModel;
  const parts = heddleParts;
  const { element, baseName } = parts;
  const tableWidthLeast = 640; // below, a row of the table is a block
  const laneWidthLeast = 150;

  class View {
    /** @param {HTMLElement} root @param {any} trace @param {ViewOptions} options */
    constructor(root, trace, options) {
      this.root = root;
      this.trace = trace;
      this.options = options;
      this.state = {
        arrows: false,
        table: false,
        detail: 1,
        ...options.state,
        current: model.clamp(trace, options.state?.current ?? model.first(trace)),
      };
      /** The lines of which every step is shown. @type {Set<number>} */
      this.opened = new Set();
      /** @type {boolean[]} */
      this.shown = [];
      /** @type {HTMLElement[]} */
      this.rows = [];
      /** The step that is being dragged. @type {number | undefined} */
      this.dragged = undefined;
      this.build();
      this.resizes = new ResizeObserver(() => this.layOut());
      this.resizes.observe(root);
      this.show(false);
    }

    dispose() {
      this.resizes.disconnect();
      this.root.replaceChildren();
    }

    /** @param {number} thread */
    name(thread) {
      return parts.threadName(this.trace, thread);
    }

    build() {
      const { trace } = this;
      this.lanes = element('div', {
        class: 'lanes',
        role: 'listbox',
        tabindex: '0',
        'aria-label': 'Steps of the interleaving',
      });
      this.lanes.style.setProperty('--threads', String(trace.threads.length));
      this.lanes.addEventListener('keydown', (event) => this.key(event));
      this.arrows = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
      this.arrows.setAttribute('class', 'arrows');
      this.arrows.setAttribute('aria-hidden', 'true');
      this.rows = trace.steps.map((/** @type {any} */ step) => this.row(step));
      this.lanes.append(this.heads(), ...this.rows, this.arrows);
      this.table = parts.table(
        trace,
        (step) => this.goTo(step),
        (step) => this.link(step),
      );
      this.values = element('div', { class: 'values' });
      this.code = element('div', { class: 'code' });
      this.live = element('div', { class: 'unseen', 'aria-live': 'polite' });
      this.note = element('div', { class: 'note', role: 'status', hidden: true });
      const side = element('div', { class: 'side' }, this.values, ...(this.options.sources ? [this.code] : []));
      this.root.classList.add('interleaving');
      this.root.replaceChildren(
        parts.header(trace),
        this.toolbar(),
        this.note,
        element('div', { class: 'body' }, element('div', { class: 'main' }, this.lanes, this.table), side),
        this.live,
      );
      if (this.options.note) this.showNote(this.options.note);
    }

    /** What was answered about an order, above the steps. @param {Note} note */
    showNote({ possible, text, error, back }) {
      if (!this.note) return;
      this.note.className = `note ${!possible ? 'impossible' : error ? 'error' : 'possible'}`;
      const button = back
        ? [element('button', { type: 'button', class: 'back', click: () => this.options.onBack?.() }, 'Recorded order')]
        : [];
      this.note.replaceChildren(...parts.words(text), ...button);
      this.note.removeAttribute('hidden');
    }

    /** Asks whether a step may come before another one. @param {number} step @param {number} before */
    ask(step, before) {
      if (step > before) this.options.onReorder?.(step, before);
    }

    /** The current step before the nearest earlier one of another thread. */
    moveUp() {
      const { thread } = this.trace.steps[this.state.current];
      for (let n = this.state.current; n-- > 0; )
        if (this.shown[n] && this.trace.steps[n].thread !== thread) return this.ask(this.state.current, n);
    }

    /** A row can be dragged before an earlier one. @param {HTMLElement} row @param {number} index */
    makeDraggable(row, index) {
      row.setAttribute('draggable', 'true');
      row.addEventListener('dragstart', (event) => {
        this.dragged = index;
        row.classList.add('dragged');
        event.dataTransfer?.setData('text/plain', String(index));
      });
      row.addEventListener('dragend', () => {
        this.dragged = undefined;
        for (const other of this.rows) other.classList.remove('dragged', 'drop');
      });
      row.addEventListener('dragover', (event) => {
        if (this.dragged === undefined || this.dragged <= index) return;
        event.preventDefault();
        for (const other of this.rows) other.classList.toggle('drop', other === row);
      });
      row.addEventListener('drop', (event) => {
        event.preventDefault();
        if (this.dragged !== undefined) this.ask(this.dragged, index);
      });
    }

    slider() {
      const most = String(model.details.length);
      this.detail = /** @type {HTMLInputElement} */ (
        element('input', {
          type: 'range',
          min: '1',
          max: most,
          step: '1',
          'aria-label': 'Detail',
          title: 'Detail (- and +)',
        })
      );
      this.detail.addEventListener('input', () => this.setDetail(Number(this.detail?.value)));
      this.detailName = element('span', { class: 'detail-name' });
      return element('label', { class: 'detail' }, this.detail, this.detailName);
    }

    toolbar() {
      /** @param {string} label @param {string} keys @param {() => void} action @param {string} [wide] */
      const button = (label, keys, action, wide = '') =>
        element(
          'button',
          { type: 'button', title: `${wide || label} (${keys})`, 'aria-label': wide || label, click: action },
          label,
        );
      this.arrowsButton = button('order', 'h', () => this.toggle('arrows'), 'Show what happens before what');
      this.tableButton = button('table', 't', () => this.toggle('table'), 'Show as a table');
      this.counter = element('span', { class: 'counter' });
      return element(
        'div',
        { class: 'toolbar', role: 'toolbar', 'aria-label': 'Stepping' },
        button('⇈', '[', () => this.go('previousSwitch'), 'Previous switch'),
        button('▲', '↑ or k', () => this.go('previous'), 'Previous step'),
        this.counter,
        button('▼', '↓ or j', () => this.go('next'), 'Next step'),
        button('⇊', ']', () => this.go('nextSwitch'), 'Next switch'),
        button('⇄', 'o', () => this.go('nextOther'), 'Next step of another thread'),
        element('span', { class: 'gap' }),
        ...(this.options.onReorder
          ? [button('⤒', 'm, or drag the step', () => this.moveUp(), 'Could this step come earlier?')]
          : []),
        this.slider(),
        this.arrowsButton,
        this.tableButton,
      );
    }

    heads() {
      const heads = element('div', { class: 'heads', 'aria-hidden': 'true' }, element('span', { class: 'number' }));
      for (const { number, name } of this.trace.threads) {
        heads.append(element('span', { class: `head ${parts.colour(this.trace, number)}` }, name));
      }
      return heads;
    }

    /** @param {any} step */
    row(step) {
      const column = parts.columnOf(this.trace, step.thread);
      const classes = [
        'step',
        parts.colour(this.trace, step.thread),
        step.decisive ? 'decisive' : '',
        model.isPrivate(this.trace, step.index) ? 'private' : '',
      ];
      const cell = element(
        'div',
        { class: 'cell' },
        element('span', { class: 'who' }, this.name(step.thread)),
        element('div', { class: 'action' }, ...this.action(step)),
        element('div', { class: 'action summary' }, step.summary ?? ''),
        element('div', { class: 'where' }, this.link(step), element('code', {}, step.text ?? ''), ...this.fold(step)),
        ...(step.locksHeld.length > 0
          ? [
              element(
                'div',
                { class: 'locks' },
                ...step.locksHeld.map((/** @type {string} */ lock) =>
                  element('span', { class: 'lock', title: `holds ${lock}` }, lock),
                ),
              ),
            ]
          : []),
      );
      cell.style.setProperty('--column', String(column + 2));
      const row = element(
        'div',
        {
          class: classes.filter(Boolean).join(' '),
          role: 'option',
          id: `step-${step.index}`,
          'aria-label': this.sentence(step),
          click: () => this.goTo(step.index),
        },
        element('span', { class: 'number' }, String(step.index + 1)),
        cell,
      );
      row.addEventListener('dblclick', () => this.options.onOpen?.(step.index));
      if (this.options.onReorder) this.makeDraggable(row, step.index);
      return row;
    }

    /** Opens the line to its steps, and folds it again. @param {any} step */
    fold(step) {
      const count = step.row === step.index ? model.stepsOf(this.trace, step.index) : 1;
      if (count < 2) return [];
      const button = element(
        'button',
        { type: 'button', class: 'fold', title: 'The steps of this line' },
        `${count} steps`,
      );
      button.addEventListener('click', (event) => {
        event.stopPropagation();
        if (!this.opened.delete(step.index)) this.opened.add(step.index);
        this.goTo(step.index);
      });
      return [button];
    }

    /** @param {number} detail */
    setDetail(detail) {
      this.state.detail = Math.max(1, Math.min(model.details.length, detail));
      this.opened.clear();
      this.show(true);
    }

    /** Stands the step for its whole line? @param {any} step */
    isFolded(step) {
      return (
        this.state.detail < model.details.length &&
        !this.opened.has(step.row) &&
        !!step.summary &&
        step.summary !== step.action
      );
    }

    /** The action with its value emphasised. @param {any} step */
    action(step) {
      const value = step.valueWritten || step.valueRead;
      const at = value ? step.action.lastIndexOf(` = ${value}`) : -1;
      if (at < 0) return [step.action];
      return [
        step.action.slice(0, at),
        ' = ',
        element('b', { class: step.valueWritten ? 'written' : 'read' }, value),
        step.action.slice(at + 3 + value.length),
      ];
    }

    /** @param {any} step */
    link(step) {
      return element(
        'a',
        {
          href: '#',
          tabindex: '-1',
          title: `${step.file ?? step.uri}:${step.line}:${step.column}`,
          click: () => {
            this.goTo(step.index);
            this.options.onOpen?.(step.index);
          },
        },
        `${baseName(step.file ?? step.uri)}:${step.line}`,
      );
    }

    /** @param {any} step */
    sentence(step) {
      return [
        `step ${step.index + 1} of ${this.trace.steps.length}`,
        this.name(step.thread),
        this.isFolded(step) ? step.summary : step.action,
        `${baseName(step.file ?? step.uri)} line ${step.line}`,
        step.function ? `in ${step.function}` : '',
        step.locksHeld.length > 0 ? `holds ${step.locksHeld.join(' and ')}` : '',
        step.switched ? 'another thread ran before' : '',
        step.decisive ? 'a place of the finding' : '',
        step.readsFrom === undefined ? '' : `reads what step ${step.readsFrom + 1} stored`,
      ]
        .filter(Boolean)
        .join(', ');
    }

    /** @param {KeyboardEvent} event */
    key(event) {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      /** @type {Record<string, () => void>} */
      const actions = {
        ArrowDown: () => this.go('next'),
        j: () => this.go('next'),
        n: () => this.go('next'),
        ArrowUp: () => this.go('previous'),
        k: () => this.go('previous'),
        p: () => this.go('previous'),
        ']': () => this.go('nextSwitch'),
        '[': () => this.go('previousSwitch'),
        o: () => this.go('nextOther'),
        Home: () => this.goTo(0),
        End: () => this.goTo(this.trace.steps.length - 1),
        '+': () => this.setDetail(this.state.detail + 1),
        '-': () => this.setDetail(this.state.detail - 1),
        h: () => this.toggle('arrows'),
        t: () => this.toggle('table'),
        m: () => this.moveUp(),
        Enter: () => this.options.onOpen?.(this.state.current),
      };
      const action = actions[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    }

    /** @param {'next' | 'previous' | 'nextSwitch' | 'previousSwitch' | 'nextOther'} move */
    go(move) {
      this.goTo(model[move](this.trace, this.state.current, this.shown));
    }

    /** @param {number} step */
    goTo(step) {
      this.state.current = model.clamp(this.trace, step);
      this.show(true);
    }

    /** @param {'arrows' | 'table'} what */
    toggle(what) {
      this.state[what] = !this.state[what];
      this.show(true);
      if (what === 'table') (this.state.table ? this.table : this.lanes)?.focus();
    }

    /** @param {boolean} tell */
    show(tell) {
      const { state, trace } = this;
      this.shown = model.visible(trace, state.detail, this.opened);
      state.current = model.nearest(trace, state.current, this.shown);
      const places = model.positions(trace, state.current);
      const standing = new Set(places.map((/** @type {any} */ place) => place.step));
      const before = state.arrows ? model.before(trace, state.current) : new Set();
      this.rows.forEach((row, n) => {
        const switched = this.shown[n] && model.switchedTo(trace, n, this.shown);
        row.toggleAttribute('hidden', !this.shown[n]);
        row.classList.toggle('folded', this.isFolded(trace.steps[n]));
        row.classList.toggle('switched', switched);
        row.setAttribute('data-switch', switched ? `switch to ${this.name(trace.steps[n].thread)}` : '');
        this.table?.querySelector(`#table-${n}`)?.toggleAttribute('hidden', !this.shown[n]);
        row.classList.toggle('current', n === state.current);
        row.classList.toggle('standing', standing.has(n) && n !== state.current);
        row.classList.toggle('later', n > state.current);
        row.classList.toggle('before', before.has(n));
        row.setAttribute('aria-selected', String(n === state.current));
        this.table?.querySelector(`#table-${n}`)?.classList.toggle('current', n === state.current);
      });
      this.lanes?.setAttribute('aria-activedescendant', `step-${state.current}`);
      this.lanes?.toggleAttribute('hidden', state.table);
      this.table?.toggleAttribute('hidden', !state.table);
      this.arrowsButton?.setAttribute('aria-pressed', String(state.arrows));
      this.tableButton?.setAttribute('aria-pressed', String(state.table));
      if (this.detail) this.detail.value = String(state.detail);
      if (this.detailName) this.detailName.textContent = model.details[state.detail - 1];
      const rank = this.shown.slice(0, state.current + 1).filter(Boolean).length;
      if (this.counter) this.counter.textContent = `${rank} / ${this.shown.filter(Boolean).length}`;
      this.values?.replaceChildren(...parts.values(trace, state.current));
      const { sources } = this.options;
      if (sources) this.code?.replaceChildren(...parts.code(trace, state.current, places, sources));
      this.layOut();
      (state.table ? this.table?.querySelector('.current') : this.rows[state.current])?.scrollIntoView({
        block: 'nearest',
      });
      if (!tell) return;
      if (this.live) this.live.textContent = this.sentence(trace.steps[state.current]);
      this.options.onState?.({ ...state });
    }

    layOut() {
      if (!this.lanes || !this.arrows) return;
      const narrow =
        this.lanes.clientWidth > 0 && this.lanes.clientWidth < 40 + laneWidthLeast * this.trace.threads.length;
      this.lanes.classList.toggle('single', narrow);
      const width = this.table?.parentElement?.clientWidth ?? 0;
      this.table?.classList.toggle('stacked', width > 0 && width < tableWidthLeast);
      this.arrows.replaceChildren();
      if (this.state.table) return;
      const { arrows, lanes, rows, shown, trace } = this;
      const draw = (/** @type {number[][]} */ pairs, /** @type {string} */ kind) =>
        parts.drawArrows(arrows, lanes, rows, pairs, this.state.current, kind);
      draw(model.olderReads(trace, shown), 'older');
      if (this.state.arrows) draw(model.arrows(trace, shown), '');
    }
  }

  return {
    /** @param {HTMLElement} root @param {any} trace @param {ViewOptions} [options] */
    mount: (root, trace, options = {}) => new View(root, trace, options),
  };
})();

if (typeof module === 'object') module.exports = heddleView;
