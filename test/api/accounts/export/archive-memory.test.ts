/** Memory use of an archive while it is written. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { streamZip } from '../../../../api/accounts/export/zip.ts';

const FILES = 1_200;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('an archive that is being written retains less than 4 KiB per file', async () => {
  const retainedBytes: number[] = [];
  async function* listFiles() {
    for (let n = 0; n < FILES; n++) {
      if (n % 400 === 0) {
        // The count decreases a moment after a collection.
        collectGarbage();
        await setTimeout(50);
        collectGarbage();
        retainedBytes.push(process.memoryUsage().arrayBuffers);
      }
      const content = [`${n} says what no other file says. `.repeat(500)];
      yield { path: `articles/an-article-${n}.md`, changedAt: new Date(), content };
    }
  }
  let bytes = 0;
  for await (const chunk of streamZip(listFiles())) bytes += (chunk as Buffer).length;
  assert.ok(bytes > FILES * 100);
  const [, early = 0, late = 0] = retainedBytes;
  assert.ok((late - early) / 400 < 4_096, `${(late - early) / 400} bytes a file`);
});
