/** How signals about the use of a text by agents are written, read and combined. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type ContentSignal,
  formatContentSignal,
  joinContentSignals,
  parseContentSignal,
  SIGNAL_USES,
} from '../../../article/discovery/content-signal.ts';
import { runs } from '../../support/property-runs.ts';
import { listCodes, read, withFrontmatter } from '../support/documents.ts';

const word = fc.constantFrom(true, false, undefined);
const signals: fc.Arbitrary<ContentSignal> = fc
  .tuple(word, word, word)
  .map((words) =>
    Object.fromEntries(SIGNAL_USES.flatMap((use, i) => (words[i] === undefined ? [] : [[use, words[i]]]))),
  );

test('a signal is read back as written and has one spelling', () => {
  fc.assert(
    fc.property(signals, (signal) => assert.deepEqual(parseContentSignal(formatContentSignal(signal)), signal)),
    { numRuns: runs(100) },
  );
  assert.equal(formatContentSignal({ 'ai-train': false, search: true }), 'search=yes, ai-train=no');
  assert.deepEqual(parseContentSignal(' AI-Train = NO,search=yes'), { 'ai-train': false, search: true });
  assert.deepEqual(parseContentSignal(''), {});
});

test('an unknown part invalidates a signal, and no signal can add a header', () => {
  for (const text of ['yes', 'search', 'search=maybe', 'train=no', 'search=yes,', 'search=yes search=no']) {
    assert.equal(parseContentSignal(text), null, text);
  }
  assert.equal(parseContentSignal('search=yes, search=no'), null);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const signal = parseContentSignal(text);
      if (signal) assert.match(formatContentSignal(signal), /^[a-z=, -]*$/);
    }),
    { numRuns: runs(100) },
  );
});

test('combined signals forbid a use if one of them does, in any order, and leave other uses open', () => {
  fc.assert(
    fc.property(fc.array(signals, { maxLength: 4 }), (all) => {
      const joined = joinContentSignals(...all);
      for (const use of SIGNAL_USES) {
        const values = all.map((signal) => signal[use]).filter((one) => one !== undefined);
        assert.equal(joined[use], values.length === 0 ? undefined : !values.includes(false));
      }
      assert.deepEqual(joinContentSignals(...[...all].reverse()), joined);
    }),
    { numRuns: runs(100) },
  );
});

test('the frontmatter field ai is a mapping or the text of the header', () => {
  for (const [ai, expected] of [
    ['{search: yes, input: yes, train: no}', 'search=yes, ai-input=yes, ai-train=no'],
    ['{train: false}', 'ai-train=no'],
    ['{ai-train: no, aiInput: off}', 'ai-input=no, ai-train=no'],
    ['{train: yes, ai_train: no}', 'ai-train=no'],
    ['search=yes, ai-train=no', 'search=yes, ai-train=no'],
    ['"AI-Train=No"', 'ai-train=no'],
    ['{}', null],
    ['null', null],
    ['""', null],
  ] as const) {
    const { draft, warnings } = read(withFrontmatter(`title: T\nai: ${ai}`));
    assert.deepEqual([draft.contentSignal, warnings], [expected, []], ai);
  }
});

test('an ai key of another tool is no error and gives a warning that it is not read', () => {
  for (const ai of [
    'true',
    'no',
    'generated with a model',
    '[search]',
    '7',
    'search=perhaps',
    '{train: perhaps}',
    '{model: x}',
  ]) {
    const { draft, warnings } = read(withFrontmatter(`title: T\nai: ${ai}`));
    assert.deepEqual([draft.contentSignal, listCodes(warnings)], [null, ['content_signal_ignored']], ai);
    assert.equal(warnings[0]?.line, 3);
  }
});
