/** Forms of pages: which are accepted, and how their fields are read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FastifyRequest, fastify } from 'fastify';
import type { ProblemError } from '../../../api/plugins/errors/problem.ts';
import { acceptForms, acceptsJson, readField, readFields } from '../../../api/web/forms.ts';
import { acceptOneClick, requireOneClick } from '../../../api/web/one-click.ts';

function build() {
  const app = fastify();
  app.setErrorHandler((error: ProblemError, _request, reply) =>
    reply.code(error.statusCode).send([error.code, error.message]),
  );
  return app;
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

test('a form is accepted only from a page of this site, up to 64 KiB', async () => {
  const app = build();
  await acceptForms(app);
  app.get('/', async () => 'page');
  app.post('/', async (request) => readField(request, 'a').length);
  const send = async (headers: Record<string, string>, payload = 'a=xyz') => {
    const { statusCode, body } = await app.inject({
      url: '/',
      method: 'POST',
      payload,
      headers: { ...FORM, ...headers },
    });
    return statusCode === 200 ? body : [statusCode, JSON.parse(body)];
  };
  const own = { 'sec-fetch-site': 'same-origin' };
  const foreign = [
    403,
    ['foreign_form', 'This form was not sent from a page of this site. Open the page on this site and try again.'],
  ];
  const host = { host: 'courant.example:8080' };
  for (const headers of [own, { ...host, origin: 'https://courant.example:8080' }])
    assert.equal(await send(headers), '3');
  for (const headers of [
    ...[{}, { 'sec-fetch-site': 'same-site' }, { 'sec-fetch-site': 'none' }, { ...host, origin: 'null' }],
    ...[
      { ...host, origin: 'https://courant.example' },
      { ...host, 'sec-fetch-site': 'cross-site', origin: 'https://courant.example:8080' },
    ],
  ])
    assert.deepEqual(await send(headers), foreign, JSON.stringify(headers));
  for (const method of ['GET', 'HEAD'] as const) assert.equal((await app.inject({ url: '/', method })).statusCode, 200);
  assert.equal(await send(own, `a=${'x'.repeat(65_534)}`), '65534');
  assert.equal((await send(own, `a=${'x'.repeat(65_535)}`))[0], 413);
  await app.close();
});

test('the first value of a field is read, all values of selected fields, and no files', () => {
  const body = new FormData();
  for (const value of ['1', '2']) body.append('a', value);
  body.append('b', new File(['x'], 'x.txt'));
  body.append('b', 'text');
  const request = { body } as FastifyRequest;
  assert.deepEqual(
    ['a', 'b', 'c'].map((name) => readField(request, name)),
    ['1', '', ''],
  );
  assert.deepEqual(
    ['a', 'b', 'c'].map((name) => readFields(request, name)),
    [['1', '2'], ['text'], []],
  );
  for (const other of [null, undefined, { a: '1' }]) {
    const none = { body: other } as FastifyRequest;
    assert.deepEqual([readField(none, 'a'), readFields(none, 'a')], ['', []]);
  }
  const accepts = (accept?: string) => acceptsJson({ headers: { accept } } as FastifyRequest);
  assert.deepEqual([accepts('text/html, application/json'), accepts('text/html'), accepts()], [true, false, false]);
});

test('a mail program unsubscribes with one click, in either encoding, up to 4 KiB', async () => {
  const app = build();
  await acceptOneClick(app);
  app.post('/', async (request) => {
    requireOneClick(request);
    return 'unsubscribed';
  });
  const send = async (payload: string, headers: Record<string, string> = FORM) => {
    const { statusCode, body } = await app.inject({ url: '/', method: 'POST', payload, headers });
    return [statusCode, statusCode === 200 ? body : JSON.parse(body)];
  };
  const oneClick = 'List-Unsubscribe=One-Click';
  assert.deepEqual(await send(oneClick), [200, 'unsubscribed']);
  const multipart = '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--';
  const type = { 'content-type': 'multipart/form-data; boundary=x' };
  assert.deepEqual(await send(multipart, type), [200, 'unsubscribed']);
  for (const other of ['', 'List-Unsubscribe=Two', 'a=One-Click'])
    assert.deepEqual(await send(other), [
      ...[400, ['not_one_click', 'The form must contain List-Unsubscribe=One-Click.']],
    ]);
  const longest = `${oneClick}&a=`.padEnd(4_096, 'x');
  assert.deepEqual(await send(longest), [200, 'unsubscribed']);
  assert.equal((await send(`${longest}x`))[0], 413);
  await app.close();
});
