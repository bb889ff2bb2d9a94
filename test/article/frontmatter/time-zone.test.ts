import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readZone } from '../../../article/time-zone.ts';

test('zones are read by IANA name in any case; offsets, nonsense and hostile text are rejected', () => {
  assert.equal(readZone('europe/paris'), 'Europe/Paris');
  assert.equal(readZone('UTC'), 'UTC');
  assert.equal(readZone('America/Argentina/Buenos_Aires'), 'America/Argentina/Buenos_Aires');
  for (const text of [
    '',
    'Mars/Olympus',
    '+02:00',
    '../etc/passwd',
    'UTC\u0000',
    'Europe/Paris\r\nBcc: v@x',
    'Z',
    'x'.repeat(9_000),
    '[u-ca=iso8601]',
  ])
    assert.equal(readZone(text), null, JSON.stringify(text.slice(0, 40)));
});
