/**
 * Measures an import of 1,000 sandbox posts from a feed and from Hashnode's API (limited by its
 * rate), with pictures kept and copied: items per second, and the worker's memory, which must not
 * grow with the posts. Asserts nothing.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportSource } from '../article/import/import-address.ts';
import { DEMO_HASHNODE_PUBLICATION, DEMO_HASHNODE_TOKEN } from '../sandbox/accounts.ts';
import { findFreePort } from '../scripts/start/ports.ts';
import { SOURCES } from '../sources/registry.ts';
import { type Database, openDatabase } from '../store/db/database.ts';
import type { ImportImages } from '../store/db/types.ts';
import { countItems } from '../store/imports/progress.ts';
import { startImport } from '../store/imports/start-import.ts';
import { createUser } from '../store/users/create-user.ts';
import { waitUntil } from './measure.ts';
import { type BenchServices, startBenchServices } from './publish/services.ts';

const POSTS = 1_000;
const PICTURES = 100;
const PICTURE_BYTES = 50_000;
const SAMPLE_MS = 200;
let people = 0;

const services = await startBenchServices({ env: { ALLOW_PRIVATE_DESTINATIONS: 'on' } });
const db = openDatabase(services.databaseUrl, { maxConnections: 4 });
const pictures = createServer((request, response) => {
  const picture = Buffer.alloc(PICTURE_BYTES, request.url ?? '');
  picture.set([0xff, 0xd8, 0xff]);
  response.end(picture);
});
try {
  await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve));
  const sandboxUrl = await startSandbox(services);
  await fillBlog(sandboxUrl, `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`);
  const feed = { source: 'rss', place: `${sandboxUrl}/hashnode-blog/demo/rss.xml` } as const;
  await run('warm-up', { ...feed, images: 'keep', limit: 50 });
  console.log(`${POSTS} posts of some 6 KB, ${PICTURES} pictures of ${PICTURE_BYTES / 1_000} KB\n`);
  await run('a feed', { ...feed, images: 'keep' });
  const api = { source: 'blogsite_b', place: 'demo.hashnode.dev', connectedTo: `${sandboxUrl}/hashnode` } as const;
  await run('the API of Hashnode, pictures left', { ...api, images: 'keep' });
  await run('the API of Hashnode, pictures copied', { ...api, images: 'copy' });
} finally {
  pictures.close().closeAllConnections();
  await db.destroy();
  await services.stop();
}

async function startSandbox({ start, apiUrl }: BenchServices): Promise<string> {
  const port = await findFreePort();
  const BASE_URL = apiUrl.replace('127.0.0.1', 'localhost');
  const env = { ...process.env, BASE_URL, SANDBOX_PORT: String(port), SANDBOX_RATE_LIMITS: 'off' };
  await start('sandbox', { file: process.execPath, args: ['sandbox/main.ts'], env, cwd: process.cwd() });
  const url = `http://127.0.0.1:${port}`;
  const isRunning = () =>
    fetch(`${url}/log`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitUntil('the sandbox', isRunning);
  return url;
}

async function fillBlog(sandboxUrl: string, picturesUrl: string): Promise<void> {
  const paragraph =
    'Some words of a *post* with `code`, a [link](https://example.org/page) and more of the like. '.repeat(10);
  for (let number = 1; number <= POSTS; number += 1) {
    const contentMarkdown = `![A picture](${picturesUrl}/${number % PICTURES}.jpg)\n\n${`${paragraph}\n\n`.repeat(6)}`;
    const input = {
      publicationId: DEMO_HASHNODE_PUBLICATION,
      title: `Post ${number}`,
      slug: `post-${number}`,
      contentMarkdown,
    };
    const query = 'mutation ($input: PublishPostInput!) { publishPost(input: $input) { post { id } } }';
    const response = await fetch(`${sandboxUrl}/hashnode`, {
      method: 'POST',
      headers: { authorization: DEMO_HASHNODE_TOKEN, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { input } }),
    });
    const text = await response.text();
    if (text.includes('errors')) throw new Error(`the sandbox refused a post: ${text.slice(0, 500)}`);
  }
}

interface Run {
  source: ImportSource;
  place: string;
  connectedTo?: string;
  images: ImportImages;
  limit?: number;
}

/** Each run uses a new account. */
async function run(name: string, { source, place: identifier, connectedTo, images, limit }: Run): Promise<void> {
  const username = `bench-${++people}`;
  const now = new Date();
  const person = { username, name, email: `${username}@example.org`, passwordHash: 'no password opens this', now };
  const { id: userId } = await createUser(db, person);
  const place = SOURCES[source].readPlace(identifier, connectedTo ?? null);
  if ('problem' in place) throw new Error(place.problem);
  const options = { mostItems: limit ?? null, since: null, asDraft: false, dryRun: false, images };
  const { id } = await startImport(db, { userId, source, identifier, place, ...options, now });
  await waitUntil('the first post', async () => (await countItems(db, id)).done > 0, { everyMs: 10 });
  const started = performance.now();
  const memory: number[] = [];
  for (; !(await isOver(db, id)); await sleep(SAMPLE_MS)) memory.push((await services.residentMemory()).worker);
  const seconds = (performance.now() - started) / 1_000;
  const counts = await countItems(db, id);
  if (limit !== undefined) return;
  const at = (part: number) => memory[Math.min(memory.length - 1, Math.floor(memory.length * part))];
  console.log(
    `  ${name}: ${(counts.done / seconds).toFixed(0)} items/s (${counts.done} of ${counts.listed}); worker ${at(0.1)} MB after a tenth, ${at(0.5)} half-way, ${at(1)} at the end`,
  );
}

async function isOver(database: Database, id: string): Promise<boolean> {
  const { state, reason } = await database
    .selectFrom('imports')
    .select(['state', 'reason'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (state === 'failed') throw new Error(reason ?? 'the import failed');
  return state === 'done';
}
