/** Tags are mapped to those that a platform accepts, and each dropped one is named as its author wrote it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapTags, spellSigns } from '../../../destinations/format/tags.ts';

const LETTERS = { label: 'X', max: 3, maxLength: 5, spell: (name: string) => name.replace(/[^a-z]/gi, '') };
const map = (...names: string[]) => {
  const { tags, losses } = mapTags(names, LETTERS);
  return { tags: tags.map(({ tag }) => tag), messages: losses.map(({ message }) => message) };
};

test('a tag is sent once, whatever its case and its leading sign', () => {
  const { tags, messages } = map('News', '#news', '# NEWS', 'b');
  assert.deepEqual(tags, ['News', 'b']);
  assert.deepEqual(messages, []);
});

test('a dropped tag is named as written, with the reason', () => {
  const { tags, messages } = map('#', '1️⃣', 'abcdef', 'a', 'b', 'c', 'd');
  assert.deepEqual(tags, ['a', 'b', 'c']);
  assert.deepEqual(messages, [
    'The tag “#” is not sent to X: it has no letters or digits.',
    'The tag “1️⃣” is not sent to X: it has no letters or digits.',
    'The tag “abcdef” is not sent to X: it is longer than 5 characters.',
    'The tag “d” is not sent to X: the limit is 3.',
  ]);
});

test('a tag that was sent already is not reported above the limit', () => {
  const { messages } = map('a', 'b', 'c', 'A', '#b');
  assert.deepEqual(messages, []);
});

test('signs that have a word are spelled with it, and a name from the prototype is a name', () => {
  assert.equal(spellSigns('C#'), 'csharp');
  assert.equal(spellSigns('.NET'), 'dotnet');
  assert.equal(spellSigns('C'), 'c');
  assert.equal(spellSigns('__proto__'), '__proto__');
  assert.equal(spellSigns('constructor'), 'constructor');
});
