/** The sources of the time-skipping server in their order, and the error if there is none. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { provideTimeSkipping } from '../../../scripts/check/time-skipping.ts';
import { resolveTimeSkippingPath } from '../../../scripts/check/time-skipping-program.ts';

describe('the time-skipping server', () => {
  let folder: string;
  let steps: string[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'courant-skipping-'));
    steps = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const CACHED = 'cache/courant/temporal-test-server-1.38.0';
  const search = (env: NodeJS.ProcessEnv) => ({
    env: {
      XDG_CACHE_HOME: join(folder, 'cache'),
      PATH: [join(folder, 'bin'), '/usr/bin', '/bin'].join(delimiter),
      ...env,
    },
    announce: (step: string) => steps.push(step),
  });
  /** Makes the SDK's download fail at once in every environment. */
  const NO_NETWORK = { HTTPS_PROXY: 'http://127.0.0.1:9', https_proxy: 'http://127.0.0.1:9' };

  it('is taken from TIME_SKIPPING_SERVER before the cache', async () => {
    program(CACHED, 'temporal-test-server', 'exit 0');
    const own = program('own', 'server', 'exit 0');
    assert.equal(await resolveTimeSkippingPath(search({ TIME_SKIPPING_SERVER: own })), own);
    await assert.rejects(
      resolveTimeSkippingPath(search({ TIME_SKIPPING_SERVER: join(folder, 'nowhere') })),
      /TIME_SKIPPING_SERVER .*nowhere.* is not a program/,
    );
  });

  it('is taken from the cache without output and without a network', async () => {
    const cached = program(CACHED, 'temporal-test-server', 'exit 0');
    assert.equal(await resolveTimeSkippingPath(search(NO_NETWORK)), cached);
    assert.deepEqual(steps, []);
  });

  it('is fetched with Maven once, completely or not at all', async () => {
    program('bin', 'java', 'exit 0');
    // A fake Maven that writes a file into the output directory.
    const fetching = `for a in "$@"; do case "$a" in -DoutputDirectory=*) d="\${a#*=}";; esac; done
[ -z "$d" ] || { mkdir -p "$d"; touch "$d/server.jar"; }`;
    program('bin', 'mvn', `${fetching}\n[ -z "$d" ] || exit 1`);
    await assert.rejects(resolveTimeSkippingPath(search(NO_NETWORK)));
    assert.deepEqual(readdirSync(join(folder, 'cache/courant')), [], 'what was broken off is gone');

    program('bin', 'mvn', fetching);
    const found = await resolveTimeSkippingPath(search(NO_NETWORK));
    assert.equal(found, join(folder, CACHED, 'temporal-test-server'));
    assert.ok(existsSync(join(folder, CACHED, 'lib/server.jar')));
    steps = [];
    assert.equal(await resolveTimeSkippingPath(search(NO_NETWORK)), found);
    assert.deepEqual(steps, []);
  });

  it('is a reason to skip its tests, not a failure, if nothing works', async () => {
    program('bin', 'java', 'exit 3');
    const { TIME_SKIPPING_SERVER: path, TIME_SKIPPING_ABSENT: reason } = await provideTimeSkipping(search(NO_NETWORK));
    assert.equal(path, undefined);
    assert.match(reason ?? '', /Maven: java is not installed; the SDK’s download: /);
    assert.match(steps.at(-1) ?? '', /tests of test\/time are skipped/);
  });

  function program(place: string, name: string, script: string): string {
    const file = join(folder, place, name);
    mkdirSync(join(folder, place), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
    return file;
  }
});
