/** The audit step of the check: real npm with different registries. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { auditDependencies } from '../../../scripts/check/audit.ts';

/** Audits a package that depends on `holey@1.0.0`, with this response of the registry. */
async function auditAgainst(t: TestContext, answerAdvisories: (response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === 'POST') answerAdvisories(response);
    else
      response.end(JSON.stringify({ name: 'holey', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': HOLEY } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = await mkdtemp(join(tmpdir(), 'courant-audit-'));
  t.after(() => rm(folder, { recursive: true }));
  t.after(() => server.close());
  const project = { name: 'audited', version: '1.0.0', dependencies: { holey: '1.0.0' } };
  const packages = { '': project, 'node_modules/holey': HOLEY };
  await writeFile(join(folder, 'package.json'), JSON.stringify(project));
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ ...project, lockfileVersion: 3, packages }));
  const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const env = {
    ...process.env,
    npm_config_registry: registry,
    npm_config_fetch_retries: '0',
    npm_config_cache: folder,
  };
  return auditDependencies(folder, { env, aborted: new AbortController().signal });
}

const HOLEY = { name: 'holey', version: '1.0.0' };
const advise = (severity: string) => (response: ServerResponse) => {
  const advisory = {
    id: 1,
    url: 'https://advisories.example/1',
    title: 'A hole',
    severity,
    vulnerable_versions: '<2.0.0',
  };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ holey: [{ ...advisory, cwe: [], cvss: { score: 9, vectorString: null } }] }));
};

test('a known vulnerability of high severity fails the check and is named with the next step', async (t) => {
  const { passed, message } = await auditAgainst(t, advise('high'));
  assert.equal(passed, false, message);
  assert.match(message, /holey .*\(high\): A hole https:\/\/advisories\.example\/1[\s\S]*overrides/);
});

test('vulnerabilities of lower severity do not fail the check', async (t) => {
  assert.deepEqual(await auditAgainst(t, advise('moderate')), {
    passed: true,
    message: 'ok      dependencies: no known vulnerability of high severity',
  });
});

test('an unreachable registry is reported, and the check continues', async (t) => {
  const { passed, message } = await auditAgainst(t, (response) => response.writeHead(405).end());
  assert.equal(passed, true);
  assert.match(message, /^skipped dependencies: the registry could not be reached \(.*405/);
});
