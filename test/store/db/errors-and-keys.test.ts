/** Classification of database errors, and the keys and values that PostgreSQL accepts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeEarlierSchema, isEarlierSchema } from '../../../store/db/migration-names.ts';
import { isConnectionLost, isDatabaseUnavailable, isUniqueViolation } from '../../../store/db/pg-errors.ts';
import { isStorableLine, isStorableName, isUuid, toStorable } from '../../../store/db/valid-keys.ts';

const fail = (message: string, fields: { code?: string; severity?: string } = {}) =>
  Object.assign(new Error(message), fields);
const withCode = (code: string) => fail('failed', { code });

/** By the code of PostgreSQL (five characters) or of the network. */
const UNAVAILABLE = {
  yes: [
    ...['08000', '08006', '57P01', '57P02', '57P03', '53000', '53100', '53300', '57014', '25006', '40P01'],
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'],
  ],
  no: ['23505', '22012', '42P01', '40001', '57000', '0800', '080000', 'x57014', '57014x', 'ENOENT', 'EACCES'],
};

test('a database is unavailable by the code of its error', () => {
  for (const code of UNAVAILABLE.yes) assert.equal(isDatabaseUnavailable(withCode(code)), true, code);
  for (const code of UNAVAILABLE.no) assert.equal(isDatabaseUnavailable(withCode(code)), false, code);
});

test('a database is unavailable by the message of its driver', () => {
  for (const message of [
    'timeout exceeded when trying to connect',
    'Connection terminated unexpectedly',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
  ]) {
    assert.equal(isDatabaseUnavailable(fail(message)), true, message);
  }
  assert.equal(isDatabaseUnavailable(fail('syntax error')), false);
  assert.equal(isDatabaseUnavailable({ message: 'Query read timeout', code: '57P01' }), false, 'it is no error');
});

for (const [error, isLost] of [
  [fail('terminating connection', { code: '57P01', severity: 'FATAL' }), false],
  [fail('immediate shutdown', { code: '57P02', severity: 'FATAL' }), true],
  [fail('connection failure', { code: '08006', severity: 'FATAL' }), true],
  [fail('division by zero', { code: '22012', severity: 'ERROR' }), false],
  [fail('without a code', { severity: 'ERROR' }), false],
  [fail('read ECONNRESET', { code: 'ECONNRESET' }), true],
  [fail('write EPIPE', { code: 'EPIPE' }), true],
  [fail('read ETIMEDOUT', { code: 'ETIMEDOUT' }), true],
  [fail('connect ECONNREFUSED', { code: 'ECONNREFUSED' }), false],
  [fail('Connection terminated unexpectedly'), true],
  [fail('Connection terminated due to connection timeout'), false],
  [fail('Query read timeout'), true],
  [fail('something else'), false],
  ['Query read timeout', false],
] as const) {
  const name = error instanceof Error ? error.message : `the text ${error}`;
  test(`${name}: the connection was ${isLost ? '' : 'not '}lost during a statement`, () => {
    assert.equal(isConnectionLost(error), isLost);
  });
}

test('a unique violation is of its constraint only', () => {
  const violation = { code: '23505', constraint: 'articles_slug_key' };
  assert.equal(isUniqueViolation(violation, 'articles_slug_key'), true);
  assert.equal(isUniqueViolation(violation, 'articles_pkey'), false);
  assert.equal(isUniqueViolation({ ...violation, code: '23503' }, 'articles_slug_key'), false);
});

const ID = '0a1b2c3d-4e5f-4a1b-8c2d-0123456789ab';

test('an id is a UUID in any case, and nothing around it', () => {
  for (const id of [ID, ID.toUpperCase()]) assert.equal(isUuid(id), true);
  for (const text of [`x${ID}`, `${ID}x`, `${ID}\n`, ID.replaceAll('-', ''), ID.replace('a', 'g'), '', `{${ID}}`]) {
    assert.equal(isUuid(text), false, text);
  }
});

test('a name has 200 characters at most, without control characters or lone surrogates', () => {
  for (const name of ['', 'a', 'ä 京', 'x'.repeat(200)]) assert.equal(isStorableName(name), true, name);
  for (const name of ['x'.repeat(201), 'a\0', 'a\nb', '\u0085', '\ud800']) assert.equal(isStorableName(name), false);
  assert.equal(isStorableLine('x'.repeat(201)), true);
});

test('characters that PostgreSQL rejects are replaced in all parts of a value', () => {
  const at = new Date(0);
  const value = {
    text: 'a\0b\0',
    list: ['\ud800', 1, null, { deep: '\0' }],
    none: null,
    flag: true,
    count: at.getTime(),
  };
  assert.deepEqual(toStorable(value), {
    ...{ text: 'a\ufffdb\ufffd', list: ['\ufffd', 1, null, { deep: '\ufffd' }] },
    ...{ none: null, flag: true, count: 0 },
  });
});

test('a schema is of an earlier version if it was migrated without the first release', () => {
  assert.equal(isEarlierSchema([]), false);
  assert.equal(isEarlierSchema(['0001-first-release', '0002-more']), false);
  assert.equal(isEarlierSchema(['0001-first']), true);
  assert.equal(
    describeEarlierSchema('The folder'),
    'The folder contains the data of a version before 1.0.0, which this version can neither read nor convert. Nothing in it was changed.',
  );
});
