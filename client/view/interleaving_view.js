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
 * @typedef {{ first: number, lines: string[] }} Excerpt  lines of a source file from number `first`
 * @typedef {{ state?: Partial<ViewState>, onState?: (state: ViewState) => void,
 *   onOpen?: (step: number) => void, onReorder?: (step: number, before: number) => void, onBack?: () => void,
 *   note?: Note, sources?: Record<string, Excerpt[]> }} ViewOptions
 *   onOpen: the user wants to see the code of a step. onReorder: the user has moved a step before another one. onBack: the
 *   recorded order is wanted again. sources: the view shows the code itself
 * @typedef {{ possible: boolean, text: string, error?: boolean, back?: boolean }} Note  what was answered about an order
 */

const heddleView = (() => {
  const model = heddleModel;
  const tableWidthLeast = 640; // below, a row of the table is a block
  const laneWidthLeast = 150;
  const excerptLines = 4; // around a thread's line

  /**
   * @param {string} name @param {Record<string, string | boolean | undefined | (() => void)>} [attributes]
   * @param {...(Node | string)} children
   */
  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (typeof value === 'function') made.addEventListener(key, value);
      else if (value === true) made.setAttribute(key, '');
      else if (value !== false && value !== undefined) made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  }

  /** @param {string} path */
  const baseName = (path) => decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));

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
      this.names = new Map(trace.threads.map((/** @type {any} */ thread) => [thread.number, thread.name]));
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
    colour(thread) {
      const column = this.trace.threads.findIndex((/** @type {any} */ entry) => entry.number === thread);
      return `thread-${column % 6}`;
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
      this.table = this.makeTable();
      this.values = element('div', { class: 'values' });
      this.code = element('div', { class: 'code' });
      this.live = element('div', { class: 'unseen', 'aria-live': 'polite' });
      this.note = element('div', { class: 'note', role: 'status', hidden: true });
      const side = element('div', { class: 'side' }, this.values, ...(this.options.sources ? [this.code] : []));
      this.root.classList.add('interleaving');
      this.root.replaceChildren(
        this.header(),
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
      this.note.replaceChildren(...this.words(text), ...button);
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

    header() {
      const { trace } = this;
      const switches = trace.steps.filter((/** @type {any} */ step) => step.switched).length;
      const facts = [
        trace.rule ? `finding ${trace.id}` : `from finding ${trace.id}`,
        ...(trace.target ? [baseName(trace.target)] : []),
        `${trace.steps.length} steps`,
        trace.withoutInterleaving
          ? 'needs no thread to be interrupted'
          : `${switches} ${switches === 1 ? 'switch' : 'switches'}`,
      ];
      return element(
        'header',
        {},
        element(
          'h2',
          {},
          ...(trace.rule ? [element('span', { class: 'rule' }, trace.rule), ' '] : []),
          trace.message.startsWith(`${trace.rule}: `) ? trace.message.slice(trace.rule.length + 2) : trace.message,
        ),
        element(
          'p',
          { class: 'facts' },
          facts.join(' · '),
          ...(trace.stale ? [element('span', { class: 'stale' }, 'the code has changed since')] : []),
        ),
        ...(trace.story?.length
          ? [
              element(
                'ol',
                { class: 'story' },
                ...trace.story.map((/** @type {string} */ line) => element('li', {}, ...this.words(line))),
              ),
            ]
          : []),
      );
    }

    /** Names of the program between backticks. @param {string} line */
    words(line) {
      return line.split('`').map((part, n) => (n % 2 === 1 ? element('code', {}, part) : part));
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
        heads.append(element('span', { class: `head ${this.colour(number)}` }, name));
      }
      return heads;
    }

    /** @param {any} step */
    row(step) {
      const column = this.trace.threads.findIndex((/** @type {any} */ thread) => thread.number === step.thread);
      const classes = [
        'step',
        this.colour(step.thread),
        step.decisive ? 'decisive' : '',
        model.isPrivate(this.trace, step.index) ? 'private' : '',
      ];
      const cell = element(
        'div',
        { class: 'cell' },
        element('span', { class: 'who' }, this.names.get(step.thread) ?? ''),
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
        this.names.get(step.thread),
        this.isFolded(step) ? step.summary : step.action,
        `${baseName(step.file ?? step.uri)} line ${step.line}`,
        step.function ? `in ${step.function}` : '',
        step.locksHeld.length > 0 ? `holds ${step.locksHeld.join(' and ')}` : '',
        step.switched ? 'another thread ran before' : '',
        step.decisive ? 'a place of the finding' : '',
      ]
        .filter(Boolean)
        .join(', ');
    }

    makeTable() {
      const heads = ['Step', 'Thread', 'Action', 'Place', 'Locks held', 'After steps', 'Note'];
      const rows = this.trace.steps.map((/** @type {any} */ step) =>
        element(
          'tr',
          { id: `table-${step.index}`, role: 'row', click: () => this.goTo(step.index) },
          element('th', { scope: 'row', role: 'rowheader' }, String(step.index + 1)),
          ...[
            this.names.get(step.thread) ?? '',
            step.action,
            '',
            step.locksHeld.join(', '),
            step.after.map((/** @type {number} */ n) => n + 1).join(', '),
            [step.switched ? 'switch' : '', step.decisive ? 'place of the finding' : ''].filter(Boolean).join(', '),
          ].map((text, n) =>
            element(
              'td',
              { role: 'cell', 'data-head': heads[n + 1] },
              ...(n === 2 ? [this.link(step)] : text ? [text] : []),
            ),
          ),
        ),
      );
      return element(
        'table',
        // The roles stay where a narrow view lays the rows out as blocks.
        { tabindex: '0', role: 'table' },
        element('caption', {}, this.trace.message),
        element(
          'thead',
          { role: 'rowgroup' },
          element(
            'tr',
            { role: 'row' },
            ...heads.map((head) => element('th', { scope: 'col', role: 'columnheader' }, head)),
          ),
        ),
        element('tbody', { role: 'rowgroup' }, ...rows),
      );
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
        row.setAttribute('data-switch', switched ? `switch to ${this.names.get(trace.steps[n].thread)}` : '');
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
      this.showValues();
      if (this.options.sources) this.showCode(places);
      this.layOut();
      (state.table ? this.table?.querySelector('.current') : this.rows[state.current])?.scrollIntoView({
        block: 'nearest',
      });
      if (!tell) return;
      if (this.live) this.live.textContent = this.sentence(trace.steps[state.current]);
      this.options.onState?.({ ...state });
    }

    showValues() {
      const { values, locks } = model.stateAt(this.trace, this.state.current);
      const chips = [...values]
        .filter(([, { step }]) => step === this.state.current || !model.isPrivate(this.trace, step))
        .map(([object, { value, thread, step, written }]) => {
          const fresh = step === this.state.current ? ' fresh' : '';
          return element(
            'span',
            {
              class: `value ${this.colour(thread)}${fresh}`,
              title: `${written ? 'written' : 'read'} by ${this.names.get(thread)} in step ${step + 1}`,
            },
            object,
            ' = ',
            element('b', {}, value),
          );
        });
      const held = [...locks].flatMap(([thread, names]) =>
        names.map((/** @type {string} */ lock) =>
          element(
            'span',
            { class: `value held ${this.colour(thread)}`, title: `held by ${this.names.get(thread)}` },
            element('span', { class: 'lock' }, lock),
            ` ${this.names.get(thread)}`,
          ),
        ),
      );
      this.values?.replaceChildren(
        element('h3', {}, `After step ${this.state.current + 1}`),
        ...this.orderNote(),
        ...chips,
        ...held,
        ...(chips.length + held.length === 0
          ? [element('span', { class: 'none' }, 'no shared value read or written yet')]
          : []),
      );
    }

    /** What makes a race a race. */
    orderNote() {
      if (this.trace.rule !== 'data-race' || !this.trace.steps[this.state.current].decisive) return [];
      const other = this.trace.steps.find(
        (/** @type {any} */ step) =>
          step.decisive &&
          step.thread !== this.trace.steps[this.state.current].thread &&
          model.unordered(this.trace, step.index, this.state.current),
      );
      return other
        ? [
            element(
              'p',
              { class: 'order' },
              `Nothing orders step ${other.index + 1} and step ${this.state.current + 1}.`,
            ),
          ]
        : [];
    }

    /** The lines at which the threads stand. @param {{ thread: number, step: number, done: boolean }[]} places */
    showCode(places) {
      this.code?.replaceChildren(
        ...places.flatMap(({ thread, step, done }) => {
          const { uri, line, file } = this.trace.steps[step];
          const excerpt = this.options.sources?.[uri]?.find(
            (part) => part.first <= line && line < part.first + part.lines.length,
          );
          if (!excerpt) return [];
          const begin = Math.max(excerpt.first, line - excerptLines);
          const lines = excerpt.lines.slice(begin - excerpt.first, line + excerptLines + 1 - excerpt.first);
          const now = thread === this.trace.steps[this.state.current].thread ? ' now' : '';
          return [
            element(
              'figure',
              { class: this.colour(thread) + now },
              element(
                'figcaption',
                {},
                element('b', {}, this.names.get(thread)),
                ` ${done ? 'at' : 'will begin at'} ${baseName(file ?? uri)}:${line}`,
              ),
              element(
                'pre',
                {},
                ...lines.map((text, n) =>
                  element(
                    'div',
                    { class: begin + n === line ? 'line here' : 'line' },
                    element('span', { class: 'number' }, String(begin + n)),
                    text || ' ',
                  ),
                ),
              ),
            ),
          ];
        }),
      );
    }

    layOut() {
      if (!this.lanes || !this.arrows) return;
      const narrow =
        this.lanes.clientWidth > 0 && this.lanes.clientWidth < 40 + laneWidthLeast * this.trace.threads.length;
      this.lanes.classList.toggle('single', narrow);
      const width = this.table?.parentElement?.clientWidth ?? 0;
      this.table?.classList.toggle('stacked', width > 0 && width < tableWidthLeast);
      this.drawArrows();
    }

    drawArrows() {
      const svg = /** @type {SVGSVGElement} */ (this.arrows);
      svg.replaceChildren();
      if (!this.state.arrows || this.state.table) return;
      const origin = /** @type {HTMLElement} */ (this.lanes).getBoundingClientRect();
      const scroll = /** @type {HTMLElement} */ (this.lanes);
      /** @param {number} n */
      const box = (n) => {
        const rect = /** @type {HTMLElement} */ (this.rows[n].querySelector('.cell')).getBoundingClientRect();
        return {
          left: rect.left - origin.left + scroll.scrollLeft,
          right: rect.right - origin.left + scroll.scrollLeft,
          middle: (rect.top + rect.bottom) / 2 - origin.top + scroll.scrollTop,
        };
      };
      svg.style.height = `${scroll.scrollHeight}px`;
      for (const [from, to] of model.arrows(this.trace, this.shown)) {
        const a = box(from),
          b = box(to);
        const rightwards = a.right <= b.left;
        const single = Math.abs(a.left - b.left) < 1;
        const x1 = single || !rightwards ? a.left : a.right,
          x2 = single || rightwards ? b.left : b.right;
        const bend = single ? -18 : 0;
        const middle = single ? x1 + bend : (x1 + x2) / 2;
        const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
        path.setAttribute('d', `M${x1},${a.middle} C${middle},${a.middle} ${middle},${b.middle} ${x2},${b.middle}`);
        const near = to === this.state.current || from === this.state.current;
        path.setAttribute('class', near ? 'near' : '');
        const head = document.createElementNS('http://www.w3.org/2000/svg', 'path');
        const way = single || rightwards ? -1 : 1;
        head.setAttribute('d', `M${x2},${b.middle} l${way * 7},-4 v8 z`);
        head.setAttribute('class', near ? 'point near' : 'point');
        svg.append(path, head);
      }
    }
  }

  return {
    /** @param {HTMLElement} root @param {any} trace @param {ViewOptions} [options] */
    mount: (root, trace, options = {}) => new View(root, trace, options),
  };
})();

if (typeof module === 'object') module.exports = heddleView;
