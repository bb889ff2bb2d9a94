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
  losses.add('task_list', 'Second.', buildElement(7));
  losses.add('image_dropped', 'First.', buildElement(3));
  losses.add('task_list', 'Second, earlier.', buildElement(2));
  losses.add('task_list', 'Second, later.', buildElement(9));
  assert.deepEqual(losses.list(), [
    { code: 'task_list', message: 'Second, earlier.', line: 2 },
    { code: 'image_dropped', message: 'First.', line: 3 },
  ]);
});

test('an added node is reported at the closest node with a line, else without one', () => {
  const losses = new LossList();
  losses.add('image_dropped', 'Somewhere.', buildElement());
  assert.deepEqual(losses.list(), [{ code: 'image_dropped', message: 'Somewhere.' }]);
  losses.add('image_dropped', 'Around it.', buildElement(), buildElement(4));
  assert.deepEqual(losses.list(), [{ code: 'image_dropped', message: 'Around it.', line: 4 }]);
  losses.add('image_dropped', 'Nowhere.', buildElement());
  assert.deepEqual(losses.list(), [{ code: 'image_dropped', message: 'Around it.', line: 4 }]);
});
