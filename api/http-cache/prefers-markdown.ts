/**
 * Decides whether a request prefers the Markdown alternate (RFC 9110, 12.5.1). The `Accept` header
 * must name `text/markdown`: a wildcard or a malformed header gets the page.
 */

const MAX_ACCEPT_CHARACTERS = 1_000;

export function prefersMarkdown(accept: string | undefined): boolean {
  if (accept === undefined || accept.length > MAX_ACCEPT_CHARACTERS || !/text\/markdown/i.test(accept)) return false;
  const ranges = accept.split(',').map(readRange);
  if (ranges.includes(null)) return false;
  const weigh = (type: string) => ranges.flatMap((range) => (range?.type === type ? [range.q] : []));
  const markdown = weigh('text/markdown');
  const html = [weigh('text/html'), weigh('text/*'), weigh('*/*')].find((weights) => weights.length > 0) ?? [];
  // With contradictory weights, the lowest counts for Markdown and the highest for HTML.
  const lowest = Math.min(...markdown);
  return markdown.length > 0 && lowest > 0 && lowest >= Math.max(...html);
}

/** Cache key of the Markdown sent at a page's address. No URL contains a space, so it is unique. */
export function buildMarkdownCacheKey(path: string): string {
  return `${path} as Markdown`;
}

const RANGE =
  /^[ \t]*([!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+)((?:[ \t]*;[ \t]*[!#$%&'*+.^_`|~\w-]+=(?:[^",;\s]+|"[^"]*"))*)[ \t]*$/;
const WEIGHT = /;[ \t]*q=(?:"?)(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)(?:"?)[ \t]*(?:;|$)/i;

function readRange(text: string): { type: string; q: number } | null {
  const [, type, parameters = ''] = RANGE.exec(text) ?? [];
  if (type === undefined) return null;
  if (!/;[ \t]*q=/i.test(parameters)) return { type: type.toLowerCase(), q: 1 };
  const weight = WEIGHT.exec(parameters)?.[1];
  return weight === undefined ? null : { type: type.toLowerCase(), q: Number(weight) };
}
