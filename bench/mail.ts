/**
 * `npm run bench:mail`: measures mails per second to a real SMTP server in a thread, over the
 * normal pool and over sockets with Nagle's algorithm, alternating in one run; and the time and
 * memory of rendering.
 */
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { SMTPServer } from 'smtp-server';
import { buildDigestHeaders, renderDigest } from '../mail/digest/render.ts';
import type { DigestContent } from '../mail/digest/view.ts';
import { createMailer } from '../mail/smtp/smtp-mailer.ts';
import { median } from './measure.ts';

const MAILS = 300;
const ROUNDS = 3;
/** The number of connections in the pool, and of digests that the worker sends in parallel. */
const CONCURRENCY = 5;
const FROM = { name: 'Courant', address: 'digest@courant.example' };

if (isMainThread) await measure();
else await serve();

async function measure(): Promise<void> {
  await measureRendering();
  const thread = new Worker(new URL(import.meta.url));
  const [port] = (await once(thread, 'message')) as [number];
  const rates = { plain: [] as number[], nagle: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.plain.push(await measureSending(port, false));
    rates.nagle.push(await measureSending(port, true));
  }
  const [plain, nagle] = [median(rates.plain), median(rates.nagle)];
  report('digests a second, pooled, as configured', plain.toFixed(0));
  report('digests a second, pooled, with Nagle’s algorithm', nagle.toFixed(0));
  report('ratio', `${(plain / nagle).toFixed(1)} ×`);
  await thread.terminate();
}

async function measureRendering(): Promise<void> {
  const before = process.memoryUsage.rss();
  const first = performance.now();
  const { html } = await renderDigest(digest(0));
  report('first digest of a process', `${(performance.now() - first).toFixed(0)} ms`);
  const started = performance.now();
  for (let index = 0; index < 2_000; index += 1) await renderDigest(digest(index));
  report(
    'a later one',
    `${((performance.now() - started) / 2_000).toFixed(2)} ms, ${Math.round(html.length / 1_000)} KB`,
  );
  report('memory that stays', `${Math.round((process.memoryUsage.rss() - before) / 1_000_000)} MB`);
}

async function measureSending(port: number, nagle: boolean): Promise<number> {
  const mailer = createMailer({
    url: `smtp://127.0.0.1:${port}`,
    from: FROM,
    now: () => new Date(),
    ...(nagle ? { pool: { getSocket: (_options, callback) => openNagle(port, callback) } } : {}),
  });
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (let index = next++; index < MAILS; index = next++) await sendOne(mailer, index);
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  await mailer.close();
  return MAILS / seconds;
}

async function sendOne(mailer: ReturnType<typeof createMailer>, index: number): Promise<void> {
  const content = digest(index);
  const outcome = await mailer.send(
    {
      ...(await renderDigest(content)),
      to: { name: content.author.name, address: `author-${index}@example.org` },
      messageId: `<digest.${index}.2026-11-16@courant.example>`,
      headers: buildDigestHeaders(content),
    },
    { beforeLastByte: async () => undefined },
  );
  if (outcome.kind !== 'sent') throw new Error(`a mail was ${outcome.kind}: ${outcome.reason}`);
}

/** Opens a connection on which Nagle's algorithm cannot be disabled. */
function openNagle(port: number, callback: (error: Error | null, options: { connection: Socket }) => void): void {
  const connection = connect({ port, host: '127.0.0.1', noDelay: false });
  connection.setNoDelay = () => connection;
  connection.once('connect', () => callback(null, { connection }));
}

async function serve(): Promise<void> {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onData(stream, _session, callback) {
      stream.resume().on('end', () => callback());
    },
  });
  server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.server.address() as AddressInfo).port));
}

function digest(index: number): DigestContent {
  const site = 'https://courant.example';
  const change = (now: number) => ({ now, before: 900 });
  return {
    author: { name: `Author ${index}`, username: `author-${index}` },
    period: { from: '2026-11-09', to: '2026-11-15', zone: 'Europe/Berlin' },
    views: change(1_200 + index),
    readingSeconds: change(40_000),
    reactions: change(96),
    subscribers: change(7),
    followers: change(12),
    newFollowers: ['Grace', 'Linus', 'Radia'],
    articles: Array.from({ length: 5 }, (_, place) => ({
      title: `Article ${place} of author ${index}`,
      url: `${site}/article-${index}-${place}`,
      views: change(300),
      reactions: change(20),
    })),
    discussions: Array.from({ length: 4 }, (_, place) => ({
      title: `Article ${place} of author ${index}`,
      url: `${site}/article-${index}-${place}#comments`,
      reason: place % 2 === 0 ? 'pending' : 'engaged',
      comments: 12,
      excerpt: 'What happens when the clock of the machine jumps while a timer waits?',
    })),
    settingsUrl: `${site}/settings/notifications`,
    unsubscribeUrl: `${site}/digest/unsubscribe?token=u1.${index}.${'x'.repeat(43)}`,
    siteUrl: site,
  };
}

function report(what: string, value: string): void {
  process.stdout.write(`${what.padEnd(58)} ${value}\n`);
}
