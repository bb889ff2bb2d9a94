/** Renders the state of an article with its time. */
import type { OwnArticle } from '../../../store/articles/own-articles.ts';
import { renderTime } from '../../web/desk/times.ts';
import { type Html, html } from '../../web/html.ts';

/** `zone`: the author's time zone; null if unknown. */
export function renderArticleState(
  { status, scheduledAt, scheduledZone, publishedAt, deletedAt, imported }: OwnArticle,
  zone: string | null,
): Html {
  if (deletedAt !== null) return html`<span class="state bad">deleted</span> ${renderTime(deletedAt)}`;
  if (status === 'SCHEDULED' && scheduledAt !== null) {
    return html`<span class="state info">scheduled</span> ${renderTime(scheduledAt, zone ?? scheduledZone ?? 'UTC')}`;
  }
  if (status === 'DRAFT') return html`<span class="state quiet">draft</span>${imported ? ' imported' : null}`;
  return html`<span class="state good">public</span>${publishedAt ? html` ${renderTime(publishedAt)}` : null}`;
}
