/**
 * A message as a stream whose end waits for a record.
 *
 * Exactly one mail, though any process may be killed at any moment, cannot be had: SMTP has no transaction that spans the
 * server and our database. What can be chosen is where the doubt lies, and how long it lasts. A server accepts a message
 * when it has read the line with the lone dot; until then a cut connection means that nothing was delivered. So the message
 * goes out up to its last byte, then our database commits that the mail may be out from now on, and only then the end is
 * handed over. Killed before the commit: certainly not sent, send it again. Killed after the answer was recorded: certainly
 * sent. Killed between: unknown, and that window is one round trip (and what the kernel still held of the message), not the
 * length of a connection, a login and a transfer.
 * An author would rather miss a digest than get two; whoever finds the record without an answer does not send again.
 */
import { Readable } from 'node:stream';

export interface HeldMessage {
  /** Starts to flow only when it is read, which is after the server said 354 to DATA: before that nothing is recorded. */
  stream(): Readable;
  /** From here on the server may accept the message. */
  wasHandedOver(): boolean;
  /** Holds the end back for good: the outcome is known already. */
  settle(): void;
}

export function holdLastByte(message: Buffer, beforeLastByte: () => Promise<void>): HeldMessage {
  let recorded = false;
  let handedOver = false;
  let settled = false;
  async function* flow() {
    // A transport that starts anew may do so before anything was recorded, never after.
    if (recorded) throw new Error('the message was sent before');
    // In pieces, so that the end of a long message is reached when most of it is out, not when it is queued.
    for (let at = 0; at < message.length - 1; at += PIECE)
      yield message.subarray(at, Math.min(at + PIECE, message.length - 1));
    if (settled) throw new Error('the message was given up');
    if (recorded) throw new Error('the message was sent before');
    recorded = true;
    await beforeLastByte();
    // The server, or whoever waits for us, may have ended it meanwhile.
    if (settled) throw new Error('the message was given up');
    handedOver = true;
    yield message.subarray(-1);
  }
  return {
    stream: () => Readable.from(flow(), { objectMode: false, highWaterMark: 1 }),
    wasHandedOver: () => handedOver,
    settle: () => {
      settled = true;
    },
  };
}

const PIECE = 16 * 1024;
