/** The sources of the Temporal server program in their order, and the error if there is none. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { resolveTemporalPath } from '../../../scripts/start/temporal/program.ts';

describe('the Temporal server', () => {
  let folder: string;
  let steps: string[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'courant-temporal-'));
    steps = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const search = (env: NodeJS.ProcessEnv) => ({
    home: join(folder, 'home'),
    env: { XDG_CACHE_HOME: join(folder, 'cache'), ...env },
    announce: (step: string) => steps.push(step),
  });

  it('is taken from the PATH before any cache', async () => {
    const onPath = program('bin', 'exit 0');
    program('home/temporal-1.5.1', 'exit 0');
    assert.equal(await resolveTemporalPath(search({ PATH: systemPath('bin') })), onPath);
  });

  it('ignores a program with that name that cannot run the server, and reports it', async () => {
    const other = program('bin', 'exit 3');
    const cached = program('cache/courant/temporal-1.5.1', 'exit 0');
    assert.equal(await resolveTemporalPath(search({ PATH: systemPath('bin') })), cached);
    assert.match(steps.join('\n'), new RegExp(`${other} is not usable`));
  });

  it('is taken from COURANT_HOME before the user’s cache folder', async () => {
    const own = program('home/temporal-1.5.1', 'exit 0');
    program('cache/courant/temporal-1.5.1', 'exit 0');
    assert.equal(await resolveTemporalPath(search({ PATH: '' })), own);
  });

  it('is built with Go if neither cache nor download has it, and then cached', async () => {
    // A fake compiler that writes a program into GOBIN.
    program('bin', `[ "$1" = version ] || printf '#!/bin/sh\\nexit 0\\n' > "$GOBIN/temporal"`, 'go');
    const found = await resolveTemporalPath(search({ PATH: systemPath('bin'), ...NO_NETWORK }));
    assert.equal(found, join(folder, 'cache', 'courant', 'temporal-1.5.1', 'temporal'));
    assert.match(steps.join('\n'), /downloading[\s\S]*download failed[\s\S]*go install/);
    assert.equal(await resolveTemporalPath(search({ PATH: '' })), found);
  });

  it('is one error with installation instructions if nothing works', async () => {
    await assert.rejects(resolveTemporalPath(search({ PATH: '', ...NO_NETWORK })), (error: Error) => {
      const message = error.message.replaceAll(folder, '{folder}').replace(/download: .*/, 'download: {reason}');
      assert.deepEqual(message.split('\n'), [
        'No Temporal server could be found or installed:',
        '  - no "temporal" on the PATH',
        '  - none in the caches ({folder}/home/temporal-1.5.1/temporal, {folder}/cache/courant/temporal-1.5.1/temporal)',
        '  - download: {reason}',
        '  - go install: go is not installed',
        'Do one of these:',
        '  - install the Temporal CLI (https://docs.temporal.io/cli: "brew install temporal", or unpack an archive on the PATH)',
        '  - install Go 1.24 or later, and start again: the server is then built once',
        '  - put a "temporal" program at {folder}/cache/courant/temporal-1.5.1/temporal',
        '  - set TEMPORAL_ADDRESS to a running Temporal server',
      ]);
      return true;
    });
  });

  /** Makes the download fail at once in every environment. */
  const NO_NETWORK = { HTTPS_PROXY: 'http://127.0.0.1:9', https_proxy: 'http://127.0.0.1:9' };

  function systemPath(name: string): string {
    return [join(folder, name), '/usr/bin', '/bin'].join(delimiter);
  }

  function program(place: string, script: string, name = 'temporal'): string {
    const file = join(folder, place, name);
    mkdirSync(join(folder, place), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
    return file;
  }
});
