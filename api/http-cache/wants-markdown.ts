/**
 * Whether a request for a page prefers its Markdown (RFC 9110, 12.5.1). Only who names it is sent it: browsers, crawlers and tools that
 * accept anything get the page, and so does whoever cannot be understood.
 */

const LONGEST = 1_000;

export function wantsMarkdown(accept: string | undefined): boolean {
  if (accept === undefined || accept.length > LONGEST || !/text\/markdown/i.test(accept)) return false;
  const ranges = accept.split(',').map(readRange);
  if (ranges.includes(null)) return false;
  const weigh = (type: string) => ranges.filter((range) => range?.type === type).map((range) => range?.q ?? 0);
  const markdown = weigh('text/markdown');
  const html = [weigh('text/html'), weigh('text/*'), weigh('*/*')].find((weights) => weights.length > 0) ?? [0];
  // Named twice with different weights, it contradicts itself: the least counts for Markdown, the most for HTML.
  const least = Math.min(...markdown);
  return markdown.length > 0 && least > 0 && least >= Math.max(...html);
}

/** Where the Markdown of a page is kept. No address has a blank. */
export function nameMarkdownKey(path: string): string {
  return `${path} as Markdown`;
}

const RANGE =
  /^[ \t]*([!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+)((?:[ \t]*;[ \t]*[!#$%&'*+.^_`|~\w-]+=(?:[^",;\s]+|"[^"]*"))*)[ \t]*$/;
const WEIGHT = /;[ \t]*q=(?:"?)(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)(?:"?)[ \t]*(?:;|$)/i;

/** Null for what is malformed. */
function readRange(text: string): { type: string; q: number } | null {
  const [, type, parameters = ''] = RANGE.exec(text) ?? [];
  if (type === undefined) return null;
  if (!/;[ \t]*q=/i.test(parameters)) return { type: type.toLowerCase(), q: 1 };
  const weight = WEIGHT.exec(parameters)?.[1];
  return weight === undefined ? null : { type: type.toLowerCase(), q: Number(weight) };
}
