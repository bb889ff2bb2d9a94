/** An API, a sandbox and the settings of a start, without the processes of `npm start`. */
import { fileURLToPath } from 'node:url';
import { buildSandbox } from '../../../../sandbox/app.ts';
import { connectBrokenDestination, provideDemoAuthor } from '../../../../scripts/start/demo/author.ts';
import type { Demonstration } from '../../../../scripts/start/demo/demonstrate.ts';
import { readSettings } from '../../../../scripts/start/settings.ts';
import { loadSealer } from '../../../../store/secrets/sealing.ts';
import { startTestApi, type TestApi } from '../../../support/api/api.ts';
import { findUser } from './tables.ts';

export interface DemonstrationWorld {
  api: TestApi;
  sandboxUrl: string;
  demonstration: Demonstration;
  /** What the start prints. */
  lines: string[];
  close(): Promise<void>;
}

/** Nothing is delivered, because Temporal cannot be reached. The accounts exist already. */
export async function startDemonstration(): Promise<DemonstrationWorld> {
  const api = await startTestApi({ temporal: '127.0.0.1:9' });
  const sandbox = await buildSandbox();
  const { url: sandboxUrl } = await sandbox.listen();
  const env = { COURANT_HOME: api.home, PORT: new URL(api.url).port, SANDBOX_PORT: new URL(sandboxUrl).port };
  const lines: string[] = [];
  const demonstration: Demonstration = {
    settings: readSettings(env, '/'),
    stack: {
      databaseUrl: api.databaseUrl,
      temporalAddress: 'here:1',
      find: (source) => source,
      pid: (name) => name.length,
    },
    root: fileURLToPath(new URL('../../../..', import.meta.url)),
    ...{ env, print: (line) => lines.push(line), aborted: new AbortController().signal },
  };
  const sealer = await loadSealer({ home: api.home, key: undefined });
  await provideDemoAuthor(api.db, sealer, { known: {}, sandboxUrl, now: new Date() });
  const userId = await findUser(api.db, 'third');
  await connectBrokenDestination(api.db, sealer, { userId, sandboxUrl });
  // Its delivery is held at once, so that the start does not wait for it.
  await api.db.updateTable('connections').set({ status: 'unauthorised' }).where('userId', '=', userId).execute();
  const close = async () => {
    await sandbox.close();
    await api.close();
  };
  return { api, sandboxUrl, demonstration, lines, close };
}
