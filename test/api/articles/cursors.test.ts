/** Property tests of the list cursors. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readListCursor, readSearchCursor, writeListCursor } from '../../../api/articles/listing/read-list.ts';
import { ProblemError } from '../../../api/plugins/errors/problem.ts';
import { runs } from '../../support/property-runs.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 200 });
const maybe = fc.option(text);
const filter = fc.record({ q: maybe, tag: maybe, author: maybe });
const NOTHING = { q: null, tag: null, author: null };
const micros = fc.integer({ min: -7_999_999_999_999_999, max: 7_999_999_999_999_999 });
const listed = fc.record({ publishedAt: micros, id: fc.uuid() }, { noNullPrototype: true });
const rank = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const found = fc.record({ from: fc.option(micros), until: micros, rank, id: fc.uuid() }, { noNullPrototype: true });

const isRefused = (error: unknown) => error instanceof ProblemError && error.statusCode === 400;

test('a cursor is read back unchanged, and rejected by another list', () => {
  fc.assert(
    fc.property(filter, filter, listed, found, (own, other, listPosition, searchPosition) => {
      const [inList, inSearch] = [writeListCursor(own, listPosition), writeListCursor(own, searchPosition)];
      assert.match(inList + inSearch, /^[\w-]+$/, 'an address takes it as it is');
      assert.deepEqual(readListCursor(own, inList), listPosition);
      assert.deepEqual(readSearchCursor(own, inSearch), searchPosition);
      assert.throws(() => readSearchCursor(own, inList), isRefused);
      assert.throws(() => readListCursor(own, inSearch), isRefused);
      const isSame = own.q === other.q && own.tag === other.tag && own.author === other.author;
      if (!isSame) assert.throws(() => readListCursor(other, inList), isRefused);
    }),
    { numRuns: runs(300) },
  );
});

test('a forged cursor with any content is rejected (A49)', () => {
  const name = JSON.parse(Buffer.from(writeListCursor(NOTHING, { publishedAt: 0, id: '' }), 'base64url').toString())[0];
  const value = fc.oneof(
    fc.jsonValue(),
    fc.record(
      { publishedAt: fc.jsonValue(), from: fc.jsonValue(), until: fc.jsonValue(), rank: fc.jsonValue(), id: text },
      { requiredKeys: [] },
    ),
  );
  const held = fc.oneof(
    fc.string(),
    fc.json(),
    value.map((position) => JSON.stringify([name, position])),
  );
  const made = fc.oneof(
    fc.string({ unit: 'binary' }),
    held.map((one) => Buffer.from(one).toString('base64url')),
  );
  fc.assert(
    fc.property(made, (cursor) => {
      assert.throws(() => readListCursor(NOTHING, cursor), isRefused);
      assert.throws(() => readSearchCursor(NOTHING, cursor), isRefused);
    }),
    { numRuns: runs(500) },
  );
});
