/** The sandbox itself: faults, log, pages, and the state after a restart. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildSandbox, DEMO_FOREM_KEY, type SandboxOptions } from '../../sandbox/app.ts';
import { readSandboxConfig } from '../../sandbox/config.ts';

async function start(context: TestContext, options: SandboxOptions = {}) {
  const sandbox = await buildSandbox({ rateLimits: false, ...options });
  let open = true;
  const close = async () => {
    if (open) await sandbox.close();
    open = false;
  };
  context.after(close);
  const { url } = await sandbox.listen();
  const json = { 'content-type': 'application/json' };
  return {
    url,
    close,
    create: (article: object) =>
      fetch(`${url}/forem/api/articles`, {
        method: 'POST',
        headers: { ...json, 'api-key': DEMO_FOREM_KEY },
        body: JSON.stringify({
          article: { title: `T${Math.random()}`, body_markdown: 'b', published: true, ...article },
        }),
      }),
    me: () => fetch(`${url}/forem/api/users/me`, { headers: { 'api-key': DEMO_FOREM_KEY } }),
    faults: (body: unknown) => fetch(`${url}/faults`, { method: 'PUT', headers: json, body: JSON.stringify(body) }),
    log: async () =>
      (await (await fetch(`${url}/log`)).json()) as { action: string; remoteId: string; title: string }[],
  };
}

function temporaryFile(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  context.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'below', 'state.jsonl');
}

test('invalid faults are refused with reasons, and the previous ones stay', async (context) => {
  const sandbox = await start(context);
  const good = [{ platform: 'blogsite_a', action: 'create', times: 1, status: 500 }];
  assert.equal((await sandbox.faults(good)).status, 200);
  const bad: [unknown, RegExp][] = [
    [{}, /must be a list/],
    [
      [{ platform: 'nowhere', action: 'create', times: 1, status: 500 }],
      /platform: must be one of blogsite_a, blogsite_b/,
    ],
    [[{ platform: 'blogsite_a', action: 'fly', times: 1, status: 500 }], /action: must be one of create/],
    [[{ platform: 'blogsite_a', action: 'create', times: 0, status: 500 }], /times/],
    [[{ platform: 'blogsite_a', action: 'create', status: 500 }], /times/],
    [[{ platform: 'blogsite_a', action: 'create', times: 1, status: 99 }], /status/],
    [[{ platform: 'blogsite_a', action: 'create', times: 1, drop: 'during' }], /drop: must be/],
    [[{ platform: 'blogsite_a', action: 'create', times: 1, status: 500, hue: 1 }], /hue|additional/],
    [[{ platform: 'blogsite_a', action: 'create', times: 1, status: 500, headers: { 'x\r\ny': 'z' } }], /headers/],
    [[{ platform: 'blogsite_a', action: 'create', times: 1 }], /set status, body, delayMs or drop/],
    [[{ platform: 'blogsite_a', action: 'create', times: 1, status: 500, drop: 'after' }], /dropped connection/],
    [[{ platform: 'blogsite_a', action: 'create', times: 1, delayMs: 5, saved: true }], /saved requires a status/],
  ];
  for (const [body, message] of bad) {
    const answer = await sandbox.faults(body);
    assert.equal(answer.status, 400);
    assert.match(((await answer.json()) as { errors: string[] }).errors.join('\n'), message);
  }
  assert.deepEqual(await (await fetch(`${sandbox.url}/faults`)).json(), good);
  await sandbox.faults([]);
  assert.deepEqual(await (await fetch(`${sandbox.url}/faults`)).json(), []);
});

test('a fault affects the stated number of requests, of its action only', async (context) => {
  const sandbox = await start(context);
  await sandbox.faults([{ platform: 'blogsite_a', action: 'create', times: 2, status: 503 }]);
  assert.equal((await sandbox.me()).status, 200);
  const statuses = [];
  for (let index = 0; index < 3; index += 1) statuses.push((await sandbox.create({})).status);
  assert.deepEqual(statuses, [503, 503, 201]);
  assert.equal((await sandbox.log()).length, 1);
});

test('a fault’s body and headers are sent unchanged; a string is HTML', async (context) => {
  const sandbox = await start(context);
  await sandbox.faults([
    {
      platform: 'blogsite_a',
      action: 'any',
      times: 1,
      status: 502,
      body: '<h1>Bad</h1>',
      headers: { 'X-Proxy': 'yes' },
    },
    { platform: 'blogsite_a', action: 'any', times: 1, status: 418, body: { tea: true } },
  ]);
  const first = await sandbox.me();
  assert.deepEqual([first.status, first.headers.get('x-proxy'), await first.text()], [502, 'yes', '<h1>Bad</h1>']);
  assert.match(first.headers.get('content-type') ?? '', /^text\/html/);
  assert.deepEqual(await (await sandbox.me()).json(), { tea: true });
});

test('a delay does the work at once and responds late', async (context) => {
  const sandbox = await start(context);
  await sandbox.faults([{ platform: 'blogsite_a', action: 'create', times: 1, delayMs: 400 }]);
  const started = performance.now();
  let isAnswered = false;
  const answering = sandbox.create({}).finally(() => {
    isAnswered = true;
  });
  while ((await sandbox.log()).length === 0) assert.ok(!isAnswered);
  assert.equal((await answering).status, 201);
  assert.ok(performance.now() - started >= 390);
});

test('connections are cut before or after the work, and a fault may respond with an error although the work was done', async (context) => {
  const sandbox = await start(context);
  for (const [fault, entries] of [
    [{ drop: 'before' }, 0],
    [{ drop: 'before', delayMs: 20 }, 0],
    [{ drop: 'after' }, 1],
  ] as const) {
    await sandbox.faults([{ platform: 'blogsite_a', action: 'create', times: 1, ...fault }]);
    const before = (await sandbox.log()).length;
    await assert.rejects(sandbox.create({}));
    assert.equal((await sandbox.log()).length - before, entries, JSON.stringify(fault));
  }
  await sandbox.faults([{ platform: 'blogsite_a', action: 'create', times: 1, status: 422, saved: true }]);
  assert.equal((await sandbox.create({})).status, 422);
  assert.equal((await sandbox.log()).length, 2);
});

test('posts, log and ids survive a restart', async (context) => {
  const statePath = temporaryFile(context);
  const first = await start(context, { statePath });
  const made = (await (await first.create({ title: 'Kept', canonical_url: 'https://a.io/kept' })).json()) as {
    id: number;
    path: string;
  };
  const log = await first.log();
  await first.close();
  const second = await start(context, { statePath });
  assert.deepEqual(await second.log(), log);
  assert.equal((await fetch(`${second.url}/forem${made.path}`)).status, 200);
  assert.equal((await second.create({ canonical_url: 'https://a.io/kept' })).status, 422);
  const next = (await (await second.create({})).json()) as { id: number };
  assert.notEqual(next.id, made.id);
});

test('an incomplete last line, as after a kill, is ignored; a damaged line in the middle prevents the start', async (context) => {
  const statePath = temporaryFile(context);
  const first = await start(context, { statePath });
  await first.create({ title: 'Whole' });
  await first.close();
  appendFileSync(statePath, '{"platform":"blogsite_a","po');
  const second = await start(context, { statePath });
  assert.equal((await second.log()).length, 1);
  await second.create({ title: 'Next' });
  await second.close();
  const third = await start(context, { statePath });
  assert.deepEqual(
    (await third.log()).map(({ title }) => title),
    ['Whole', 'Next'],
  );
  await third.close();
  writeFileSync(statePath, `oops\n${readFileSync(statePath, 'utf8')}`);
  await assert.rejects(buildSandbox({ statePath }), /line 1 is damaged/);
});

test('hostile titles and bodies are shown as text on the pages (A8)', async (context) => {
  const sandbox = await start(context);
  const evil = '"><script>alert(1)</script>';
  const made = await (
    await sandbox.create({ title: evil, body_markdown: evil, canonical_url: `https://a.io/?"><b>` })
  ).json();
  for (const url of [`${sandbox.url}/`, (made as { url: string }).url]) {
    const answer = await fetch(url);
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    const html = await answer.text();
    assert.ok(html.includes('&lt;script&gt;'));
    assert.ok(!html.includes('<script>') && !html.includes('"><b>'));
  }
});

test('a body over 2 MiB is refused (F23)', async (context) => {
  const sandbox = await start(context);
  assert.equal((await sandbox.create({ body_markdown: 'x'.repeat(2 * 1024 * 1024) })).status, 413);
});

test('a delayed response does not delay the stop', async (context) => {
  const sandbox = await start(context);
  await sandbox.faults([{ platform: 'blogsite_a', action: 'create', times: 1, delayMs: 60_000 }]);
  const answering = sandbox.create({}).then(
    () => 'answered',
    () => 'cut',
  );
  while ((await sandbox.log()).length === 0);
  const started = performance.now();
  await sandbox.close();
  assert.ok(performance.now() - started < 30_000);
  assert.ok(['answered', 'cut'].includes(await answering));
});

test('the process prints its address, stores its state, and stops on SIGTERM', async (context) => {
  const statePath = temporaryFile(context);
  const main = join(import.meta.dirname, '../../sandbox/main.ts');
  const env = { ...process.env, SANDBOX_PORT: '0', SANDBOX_STATE: statePath, BASE_URL: 'http://localhost:3999' };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  context.after(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = /listening at (http:\S+)/.exec(String(line))?.[1] ?? '';
  const answer = await fetch(`${url}/forem/api/articles`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'api-key': DEMO_FOREM_KEY },
    body: JSON.stringify({ article: { title: 'T', published: true, canonical_url: 'http://localhost:3999/t' } }),
  });
  assert.equal(answer.status, 201);
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number | null];
  assert.equal(code, 0);
  assert.match(readFileSync(statePath, 'utf8'), /localhost:3999\/t/);
});

test('all wrong variables are named at once, and a port in use is reported', async (context) => {
  assert.throws(
    () => readSandboxConfig({ SANDBOX_PORT: 'x', BASE_URL: 'y', SANDBOX_RATE_LIMITS: 'z' }),
    /PORT.*BASE_URL.*LIMITS/,
  );
  assert.deepEqual(readSandboxConfig({}), {
    port: 4010,
    statePath: undefined,
    baseUrl: 'http://localhost:3000',
    rateLimits: true,
  });
  const sandbox = await start(context);
  const main = join(import.meta.dirname, '../../sandbox/main.ts');
  const env = { ...process.env, SANDBOX_PORT: new URL(sandbox.url).port, SANDBOX_STATE: '' };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [line] = (await once(child.stderr, 'data')) as [Buffer];
  assert.match(String(line), new RegExp(`port in use.*${env.SANDBOX_PORT}`));
  const [code] = child.exitCode === null ? ((await once(child, 'exit')) as [number]) : [child.exitCode];
  assert.equal(code, 1);
});
