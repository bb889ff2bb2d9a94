import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deriveArticle } from '../../../article/derive.ts';
import { InvalidTextError } from '../../../article/errors.ts';
import { findExcess } from '../../../article/markdown/complexity.ts';
import { MAX_WORK } from '../../../article/markdown/weigh-line.ts';
import { readDocument } from '../../../article/read-document.ts';
import { decodeText } from '../../../article/text/decode-text.ts';
import type { ReadResult } from '../../../article/types.ts';
import { sharedPath } from '../../support/shared-data.ts';
import { NOW, SITE } from '../support/documents.ts';
import { findDangers } from '../support/walk-html.ts';

const { path: corpus, skip } = sharedPath('corpus');

interface Row {
  dialect: string;
  files: number;
  read: number;
  'with warnings': number;
  refused: number;
}

test('every file of every dialect is read, or rejected with a reason that an author understands', {
  skip,
}, async (context) => {
  const rows: Row[] = [];
  for (const dialect of readdirSync(corpus)) {
    const row: Row = { dialect, files: 0, read: 0, 'with warnings': 0, refused: 0 };
    for (const name of readdirSync(`${corpus}/${dialect}`)) {
      row.files += 1;
      const result = readFile(`${corpus}/${dialect}/${name}`, name);
      if (typeof result === 'string') {
        row.refused += 1;
        context.diagnostic(`${dialect}/${name}: ${result}`);
        continue;
      }
      row.read += 1;
      assert.equal(findExcess(result.draft.body, { maxWork: MAX_WORK / 8 }), null, `${name} comes near the bound`);
      if (result.warnings.length > 0) row['with warnings'] += 1;
      const derived = await deriveArticle(result.draft, { siteOrigin: SITE, highlight: false });
      assert.deepEqual(findDangers(derived.html), [], name);
      // The cached tree of the draft gives the same result as parsing its body again: of every fourth file.
      if (row.files % 4 === 1) {
        const again = await deriveArticle(structuredClone(result.draft), { siteOrigin: SITE, highlight: false });
        assert.deepEqual(again, derived, name);
      }
      if (/[\p{L}\p{N}]/u.test(result.draft.body.replace(/<[^>]*>/g, ''))) assert.notEqual(derived.plainText, '', name);
    }
    rows.push(row);
    const share = row.refused / row.files;
    assert.ok(share < 0.1, `${dialect}: ${row.refused} of ${row.files} refused`);
  }
  for (const row of rows) {
    context.diagnostic(
      `${row.dialect.padEnd(32)} ${row.files} files · ${row.read} read · ${row['with warnings']} with warnings · ${row.refused} refused`,
    );
  }
});

/** The draft, or the reasons for rejecting the document, which always have a line. */
function readFile(path: string, name: string): (ReadResult & { ok: true }) | string {
  try {
    const result = readDocument({ content: decodeText(readFileSync(path)), fileName: name, now: NOW });
    if (result.ok) return result;
    for (const problem of result.problems) assert.ok((problem.line ?? 0) > 0, `${name}: a problem without a line`);
    return result.problems.map(({ line, message }) => `line ${line}: ${message}`).join(' ');
  } catch (error) {
    assert.ok(error instanceof InvalidTextError, `${name}: ${String(error)}`);
    return error.message;
  }
}
