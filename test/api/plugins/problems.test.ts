/** Errors as problem details: of commands, validation, the framework, the database and the parser. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type FastifyError, type FastifyRequest, fastify } from 'fastify';
import { allowedMethodsPlugin } from '../../../api/plugins/allowed-methods.ts';
import { sendClientError, sendFrameworkError, sendRawProblem } from '../../../api/plugins/errors/framework-errors.ts';
import { buildProblemBody, createRateLimitProblem, ProblemError } from '../../../api/plugins/errors/problem.ts';
import { PROBLEM_CODES } from '../../../api/plugins/errors/problem-codes.ts';
import { PROBLEMS, toProblem } from '../../../api/plugins/errors/to-problem.ts';
import { jsonBodyPlugin } from '../../../api/plugins/json-body.ts';
import { toNetwork } from '../../../api/plugins/network.ts';
import { chooseRequestId, responseHeadersPlugin } from '../../../api/plugins/response-headers.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';

/** The status, code, message, fields and headers of the problem of an error. */
function convert(error: object) {
  const { statusCode, code, message, errors, headers } = toProblem(
    error as FastifyError,
    { id: 'r-1' } as FastifyRequest,
  );
  return { statusCode, code, message, errors, headers };
}

const fail = (properties: object, message = 'Secret.') => Object.assign(new Error(message), properties);

test('a refused command has the status of its code, and names its field', () => {
  const statuses: Partial<Record<RefusedCommandError['code'], [statusCode: number, code: string]>> = {
    NOT_FOUND: [404, 'not_found'],
    SUSPENDED: [403, 'author_suspended'],
    EMAIL_NOT_CONFIRMED: [403, 'email_not_confirmed'],
    UNAUTHENTICATED: [401, 'unauthenticated'],
    RATE_LIMITED: [429, 'rate_limited'],
    ALREADY_MADE: [409, 'already_made'],
    CONNECTION_CHANGED: [409, 'connection_changed'],
    STORAGE_FULL: [403, 'storage_full'],
    TOO_MANY: [409, 'too_many'],
  };
  for (const [refusal, [statusCode, code]] of Object.entries(statuses) as [
    RefusedCommandError['code'],
    [number, string],
  ][]) {
    const expected = { statusCode, code, message: 'No.', errors: [], headers: {} };
    assert.deepEqual(convert(new RefusedCommandError(refusal, 'No.')), expected);
    const errors = [{ path: 'name', message: 'No.' }];
    assert.deepEqual(convert(new RefusedCommandError(refusal, 'No.', 'name')), { ...expected, errors });
  }
});

test('the page of errors has each refused command with another status than 409', () => {
  const missing = Object.values(PROBLEMS).filter(([status, code]) => status !== 409 && !(code in PROBLEM_CODES));
  assert.deepEqual(missing, []);
});

