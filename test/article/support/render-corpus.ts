/**
 * A process that renders the corpus and sample code with highlighting. Writes, as JSON, the hash of
 * each document's derived values and whether it has colours. `backwards` reverses the order; `only`
 * selects one document by name.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { deriveArticle } from '../../../article/derive.ts';
import { InvalidTextError } from '../../../article/errors.ts';
import { readDocument } from '../../../article/read-document.ts';
import { decodeText } from '../../../article/text/decode-text.ts';
import { sharedPath } from '../../support/shared-data.ts';
import { CODE_DOCUMENTS } from './code-in-all-languages.ts';
import { NOW, SITE } from './documents.ts';

/** A longer document takes longer and tests nothing else. */
const MAX_BYTES = 8 * 1024;
const [order, name] = process.argv.slice(2);
const documents = [...CODE_DOCUMENTS, ...readCorpus()].filter(([own]) => order !== 'only' || own === name);
const rendered: [string, { hash: string; isHighlighted: boolean }][] = [];
for (const [own, content] of order === 'backwards' ? documents.toReversed() : documents) {
  const read = readDocument({ content, fileName: own, now: NOW });
  const derived = read.ok ? await deriveArticle(read.draft, { siteOrigin: SITE }) : read.problems;
  const text = JSON.stringify(derived);
  const hash = createHash('sha256').update(text).digest('hex');
  rendered.push([own, { hash, isHighlighted: /class=\\?"tok-/.test(text) }]);
}
process.stdout.write(JSON.stringify(rendered));

/** Skips files that are not text. Empty if the corpus is missing. */
function readCorpus(): [string, string][] {
  const { path, skip } = sharedPath('corpus');
  if (skip !== false) return [];
  return readdirSync(path).flatMap((dialect) =>
    readdirSync(`${path}/${dialect}`).flatMap((file): [string, string][] => {
      const bytes = readFileSync(`${path}/${dialect}/${file}`);
      if (bytes.length > MAX_BYTES) return [];
      try {
        return [[`${dialect}/${file}`, decodeText(bytes)]];
      } catch (error) {
        if (error instanceof InvalidTextError) return [];
        throw error;
      }
    }),
  );
}
