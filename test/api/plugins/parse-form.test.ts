/** The form parser, compared with the platform's own parser, and its limits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fastify } from 'fastify';
import { formBodyPlugin, parseMultipart, parseUrlencoded } from '../../../api/plugins/form-body.ts';
import { runs } from '../../support/property-runs.ts';

const URLENCODED = 'application/x-www-form-urlencoded';

function parseForm(type: string, body: Buffer): Promise<FormData> {
  return type.startsWith(URLENCODED) ? parseUrlencoded(body) : parseMultipart(type, body);
}

async function encode(body: FormData | URLSearchParams): Promise<[type: string, body: Buffer]> {
  const response = new Response(body);
  return [response.headers.get('content-type') ?? '', Buffer.from(await response.arrayBuffer())];
}

async function listEntries(form: FormData): Promise<unknown[]> {
  return Promise.all(
    [...form].map(async ([name, value]) =>
      typeof value === 'string'
        ? [name, value]
        : [name, value.name, value.type, Buffer.from(await value.arrayBuffer())],
    ),
  );
}

test('a form in either encoding has the same fields as with the platform’s parser', async () => {
  const name = fc.stringMatching(/^[a-zA-Z][\w-]{0,19}$/);
  const text = fc.string({ unit: 'grapheme', maxLength: 200 });
  const field = fc.tuple(name, text);
  await fc.assert(
    fc.asyncProperty(fc.array(field, { maxLength: 20 }), async (fields) => {
      const form = new FormData();
      for (const [key, value] of fields) form.append(key, value);
      for (const encoded of [await encode(new URLSearchParams(fields)), await encode(form)]) {
        const [type, body] = encoded;
        const expected = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
        assert.deepEqual(await listEntries(await parseForm(type, body)), await listEntries(expected));
      }
    }),
    { numRuns: runs(100) },
  );
});

test('bytes, name and type of a file are unchanged; a part without a file name is text', async () => {
  const form = new FormData();
  const bytes = Buffer.from([0, 0xff, 0xfe, 13, 10, 45, 45]);
  form.append('file', new File([bytes], 'Über uns/artikel.md', { type: 'text/markdown' }));
  form.append('after', 'yes');
  const [type, body] = await encode(form);
  assert.deepEqual((await listEntries(await parseForm(type, body))).sort(), [
    ['after', 'yes'],
    ['file', 'Über uns/artikel.md', 'text/markdown', bytes],
  ]);
  const part =
    '--x\r\ncontent-disposition: form-data; name="a"\r\ncontent-type: application/octet-stream\r\n\r\nb\r\n--x--';
  assert.deepEqual([...(await parseForm('multipart/form-data; boundary=x', Buffer.from(part)))], [['a', 'b']]);
});

test('a urlencoded form may have 1,000 fields and a multipart form 50; one more returns 413 with the limit', async () => {
  const multipart = (count: number) => {
    const form = new FormData();
    for (let n = 0; n < count; n++) form.append('article', String(n));
    return encode(form);
  };
  const cases: [limit: number, encodeFields: (count: number) => Promise<[string, Buffer]>][] = [
    [1_000, async (count) => [URLENCODED, Buffer.from(`${'a&'.repeat(count - 1)}a`)]],
    [1_000, async (count) => [URLENCODED, Buffer.from('a=1&'.repeat(count))]],
    [1_000, async (count) => [URLENCODED, Buffer.from(`&${'a&'.repeat(count)}`.slice(0, -1))]],
    [50, multipart],
  ];
  for (const [limit, encodeFields] of cases) {
    assert.equal([...(await parseForm(...(await encodeFields(limit))))].length, limit);
    const message = `The form has more than ${limit} fields. Nothing was changed. Send fewer fields.`;
    const refusal = { statusCode: 413, code: 'too_many_fields', message };
    await assert.rejects(parseForm(...(await encodeFields(limit + 1))), refusal);
  }
});

test('a body that does not match its Content-Type returns 400', async () => {
  const part = (more = '') => `--x\r\ncontent-disposition: form-data; name="a"${more}\r\n\r\nb\r\n`;
  const cases: [type: string, body: string][] = [
    ['multipart/form-data', `${part()}--x--`],
    ['multipart/form-data; boundary=', `${part()}--x--`],
    [`multipart/form-data; boundary=${'x'.repeat(300)}`, `${part()}--x--`],
    ['multipart/form-data; boundary=x', ''],
    ['multipart/form-data; boundary=x', 'a=b'],
    ['multipart/form-data; boundary=x', part()],
    ['multipart/form-data; boundary=x', part('; filename="f"')],
    ['multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data; name="a"'],
  ];
  for (const [type, body] of cases) {
    await assert.rejects(
      parseForm(type, Buffer.from(body)),
      {
        ...{ statusCode: 400, code: 'malformed_form' },
        message:
          'The body does not match its Content-Type, so nothing was changed. Send application/x-www-form-urlencoded or multipart/form-data.',
      },
      `${type} ${body}`,
    );
  }
});

test('empty forms, empty names, parts without a name and invalid escapes are accepted', async () => {
  const read = async (body: string, type = URLENCODED) => [...(await parseForm(type, Buffer.from(body)))];
  assert.deepEqual(await read(''), []);
  assert.deepEqual(await read('a=%&b=%zz&=c&d'), [
    ['a', '%'],
    ['b', '%zz'],
    ['', 'c'],
    ['d', ''],
  ]);
  const nameless = '--x\r\ncontent-disposition: form-data\r\n\r\nb\r\n--x\r\n\r\nc\r\n--x--';
  assert.deepEqual(await read(nameless, 'multipart/form-data; boundary=x'), []);
  assert.deepEqual(await read('--x--\r\n', 'multipart/form-data; boundary=x'), []);
});

test('a skipped part of any length does not prevent the form from being parsed', {
  timeout: 10_000,
}, async () => {
  const skipped = `--x\r\ncontent-disposition: attachment\r\n\r\n${'z'.repeat(100_000)}\r\n`;
  const field = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n';
  for (const end of ['--x--', '--x--\r\n', '--x--\r\nmore text']) {
    const read = async (parts: string) => [
      ...(await parseForm('multipart/form-data; boundary=x', Buffer.from(`${parts}${end}`))),
    ];
    assert.deepEqual(await read(skipped), []);
    assert.deepEqual(await read(field + skipped), [['a', 'b']]);
    assert.deepEqual(await read(skipped + field), [['a', 'b']]);
  }
});

test('a route accepts urlencoded forms up to 128 KiB, and multipart forms only if it takes them', async () => {
  const app = fastify();
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
    reply.code(error.statusCode ?? 500).send(error.message),
  );
  for (const [path, bodyLimit, takesMultipart] of [
    ['/texts', 200_000, false],
    ['/files', 200_000, true],
    ['/short', 100, true],
  ] as const) {
    await app.register(async (scope) => {
      await scope.register(formBodyPlugin, { bodyLimit, takesMultipart });
      scope.post(path, async ({ body }) => (body instanceof FormData ? [...body] : null));
    });
  }
  const send = async (url: string, type: string, payload: string | Buffer) => {
    const { statusCode, body } = await app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload });
    return statusCode === 200 || statusCode === 415 ? [statusCode, body] : statusCode;
  };
  const fill = (length: number) => `a=${'x'.repeat(length - 2)}`;
  const accepted = [200, JSON.stringify([['a', 'b c']])];
  const form = new FormData();
  form.append('a', 'b c');
  const [type, multipart] = await encode(form);
  for (const path of ['/texts', '/files']) {
    assert.deepEqual(await send(path, URLENCODED, 'a=b+c'), accepted);
    assert.deepEqual(await send(path, `${URLENCODED}; charset=utf-8`, 'a=b%20c'), accepted);
    assert.deepEqual(await send(path, URLENCODED, fill(131_072)), [200, JSON.stringify([['a', 'x'.repeat(131_070)]])]);
    assert.equal(await send(path, URLENCODED, fill(131_073)), 413);
  }
  assert.deepEqual(await send('/files', type, multipart), accepted);
  const names = 'Send the body as application/x-www-form-urlencoded';
  assert.deepEqual(await send('/texts', type, multipart), [415, `${names}.`]);
  for (const other of ['application/json', 'text/plain'])
    assert.deepEqual(await send('/files', other, '{}'), [415, `${names} or multipart/form-data.`]);
  assert.equal(await send('/short', URLENCODED, fill(101)), 413);
  assert.deepEqual(await send('/short', URLENCODED, fill(100)), [200, JSON.stringify([['a', 'x'.repeat(98)]])]);
  assert.equal(await send('/short', type, multipart), 413);
  const long = new FormData();
  long.append('a', 'x'.repeat(150_000));
  const [longType, longBody] = await encode(long);
  assert.deepEqual(await send('/files', longType, longBody), [200, JSON.stringify([['a', 'x'.repeat(150_000)]])]);
  await app.close();
});
