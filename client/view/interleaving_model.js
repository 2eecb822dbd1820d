// What an interleaving's view asks of it: where each thread stands, which step is next, what is ordered before what.
//
// In:      a trace as docs/LSP.md describes it (heddle/trace). Out: step numbers, from 0.
// Owns:    nothing. Fails: never; a step that does not exist is answered with the nearest that does.
// Used by: the view in the HTML report and in the editor's webview, and the editor's extension itself.
// @ts-check
'use strict';

/**
 * @typedef {{ index: number, thread: number, uri: string, file?: string, line: number, column: number,
 *   range?: { start: { line: number, character: number }, end: { line: number, character: number } },
 *   function: string, text: string, action: string, kind: string, object?: string, valueRead?: string,
 *   valueWritten?: string, locksHeld: string[], switched: boolean, decisive: boolean, after: number[],
 *   library?: string, row?: number, detail?: number, summary?: string, caller?: number | null, readsFrom?: number }} Step
 *   row: the step that stands for the line this one belongs to; detail: the least detail that shows it; summary: the line;
 *   readsFrom: of a read of an older value, the step that stored it
 * @typedef {{ id: string, rule: string, message: string, story?: string[], target: string, schedule: string, stale: boolean,
 *   withoutInterleaving: boolean, threads: { number: number, name: string }[], frames?: Frame[], steps: Step[] }} Trace
 * @typedef {{ uri: string, range?: object, function: string, caller: number }} Frame  a call that had not returned: where
 *   the caller stood. A step's `caller` is the number of one, from 1; 0: none; null: not known
 * @typedef {{ thread: number, step: number, done: boolean }} Position  done: false when the thread has not yet begun it
 */

