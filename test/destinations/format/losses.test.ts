/** The losses of an article's text: each kind once, at its first line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Element } from 'hast';
import { LossList } from '../../../destinations/format/losses.ts';

function buildElement(line?: number): Element {
  const point = { line: line ?? 0, column: 1 };
  const position = line === undefined ? {} : { position: { start: point, end: point } };
  return { type: 'element', tagName: 'p', properties: {}, children: [], ...position };
}

test('each kind of loss is reported once, at its first line, in the order of their discovery', () => {
  const losses = new LossList();
  losses.add('b', 'Second.', buildElement(7));
  losses.add('a', 'First.', buildElement(3));
  losses.add('b', 'Second, earlier.', buildElement(2));
  losses.add('b', 'Second, later.', buildElement(9));
  assert.deepEqual(losses.list(), [
    { code: 'b', message: 'Second, earlier.', line: 2 },
    { code: 'a', message: 'First.', line: 3 },
  ]);
});

test('an added node is reported at the closest node with a line, else without one', () => {
  const losses = new LossList();
  losses.add('a', 'Somewhere.', buildElement());
  assert.deepEqual(losses.list(), [{ code: 'a', message: 'Somewhere.' }]);
  losses.add('a', 'Around it.', buildElement(), buildElement(4));
  assert.deepEqual(losses.list(), [{ code: 'a', message: 'Around it.', line: 4 }]);
  losses.add('a', 'Nowhere.', buildElement());
  assert.deepEqual(losses.list(), [{ code: 'a', message: 'Around it.', line: 4 }]);
});
