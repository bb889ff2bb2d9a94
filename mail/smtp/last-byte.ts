/**
 * A message as a stream whose end waits for a record.
 *
 * Exactly one mail cannot be guaranteed if a process may be killed at any moment: SMTP has no transaction that spans the server and our
 * database. What can be chosen is when the outcome is unknown, and for how long. A server accepts a message when it has read the line with
 * the single dot; until then, a cut connection means that nothing was delivered. So the message is sent up to its last byte, then our
 * database commits that the mail may be out, and only then the last byte follows. Killed before the commit: certainly not sent, send it
 * again. Killed after the answer was recorded: certainly sent. Killed in between: unknown, and that window is one round trip (and what the
 * kernel still held of the message), not the time of a connection, a login and a transfer.
 * An author would rather miss a digest than get two, so a mail that may be out is not sent again.
 */
import { Readable } from 'node:stream';

export interface HeldMessage {
  /** Starts only when it is read, which is after the server answered 354 to DATA: before that nothing is recorded. */
  stream(): Readable;
  /** True once the last byte was handed over: the server may have accepted the message. */
  wasHandedOver(): boolean;
  /** Never releases the last byte: the outcome is known already. */
  giveUp(): void;
}

export function holdLastByte(message: Buffer, beforeLastByte: () => Promise<void>): HeldMessage {
  let recorded = false;
  let handedOver = false;
  let givenUp = false;
  async function* flow() {
    // A transport may restart the message before anything was recorded, never after.
    if (recorded) throw new Error('the message was sent before');
    // In pieces, so that the end of a long message is reached when most of it was sent, not when it was queued.
    for (let at = 0; at < message.length - 1; at += PIECE)
      yield message.subarray(at, Math.min(at + PIECE, message.length - 1));
    if (givenUp) throw new Error('the message was given up');
    if (recorded) throw new Error('the message was sent before');
    recorded = true;
    await beforeLastByte();
    // The server or the caller may have ended the exchange in the meantime.
    if (givenUp) throw new Error('the message was given up');
    handedOver = true;
    yield message.subarray(-1);
  }
  return {
    stream: () => Readable.from(flow(), { objectMode: false, highWaterMark: 1 }),
    wasHandedOver: () => handedOver,
    giveUp: () => {
      givenUp = true;
    },
  };
}

const PIECE = 16 * 1024;