const heddleModel = (() => {
  /** @param {Trace} trace @param {number} index */
  const clamp = (trace, index) => Math.max(0, Math.min(trace.steps.length - 1, Math.trunc(index) || 0));

  /**
   * Where every thread stands when `index` is the current step: at its newest step, or before its first one.
   * @param {Trace} trace @param {number} index @returns {Position[]} in the order of the columns
   */
  function positions(trace, index) {
    const at = clamp(trace, index);
    return trace.threads.flatMap(({ number }) => {
      let step = -1;
      for (const other of trace.steps) {
        if (other.thread === number && (other.index <= at || step < 0)) step = other.index;
      }
      return step < 0 ? [] : [{ thread: number, step, done: step <= at }];
    });
  }

  /**
   * When the current step is a place of the finding: the newest such steps of the other threads.
   * @param {Trace} trace @param {number} index @returns {number[]}
   */
  function otherPlaces(trace, index) {
    const at = clamp(trace, index);
    if (!trace.steps[at]?.decisive) return [];
    return trace.threads.flatMap(({ number }) => {
      const newest = trace.steps.filter((step) => step.thread === number && step.decisive && step.index <= at).at(-1);
      return newest && newest.thread !== trace.steps[at].thread ? [newest.index] : [];
    });
  }

  /** What is shown: the story, lines of the project, every step. */
  const details = ['story', 'lines', 'every step'];

  /**
   * Which steps are shown at this detail (1: the story); of the rows that are `opened` every step.
   * @param {Trace} trace @param {number} detail @param {Set<number>} [opened] @returns {boolean[]}
   */
  const visible = (trace, detail, opened = new Set()) =>
    trace.steps.map((step) => (step.detail ?? 1) <= detail || (step.row !== undefined && opened.has(step.row)));

  /** How many steps a line has. @param {Trace} trace @param {number} row */
  const stepsOf = (trace, row) => trace.steps.filter((step) => step.row === row).length;

  /**
   * The step itself, the one that stands for its line, or the nearest before or behind it that is shown.
   * @param {Trace} trace @param {number} index @param {boolean[]} shown
   */
  function nearest(trace, index, shown) {
    const at = clamp(trace, index);
    const row = trace.steps[at]?.row ?? at;
    if (shown[at]) return at;
    if (shown[row]) return row;
    for (let far = 1; far < shown.length; ++far) {
      for (const n of [at - far, at + far]) if (shown[n]) return n;
    }
    return at;
  }

  /**
   * @param {Trace} trace @param {number} index @param {1 | -1} way @param {(step: Step, before: Step) => boolean} wanted
   * @param {boolean[]} [shown] only of these
   */
  function find(trace, index, way, wanted, shown) {
    const from = clamp(trace, index);
    for (let n = from + way, last = from; n >= 0 && n < trace.steps.length; n += way) {
      if (shown && !shown[n]) continue;
      if (wanted(trace.steps[n], trace.steps[last])) return n;
      last = n;
    }
    return from;
  }

  /**
   * What is ordered, between the steps that are shown: from the last one of its thread up to the step that happens before
   * to the first one of its thread from the later step on.
   * @param {Trace} trace @param {boolean[]} shown @returns {[number, number][]}
   */
  function arrows(trace, shown) {
    /** @type {Map<string, [number, number]>} */
    const found = new Map();
    const seen = trace.steps.filter(({ index }) => shown[index]);
    for (const step of trace.steps) {
      for (const before of step.after) {
        const { thread } = trace.steps[before];
        const from = seen.filter((other) => other.thread === thread && other.index <= before).at(-1);
        const to = seen.find((other) => other.thread === step.thread && other.index >= step.index);
        if (from && to) found.set(`${from.index} ${to.index}`, [from.index, to.index]);
      }
    }
    return [...found.values()];
  }

  /**
   * Reads of a value that is not the newest: from the store to the read, or to the steps that stand for their lines. A
   * line that is not shown has no arrow.
   * @param {Trace} trace @param {boolean[]} shown @returns {[number, number][]}
   */
  function olderReads(trace, shown) {
    /** @type {Map<string, [number, number]>} */
    const found = new Map();
    /** @param {number} n */
    const standing = (n) => (shown[n] ? n : (trace.steps[n]?.row ?? n));
    for (const { index, readsFrom } of trace.steps) {
      if (readsFrom === undefined) continue;
      const [from, to] = [standing(readsFrom), standing(index)];
      if (shown[from] && shown[to] && from !== to) found.set(`${from} ${to}`, [from, to]);
    }
    return [...found.values()];
  }

  /** Does another thread run before this step, among those that are shown? @param {Trace} trace @param {number} index @param {boolean[]} shown */
  function switchedTo(trace, index, shown) {
    const before = find(trace, index, -1, () => true, shown);
    return before < index && trace.steps[before].thread !== trace.steps[index].thread;
  }

  /** @param {Trace} trace @param {number} index */
  const threadAt = (trace, index) => trace.steps[clamp(trace, index)]?.thread;

  /** All steps that happen before the given one. @param {Trace} trace @param {number} index */
  function before(trace, index) {
    /** @type {Set<number>} */
    const seen = new Set();
    const work = [clamp(trace, index)];
    while (work.length > 0) {
      const step = trace.steps[/** @type {number} */ (work.pop())];
      if (!step) continue;
      const own = find(trace, step.index, -1, (other) => other.thread === step.thread);
      for (const other of [...step.after, ...(own < step.index ? [own] : [])]) {
        if (!seen.has(other)) {
          seen.add(other);
          work.push(other);
        }
      }
    }
    return seen;
  }

  /** A read to which weaker memory gives another value than the newest. @param {Step} step */
  const findsOlder = (step) => step.readsFrom !== undefined || !!step.action?.endsWith('not the value stored last');

  /**
   * All temporaries have one name; a captured reference has that of what it refers to, and its value says nothing.
   * @param {string} object @param {string} value
   */
  const isNoVariable = (object, value) => object.startsWith('a temporary') || value === `&${object}`;

  /**
   * What the library has for itself (what a thread is made of, a guard's pointer to its mutex) is no variable of the user.
   * @param {Step} step
   */
  const isOfLibrary = (step) => !!step.library && (step.detail ?? 1) === details.length;

  /**
   * What the steps up to the current one show of the shared state: the newest value of each object, and who holds what.
   * @param {Trace} trace @param {number} index
   */
  function stateAt(trace, index) {
    /** @type {Map<string, { value: string, thread: number, step: number, written: boolean }>} */
    const values = new Map();
    /** @type {Map<number, string[]>} */
    const locks = new Map();
    const ofUser = new Set(trace.steps.filter((step) => !isOfLibrary(step)).map(({ object }) => object));
    for (const step of trace.steps.slice(0, clamp(trace, index) + 1)) {
      locks.set(step.thread, step.locksHeld);
      const value = step.valueWritten || step.valueRead;
      if (!step.object || !value || !ofUser.has(step.object) || isNoVariable(step.object, value)) continue;
      const written = !!step.valueWritten;
      const old = values.get(step.object);
      if (!written && (old?.value === value || (old && findsOlder(step)))) continue;
      values.set(step.object, { value, thread: step.thread, step: step.index, written });
    }
    return { values, locks };
  }

  /** The calls that a step runs in, the innermost first. @param {Trace} trace @param {number} index @returns {Frame[]} */
  function callers(trace, index) {
    /** @type {Frame[]} */
    const found = [];
    for (let at = trace.steps[clamp(trace, index)]?.caller ?? 0; at > 0; ) {
      const frame = trace.frames?.[at - 1];
      if (!frame) break;
      found.push(frame);
      at = frame.caller;
    }
    return found;
  }

  /** The function of a call and its callers, for comparing. @param {Trace} trace @param {number} index @param {number} level */
  function callAt(trace, index, level) {
    const step = trace.steps[index];
    if (level === 0) return step.caller === null ? undefined : `${step.function} ${step.caller ?? 0}`;
    const frame = callers(trace, index)[level - 1];
    return frame && `${frame.function} ${frame.caller}`;
  }

  /**
   * What a thread has read and written up to the current step in the call at this level of its stack, and in what it
   * called from there.
   * @param {Trace} trace @param {number} index @param {number} thread @param {number} level
   */
  function touchedIn(trace, index, thread, level) {
    /** @type {Map<string, { value: string, thread: number, step: number, written: boolean }>} */
    const values = new Map();
    const mine = trace.steps.filter((step) => step.thread === thread && step.index <= clamp(trace, index));
    const call = mine.length > 0 ? callAt(trace, mine[mine.length - 1].index, level) : undefined;
    for (let n = mine.length; call !== undefined && n-- > 0; ) {
      const step = mine[n];
      const depth = callers(trace, step.index).length;
      const inside = Array.from({ length: depth + 1 }, (_, at) => callAt(trace, step.index, at)).includes(call);
      if (!inside) break; // an earlier call of the same place is another one
      const value = step.valueWritten || step.valueRead;
      if (step.object && value && !values.has(step.object))
        values.set(step.object, { value, thread, step: step.index, written: !!step.valueWritten });
    }
    return values;
  }

  const manySteps = 20;

  /**
   * In a long trace: a step on what no other thread of it touches (all temporaries have one name). It explains little
   * and is drawn small.
   * @param {Trace} trace @param {number} index
   */
  function isPrivate(trace, index) {
    const { object, thread, decisive } = trace.steps[index];
    return (
      trace.steps.length > manySteps &&
      !!object &&
      !decisive &&
      (object.startsWith('a temporary') ||
        !trace.steps.some((other) => other.object === object && other.thread !== thread))
    );
  }

  return {
    isPrivate,
    clamp,
    details,
    visible,
    stepsOf,
    nearest,
    switchedTo,
    arrows,
    olderReads,
    positions,
    otherPlaces,
    before,
    stateAt,
    callers,
    touchedIn,
    // Moves, among the steps that are shown.
    /** @param {Trace} trace @param {number} index @param {boolean[]} [shown] */
    next: (trace, index, shown) => find(trace, index, 1, () => true, shown),
    /** @param {Trace} trace @param {number} index @param {boolean[]} [shown] */
    previous: (trace, index, shown) => find(trace, index, -1, () => true, shown),
    /** @param {Trace} trace @param {number} index @param {boolean[]} [shown] */
    nextSwitch: (trace, index, shown) => find(trace, index, 1, (step, before) => step.thread !== before.thread, shown),
    /** @param {Trace} trace @param {number} index @param {boolean[]} [shown] */
    previousSwitch: (trace, index, shown) =>
      find(trace, index, -1, (step) => (shown ? switchedTo(trace, step.index, shown) : step.switched), shown),
    /** The next step of another thread. @param {Trace} trace @param {number} index @param {boolean[]} [shown] */
    nextOther: (trace, index, shown) => find(trace, index, 1, (step) => step.thread !== threadAt(trace, index), shown),
    /** Where a debugger stops: the next place of the finding or step that `wanted` names, else the end on that way.
     * @param {Trace} trace @param {number} index @param {1 | -1} way @param {(step: number) => boolean} wanted */
    nextStop: (trace, index, way, wanted) => {
      const last = way > 0 ? trace.steps.length - 1 : 0;
      let at = index;
      while (at !== last) {
        at += way;
        if (trace.steps[at].decisive || wanted(at)) break;
      }
      return at;
    },
    /** Where to begin: the first place of the finding. @param {Trace} trace */
    first: (trace) =>
      Math.max(
        0,
        trace.steps.findIndex((step) => step.decisive),
      ),
    /** Neither happens before the other. @param {Trace} trace @param {number} a @param {number} b */
    unordered: (trace, a, b) => a !== b && !before(trace, a).has(b) && !before(trace, b).has(a),
  };
})();

if (typeof module === 'object') module.exports = heddleModel;
