/** The stream of a message, with its last byte after the record. */
import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { type HeldMessage, holdLastByte } from '../../mail/smtp/last-byte.ts';

const MESSAGE = Buffer.from(Array.from({ length: 40_000 }, (_, index) => index % 251));
const read = (held: HeldMessage) => buffer(held.stream());

test('a message is sent in pieces of 16 KiB, and its last byte after the record', async () => {
  let records = 0;
  const held = holdLastByte(MESSAGE, async () => {
    records += 1;
    assert.equal(held.isLastByteSent(), false);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of held.stream() as AsyncIterable<Buffer>) {
    chunks.push(chunk);
  }
  assert.deepEqual(
    chunks.map(({ length }) => length),
    [16_384, 16_384, 7_231, 1],
  );
  assert.equal(records, 1);
  assert.deepEqual(Buffer.concat(chunks), MESSAGE);
  assert.equal(held.isLastByteSent(), true);
});

test('a message of one byte waits for the record as well', async () => {
  let records = 0;
  const held = holdLastByte(Buffer.from('.'), async () => void records++);
  assert.deepEqual(await read(held), Buffer.from('.'));
  assert.equal(records, 1);
});

test('a message can be restarted before the record, but not after it', async () => {
  let records = 0;
  const held = holdLastByte(MESSAGE, async () => void records++);
  const [first, second] = [held.stream(), held.stream()];
  for await (const _ of first) break;
  assert.deepEqual(await buffer(second), MESSAGE);
  assert.equal(records, 1);
  await assert.rejects(read(held), { message: 'the message was already sent' });
  assert.equal(records, 1);
});

test('of two readers at the end of the message only one records', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let records = 0;
  const held = holdLastByte(MESSAGE, () => {
    records += 1;
    return promise;
  });
  const [first, second] = [read(held), read(held)];
  await assert.rejects(second, { message: 'the message was already sent' });
  resolve();
  assert.deepEqual(await first, MESSAGE);
  assert.equal(records, 1);
});

test('an abandoned message sends no last byte, before or after the record', async () => {
  let records = 0;
  const before = holdLastByte(MESSAGE, async () => void records++);
  before.abandon();
  await assert.rejects(read(before), { message: 'the message was abandoned' });
  assert.equal(records, 0);
  const during: HeldMessage = holdLastByte(MESSAGE, async () => during.abandon());
  await assert.rejects(read(during), { message: 'the message was abandoned' });
  assert.deepEqual([before.isLastByteSent(), during.isLastByteSent()], [false, false]);
});
