/**
 * A message as a stream that sends its last byte only after a record is committed.
 *
 * SMTP has no transaction that spans the server and our database, so exactly one mail cannot be
 * guaranteed if a process may be killed. This protocol shortens the window in which the outcome is
 * unknown. A server accepts a message when it reads the line with the single dot; a connection cut
 * before that delivers nothing.
 *
 * 1. Send the message except for its last byte. Killed here: not sent, so send it again.
 * 2. Commit to the database that the mail may be sent. Killed from here on: unknown, for one round
 * trip and the time to send what the kernel still buffers.
 * 3. Send the last byte and record the response. Killed after that: sent.
 *
 * A missed digest is better than two, so a mail that may be sent is not sent again.
 */
import { Readable } from 'node:stream';

export interface HeldMessage {
  /**
   * Starts when it is read, which is after the server responded 354 to DATA. Nothing is recorded
   * before.
   */
  stream(): Readable;
  /** True after the last byte was passed to the transport: the server may have accepted it. */
  isLastByteSent(): boolean;
  /** Blocks the last byte, because the outcome is already known. */
  abandon(): void;
}

export function holdLastByte(message: Buffer, beforeLastByte: () => Promise<void>): HeldMessage {
  let isRecorded = false;
  let isReleased = false;
  let isAbandoned = false;
  async function* flow() {
    // A transport may restart the message before the record, but never after it.
    if (isRecorded) throw new Error('the message was already sent');
    // In pieces, so that the end is read when most of the message is sent, not when it is queued.
    for (let at = 0; at < message.length - 1; at += PIECE_BYTES)
      yield message.subarray(at, Math.min(at + PIECE_BYTES, message.length - 1));
    if (isAbandoned) throw new Error('the message was abandoned');
    if (isRecorded) throw new Error('the message was already sent');
    isRecorded = true;
    await beforeLastByte();
    // The server or the caller may have ended the exchange meanwhile.
    if (isAbandoned) throw new Error('the message was abandoned');
    isReleased = true;
    yield message.subarray(-1);
  }
  return {
    stream: () => Readable.from(flow(), { objectMode: false, highWaterMark: 1 }),
    isLastByteSent: () => isReleased,
    abandon: () => {
      isAbandoned = true;
    },
  };
}

const PIECE_BYTES = 16 * 1024;
