/** One exchange with the mail server: what is marked, unmarked, recorded and retried. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { exchangeMail, type MailRecord } from '../../../activities/mail/exchange.ts';
import type { Mailer, MailOutcome } from '../../../mail/mailer.ts';
import { MAIL } from '../../mail/support/smtp.ts';

interface Exchange {
  /** By default the server accepts the mail. */
  outcome?: MailOutcome;
  /** Thrown by the mailer instead. */
  error?: Error;
  /** The mark is written before the outcome. Null: the mail must no longer be sent. */
  mark?: () => Promise<number | null>;
  isMarked?: boolean;
  closeSent?: () => Promise<unknown>;
  address?: string | null;
  unmarkFailures?: number;
}

/** Returns the result, and the calls to the record in order. */
async function exchange({ outcome = { kind: 'sent' }, isMarked = true, ...options }: Exchange) {
  const calls: string[] = [];
  let failures = options.unmarkFailures ?? 0;
  const record: MailRecord = {
    name: 'mail/m1',
    async mark() {
      calls.push('mark');
      return options.mark ? options.mark() : 7;
    },
    async unmark(attempt) {
      calls.push(`unmark ${attempt}`);
      if (failures-- > 0) throw new Error('database away');
    },
    async closeSent() {
      calls.push('closeSent');
      return options.closeSent?.();
    },
    async readAddress() {
      calls.push('readAddress');
      return options.address === undefined ? MAIL.to.address : options.address;
    },
  };
  const mailer: Mailer = {
    async send(_mail, { beforeLastByte, signal }) {
      assert.ok(signal instanceof AbortSignal);
      if (options.error) throw options.error;
      if (isMarked) {
        try {
          await beforeLastByte();
        } catch (error) {
          return { kind: 'unavailable', reason: (error as Error).message };
        }
      }
      return outcome;
    },
    close: async () => undefined,
  };
  const run = () => exchangeMail({ mail: mailer }, record, MAIL);
  const result = await new MockActivityEnvironment().run(run).catch((error: ApplicationFailure) => error);
  return {
    calls,
    result: result instanceof Error ? `${(result as { type?: string }).type}: ${result.message}` : result,
  };
}

test('an accepted mail is marked before and closed after; a failed record is not an error', async () => {
  assert.deepEqual(await exchange({}), { calls: ['mark', 'closeSent'], result: { kind: 'sent' } });
  const unrecorded = await exchange({ closeSent: () => Promise.reject(new Error('database away')) });
  assert.deepEqual(unrecorded, { calls: ['mark', 'closeSent'], result: { kind: 'sent' } });
});

test('a mail that must no longer be sent is decided again from its row', async () => {
  const { calls, result } = await exchange({ mark: async () => null });
  assert.deepEqual([calls, result], [['mark'], 'MailUnavailable: The mail changed while it was being sent.']);
});

test('a mail that the server did not accept is unmarked and sent again later', async () => {
  const unavailable = { kind: 'unavailable', reason: 'busy' } as const;
  const retried = 'MailUnavailable: busy';
  assert.deepEqual(await exchange({ outcome: unavailable }), { calls: ['mark', 'unmark 7'], result: retried });
  assert.deepEqual(await exchange({ outcome: unavailable, isMarked: false }), { calls: [], result: retried });
  const again = await exchange({ outcome: unavailable, unmarkFailures: 1 });
  assert.deepEqual(again, { calls: ['mark', 'unmark 7', 'unmark 7'], result: retried });
});

test('a mark that could not be written is not removed', async () => {
  const { calls, result } = await exchange({ mark: () => Promise.reject(new Error('database away')) });
  assert.deepEqual([calls, result], [['mark'], 'MailUnavailable: database away']);
});

test('a rejected mail is final, unless its recipient has another address now', async () => {
  const refused = { kind: 'refused', reason: 'x'.repeat(301), cause: 'recipient' } as const;
  const final = { ...refused, reason: 'x'.repeat(300) };
  assert.deepEqual(await exchange({ outcome: refused }), { calls: ['mark', 'readAddress'], result: final });
  assert.deepEqual((await exchange({ outcome: refused, address: null })).result, final);
  assert.deepEqual(await exchange({ outcome: refused, address: 'new@example.org' }), {
    calls: ['mark', 'readAddress', 'unmark 7'],
    result: 'MailUnavailable: The recipient’s address has changed.',
  });
});

test('an unknown outcome is final: the mark stays', async () => {
  const unknown = { kind: 'unknown', reason: 'cut' } as const;
  assert.deepEqual(await exchange({ outcome: unknown, address: 'new@example.org' }), {
    calls: ['mark'],
    result: unknown,
  });
});

test('a mail that cannot be composed fails; any other error is retried', async () => {
  const failed = { kind: 'failed', reason: 'No mail can be composed for this address.' };
  assert.deepEqual(await exchange({ error: new TypeError('bad') }), { calls: [], result: failed });
  assert.equal((await exchange({ error: new Error('a bug') })).result, 'undefined: a bug');
});
