/**
 * Stores mails in a folder if no SMTP server is set: the message (`.eml`) and its parts for the
 * development page (`.json`).
 */
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
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
  html: string;
  text: string;
  source: string;
}

/**
 * Only the owner may read the folder and its files, because links in mails grant access to
 * accounts.
 */
export function createFolderMailer(folder: string, { from, now }: { from: Mailbox; now: () => Date }): Mailer {
  return {
    async send(mail, { beforeLastByte, signal }): Promise<MailOutcome> {
      const refused = refuseAddress(mail);
      if (refused) return refused;
      const at = now();
      const { message, envelope } = await composeMail(mail, from, at);
      const name = buildFileName(mail, at);
      const parts = {
        to: envelope.to,
        subject: mail.subject,
        date: at.toISOString(),
        html: mail.html,
        text: mail.text,
      };
      const temporaryPath = join(folder, `.${name}.draft`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeSynced(join(folder, `${name}.json`), JSON.stringify(parts));
        await writeSynced(temporaryPath, message);
        signal?.throwIfAborted();
        await beforeLastByte();
        // A mail is sent when it has its final name.
        await rename(temporaryPath, join(folder, `${name}.eml`));
        return { kind: 'sent' };
      } catch (error) {
        await rm(temporaryPath, { force: true }).catch(() => undefined);
        return { kind: 'unavailable', reason: `the mail could not be stored: ${(error as Error).message}` };
      }
    },
    close: async () => undefined,
  };
}

/** Newest first. Empty if the folder does not exist. */
export async function listStoredMails(folder: string, limit = 200): Promise<Omit<StoredMail, 'source'>[]> {
  const names = (await readdir(folder).catch(toEmptyIfAbsent)).filter(isMailFileName).sort().reverse().slice(0, limit);
  const mails = await Promise.all(names.map((name) => readParts(folder, name)));
  return mails.filter((mail) => mail !== null);
}

/** Returns null unless the name is that of a stored mail, so a path to another file is rejected. */
export async function readStoredMail(folder: string, name: string): Promise<StoredMail | null> {
  const parts = isMailFileName(name) ? await readParts(folder, name) : null;
  if (parts === null) return null;
  const source = await readFile(join(folder, name), 'utf8').catch(toNullIfAbsent);
  return source === null ? null : { ...parts, source };
}

/** 20261116T070000123Z-0123456789abcdef.eml. Sorts by time and does not reveal the recipient. */
function buildFileName({ messageId, to }: Mail, at: Date): string {
  const hash = createHash('sha256').update(`${messageId}\n${to.address}`).digest('hex').slice(0, 16);
  return `${at.toISOString().replace(/[-:.]/g, '')}-${hash}`;
}

function isMailFileName(name: string): boolean {
  return /^\d{8}T\d{9}Z-[0-9a-f]{16}\.eml$/.test(name);
}

async function readParts(folder: string, name: string): Promise<Omit<StoredMail, 'source'> | null> {
  const text = await readFile(join(folder, name.replace(/\.eml$/, '.json')), 'utf8').catch(toNullIfAbsent);
  return text === null ? null : { name, ...(JSON.parse(text) as Omit<StoredMail, 'source' | 'name'>) };
}

async function writeSynced(path: string, content: string | Buffer): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

function toNullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

function toEmptyIfAbsent(error: NodeJS.ErrnoException): string[] {
  return toNullIfAbsent(error) ?? [];
}
