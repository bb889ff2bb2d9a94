/** The message of a stopped delivery: what happened, and what to do. Never "unknown error". */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeError } from '../../delivery/describe-error.ts';

type Row = Parameters<typeof describeError>[0];

const ROW: Row = {
  state: 'failed',
  errorCode: 'rejected',
  openReason: null,
  lastReason: null,
  statusReason: null,
  shouldBeWithdrawn: false,
  remoteUrl: null,
  connectionStatus: null,
  connectedPlatform: null,
};
const describe = (row: Partial<Row>) => describeError({ ...ROW, ...row });

test('a delivery without an error has no message', () => {
  assert.equal(describe({ errorCode: null, lastReason: 'an old reason' }), null);
});

test('the reason of the open attempt precedes that of the last one', () => {
  assert.equal(describe({ openReason: 'Now.', lastReason: 'Before.' }), 'Now.');
  assert.equal(describe({ lastReason: 'Before.' }), 'Before.');
  assert.match(describe({}) ?? '', /^Unknown whether the last attempt reached the destination\./);
});

test('a skipped delivery says how to go on, and more if a post may exist', () => {
  assert.match(describe({ errorCode: 'skipped', state: 'failed' }) ?? '', /The next publish is sent\.$/);
  assert.match(describe({ errorCode: 'skipped', state: 'unknown' }) ?? '', /retryDelivery .* settleDelivery\.$/);
});

test('a held delivery says which account to connect, or why the credential was rejected', () => {
  assert.match(describe({ errorCode: 'not_connected', state: 'held' }) ?? '', /Reconnect the same account/);
  const rejected = { errorCode: 'unauthorised', state: 'held', statusReason: 'The token was revoked.' } as const;
  assert.equal(describe(rejected), 'The token was revoked.');
  assert.match(describe({ errorCode: 'other_account' }) ?? '', /while another account, or none, was connected/);
});

test('a held withdrawal speaks of the copy that is still public, with its address', () => {
  const held = { state: 'held', shouldBeWithdrawn: true, remoteUrl: 'https://dev.example/post' } as const;
  for (const errorCode of ['not_connected', 'unauthorised']) {
    const message = describe({ ...held, errorCode, statusReason: 'The token was revoked.' });
    assert.match(message ?? '', /https:\/\/dev\.example\/post/);
    assert.notEqual(message, 'The token was revoked.');
  }
  const reconnected = { ...held, connectionStatus: 'active', connectedPlatform: 'forem' } as const;
  const message = describe({ ...reconnected, errorCode: 'not_connected' });
  assert.ok(message);
  assert.notEqual(message, describe({ ...held, errorCode: 'not_connected' }));
});
