/** The checker of agent-friendly documentation (agentdocsspec.com) finds nothing to object to on a site of articles as they are written. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { runChecks } from 'afdocs';
import { startTestApi, type TestApi } from '../../support/api.ts';

const EXAMPLES = new URL('../../../examples/', import.meta.url);

/** Nothing here needs a login. */
const NOT_HERE = ['auth-alternative-access'];

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

test('every check of afdocs that applies passes', { timeout: 170_000 }, async () => {
  const files = readdirSync(EXAMPLES).filter((name) => /\.mdx?$/.test(name));
  // Of a name in which no part is read as something else.
  const { token } = await api.createAuthor('ada');
  for (const name of files) {
    const content = readFileSync(new URL(name, EXAMPLES), 'utf8');
    // The marks of footnotes and formulas are written otherwise in Markdown than they are shown: to the checker that is another text.
    if (/\[\^|\$\$/.test(content)) continue;
    const { status, body } = await api.publish({ content }, { token });
    assert.ok(status < 300, `${name}: ${JSON.stringify(body)}`);
  }
  for (let number = 1; number <= 8; number += 1) await api.publish({ content: writeArticle(number) }, { token });
  const { data } = (await api.publish({ content: writeArticle(9) }, { token })).body;
  const baseUrl = new URL(data?.url ?? '').origin;
  const report = await runChecks(baseUrl, { requestDelay: 0, samplingStrategy: 'deterministic', maxLinksToTest: 40 });
  const rest = report.results.filter((result) => result.status !== 'pass' && !isShortList(result));
  const told = rest.map(({ id, message, details }) => ({ id, message, details }));
  assert.deepEqual(
    rest.filter(({ id, status }) => status !== 'skip' || !NOT_HERE.includes(id)).map(({ id }) => id),
    [],
    JSON.stringify(told, null, 2),
  );
});

/** A list of one article has little more text than the frame around it, whose 200 characters are a tenth of any longer page. */
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
