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
  assert.equal(
    describe({}),
    'Unknown whether the last attempt reached the destination. Nothing more is sent, because the article is no longer due there.',
  );
});

test('a skipped delivery says how to go on, and more if a post may exist', () => {
  assert.equal(
    describe({ errorCode: 'skipped', state: 'failed' }),
    'Skipped at your request. The next publish is sent.',
  );
  assert.equal(
    describe({ errorCode: 'skipped', state: 'unknown' }),
    'Skipped at your request. An earlier attempt may have created a post there. Use retryDelivery to search for it, or check there and report the result with settleDelivery.',
  );
});

test('a held delivery says which account to connect, or why the credential was rejected', () => {
  assert.equal(
    describe({ errorCode: 'not_connected', state: 'held' }),
    'The destination is not connected. Reconnect the same account to send it. To use another account, connect that account, then send the article there.',
  );
  const rejected = { errorCode: 'unauthorised', state: 'held', statusReason: 'The token was revoked.' } as const;
  assert.equal(describe(rejected), 'The token was revoked.');
  assert.equal(
    describe({ errorCode: 'other_account' }),
    'Not sent to this account: the article was published while another account, or none, was connected. Send it, or publish it again.',
  );
});

const HELD = { state: 'held', shouldBeWithdrawn: true, remoteUrl: 'https://dev.example/post' } as const;
const CONNECTED = { connectionStatus: 'active', connectedPlatform: 'forem' } as const;
const REFUSED = { ...CONNECTED, connectionStatus: 'unauthorised' } as const;
const COPY = 'The copy at https://dev.example/post stays live';

for (const [name, row, message] of [
  ['not connected', { ...HELD }, `${COPY}: the destination is not connected. Remove it there, or connect it again.`],
  [
    'not connected, with a status of the former connection',
    { ...HELD, connectionStatus: 'active' },
    `${COPY}: the destination is not connected. Remove it there, or connect it again.`,
  ],
  [
    'connected again',
    { ...HELD, ...CONNECTED },
    'The copy at https://dev.example/post is being unpublished. Check that it is gone.',
  ],
  [
    'refused',
    { ...HELD, ...REFUSED },
    `${COPY} until you connect the destination again, because it rejected the credential.`,
  ],
] satisfies [string, Partial<Row>, string][]) {
  test(`a held withdrawal, ${name}, says that the copy is still public, with its address`, () => {
    for (const errorCode of ['not_connected', 'unauthorised']) {
      assert.equal(describe({ ...row, errorCode, statusReason: 'The token was revoked.' }), message);
    }
  });
}

test('only a held withdrawal speaks of the copy', () => {
  const rejected = { ...HELD, errorCode: 'unauthorised', statusReason: 'The token was revoked.' };
  assert.equal(describe({ ...rejected, state: 'failed' }), 'The token was revoked.');
  assert.equal(describe({ ...rejected, shouldBeWithdrawn: false }), 'The token was revoked.');
});
