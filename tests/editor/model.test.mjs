// The interleaving's model on random traces, against definitions written down another way.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { repository } from './support.mjs';

const model = createRequire(import.meta.url)(path.join(repository, 'client/view/interleaving_model.js'));

function generator(seed) {
  // xorshift
  let state = seed || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

function randomTrace(random) {
  const threads = 1 + random(4),
    steps = [],
    lonely = random(2);
  for (let index = 0, count = 1 + random(25); index < count; index++) {
    const thread = 10 * random(threads);
    const after = steps.filter((step) => step.thread !== thread && random(6) === 0).map((step) => step.index);
    steps.push({
      index,
      thread,
      after,
      switched: index > 0 && steps[index - 1].thread !== thread,
      decisive: random(4) === 0,
      locksHeld: [],
      object: random(2) && (thread === 0 || !lonely) ? 'x' : undefined,
      valueRead: random(3) ? undefined : String(random(9)),
      valueWritten: random(3) ? undefined : String(random(9)),
    });
  }
  const present = [...new Set(steps.map((step) => step.thread))];
  return { steps, threads: present.map((number) => ({ number, name: `t${number}` })) };
}

// Reachability by Warshall.
function closure({ steps }) {
  const reach = steps.map(() => new Set());
  for (const step of steps) {
    for (const from of [
      ...step.after,
      ...steps.filter((other) => other.thread === step.thread && other.index < step.index).map((other) => other.index),
    ]) {
      reach[step.index].add(from);
      for (const further of reach[from]) reach[step.index].add(further);
    }
  }
  return reach;
}

test('what the library has for itself is no value of the user', () => {
  const read = { after: [], locksHeld: [], switched: false, decisive: false, thread: 0 };
  const inside = { ...read, library: 'std::thread::thread', detail: 3 };
  const steps = [
    { ...inside, index: 0, object: 'saver', valueWritten: '3' },
    { ...inside, index: 1, object: 'items', valueWritten: '1' },
    { ...read, index: 2, object: 'items', valueRead: '1', detail: 2 },
    { ...read, index: 3, object: 'hits', valueWritten: '2', library: 'std::atomic<int>::store', detail: 1 },
  ];
  assert.deepEqual([...model.stateAt({ threads: [], steps }, 3).values.keys()], ['items', 'hits']);
});

test('what has no name of its own is no value: temporaries, and references that a lambda captured', () => {
  const step = (object, valueRead, index) => ({ index, thread: 0, object, valueRead, locksHeld: [], after: [] });
  const steps = [step('a temporary', '0', 0), step('counter', '1', 1), step('counter', '&counter', 2)];
  const { values } = model.stateAt({ threads: [], steps }, 2);
  assert.deepEqual([...values.keys()], ['counter']);
  assert.equal(values.get('counter').value, '1');
});

test('order, positions, moves and values on random traces', () => {
  const seed = Date.now() & 0x7fffffff;
  const random = generator(seed);
  for (let run = 0; run < 100; run++) {
    const trace = randomTrace(random),
      { steps } = trace,
      reach = closure(trace);
    const say = (what, at) => `${what} at ${at}, seed ${seed}, run ${run}: ${JSON.stringify(trace)}`;
    for (let at = 0; at < steps.length; at++) {
      assert.deepEqual(
        [...model.before(trace, at)].sort((a, b) => a - b),
        [...reach[at]].sort((a, b) => a - b),
        say('before', at),
      );
      for (const { index } of steps)
        assert.equal(
          model.unordered(trace, at, index),
          at !== index && !reach[at].has(index) && !reach[index].has(at),
          say('unordered', at),
        );
      for (const { thread, step, done } of model.positions(trace, at)) {
        const own = steps.filter((other) => other.thread === thread),
          past = own.filter((other) => other.index <= at);
        assert.deepEqual(
          [step, done],
          past.length > 0 ? [past.at(-1).index, true] : [own[0].index, false],
          say('positions', at),
        );
      }
      assert.deepEqual(
        new Set(model.positions(trace, at).map(({ thread }) => thread)),
        new Set(steps.map(({ thread }) => thread)),
      );
      const later = steps.slice(at + 1),
        earlier = steps.slice(0, at).reverse(),
        or = (found) => found?.index ?? at;
      assert.equal(model.nextSwitch(trace, at), or(later.find((step) => step.switched)), say('next switch', at));
      assert.equal(
        model.previousSwitch(trace, at),
        or(earlier.find((step) => step.switched)),
        say('previous switch', at),
      );
      assert.equal(
        model.nextOther(trace, at),
        or(later.find((step) => step.thread !== steps[at].thread)),
        say('next other', at),
      );
      const marked = random(steps.length);
      const stops = (step) => step.decisive || step.index === marked;
      assert.equal(
        model.nextStop(trace, at, 1, (step) => step === marked),
        (later.find(stops) ?? later.at(-1))?.index ?? at,
        say('next stop', at),
      );
      assert.equal(
        model.nextStop(trace, at, -1, (step) => step === marked),
        (earlier.find(stops) ?? earlier.at(-1))?.index ?? at,
        say('stop before', at),
      );
      const others = steps[at].decisive
        ? trace.threads
            .map(({ number }) =>
              steps.filter((step) => step.decisive && step.thread === number && step.index <= at).at(-1),
            )
            .filter((step) => step && step.thread !== steps[at].thread)
            .map((step) => step.index)
        : [];
      assert.deepEqual(model.otherPlaces(trace, at), others, say('other places', at));
      const seen = steps.slice(0, at + 1).filter((step) => step.object && (step.valueRead || step.valueWritten));
      assert.equal(
        model.stateAt(trace, at).values.get('x')?.value,
        seen.at(-1) && (seen.at(-1).valueWritten || seen.at(-1).valueRead),
        say('value', at),
      );
    }
    const users = new Set(steps.filter((step) => step.object === 'x').map(({ thread }) => thread));
    for (const { index, object, decisive } of steps) {
      assert.equal(
        model.isPrivate(trace, index),
        steps.length > 20 && object === 'x' && !decisive && users.size === 1,
        say('private', index),
      );
    }
    // Moves among the steps that are shown are moves in a trace of these alone.
    const shown = steps.map(() => random(3) > 0);
    const kept = steps.filter(({ index }) => shown[index]);
    const alone = { ...trace, steps: kept.map((step, index) => ({ ...step, index, after: [] })) };
    kept.forEach(({ index }, at) => {
      for (const move of ['next', 'previous', 'nextOther', 'nextSwitch'])
        assert.equal(model[move](trace, index, shown), kept[model[move](alone, at)].index, say(move, index));
      assert.equal(model.nearest(trace, index, shown), index);
    });
    // Each arrow is an order; with every step shown they are the steps' own.
    for (const [from, to] of model.arrows(trace, shown))
      assert.ok(shown[from] && shown[to] && reach[to].has(from), say(`arrow ${from}`, to));
    assert.deepEqual(
      model
        .arrows(
          trace,
          steps.map(() => true),
        )
        .map(String)
        .sort(),
      steps.flatMap(({ index, after }) => after.map((from) => `${from},${index}`)).sort(),
    );
    // What weaker memory lets a read find is not the newest value.
    const stored = steps.findLastIndex((step) => step.object === 'x' && step.valueWritten);
    if (stored >= 0) {
      const read = { thread: 0, object: 'x', valueRead: 'older', locksHeld: [], after: [] };
      const marks = [{ readsFrom: 0 }, { action: 'read x = older, its first value, not the value stored last' }];
      for (const mark of marks) {
        const added = { ...trace, steps: [...steps.slice(0, stored + 1), { ...read, ...mark, index: stored + 1 }] };
        const { value } = model.stateAt(added, stored + 1).values.get('x');
        assert.equal(value, steps[stored].valueWritten, say('older', stored));
      }
    }
    // An older read has an arrow from the store, or from the steps that stand for their lines, where these are shown.
    const lined = steps.map((step) => ({
      ...step,
      row: random(3) ? step.index : random(steps.length),
      readsFrom: step.index > 0 && random(3) === 0 ? random(step.index) : undefined,
    }));
    const stands = (n) => (shown[n] ? n : lined[n].row);
    const wanted = lined
      .filter(({ readsFrom }) => readsFrom !== undefined)
      .map(({ index, readsFrom }) => [stands(readsFrom), stands(index)])
      .filter(([from, to]) => shown[from] && shown[to] && from !== to);
    assert.deepEqual(
      new Set(model.olderReads({ ...trace, steps: lined }, shown).map(String)),
      new Set(wanted.map(String)),
    );
    for (const { index } of steps) if (kept.length > 0) assert.ok(shown[model.nearest(trace, index, shown)]);
    assert.equal(model.next(trace, steps.length - 1), steps.length - 1);
    assert.equal(model.previous(trace, 0), 0);
    assert.equal(model.clamp(trace, NaN), 0);
  }
});

test('the calls of a step, and what one call touched', () => {
  // work() calls twice(), which calls touch() from two places; main has no callers.
  const frames = [
    { uri: 'a', function: 'work', caller: 0 }, // 1: in work, the call of twice
    { uri: 'a', function: 'twice', caller: 1 }, // 2: in twice, the first call of touch
    { uri: 'a', function: 'twice', caller: 1 }, // 3: in twice, the second call of touch
  ];
  const step = (index, thread, name, caller, object, value) => ({
    index,
    thread,
    function: name,
    caller,
    object,
    valueWritten: value,
    after: [],
    locksHeld: [],
    decisive: false,
    switched: false,
  });
  const trace = {
    frames,
    threads: [
      { number: 0, name: 'main' },
      { number: 1, name: 'worker' },
    ],
    steps: [
      step(0, 0, 'main', 0, 'm', '1'),
      step(1, 1, 'touch', 2, 'x', '1'),
      step(2, 1, 'touch', 3, 'y', '2'),
      step(3, 1, 'touch', 3, 'y', '3'),
      step(4, 1, 'work', 0, 'z', '4'),
      step(5, 1, 'touch', null, 'x', '9'),
    ],
  };
  const names = (index) => model.callers(trace, index).map((frame) => frame.function);
  assert.deepEqual(names(0), []);
  assert.deepEqual(names(1), ['twice', 'work']);
  assert.deepEqual(names(4), []);
  assert.deepEqual(names(5), []); // not known
  const touched = (index, level) =>
    Object.fromEntries([...model.touchedIn(trace, index, 1, level)].map(([name, { value }]) => [name, value]));
  assert.deepEqual(touched(1, 0), { x: '1' });
  assert.deepEqual(touched(3, 0), { y: '3' }); // the second call, not the first
  assert.deepEqual(touched(3, 1), { x: '1', y: '3' }); // twice()
  assert.deepEqual(touched(3, 2), { x: '1', y: '3' }); // work()
  assert.deepEqual(touched(4, 0), { x: '1', y: '3', z: '4' }); // work() itself
  assert.deepEqual(touched(5, 0), {}); // which call it is is not known
  assert.deepEqual(touched(3, 7), {}); // no such level
  assert.deepEqual(Object.fromEntries(model.touchedIn(trace, 0, 1, 0)), {}); // it has not begun
});
