/** Every GraphQL error has a code of one documented list. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { ERROR_CODES } from '../../../api/graphql/errors.ts';

const root = new URL('../../../', import.meta.url);
const docs = new URL('docs/graphql.md', root);
/**
 * Files with computed codes: those of `chooseCode`, and codes reported by a destination's client.
 */
const COMPUTED_CODES = ['api/connections/connect.ts'];

test('the list contains exactly the codes that are thrown', async () => {
  const thrown = new Set<string>();
  for (const file of globSync('{api,store}/**/*.ts', { cwd: root })) {
    const text = await readFile(new URL(file, root), 'utf8');
    for (const [, code] of text.matchAll(/(?:RefusedCommand|RefusedDocument|Graphql)Error\(\s*'([A-Z_]+)'/g))
      thrown.add(code ?? '');
    for (const [, code] of text.matchAll(/(?:code: |return |\? |: )'([A-Z]+_[A-Z_]+|SUSPENDED)'/g)) {
      if (code !== undefined && code in ERROR_CODES) thrown.add(code);
    }
    const isComputed = /new RefusedCommandError\(\s*[^'\s]/.test(text);
    assert.ok(!isComputed || COMPUTED_CODES.includes(file), `${file} throws a code that this test cannot read`);
  }
  assert.deepEqual([...thrown].sort(), Object.keys(ERROR_CODES).sort());
});

test('docs/graphql.md lists every code with its meaning', async () => {
  const text = await readFile(docs, 'utf8');
  const [begin, end] = ['<!-- error codes -->\n', '<!-- end of error codes -->'];
  const rows = Object.entries(ERROR_CODES).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  const table = `${begin}| code | meaning |\n|---|---|\n${rows.join('\n')}\n${end}`;
  const [before = '', rest = ''] = text.split(begin);
  const written = `${before}${table}${rest.slice(rest.indexOf(end) + end.length)}`;
  if (process.env.UPDATE_SNAPSHOTS) await writeFile(docs, written);
  assert.equal(await readFile(docs, 'utf8'), written, 'UPDATE_SNAPSHOTS=1 writes it anew');
});
