/**
 * A process that renders the documents of the corpus and our own in all languages, highlighted, and writes the hash of all
 * that is derived from each, and whether it has colours, as JSON. `backwards` takes them from the last to the first, `only` a name renders that one alone.
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

/** A long document takes long, and is like a short one. */
const MOST_BYTES = 32 * 1024;
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

/** Without the files that are not text. Empty where the corpus is not at hand. */
function readCorpus(): [string, string][] {
  const { path, skip } = sharedPath('corpus');
  if (skip !== false) return [];
  return readdirSync(path).flatMap((dialect) =>
    readdirSync(`${path}/${dialect}`).flatMap((file): [string, string][] => {
      const bytes = readFileSync(`${path}/${dialect}/${file}`);
      if (bytes.length > MOST_BYTES) return [];
      try {
        return [[`${dialect}/${file}`, decodeText(bytes)]];
      } catch (error) {
        if (error instanceof InvalidTextError) return [];
        throw error;
      }
    }),
  );
}