test('errors of the framework and the database have their own codes; others show no internals', () => {
  const none = { errors: [], headers: {} };
  const problem = createRateLimitProblem('Later.', 3);
  assert.equal(toProblem(problem as never, {} as FastifyRequest), problem);
  assert.deepEqual(
    [problem.name, convert(problem)],
    [
      'ProblemError',
      { ...none, statusCode: 429, code: 'rate_limited', message: 'Later.', headers: { 'retry-after': '3' } },
    ],
  );
  const cases: [error: object, statusCode: number, code: string, message: string][] = [
    [
      fail({ code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE', statusCode: 415 }),
      ...([415, 'unsupported_media_type', 'Send the body as Content-Type: application/json.'] as const),
    ],
    [
      fail({ code: 'FST_ERR_CTP_BODY_TOO_LARGE', statusCode: 413 }),
      ...([413, 'body_too_large', 'The request body is too large. The limit for content is 1 MiB.'] as const),
    ],
    [
      fail({ code: 'FST_ERR_CTP_INVALID_CONTENT_LENGTH', statusCode: 400 }),
      ...([400, 'content_length_mismatch', 'The length of the body does not match Content-Length.'] as const),
    ],
    [
      new RangeError('Maximum call stack size exceeded'),
      ...([400, 'too_deep', 'The request is nested too deep. Nothing was changed.'] as const),
    ],
    [fail({ statusCode: 400 }, 'Odd.'), 400, 'bad_request', 'Odd.'],
    [fail({ statusCode: 499 }, 'Odd.'), 499, 'bad_request', 'Odd.'],
    ...[{}, { statusCode: 399 }, { statusCode: 500 }, { statusCode: 502 }].map(
      (properties): [object, number, string, string] => [
        fail(properties),
        ...([500, 'internal_error', 'Internal error. Include request r-1 when you report it.'] as const),
      ],
    ),
  ];
  for (const [error, statusCode, code, message] of cases)
    assert.deepEqual(convert(error), { ...none, statusCode, code, message });
  const unavailable = { ...none, statusCode: 503, code: 'database_unavailable', headers: { 'retry-after': '5' } };
  assert.deepEqual(convert(fail({ code: 'ECONNREFUSED' })), {
    ...unavailable,
    message: 'The database is unreachable. Nothing was changed. Try again in a moment.',
  });
  assert.deepEqual(convert(fail({ code: 'ECONNRESET' })), {
    ...unavailable,
    message:
      'The connection to the database was lost during this request, so it is unknown whether the change was saved. Check in a moment, or send the request again: a saved article is found and not created twice.',
  });
});

test('a validation error names each invalid field by its path', () => {
  const validation = [
    { instancePath: '/links/0', message: 'must be string', params: {} },
    { instancePath: '', message: 'must have content', params: { missingProperty: 'content' } },
    { instancePath: '/a', params: { missingProperty: 'b' } },
    { instancePath: '', message: 'must be object', params: { missingProperty: 1 } },
  ];
  assert.deepEqual(convert(fail({ validation, statusCode: 400 })), {
    ...{ statusCode: 422, code: 'invalid_request', message: 'Some fields of the request are invalid. See errors.' },
    errors: [
      { path: 'links.0', message: 'must be string' },
      { path: 'content', message: 'must have content' },
      { path: 'a.b', message: 'is invalid' },
      { path: 'body', message: 'must be object' },
    ],
    headers: {},
  });
});

test('a problem has the title of its status', () => {
  const build = (status: number) => buildProblemBody(new ProblemError(status, 'invalid_request', 'Detail.'), 'r-1');
  assert.deepEqual(build(404), {
    ...{
      success: false,
      type: 'urn:courant:problem:invalid_request',
      title: 'Not Found',
      status: 404,
      detail: 'Detail.',
    },
    ...{ code: 'invalid_request', errors: [], requestId: 'r-1' },
  });
  assert.deepEqual(
    [413, 422, 429, 499].map((status) => build(status).title),
    [...['Content Too Large', 'Unprocessable Content', 'Too Many Requests', 'Error']],
  );
});

test('a JSON body must be valid UTF-8 and JSON; the error names the position and quotes nothing', async () => {
  const app = fastify();
  await app.register(jsonBodyPlugin);
  app.setErrorHandler((error: ProblemError, _request, reply) =>
    reply.code(error.statusCode).send([error.code, error.message]),
  );
  app.post('/', async ({ body }) => ({ body }));
  const send = async (payload: string | Buffer, headers: Record<string, string> = {}) => {
    const all = { 'content-type': 'application/json', ...headers };
    const answer = await app.inject({ method: 'POST', url: '/', headers: all, payload });
    return [answer.statusCode, ...(answer.statusCode === 200 ? [answer.json().body] : answer.json())];
  };
  assert.deepEqual(await send('{"a":"ü"}'), [200, { a: 'ü' }]);
  assert.deepEqual(await send('null', { 'content-encoding': 'IDENTITY' }), [200, null]);
  assert.deepEqual(await send('{"a":[]}', { 'content-type': 'application/json; charset=utf-8' }), [200, { a: [] }]);
  const malformed = (detail: string) => [400, 'malformed_json', detail];
  assert.deepEqual(await send(''), malformed('The body is empty; it must be a JSON object.'));
  assert.deepEqual(await send('{"a":\n  1, secret}'), malformed('The body is not valid JSON: line 2, column 6.'));
  const other = 'it ends too early or contains something other than JSON.';
  assert.deepEqual(await send('{'), malformed('The body is not valid JSON: line 1, column 2.'));
  assert.deepEqual(await send('"a'), malformed('The body is not valid JSON: line 1, column 3.'));
  assert.deepEqual(await send('secret (line 1 column 1)'), malformed(`The body is not valid JSON: ${other}`));
  assert.deepEqual(
    await send('{"__proto__":1}'),
    malformed('The body contains the key "__proto__", which is not allowed.'),
  );
  assert.deepEqual(await send(Buffer.from([0x22, 0xff, 0x22])), [
    ...[400, 'malformed_utf8', 'The body is not valid UTF-8. Save the file as UTF-8 and send it again.'],
  ]);
  for (const encoding of ['gzip', 'identity, gzip'])
    assert.deepEqual(await send('{}', { 'content-encoding': encoding }), [
      ...[415, 'unsupported_encoding', 'Compressed request bodies are not supported. Send the body uncompressed.'],
    ]);
  assert.deepEqual((await send('{}', { 'content-type': 'text/plain' }))[0], 415);
  await app.close();
});

test('an address with other methods returns 405 with all of them; others return 404', async () => {
  const app = fastify();
  await app.register(allowedMethodsPlugin);
  app.setErrorHandler((error: ProblemError, _request, reply) =>
    reply.code(error.statusCode).headers(error.headers).send([error.code, error.message]),
  );
  app.post('/articles', async () => 'posted');
  app.get('/articles/:id', async () => 'one');
  app.route({ method: ['DELETE', 'PUT'], url: '/articles/:id', handler: async () => 'changed' });
  const refused = await app.inject({ method: 'PATCH', url: '/articles/1/?a=1' });
  assert.deepEqual(
    [refused.statusCode, refused.headers.allow, refused.json()],
    [
      ...[405, 'DELETE, GET, HEAD, PUT'],
      ['method_not_allowed', 'PATCH is not allowed here. This address accepts DELETE, GET, HEAD, PUT.'],
    ],
  );
  const posts = await app.inject({ method: 'GET', url: '/articles' });
  assert.deepEqual([posts.statusCode, posts.headers.allow], [405, 'POST']);
  assert.equal((await app.inject('/nothing')).statusCode, 404);
  assert.equal((await app.inject('/articles/1')).body, 'one');
  await app.close();
});

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

test('an unreadable address is a problem that does not contain it', async () => {
  const app = fastify({
    ...{ frameworkErrors: sendFrameworkError, genReqId: () => 'r-1', routerOptions: { maxParamLength: 10 } },
  });
  app.get('/:id', async () => 'found');
  for (const [url, status, title, code, detail] of [
    ['/%E0%A4%A', 400, 'Bad Request', 'bad_address', 'The URL of the request is malformed.'],
    [`/${'x'.repeat(11)}`, 404, 'Not Found', 'not_found', 'Nothing found: the URL of the request is too long.'],
  ] as const) {
    const answer = await app.inject(url);
    assert.equal(answer.statusCode, status);
    assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
    for (const [name, value] of Object.entries(HEADERS)) assert.equal(answer.headers[name], value);
    assert.deepEqual(answer.json(), {
      ...{ success: false, type: `urn:courant:problem:${code}`, title, status, detail, code, errors: [] },
      requestId: 'r-1',
    });
  }
  await app.close();
});

/** Sends bytes to a server with our error handlers. Returns all that it sends until it closes. */
async function sendBytes(context: TestContext, bytes: string): Promise<string> {
  const server = createServer({ maxHeaderSize: 1_024 }, (request, response) => {
    sendRawProblem(new ProblemError(503, 'invalid_request', 'Später.'), request, response);
  });
  server.on('clientError', sendClientError);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  return new Promise((resolve) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.on('close', () => resolve(text));
  });
}

test('bytes that are not HTTP get a problem, and the connection closes', async (context) => {
  for (const [bytes, status, code, detail] of [
    ['NONSENSE\r\n\r\n', '400 Bad Request', 'bad_request', 'The bytes received are not a valid HTTP request.'],
    [
      `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(2_000)}\r\n\r\n`,
      ...['431 Request Header Fields Too Large', 'headers_too_large', 'The headers of the request are too large.'],
    ],
  ] as const) {
    const [head = '', body = ''] = (await sendBytes(context, bytes)).split('\r\n\r\n');
    const { requestId, ...problem } = JSON.parse(body) as { requestId: string };
    assert.match(requestId, /^[\da-f-]{36}$/);
    const [number, ...title] = status?.split(' ') ?? [];
    assert.deepEqual(problem, {
      ...{ success: false, type: `urn:courant:problem:${code}`, title: title.join(' '), status: Number(number) },
      ...{ detail, code, errors: [] },
    });
    assert.deepEqual(head.split('\r\n'), [
      `HTTP/1.1 ${status}`,
      ...Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`),
      ...['content-type: application/problem+json; charset=utf-8', `content-length: ${Buffer.byteLength(body)}`],
      'connection: close',
    ]);
  }
});

test('a rejected request gets one problem, and no second one for the bytes that follow', async (context) => {
  const request = 'GET / HTTP/1.1\r\nhost: x\r\nx-request-id: client-1\r\n\r\n';
  const answer = await sendBytes(context, `${request}NONSENSE\r\n\r\n`);
  assert.equal(answer.match(/HTTP\/1\.1/g)?.length, 1, answer);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  assert.deepEqual(JSON.parse(body), {
    ...{ success: false, type: 'urn:courant:problem:invalid_request', title: 'Service Unavailable', status: 503 },
    ...{ detail: 'Später.', code: 'invalid_request', errors: [], requestId: 'client-1' },
  });
  const lines = head.split('\r\n').filter((line) => !line.startsWith('Date: '));
  assert.deepEqual(lines, [
    'HTTP/1.1 503 Service Unavailable',
    ...Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`),
    ...['x-request-id: client-1', 'content-type: application/problem+json; charset=utf-8'],
    ...[`content-length: ${Buffer.byteLength(body)}`, 'connection: close'],
  ]);
});

test('a request id of 8 to 64 characters is used, any other is replaced', async () => {
  const choose = (id: string | string[] | undefined) => chooseRequestId({ headers: { 'x-request-id': id } });
  for (const id of ['12345678', 'a'.repeat(64), 'Trace_1.2:3-4']) assert.equal(choose(id), id);
  for (const id of ['1234567', 'a'.repeat(65), '12345678!', '!12345678', ['12345678', '23456789'], undefined])
    assert.match(choose(id), /^[\da-f]{8}-[\da-f-]{27}$/);
  const app = fastify({ genReqId: chooseRequestId });
  await app.register(responseHeadersPlugin);
  app.get('/', async () => 'x');
  const { headers } = await app.inject({ url: '/', headers: { 'x-request-id': 'client-1' } });
  assert.equal(headers['x-request-id'], 'client-1');
  assert.equal(headers['x-content-type-options'], HEADERS['x-content-type-options']);
  assert.equal(headers['content-security-policy'], HEADERS['content-security-policy']);
  assert.equal(toNetwork('no address'), 'unknown');
});
