/** Records pages in the states that forms lead to, as text files. */
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Nodes } from 'hast';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import type { TestApi } from '../../../support/api/api.ts';
import type { Page, Visitor } from '../../accounts/settings-support.ts';
import { listAllLines, normaliseIds } from './page-lines.ts';

/** Records each answer: its status, its redirect, and the main part of its page. */
export function recordStates(
  api: TestApi,
  context: TestContext,
  name: string,
  answers: readonly (readonly [title: string, Page])[],
): void {
  const pages = answers.map(([title, { status, location, text }]) => {
    const main = findMain(unified().use(rehypeParse).parse(text));
    return [`# ${title}: ${status} ${location ?? ''}`, ...(main ? listAllLines(main).filter(Boolean) : [])].join('\n');
  });
  const path = join(import.meta.dirname, '../page-states', `${name}.txt`);
  context.assert.fileSnapshot(normaliseIds(api, pages.join('\n\n')), path, { serializers: [String] });
}

function findMain(node: Nodes): Nodes | undefined {
  if (node.type === 'element' && node.tagName === 'main') return node;
  return 'children' in node ? node.children.map(findMain).find(Boolean) : undefined;
}

/** Sends a form and, if it was accepted, opens the next page, which shows the notice. */
export async function sendAndFollow(
  visitor: Visitor,
  path: string,
  fields: Record<string, string> = {},
): Promise<Page> {
  const answer = await visitor.send(path, fields);
  return answer.location === null ? answer : { ...(await visitor.get(answer.location)), location: answer.location };
}
