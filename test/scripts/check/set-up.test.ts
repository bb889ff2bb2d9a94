/** What `npm test` installs beside npm packages, and what it reports if it may not. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { explainAbsence, findTool, provideTools } from '../../../scripts/check/set-up.ts';
import { preparePython } from '../../support/python.ts';

describe('the set-up of the tests', () => {
  let folder: string;
  let steps: string[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'courant-set-up-'));
    steps = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Without a network, so that downloads fail at once. */
  const search = (env: NodeJS.ProcessEnv = {}) => ({
    env: {
      XDG_CACHE_HOME: join(folder, 'cache'),
      HTTPS_PROXY: 'http://127.0.0.1:9',
      PATH: join(folder, 'bin'),
      ...env,
    },
    announce: (step: string) => steps.push(step),
  });

  it('uses the path in the variable before an installed program', () => {
    const program = write('bin/chromium-headless-shell', 'exit 0');
    write('bin/chromium', 'exit 0');
    assert.equal(findTool('CHROMIUM_PATH', search().env), program);
    assert.equal(findTool('CHROMIUM_PATH', { CHROMIUM_PATH: '/own' }), '/own');
  });

  it('installs nothing with COURANT_NO_INSTALL, and reports the reason for skipped tests', async () => {
    write('bin/apt-get', `touch ${join(folder, 'installed')}`);
    const found = await provideTools(['CHROMIUM_PATH'], search({ COURANT_NO_INSTALL: '1' }));
    assert.match(found.CHROMIUM_PATH_ABSENT ?? '', /COURANT_NO_INSTALL/);
    assert.match(
      steps.join(),
      /Missing: chromium-headless-shell \(COURANT_NO_INSTALL .*set CHROMIUM_PATH\. Its tests are skipped/,
    );
    assert.match(explainAbsence('CHROMIUM_PATH', found), /COURANT_NO_INSTALL/);
    assert.equal(existsSync(join(folder, 'installed')), false);
  });

  it('uses another browser if the lightest one cannot be installed', async () => {
    const program = write('bin/chromium', 'exit 0');
    assert.deepEqual(await provideTools(['CHROMIUM_PATH'], search()), { CHROMIUM_PATH: program });
    assert.match(steps.at(-1) ?? '', /^Using .*chromium, because chromium-headless-shell is missing \(.*apt-get/);
  });

  it('reports that it installs, and a failure as a reason for skipped tests', async () => {
    const found = await provideTools(['CHROMIUM_PATH', 'PYTHON_READERS'], search());
    assert.match(
      steps[0] ?? '',
      /^Installing for the tests \(once; COURANT_NO_INSTALL=1 forbids it\): chromium-headless-shell/,
    );
    assert.match(found.CHROMIUM_PATH_ABSENT ?? '', /apt-get/);
    assert.match(found.PYTHON_READERS_ABSENT ?? '', /python3 is not installed/);
  });

  it('fetches the time-skipping server with Maven once, completely or not at all', async () => {
    // A fake Maven that writes a file into the output directory.
    const fetching = `for a in "$@"; do case "$a" in -DoutputDirectory=*) d="\${a#*=}";; esac; done
mkdir -p "$d"; touch "$d/server.jar"`;
    const system = { PATH: [join(folder, 'bin'), '/usr/bin', '/bin'].join(delimiter) };
    write('bin/mvn', `${fetching}; exit 1`);
    const failed = await provideTools(['TIME_SKIPPING_SERVER'], search(system));
    assert.ok(failed.TIME_SKIPPING_SERVER_ABSENT);
    assert.deepEqual(readdirSync(join(folder, 'cache/courant')), [], 'an incomplete download was left');

    write('bin/mvn', fetching);
    const { TIME_SKIPPING_SERVER: path = '' } = await provideTools(['TIME_SKIPPING_SERVER'], search(system));
    assert.ok(existsSync(path));
    assert.ok(existsSync(join(path, '../lib/server.jar')));
    steps = [];
    assert.deepEqual(await provideTools(['TIME_SKIPPING_SERVER'], search(system)), { TIME_SKIPPING_SERVER: path });
    assert.deepEqual(steps, []);
  });

  const python = preparePython();
  it('includes the reference readers of llms.txt and of feeds', { skip: python.skip }, async () => {
    const program = `
import json, sys, feedparser
from llms_txt import parse_llms_file
print(json.dumps([feedparser.__version__, parse_llms_file(sys.stdin.read()).title]))`;
    assert.deepEqual(await python.run(program, '# Ünicode\n\n> Summary\n\n'), ['6.0.14', 'Ünicode']);
  });

  function write(name: string, script: string): string {
    const file = join(folder, name);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
    return file;
  }
});
