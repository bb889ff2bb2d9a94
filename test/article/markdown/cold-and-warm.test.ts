import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sharedPath } from '../../support/shared-data.ts';
import { nameDocument } from '../support/code-in-all-languages.ts';
import { CODE } from '../support/code-samples.ts';
import { derive } from '../support/documents.ts';

const { skip: withoutCorpus } = sharedPath('corpus');
const RENDER_CORPUS = fileURLToPath(new URL('../support/render-corpus.ts', import.meta.url));

interface Rendered {
  /** Hash of all derived values. */
  hash: string;
  isHighlighted: boolean;
}

/** The documents by name, rendered in this order by a separate process. */
async function renderCorpus(...order: string[]): Promise<Map<string, Rendered>> {
  const { stdout } = await promisify(execFile)(process.execPath, [RENDER_CORPUS, ...order], { maxBuffer: 2 ** 24 });
  return new Map(JSON.parse(stdout) as [string, Rendered][]);
}

/** Languages that embed others. */
const EMBEDDING = ['svelte', 'markdown'].map(nameDocument);

test('the corpus and code in every language render to the same bytes in both orders, and alone in a new process', async (context) => {
  if (withoutCorpus !== false) context.diagnostic(`${withoutCorpus}; only code in every language is rendered`);
  const [forwards, backwards] = await Promise.all([renderCorpus('forwards'), renderCorpus('backwards')]);
  assert.deepEqual([...backwards].toReversed(), [...forwards]);
  for (const language of Object.keys(CODE)) assert.ok(forwards.get(nameDocument(language))?.isHighlighted, language);
  assert.ok(forwards.size >= 44, `${forwards.size} documents`);
  const names = [...forwards.keys()];
  const alone = [...EMBEDDING, names[Math.floor(names.length / 2)] ?? ''];
  await Promise.all(
    alone.map(async (name) => {
      assert.deepEqual((await renderCorpus('only', name)).get(name), forwards.get(name), name);
    }),
  );
  context.diagnostic(`${forwards.size} documents`);
});

test('embedded languages are highlighted within their host', async () => {
  const { html: svelte } = await derive(`~~~svelte\n${CODE.svelte}\n~~~`, 'title: T', { highlight: true });
  assert.match(svelte, /<span class="tok-[a-z-]+">\$ink<\/span>/);
  const { html: markdown } = await derive(`~~~markdown\n${CODE.markdown}\n~~~`, 'title: T', { highlight: true });
  assert.match(markdown, /<span class="tok-keyword">const<\/span>/);
});

test('code that would take long to highlight stays plain and complete', async () => {
  const hostile = {
    typescript: '{\n('.repeat(5_000),
    svelte: '{'.repeat(900),
    ruby: '[['.repeat(450),
    cpp: 'a<b(c::d);\n'.repeat(1_000),
    go: 'x\n'.repeat(16_000),
  };
  for (const [language, code] of Object.entries(hostile)) {
    const begin = performance.now();
    const { html } = await derive(`~~~${language}\n${code}\n~~~`, 'title: T', { highlight: true });
    assert.doesNotMatch(html, /tok-/, language);
    assert.equal(html.replace(/<[^>]+>|\s|&#x3C;/g, ''), code.replace(/\s|</g, ''), language);
    assert.ok(performance.now() - begin < 10_000, language);
  }
});
