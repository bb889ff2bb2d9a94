/** Starts an API with a worker and a mail server, and registers accounts there. */
import { Client } from '@temporalio/client';
import { register } from '../../../../api/accounts/sign-in/register.ts';
import { login } from '../../../../api/auth/login.ts';
import type { SessionTokens } from '../../../../api/auth/open-session.ts';
import { registerSearchAttributes } from '../../../../temporal/visibility/search-attributes.ts';
import { startTestApi, type TestApi, type TestApiOptions } from '../../../support/api/api.ts';
import { createSmtpMailer, runDigestWorker } from '../../../support/api/digest.ts';
import { connectToTemporal } from '../../../support/delivery/connect-temporal.ts';
import { eventually } from '../../../support/eventually.ts';
import { type ReceivedMail, startSmtpServer, type TestSmtpServer } from '../../../support/smtp-server.ts';

export const PASSWORD = 'correct horse battery';
export const CLIENT = { address: '203.0.113.1', userAgent: 'a test' };

export interface AccountsDesk {
  api: TestApi;
  smtp: TestSmtpServer;
  client: Client;
  /** Uses a new network per account, so that no limit applies. */
  register(
    username: string,
    more?: { name?: string; email?: string },
  ): Promise<SessionTokens & { userId: string; email: string }>;
  login(email: string, password: string): Promise<SessionTokens>;
  /** Waits for `count` mails to an address with a matching subject. */
  waitForMails(email: string, subject: RegExp, count?: number): Promise<ReceivedMail[]>;
  /** States of the mails to an address, in the order of their creation. */
  listMails(email: string): Promise<{ kind: string; state: string; reason: string | null }[]>;
  close(): Promise<void>;
}

export async function startAccountsDesk(options: TestApiOptions = {}): Promise<AccountsDesk> {
  const smtp = await startSmtpServer();
  const api = await startTestApi(options);
  const connection = await connectToTemporal();
  await registerSearchAttributes(connection, 'default');
  const client = new Client({ connection });
  const mail = createSmtpMailer(smtp.port);
  const { linkKey } = api.accounts;
  const stopWorker = await runDigestWorker({
    ...{ db: api.db, client, taskQueue: api.taskQueue, mail, linkKey, baseUrl: api.url },
    now: options.now ?? (() => new Date()),
  });
  let networks = 0;
  return {
    api,
    smtp,
    client,
    async register(username, more = {}) {
      networks += 1;
      const email = more.email ?? `${username}@example.org`;
      const from = { address: `198.51.${networks >> 8}.${networks & 255}`, userAgent: 'a test' };
      const tokens = await register(api.accounts, from, {
        username,
        name: more.name ?? username,
        email,
        password: PASSWORD,
      });
      const { id: userId } = await api.db
        .selectFrom('users')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow();
      return { ...tokens, userId, email };
    },
    login: (email, password) => login(api.accounts, CLIENT, { email, password }),
    waitForMails(email, subject, count = 1) {
      return eventually(
        `${count} mails to ${email}`,
        async () => {
          const mails = smtp.mails.filter(({ to, parsed }) => to === email && subject.test(parsed.subject ?? ''));
          return mails.length >= count && mails;
        },
        { withinMs: 60_000 },
      );
    },
    listMails: (email) =>
      api.db
        .selectFrom('mails')
        .select(['kind', 'state', 'reason'])
        .where('email', '=', email)
        .orderBy('createdAt')
        .execute(),
    async close() {
      await stopWorker();
      await mail.close();
      await connection.close();
      await api.close();
      await smtp.close();
    },
  };
}

/** Returns the URL of the button in a mail. */
export function findLink({ parsed }: ReceivedMail): string {
  const [link] = /https?:\/\/\S+\?token=\S+/.exec(parsed.text ?? '') ?? [];
  if (!link) throw new Error('the mail has no link');
  return link;
}

export function readToken(link: string): string {
  return new URL(link).searchParams.get('token') ?? '';
}
