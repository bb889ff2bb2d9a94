/**
 * Tests the API with Schemathesis: requests that its OpenAPI document allows and others. Takes some
 * minutes, without network access.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { provideTools } from '../../scripts/check/set-up.ts';
import { markdown, startTestApi } from '../support/api/api.ts';

const services = process.env.TEST_DATABASE_URL ? false : 'npm run test:services prints the servers that it needs';

test('the API responds as its OpenAPI document describes, and never with a 5xx', {
  skip: services,
}, async (t) => {
  const { SCHEMATHESIS: packages, SCHEMATHESIS_ABSENT: absence } = await provideTools(['SCHEMATHESIS'], {
    env: process.env,
    announce: console.log,
  });
  if (!packages) return t.skip(absence);
  const api = await startTestApi({ temporal: '127.0.0.1:1' });
  t.after(() => api.close());
  await api.publish({ content: markdown({ title: 'Asked for in odd ways', slug: 'known' }) });
  const folder = await mkdtemp(join(tmpdir(), 'courant-schemathesis-'));
  t.after(() => rm(folder, { recursive: true }));
  const options = {
    url: api.url,
    header: `Authorization: Bearer ${api.author.token}`,
    'max-examples': process.env.EXAMPLES ?? '20',
    phases: 'coverage,fuzzing',
    // A stream has no end.
    'exclude-path': '/notifications/stream',
    // A schema cannot describe a valid cursor, tag or document.
    'exclude-checks': 'positive_data_acceptance',
    'request-timeout': '60',
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn(
    'python3',
    ['-m', 'schemathesis.cli', 'run', `${api.url}/api/v1/openapi.json`, '--continue-on-failure', '--no-color', ...args],
    { cwd: folder, env: { ...process.env, PYTHONPATH: packages }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  assert.equal(code, 0, output.replaceAll(api.author.token, '…'));
});
