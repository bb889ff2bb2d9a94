/** Formats a text for Forem, and renders it as readers see it. */
import assert from 'node:assert/strict';
import type { DeliverableArticle } from '../../../../article/types.ts';
import { formatArticle } from '../../../../destinations/forem/format.ts';
import { renderLiquid } from '../../../../sandbox/forem/liquid.ts';
import { makeArticle } from '../../destination-harness.ts';

export const format = (changes: Partial<DeliverableArticle>) => formatArticle(makeArticle(changes));
export const formatBody = (body: string, title = 'A title') => format({ body, title }).payload.body_markdown;

/** The text that readers see after Forem has run Liquid. */
export function shown(body: string): string {
  const rendered = renderLiquid(formatBody(body));
  assert.ok('text' in rendered, `${JSON.stringify(body)}: ${JSON.stringify(rendered)}`);
  return rendered.text;
}
