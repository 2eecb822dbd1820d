// The parts of the interleaving's view that show something and keep nothing: the finding's head, the table, the values
// after a step, the code of each thread, arrows.
//
// In:      a trace (heddle/trace of docs/LSP.md), the current step. Out: elements; `drawArrows` draws into what it is given.
// Owns:    nothing.
// Fails:   never; text of the user's program is only ever put in as text.
// @ts-check
'use strict';

/** @typedef {{ first: number, lines: string[] }} Excerpt  lines of a source file from number `first` */
/** @typedef {{ thread: number, step: number, done: boolean }} Place  the step at which a thread stands */

const heddleParts = (() => {
  const model = heddleModel;
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

  /** Names of the program between backticks. @param {string} line */
  const words = (line) => line.split('`').map((part, n) => (n % 2 === 1 ? element('code', {}, part) : part));

  /** @param {any} trace @param {number} thread */
  const columnOf = (trace, thread) => trace.threads.findIndex((/** @type {any} */ entry) => entry.number === thread);

  /** @param {any} trace @param {number} thread */
  const colour = (trace, thread) => `thread-${columnOf(trace, thread) % 6}`;

  /** @param {any} trace @param {number} thread @returns {string} */
  const threadName = (trace, thread) => trace.threads[columnOf(trace, thread)]?.name ?? '';

  /** What the finding is, and its story. @param {any} trace */
  function header(trace) {
    const switches = trace.steps.filter((/** @type {any} */ step) => step.switched).length;
    const facts = [
      trace.rule ? `finding ${trace.id}` : `from finding ${trace.id}`,
      ...(trace.target ? [baseName(trace.target)] : []),
      `${trace.steps.length} steps`,
      trace.withoutInterleaving
        ? 'needs no thread to be interrupted'
        : `${switches} ${switches === 1 ? 'switch' : 'switches'}`,
    ];
    const story = (trace.story ?? []).map((/** @type {string} */ line) => element('li', {}, ...words(line)));
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
      ...(story.length > 0 ? [element('ol', { class: 'story' }, ...story)] : []),
    );
  }

  /**
   * The steps as a table. choose: a row was clicked. link: makes the link to a step's place.
   * @param {any} trace @param {(step: number) => void} choose @param {(step: any) => Node} link
   */
  function table(trace, choose, link) {
    const heads = ['Step', 'Thread', 'Action', 'Place', 'Locks held', 'After steps', 'Note'];
    const rows = trace.steps.map((/** @type {any} */ step) => {
      /** @type {(Node | string)[]} */
      const cells = [
        threadName(trace, step.thread),
        step.action,
        link(step),
        step.locksHeld.join(', '),
        step.after.map((/** @type {number} */ n) => n + 1).join(', '),
        [
          step.switched ? 'switch' : '',
          step.decisive ? 'place of the finding' : '',
          step.readsFrom === undefined ? '' : `reads what step ${step.readsFrom + 1} stored`,
        ]
          .filter(Boolean)
          .join(', '),
      ];
      return element(
        'tr',
        { id: `table-${step.index}`, role: 'row', click: () => choose(step.index) },
        element('th', { scope: 'row', role: 'rowheader' }, String(step.index + 1)),
        ...cells.map((cell, n) =>
          element('td', { role: 'cell', 'data-head': heads[n + 1] }, ...(cell === '' ? [] : [cell])),
        ),
      );
    });
    const columns = heads.map((head) => element('th', { scope: 'col', role: 'columnheader' }, head));
    return element(
      'table',
      // The roles stay where a narrow view lays the rows out as blocks.
      { tabindex: '0', role: 'table' },
      element('caption', {}, trace.message),
      element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, ...columns)),
      element('tbody', { role: 'rowgroup' }, ...rows),
    );
  }

  /** The values and locks after the current step. @param {any} trace @param {number} current */
  function values(trace, current) {
    const state = model.stateAt(trace, current);
    const chips = [...state.values]
      .filter(([, { step }]) => step === current || !model.isPrivate(trace, step))
      .map(([object, { value, thread, step, written }]) =>
        element(
          'span',
          {
            class: `value ${colour(trace, thread)}${step === current ? ' fresh' : ''}`,
            title: `${written ? 'written' : 'read'} by ${threadName(trace, thread)} in step ${step + 1}`,
          },
          object,
          ' = ',
          element('b', {}, value),
        ),
      );
    const held = [...state.locks].flatMap(([thread, names]) =>
      names.map((/** @type {string} */ lock) =>
        element(
          'span',
          { class: `value held ${colour(trace, thread)}`, title: `held by ${threadName(trace, thread)}` },
          element('span', { class: 'lock' }, lock),
          ` ${threadName(trace, thread)}`,
        ),
      ),
    );
    const nothing = element('span', { class: 'none' }, 'no shared value read or written yet');
    return [
      element('h3', {}, `After step ${current + 1}`),
      ...orderNote(trace, current),
      ...chips,
      ...held,
      ...(chips.length + held.length === 0 ? [nothing] : []),
    ];
  }

  /** What makes a race a race. @param {any} trace @param {number} current */
  function orderNote(trace, current) {
    const step = trace.steps[current];
    if (trace.rule !== 'data-race' || !step.decisive) return [];
    const other = trace.steps.find(
      (/** @type {any} */ entry) =>
        entry.decisive && entry.thread !== step.thread && model.unordered(trace, entry.index, current),
    );
    if (!other) return [];
    return [element('p', { class: 'order' }, `Nothing orders step ${other.index + 1} and step ${current + 1}.`)];
  }

  /**
   * The lines at which the threads stand.
   * @param {any} trace @param {number} current @param {Place[]} places @param {Record<string, Excerpt[]>} sources
   */
  function code(trace, current, places, sources) {
    return places.flatMap(({ thread, step, done }) => {
      const { uri, line, file } = trace.steps[step];
      const excerpt = sources[uri]?.find((part) => part.first <= line && line < part.first + part.lines.length);
      if (!excerpt) return [];
      const begin = Math.max(excerpt.first, line - excerptLines);
      const lines = excerpt.lines.slice(begin - excerpt.first, line + excerptLines + 1 - excerpt.first);
      const now = thread === trace.steps[current].thread ? ' now' : '';
      const place = ` ${done ? 'at' : 'will begin at'} ${baseName(file ?? uri)}:${line}`;
      const rows = lines.map((text, n) =>
        element(
          'div',
          { class: begin + n === line ? 'line here' : 'line' },
          element('span', { class: 'number' }, String(begin + n)),
          text || ' ',
        ),
      );
      const caption = element('figcaption', {}, element('b', {}, threadName(trace, thread)), place);
      return [element('figure', { class: colour(trace, thread) + now }, caption, element('pre', {}, ...rows))];
    });
  }

  /**
   * Arrows between the steps of `pairs`, in the coordinates of `lanes`, whose rows are `rows`.
   * @param {SVGElement} svg @param {HTMLElement} lanes @param {HTMLElement[]} rows @param {number[][]} pairs
   * @param {number} current @param {string} [kind] a class of all of them
   */
  function drawArrows(svg, lanes, rows, pairs, current, kind = '') {
    const origin = lanes.getBoundingClientRect();
    /** @param {number} n */
    const box = (n) => {
      const rect = /** @type {HTMLElement} */ (rows[n].querySelector('.cell')).getBoundingClientRect();
      return {
        left: rect.left - origin.left + lanes.scrollLeft,
        right: rect.right - origin.left + lanes.scrollLeft,
        middle: (rect.top + rect.bottom) / 2 - origin.top + lanes.scrollTop,
      };
    };
    svg.style.height = `${lanes.scrollHeight}px`;
    for (const [from, to] of pairs) {
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
      const near = to === current || from === current;
      path.setAttribute('class', [kind, near ? 'near' : ''].filter(Boolean).join(' '));
      const head = document.createElementNS('http://www.w3.org/2000/svg', 'path');
      const way = single || rightwards ? -1 : 1;
      head.setAttribute('d', `M${x2},${b.middle} l${way * 7},-4 v8 z`);
      head.setAttribute('class', ['point', kind, near ? 'near' : ''].filter(Boolean).join(' '));
      svg.append(path, head);
    }
  }

  return { element, baseName, words, colour, columnOf, threadName, header, table, values, code, drawArrows };
})();

if (typeof module === 'object') module.exports = heddleParts;
