/**
 * Stores mails in a folder if no SMTP server is set: the message (`.eml`) and its parts for the
 * development page (`.json`).
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { composeMail, refuseAddress } from './compose.ts';
import type { Mail, Mailer, MailOutcome } from './mailer.ts';
import type { Mailbox } from './smtp/address.ts';

export interface StoredMail {
  /** The name of the `.eml` file. */
  name: string;
  to: string;
  subject: string;
  date: string;
  headers: Record<string, string>;
  html: string;
  text: string;
}

/** Only the owner may read the files, because links in mails grant access to accounts. */
const PRIVATE = { mode: 0o600, flush: true };

export function createFolderMailer(folder: string, { from, now }: { from: Mailbox; now: () => Date }): Mailer {
  return {
    async send(mail, { beforeLastByte, signal }): Promise<MailOutcome> {
      const refused = refuseAddress(mail);
      if (refused) return refused;
      const at = now();
      const { message, envelope } = await composeMail(mail, from, at);
      const { subject, html, text } = mail;
      const parts = { to: envelope.to, subject, date: at.toISOString(), headers: readHeaders(message), html, text };
      const path = join(folder, nameMail(mail, at));
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(`${path}.json`, JSON.stringify(parts), PRIVATE);
        await writeFile(`${path}.draft`, message, PRIVATE);
        signal?.throwIfAborted();
        await beforeLastByte();
        // A mail is sent when it has its final name.
        await rename(`${path}.draft`, `${path}.eml`);
        return { kind: 'sent' };
      } catch (error) {
        await rm(`${path}.draft`, { force: true }).catch(() => undefined);
        return { kind: 'unavailable', reason: `the mail could not be stored: ${(error as Error).message}` };
      }
    },
    close: async () => undefined,
  };
}

/** Newest first. Empty if the folder does not exist. */
export async function listStoredMails(folder: string, limit = 200): Promise<StoredMail[]> {
  const files = (await readdir(folder).catch(toNullIfAbsent)) ?? [];
  const names = files.filter(isMailFileName).sort().reverse().slice(0, limit);
  const mails = await Promise.all(names.map((name) => readStoredMail(folder, name)));
  return mails.filter((mail) => mail !== null);
}

/** Returns null unless the name is that of a stored mail, so a path to another file is rejected. */
export async function readStoredMail(folder: string, name: string): Promise<StoredMail | null> {
  if (!isMailFileName(name)) return null;
  const parts = await readFile(join(folder, name.replace(/\.eml$/, '.json')), 'utf8').catch(toNullIfAbsent);
  return parts === null ? null : { name, ...(JSON.parse(parts) as Omit<StoredMail, 'name'>) };
}

/** 20261116T070000123Z-0123456789abcdef. Sorts by time and does not reveal the recipient. */
function nameMail({ messageId, to }: Mail, at: Date): string {
  const hash = createHash('sha256').update(`${messageId}\n${to.address}`).digest('hex').slice(0, 16);
  return `${at.toISOString().replace(/[-:.]/g, '')}-${hash}`;
}

function isMailFileName(name: string): boolean {
  return /^\d{8}T\d{9}Z-[0-9a-f]{16}\.eml$/.test(name);
}

function readHeaders(message: Buffer): Record<string, string> {
  const head = message.toString().split('\r\n\r\n', 1)[0] ?? '';
  const lines = head.replace(/\r\n(?=[ \t])/g, '').split('\r\n');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')), line.replace(/^[^:]*: */, '')]));
}

function toNullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
