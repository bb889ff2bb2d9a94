/** Checks every request to WordPress against the documented arguments of its endpoint. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readShared, sharedPath } from '../../support/shared-data.ts';
import { startServer } from '../destination-harness.ts';
import { type RecordedRequest, recordRequests } from '../recorded-requests.ts';
import { wordpressRow } from '../rows/wordpress.ts';

interface Endpoint {
  definition: string;
  args: Record<string, { enum?: string[]; required?: boolean }>;
}

/** Arguments of every endpoint. */
const GLOBAL = ['_fields'];

const data = sharedPath('contracts/wordpress-rest-args.json');

test('every WordPress request matches the documentation', { skip: data.skip }, async (context) => {
  const { resources } = JSON.parse(readShared('contracts/wordpress-rest-args.json'));
  const endpoints = new Map<string, Endpoint>(
    Object.values(resources as Record<string, { endpoints: Endpoint[] }>).flatMap((resource) =>
      resource.endpoints.map((endpoint) => [endpoint.definition, endpoint] as const),
    ),
  );
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const coverImage = `${await startServer(context, (_request, response) => response.end(png))}/cover.png`;
  const recorded = await recordRequests(context, wordpressRow, { coverImage });
  const used = new Set<string>();
  for (const request of recorded) {
    assert.match(request.headers.authorization ?? '', /^Basic [\w+/]+=*$/);
    const definition = findDefinition(request);
    // The site's index and its users have separate pages in the documentation.
    if (['GET /', 'GET /wp/v2/users/me'].includes(definition)) continue;
    const endpoint = endpoints.get(definition);
    assert.ok(endpoint, definition);
    used.add(definition);
    assertKnown(request, endpoint);
  }
  assert.deepEqual([...used].sort(), [
    'GET /wp/v2/media',
    'GET /wp/v2/posts',
    'GET /wp/v2/posts/<id>',
    'GET /wp/v2/tags',
    'POST /wp/v2/media',
    'POST /wp/v2/posts',
    'POST /wp/v2/posts/<id>',
    'POST /wp/v2/tags',
  ]);
});

function findDefinition({ method, path }: RecordedRequest): string {
  const route = new URL(path, 'http://x').pathname.replace('/wordpress/wp-json', '').replace(/\/\d+$/, '/<id>');
  return `${method} ${route === '' ? '/' : route}`;
}

function assertKnown({ method, path, headers, body }: RecordedRequest, { definition, args }: Endpoint): void {
  const query = Object.fromEntries(new URL(path, 'http://x').searchParams);
  if (Buffer.isBuffer(body)) {
    assert.equal(definition, 'POST /wp/v2/media');
    assert.equal(headers['content-type'], 'image/png');
    assert.match(headers['content-disposition'] ?? '', /^attachment; filename="[\w.-]+"$/);
  } else if (method === 'POST') {
    assert.equal(headers['content-type'], 'application/json');
  }
  const sent = { ...query, ...(Buffer.isBuffer(body) ? {} : (body as Record<string, unknown> | undefined)) };
  for (const [name, value] of Object.entries(sent)) {
    if (GLOBAL.includes(name)) continue;
    const known = args[name];
    assert.ok(known, `${name} of ${definition}`);
    // The documentation of a list's `status` contains its default alone.
    if (known.enum) assert.ok(known.enum.includes(String(value)), `${name}=${value} of ${definition}`);
  }
  for (const [name, known] of Object.entries(args)) {
    if (known.required) assert.ok(name in sent, `${name} of ${definition}`);
  }
}
