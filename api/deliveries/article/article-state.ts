/** Renders the state of an article with its time. */
import type { OwnArticle } from '../../../store/articles/own-articles.ts';
import { renderTime } from '../../web/desk/times.ts';
import { type Html, html } from '../../web/html.ts';

/** `zone`: the author's time zone; null if unknown. */
export function renderArticleState(
  { status, scheduledAt, scheduledZone, publishedAt, deletedAt, imported }: OwnArticle,
  zone: string | null,
): Html {
  if (deletedAt !== null) return html`<span class="state bad">Deleted</span> ${renderTime(deletedAt)}`;
  if (status === 'SCHEDULED' && scheduledAt !== null) {
    return html`<span class="state info">Scheduled</span> ${renderTime(scheduledAt, zone ?? scheduledZone ?? 'UTC')}`;
  }
  if (status === 'DRAFT') return html`<span class="state quiet">Draft</span>${imported ? ' imported' : null}`;
  return html`<span class="state good">Public</span>${publishedAt ? html` ${renderTime(publishedAt)}` : null}`;
}
