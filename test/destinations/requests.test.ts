/**
 * Snapshots of the requests that each client sends to the sandbox, in `requests/`: one look-up of the
 * account, then one post that is created, found, missed, updated and withdrawn, as far as the platform
 * supports it. `node --test --test-update-snapshots` rewrites them.
 */
import { join } from 'node:path';
import { test } from 'node:test';
import { type RecordedRequest, recordRequests } from './recorded-requests.ts';
import { ROWS } from './rows/index.ts';

/** Headers that every HTTP client sends. */
const COMMON = new Set(['host', 'connection', 'content-length']);

for (const row of ROWS) {
  const { label, platform } = row.destination;

  test(`${label} gets the requests that are recorded`, async (context) => {
    const requests = await recordRequests(context, row, {
      ...{ title: 'A title', slug: 'a-title', canonicalUrl: 'https://blog.example.com/a-title', body: 'Some text.\n' },
    });
    const lines = requests.flatMap(describe).map(hideVariable);
    context.assert.fileSnapshot(lines.join('\n'), join(import.meta.dirname, 'requests', `${platform}.txt`), {
      serializers: [(text: string) => `${text}\n`],
    });
  });
}

function describe({ method, path, headers, body }: RecordedRequest): string[] {
  const sent = Object.entries(headers).filter(([name]) => !COMMON.has(name));
  return [
    `${method} ${path}`,
    ...sent.map(([name, value]) => `  ${name}: ${value}`),
    ...(body === undefined ? [] : [`  ${Buffer.isBuffer(body) ? `${body.length} bytes` : JSON.stringify(body)}`]),
  ];
}

/** Replaces addresses, times, ids of the sandbox, and tokens that are signed for each request. */
function hideVariable(line: string): string {
  return line
    .replace(/127\.0\.0\.1(:|%3A)\d+/g, '<sandbox>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, '<time>')
    .replace(/(authorization: Ghost )\S+/, '$1<token>')
    .replace(/(?<=\/posts\/|"id":")[\da-f]{24}/g, '<id>')
    .replace(/an-article-\d+/g, '<another>');
}
