/** Collects the losses of an article's text on Medium: each kind once, with its first line. */
import type { Nodes } from 'hast';
import type { Notice } from '../../article/types.ts';

const MESSAGES = {
  table_as_text: 'Medium has no tables, so they become aligned text.',
  footnotes_flattened: 'Medium gets footnotes as a list of notes at the end.',
  headings_flattened: 'Medium has two levels of headings; lower levels become second-level headings.',
  embed_linked: 'Medium gets a link in place of a Liquid tag that embeds something.',
  math_as_code: 'Medium shows formulas as source code.',
  image_dropped: 'Medium fetches images by their full web address only; this one is left out.',
  link_dropped: 'Medium gets only the text of this link, because its address is not a full web address.',
  details_opened: 'Medium cannot collapse text, so collapsed text is shown.',
} as const;
export type LossCode = keyof typeof MESSAGES;

export class BodyLosses {
  #lines = new Map<LossCode, number | undefined>();

  add(code: LossCode, node: Nodes): void {
    const line = node.position?.start.line;
    const known = this.#lines.get(code);
    if (!this.#lines.has(code) || (line !== undefined && line < (known ?? Number.POSITIVE_INFINITY))) {
      this.#lines.set(code, line);
    }
  }

  list(): Notice[] {
    return [...this.#lines].map(([code, line]) => ({
      code,
      message: MESSAGES[code],
      ...(line === undefined ? {} : { line }),
    }));
  }
}
