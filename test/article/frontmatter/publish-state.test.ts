import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listCodes, read, refuse, withFrontmatter } from '../support/documents.ts';

const FUTURE = '2026-12-24T18:00:00Z';
const PAST = '2026-01-01T00:00:00Z';

/** Frontmatter → status and warnings, at 2026-11-21T12:00Z. */
const CASES: [string, string, string[]][] = [
  ['', 'PUBLISHED', []],
  ['published: true', 'PUBLISHED', []],
  ['published: false', 'DRAFT', []],
  ['draft: true', 'DRAFT', []],
  ['draft: false', 'PUBLISHED', []],
  ['status: draft', 'DRAFT', []],
  ['status: PUBLISHED', 'PUBLISHED', []],
  ['status: PUBLISHED\ndraft: true', 'PUBLISHED', ['state_contradiction']],
  ['status: PUBLISHED\npublished: false', 'PUBLISHED', ['state_contradiction']],
  ['status: PUBLISHED\ndraft: false', 'PUBLISHED', []],
  ['status: DRAFT\npublished: true', 'DRAFT', ['state_contradiction']],
  ['status: DRAFT\ndraft: true', 'DRAFT', []],
  ['draft: true\npublished: true', 'DRAFT', ['state_contradiction']],
  ['draft: false\npublished: false', 'DRAFT', ['state_contradiction']],
  [`scheduled_at: ${FUTURE}`, 'SCHEDULED', []],
  [`scheduled_at: "${FUTURE}"`, 'SCHEDULED', []],
  [`scheduled_at: ${FUTURE}\npublished: true`, 'SCHEDULED', []],
  [`scheduled_at: ${FUTURE}\ndraft: true`, 'DRAFT', ['scheduled_at_ignored']],
  [`scheduled_at: ${FUTURE}\nstatus: SCHEDULED\ndraft: true`, 'SCHEDULED', ['state_contradiction']],
  [`scheduled_at: ${FUTURE}\nstatus: PUBLISHED`, 'PUBLISHED', ['scheduled_at_ignored']],
  [`scheduled_at: ${FUTURE}\nstatus: DRAFT`, 'DRAFT', ['scheduled_at_ignored']],
  [`scheduled_at: ${PAST}`, 'PUBLISHED', ['scheduled_in_past']],
  ['scheduled_at: 2026-11-21T12:00:00Z', 'PUBLISHED', ['scheduled_in_past']],
  [`scheduled_at: ${PAST}\nstatus: SCHEDULED`, 'PUBLISHED', ['scheduled_in_past']],
  [`scheduled_at: ${PAST}\ndraft: true`, 'DRAFT', []],
];

test('an explicit status takes precedence over draft and published, and those over scheduled_at', () => {
  for (const [lines, status, codes] of CASES) {
    const { draft, warnings } = read(withFrontmatter(`title: T\n${lines}`));
    assert.deepEqual([draft.status, listCodes(warnings)], [status, codes], lines);
    assert.equal(draft.scheduledAt !== null, status === 'SCHEDULED', lines);
  }
});

test('SCHEDULED without scheduled_at is rejected', () => {
  const [problem] = refuse(withFrontmatter('title: T\nstatus: SCHEDULED'));
  assert.deepEqual([problem?.path, problem?.line], ['scheduled_at', 3]);
});

test('times without an offset are read as UTC with a warning', () => {
  for (const [text, expected] of [
    ['2026-12-24 18:00', '2026-12-24T18:00:00.000Z'],
    ['2026-12-24T18:00:30', '2026-12-24T18:00:30.000Z'],
    ['2026-12-24', '2026-12-24T00:00:00.000Z'],
  ]) {
    const { draft, warnings } = read(withFrontmatter(`title: T\nscheduled_at: ${text}`));
    assert.equal(draft.scheduledAt?.toISOString(), expected);
    assert.deepEqual(listCodes(warnings), ['time_without_offset']);
    assert.match(warnings[0]?.message ?? '', new RegExp(String(expected)));
  }
});

test('offsets are read, quoted or not, in YAML and TOML', () => {
  for (const text of [
    '2026-12-24T18:00:00+02:00',
    '2026-12-24 18:00:00 +0200',
    '"2026-12-24T16:00:00.000Z"',
    "'2026-12-24T16:00Z'",
    '2026-12-24T18:00:00+02',
  ]) {
    assert.equal(
      read(withFrontmatter(`title: T\nscheduled_at: ${text}`)).draft.scheduledAt?.toISOString(),
      '2026-12-24T16:00:00.000Z',
      text,
    );
  }
  const toml = read('+++\ntitle = "T"\nscheduled_at = 2026-12-24T18:00:00+02:00\n+++\nB');
  assert.equal(toml.draft.scheduledAt?.toISOString(), '2026-12-24T16:00:00.000Z');
  assert.deepEqual(listCodes(read('+++\ntitle = "T"\nscheduled_at = 2026-12-24T18:00:00\n+++\nB').warnings), [
    'time_without_offset',
  ]);
});

test('impossible times are rejected', () => {
  for (const text of [
    '2026-02-30',
    '2027-02-29',
    '2026-13-01',
    '2026-12-24T25:00:00Z',
    '2026-12-24T10:60Z',
    '20000-01-01T00:00:00Z',
    '1890-01-01',
    '2026-12-24T10:00:00+25:00',
    '1798761600',
    '12:30:45',
    'next week',
    '[2026]',
    '2026-12-24T',
  ]) {
    assert.equal(refuse(withFrontmatter(`title: T\nscheduled_at: ${text}`))[0]?.path, 'scheduled_at', text);
  }
});
