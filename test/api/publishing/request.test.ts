/** Tests what a publish request accepts, and the errors of other fields. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildDestinationWarnings, type PublishSituation } from '../../../api/publishing/destination-warnings.ts';
import { readIdempotencyKey } from '../../../api/publishing/idempotency.ts';
import { readPublishBody, requireContentSize } from '../../../api/publishing/request.ts';
import { catchProblem } from '../../support/api/catch-problem.ts';

type Body = Parameters<typeof readPublishBody>[0];

const readBody = (body: object) => readPublishBody(body as Body);

test('a body without options has none, and null counts as absent', () => {
  const options = {
    ...{ canonicalUrl: undefined, baseUrl: undefined, coverImage: undefined, syndicationMode: undefined },
    ...{ fileName: undefined, source: undefined, platforms: {} },
  };
  assert.deepEqual(readBody({ content: 'Text.' }), { content: 'Text.', options });
  const nothing = { canonicalUrl: null, baseUrl: null, coverImage: null, syndicationMode: null, fileName: null };
  assert.deepEqual(readBody({ markdown: 'Text.', content: null, ...nothing, source: null, platforms: null }), {
    content: 'Text.',
    options,
  });
  const given = {
    ...{ canonicalUrl: 'https://a.example/', baseUrl: 'https://b.example/', coverImage: 'c.png' },
    ...{ syndicationMode: 'local', fileName: 'a.mdx', platforms: { cms_site: 'ghost' } },
  };
  const source = { repository: ' git@github.com:o/r.git ', path: 'posts/e\u0301.md' };
  assert.deepEqual(readBody({ content: 'Text.', markdown: 'Text.', ...given, source }), {
    content: 'Text.',
    options: { ...given, source: { repository: 'github.com/o/r', path: 'posts/\u00e9.md' } },
  });
});

test('a field that cannot be used is named with the reason', () => {
  const path =
    'The field "source.path" must be relative to the root of the repository, such as posts/hello.md, without "." and "..".';
  const source = (parts: object) => ({ content: 'x', source: { repository: null, path: 'a.md', ...parts } });
  for (const [body, field, message] of [
    [{ content: 'a', markdown: 'b' }, 'markdown', 'The fields "content" and "markdown" differ. Send one of them.'],
    [{}, 'content', 'The field "content" is missing. Send the Markdown document in it.'],
    [{ content: ' \n' }, 'content', 'The field "content" is empty. Write the text of the article, then send it again.'],
    [{ markdown: '' }, 'markdown', 'The field "markdown" is empty. Write the text of the article, then send it again.'],
    ...['', '/a.md', 'a//b.md', './a.md', 'a/../b.md', 'a.md/', 'a\0b'].map(
      (name) => [source({ path: name }), 'source.path', path] as const,
    ),
    [
      source({ repository: 'a\0b' }),
      'source.repository',
      'The field "source.repository" must not contain the character NUL.',
    ],
    [
      source({ repository: 'user:token@github.com/o/r' }),
      'source.repository',
      'The field "source.repository" is not the URL of a Git remote. Send such a URL, or a name without "@".',
    ],
  ] as const) {
    const { statusCode, code, message: detail, errors } = catchProblem(() => readBody(body));
    assert.deepEqual(
      [statusCode, code, detail, errors],
      [422, 'invalid_request', message, [{ path: field, message }]],
      JSON.stringify(body),
    );
  }
  const repository = (name: string | null) => readBody(source({ repository: name })).options.source?.repository;
  assert.deepEqual([repository(' my blog '), repository(' '), repository(null)], ['my blog', null, null]);
});

test('a content has at most 1 MiB, in bytes', () => {
  assert.equal(requireContentSize('x'.repeat(2 ** 20)), undefined);
  for (const text of ['x'.repeat(2 ** 20 + 1), `${'ä'.repeat(2 ** 19)}x`]) {
    const { statusCode, code, message } = catchProblem(() => requireContentSize(text));
    const detail = 'The content has 1048577 bytes; the limit is 1048576.';
    assert.deepEqual([statusCode, code, message], [413, 'content_too_large', detail]);
  }
});

test('an idempotency key has 1 to 255 printable characters, with or without quotes', () => {
  const input = readBody({ content: 'x' });
  const readKey = (header: unknown) => readIdempotencyKey(header, 'a user', input)?.key;
  assert.equal(readIdempotencyKey(undefined, 'a user', input), null);
  assert.deepEqual([readKey('"a!~"'), readKey('a"b'), readKey('x'.repeat(255))], ['a!~', 'a"b', 'x'.repeat(255)]);
  for (const header of ['', '""', 'a b', 'ä', '\x7f', 'x'.repeat(256)]) {
    const { statusCode, code, message } = catchProblem(() => readKey(header));
    const detail = 'Idempotency-Key must have 1 to 255 printable ASCII characters without spaces.';
    assert.deepEqual([statusCode, code, message], [400, 'idempotency_key_malformed', detail], header);
  }
  const hash = (body: object) => readIdempotencyKey('k', 'a user', readBody(body))?.requestHash;
  assert.deepEqual(hash({ content: 'x' }), hash({ markdown: 'x' }));
  assert.notDeepEqual(hash({ content: 'x' }), hash({ content: 'y' }));
  assert.notDeepEqual(hash({ content: 'x' }), hash({ content: 'x', fileName: 'a.md' }));
});

test('the warnings of a publish name what is not delivered, lost or not changed', () => {
  const copy = {
    ...{ destination: 'blogsite_c', connection: { platform: 'medium' }, url: 'https://m.example/1', isLive: true },
    ...{ isUncertain: false, isOutdated: true, isWithdrawn: false, isSelected: true, isFormer: false },
  };
  const situation = (parts: object, facts: object = {}) =>
    ({
      ...{ status: 'PUBLISHED', syndicate: true, preflights: [], ...parts },
      facts: { missing: [], copies: [], connected: ['blogsite_a', 'blogsite_c'], ...facts },
    }) as unknown as PublishSituation;
  const missing = {
    ...{ code: 'destination_not_connected', path: 'cross_post.cms_site', destination: 'cms_site' },
    message: 'cross_post selects cms_site, but it is not connected; nothing is delivered there until you connect it.',
  };
  for (const parts of [{}, { status: 'DRAFT' }, { syndicate: false }])
    assert.deepEqual(buildDestinationWarnings(situation(parts, { missing: ['cms_site'] })), [missing]);

  const preflights = [
    {
      platform: 'forem',
      losses: [
        { code: 'tag_dropped', message: 'Lost.', path: 'tags' },
        { code: 'html_removed', message: 'Lost too.', line: 3 },
      ],
      refusal: { code: 'too_long', message: 'Too long.' },
    },
    { platform: 'hashnode', losses: [{ code: 'x', message: 'Of a disconnected one.' }], refusal: null },
  ];
  const destination = 'blogsite_a';
  assert.deepEqual(buildDestinationWarnings(situation({ preflights })), [
    {
      ...{ code: 'destination_would_refuse', path: 'cross_post.blogsite_a', destination },
      message: 'Too long. Without a change, the delivery to this destination will fail.',
    },
    { code: 'tag_dropped', message: 'Lost.', path: 'tags', destination },
    { code: 'html_removed', message: 'Lost too.', line: 3, path: 'content', destination },
  ]);
  assert.deepEqual(buildDestinationWarnings(situation({ preflights, syndicate: false })), []);

  const codes = (parts: object, more: object = {}) =>
    buildDestinationWarnings(situation(more, { copies: [{ ...copy, ...parts }] })).map(({ code }) => code);
  assert.deepEqual(codes({}), ['destination_not_updated']);
  for (const parts of [
    { isLive: false },
    { isOutdated: false },
    { connection: null },
    { connection: { platform: 'forem' } },
  ])
    assert.deepEqual(codes(parts), [], JSON.stringify(parts));
  for (const parts of [{ isSelected: false }, { isFormer: true }]) assert.deepEqual(codes(parts), []);
  assert.deepEqual(codes({}, { status: 'SCHEDULED' }), ['destination_not_updated', 'remote_copy_live']);
  assert.deepEqual(codes({ isUncertain: true }, { status: 'DRAFT' }), ['remote_copy_unknown']);
  assert.deepEqual(codes({ isLive: false }, { status: 'DRAFT' }), []);
  const withdrawn = (connection: object | null) =>
    buildDestinationWarnings(situation({}, { copies: [{ ...copy, connection, isWithdrawn: true }] }));
  const message = (label: string) =>
    `You withdrew the copy at ${label}, and this publish does not restore it; retryDelivery does.`;
  assert.deepEqual(withdrawn({ platform: 'medium' }), [
    {
      ...{ code: 'destination_withdrawn', path: 'cross_post.blogsite_c', destination: 'blogsite_c' },
      message: message('Medium'),
    },
  ]);
  assert.equal(withdrawn(null)[0]?.message, message('blogsite_c'));
});
