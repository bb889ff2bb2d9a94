/** Renders a person's picture or initial. The name is beside it, so screen readers skip it. */
import { type Html, html } from './html.ts';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function renderAvatar(
  { name, pictureUrl }: { name: string; pictureUrl: string | null },
  size: 'small' | 'large' = 'small',
): Html {
  const pixels = size === 'small' ? 40 : 96;
  if (pictureUrl) {
    return html`<img class="avatar ${size}" src="${pictureUrl}" alt="" width="${pixels}" height="${pixels}" loading="lazy" decoding="async">`;
  }
  const [first] = graphemes.segment(name.trim());
  return html`<span class="avatar ${size}" aria-hidden="true">${first?.segment.toUpperCase() ?? '?'}</span>`;
}
