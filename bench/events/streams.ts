/** Opens event streams of many users in a separate process. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { sql } from 'kysely';
import { loadKeyRing } from '../../api/auth/keys/key-ring.ts';
import { createSessions } from '../../api/auth/sessions.ts';
import type { Database } from '../../store/db/database.ts';
import { openSession } from '../../store/sessions/open-session.ts';
import { waitUntil } from '../measure.ts';
import type { FromClients, ToClients } from './clients.ts';

export interface Receipt {
  stream: number;
  at: number;
}

export async function createUsers(database: Database, count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`insert into users (username, name, email, password_hash)
    select 'stream-' || n, 'Stream ' || n, 'stream-' || n || '@example.org', 'x' from generate_series(1, ${count}::int) n
    returning id`.execute(database);
  return rows.map(({ id }) => id);
}

/** Returns a path with a separate token per user. `baseUrl` is the setting of the API. */
export async function issueStreamPaths(
  db: Database,
  { home, baseUrl, userIds }: { home: string; baseUrl: string; userIds: readonly string[] },
): Promise<string[]> {
  const keys = await loadKeyRing({ home, key: undefined });
  const sessions = createSessions(keys, { issuer: baseUrl, now: () => new Date() });
  const paths: string[] = [];
  for (const userId of userIds) {
    const { sessionId } = await openSession(db, { userId, userAgent: null, now: new Date() });
    const { token } = await sessions.issue('courant:stream', { userId, sessionId });
    paths.push(`/notifications/stream?token=${token}`);
  }
  return paths;
}

export interface Clients {
  process: ChildProcess;
  open(where: { host: string; port: number; paths: string[] }): Promise<void>;
  /** Runs `work`, and waits for the number of events that it causes. */
  during<Result>(
    expect: (result: Result) => number,
    work: () => Promise<Result>,
  ): Promise<{ result: Result; receipts: Receipt[] }>;
  close(): Promise<void>;
}

export async function startClients(): Promise<Clients> {
  const child = fork(new URL('./clients.ts', import.meta.url));
  const request = async (message: ToClients) => {
    child.send(message);
    const [reply] = (await once(child, 'message')) as [FromClients];
    return reply;
  };
  return {
    process: child,
    open: async (where) => void (await request({ do: 'open', ...where })),
    async during(expect, work) {
      await request({ do: 'count' });
      const receipts: Receipt[] = [];
      const listen = (message: FromClients) => {
        if (message.kind === 'receipts') receipts.push(...message.receipts);
      };
      child.on('message', listen);
      const result = await work();
      const events = expect(result);
      await waitUntil(`${events} events`, async () => receipts.length >= events, { withinMs: 60_000 });
      child.off('message', listen);
      return { result, receipts };
    },
    close: async () => void (await request({ do: 'close' })),
  };
}
