/** Runs the checker of agent-friendly documentation (agentdocsspec.com) on typical articles. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { runChecks } from 'afdocs';
import { startTestApi, type TestApi } from '../../support/api/api.ts';

const EXAMPLES = new URL('../../../examples/', import.meta.url);

/** Does not apply, because no page needs a login. */
const NOT_APPLICABLE = ['auth-alternative-access'];

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

test('every check of afdocs that applies passes', { timeout: 170_000 }, async () => {
  const files = readdirSync(EXAMPLES).filter((name) => /\.mdx?$/.test(name));
  // The checker misreads parts of other user names.
  const { token } = await api.createAuthor('ada');
  for (const name of files) {
    const content = readFileSync(new URL(name, EXAMPLES), 'utf8');
    // Footnotes and formulas differ between Markdown and page, so the checker sees different texts.
    if (/\[\^|\$\$/.test(content)) continue;
    const { status, body } = await api.publish({ content }, { token });
    assert.ok(status < 300, `${name}: ${JSON.stringify(body)}`);
  }
  for (let number = 1; number <= 8; number += 1) await api.publish({ content: writeArticle(number) }, { token });
  const { data } = (await api.publish({ content: writeArticle(9) }, { token })).body;
  const baseUrl = new URL(data?.url ?? '').origin;
  const report = await runChecks(baseUrl, { requestDelay: 0, samplingStrategy: 'deterministic', maxLinksToTest: 12 });
  const rest = report.results.filter((result) => result.status !== 'pass' && !isShortList(result));
  const summary = rest.map(({ id, message, details }) => ({ id, message, details }));
  assert.deepEqual(
    rest.filter(({ id, status }) => status !== 'skip' || !NOT_APPLICABLE.includes(id)).map(({ id }) => id),
    [],
    JSON.stringify(summary, null, 2),
  );
});

/** A list of one article is so short that the page header's 200 characters exceed a tenth of it. */
function isShortList({ id, details }: { id: string; details?: Record<string, unknown> }): boolean {
  const pages = (details?.pageResults ?? []) as { url: string; status: string; contentStartChar: number }[];
  const late = pages.filter(({ status }) => status !== 'pass');
  const isShort = late.every(({ url, contentStartChar }) => /\/tags\/[^/]+$/.test(url) && contentStartChar < 200);
  return id === 'content-start-position' && isShort;
}

function writeArticle(number: number): string {
  return `---
title: A study of subject ${number}
subtitle: What was found in part ${number}
tags: [study, part-${Math.ceil(number / 3)}]
---

This article tells of subject ${number}. It has [a link](https://elsewhere.example/${number}) and \`code\`.

## What it is

Some paragraphs about what subject ${number} is, long enough to be read as one. The second sentence is here too.

A second paragraph follows, because nobody publishes so little that the name of the site would be a tenth of it. It says
that subject ${number} was studied for a year, by three people, in two places, and that all of them agree about what was seen.

\`\`\`ts
export const subject: number = ${number};
\`\`\`

## How it is done

1. Begin with ${number}.
2. Go on until it is done.

| Step | Time |
| ---- | ---- |
| one  | ${number} s |

> [!NOTE]
> Take your time with ${number}.
`;
}
