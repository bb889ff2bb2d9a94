/**
 * Child process: starts the dev server or time-skipping server of the Temporal SDK briefly, so that
 * the SDK downloads it. Arguments: folder, version, and optionally `time-skipping`. Exits with 0
 * when the program is in the folder; else writes the reason to stderr.
 */
import { Runtime } from '@temporalio/worker';
import { describeError } from '../start-error.ts';

const [folder, version, kind] = process.argv.slice(2);
if (folder === undefined || version === undefined)
  throw new Error('usage: download.ts <folder> <version> [time-skipping]');

try {
  const runtime = Runtime.instance();
  const exe = {
    type: 'cached-download',
    downloadDir: folder,
    version,
    ttl: 0,
    sdkName: 'sdk-typescript',
    sdkVersion: '1.24.0',
  } as const;
  const server = await runtime.createEphemeralServer(
    kind === 'time-skipping'
      ? { type: 'time-skipping', exe, port: null, extraArgs: [] }
      : {
          type: 'dev-server',
          exe,
          namespace: 'default',
          ip: '127.0.0.1',
          port: null,
          uiPort: null,
          dbFilename: null,
          ui: false,
          log: { format: 'json', level: 'error' },
          extraArgs: [],
        },
  );
  await runtime.shutdownEphemeralServer(server);
  process.exit(0);
} catch (error) {
  process.stderr.write(`${describeError(error).split('\n')[0]}\n`);
  process.exit(1);
}
