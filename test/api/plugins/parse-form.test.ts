/** The form parser, compared with the platform's own parser, and its limits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseMultipart, parseUrlencoded } from '../../../api/plugins/form-body.ts';
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
    const refusal = { statusCode: 413, code: 'too_many_fields', message: new RegExp(`more than ${limit} fields`) };
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
      { statusCode: 400, code: 'malformed_form' },
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
