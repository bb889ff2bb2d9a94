/**
 * `npm run bench:publish`: measures publishes compared with a bare Fastify route with one `insert …
 * returning` on the same durable PostgreSQL. The goal is 1.5 times a route that parses the text
 * with bare remark first. The last rows show that no response waits for Temporal.
 */
import { randomBytes } from 'node:crypto';
import { printFigure } from './figure.ts';
import { measure, type Sample } from './publish/load.ts';
import { startBenchServices } from './publish/services.ts';

const BODY =
  `${'A paragraph of ordinary length with **bold**, `code` and a [link](https://example.org/page). '.repeat(4)}

## A heading

- one
- two

\`\`\`js
const answer = 42;
\`\`\`
`.repeat(3);

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
const services = await startBenchServices();
try {
  const rows: (Sample & { name: string; clients: number })[] = [];
  const run = async (
    name: string,
    clients: number,
    send: (n: number) => { url: string; headers: Record<string, string>; body: string },
  ) => {
    await measure({ clients, seconds: 1, send });
    rows.push({ name, clients, ...(await measure({ clients, seconds: SECONDS, send })) });
  };
  const json = { 'content-type': 'application/json' };
  const seed = randomBytes(4).toString('hex');
  let counter = 0;
  const floor = () => ({
    url: services.floorUrl,
    headers: json,
    body: JSON.stringify({ title: `t${counter++}`, body: BODY }),
  });
  const parsed = (path: string) => () => {
    const { url, ...request } = floor();
    return { ...request, url: `${url}${path}` };
  };
  const publishAs = (token: string) => ({
    url: `${services.apiUrl}/api/v1/articles`,
    headers: { ...json, authorization: `Bearer ${token}` },
    body: JSON.stringify({ content: `---\ntitle: Bench ${seed} ${counter++}\ntags: [bench, load]\n---\n\n${BODY}` }),
  });
  const publish = () => publishAs(services.token);
  const publishConnected = () => publishAs(services.connectedToken);
  const publishLine = () => {
    const { url, headers } = publish();
    return {
      url,
      headers,
      body: JSON.stringify({ content: `---\ntitle: Line ${seed} ${counter++}\n---\n\nOne line.\n` }),
    };
  };
  for (const clients of [1, 8]) {
    await run('floor', clients, floor);
    await run('remark, then floor', clients, parsed('parsed'));
    await run('remark with GFM, then floor', clients, parsed('parsed-gfm'));
    await run('our reading, then floor', clients, parsed('read'));
    await run('publish', clients, publish);
    await run('publish, one line', clients, publishLine);
    await run('publish to two destinations', clients, publishConnected);
  }
  const idle = await services.residentMemory();
  await services.stopTemporal();
  for (const clients of [1, 8]) {
    await run('publish, Temporal stopped', clients, publish);
    await run('the same to two destinations', clients, publishConnected);
  }
  await run('publish, one line, Temporal stopped', 1, publishLine);

  console.log(`\n${'what'.padEnd(36)} clients   req/s    p50 ms    p95 ms   x floor p50  x parsed floor`);
  for (const row of rows) {
    const base = rows.find((other) => other.name === 'floor' && other.clients === row.clients);
    const parsedBase = rows.find((other) => other.name === 'remark, then floor' && other.clients === row.clients);
    const ratio = base ? (row.p50 / base.p50).toFixed(2) : '';
    const parsedRatio = parsedBase ? (row.p50 / parsedBase.p50).toFixed(2) : '';
    console.log(
      `${row.name.padEnd(36)} ${String(row.clients).padStart(7)} ${row.perSecond.toFixed(0).padStart(7)} ` +
        `${row.p50.toFixed(2).padStart(9)} ${row.p95.toFixed(2).padStart(9)} ${ratio.padStart(13)} ${parsedRatio.padStart(15)}`,
    );
    if (row.failed > 0) console.log(`   ${row.failed} answers were no success: ${row.firstFailure}`);
  }
  for (const clients of [1, 8]) {
    const find = (name: string) => rows.find((row) => row.name === name && row.clients === clients)?.p50 ?? Number.NaN;
    const value = find('publish') / find('remark, then floor');
    printFigure({
      what: `publish, ${clients} clients, p50`,
      value,
      unit: '× remark and insert',
      goal: { atMost: 1.5 },
    });
    // GitHub's Markdown, which authors are promised, cannot be parsed at a lower cost.
    const ofGfm = find('publish') / find('remark with GFM, then floor');
    printFigure({
      what: `the same, beside GFM`,
      value: ofGfm,
      unit: '× remark with GFM and insert',
      goal: { atMost: 1.5 },
    });
  }
  console.log(
    `\nresident memory, idle after start: api ${services.idleMemory.api} MB, worker ${services.idleMemory.worker} MB`,
  );
  console.log(`resident memory, after this load:  api ${idle.api} MB, worker ${idle.worker} MB`);
} finally {
  await services.stop();
}
