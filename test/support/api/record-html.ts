/** Compares HTML with a recorded file. `--test-update-snapshots` writes the file. */
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Html } from '../../../api/web/html.ts';

/** `parts` is HTML by its title. Each element starts a line, so that a difference is readable. */
export function recordHtml(
  context: TestContext,
  folder: string,
  name: string,
  parts: Record<string, Html | string | null>,
): void {
  const texts = Object.entries(parts).map(([title, html]) => `# ${title}\n${toLines(html)}`);
  const path = join(folder, 'recorded', `${name}.txt`);
  context.assert.fileSnapshot(`${texts.join('\n\n')}\n`, path, { serializers: [String] });
}

function toLines(html: Html | string | null): string {
  const text = typeof html === 'string' ? html : (html?.text ?? '');
  return text
    .replaceAll('><', '>\n<')
    .replaceAll(/<path d="[^"]{40,}"/g, '<path d="…"')
    .replaceAll(/(\/assets\/\w+)-[\da-f]{16}\./g, '$1-{hash}.')
    .replaceAll(/(<script[^>]*>)[^<]+/g, '$1…');
}
