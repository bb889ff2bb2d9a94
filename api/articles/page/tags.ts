/** Renders the tags of an article as links to the tag pages. */
import { buildTagPath, hasTagPath } from '../../../article/discovery/paths.ts';
import { type Html, html } from '../../web/html.ts';

export function renderTags(tags: readonly string[]): Html | null {
  return tags.length > 0 ? html`<ul class="tags">${tags.map(renderTag)}</ul>` : null;
}

function renderTag(tag: string): Html {
  const name = html`#${tag}`;
  return html`<li dir="auto">${hasTagPath(tag) ? html`<a href="${buildTagPath(tag)}" rel="tag">${name}</a>` : name}</li>`;
}
