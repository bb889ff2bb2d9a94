/**
 * Renders the preview: verdict, destinations, and the article as readers will see it. The script
 * requests it while the author types.
 */
import type { Notice } from '../../../article/types.ts';
import { renderLanguage } from '../../articles/listing/teaser.ts';
import { renderLocatedMessage } from '../../web/desk/field-message.ts';
import { renderTime } from '../../web/desk/times.ts';
import { type Html, html, trustHtml } from '../../web/html.ts';
import type { DestinationPreview, PreviewedArticle, TextPreview } from './preview-text.ts';
import type { Where } from './read-form.ts';

/** `zone`: the time zone of displayed times. */
export function renderPreview(
  { problems, warnings, article }: TextPreview,
  { where, zone }: { where: Where; zone: string },
): Html {
  const verdict = article
    ? renderVerdict(article, zone)
    : html`<div class="notice refused"><p>Fix ${problems.length === 1 ? '1 problem' : `${problems.length} problems`} before publishing.</p></div>`;
  return html`${verdict}
${problems.length > 0 ? renderList(problems, 'bad', 'Error') : null}
${warnings.length > 0 ? renderList(warnings, 'warn', 'Warning') : null}
${article ? html`${renderDestinations(article, where)}${renderArticle(article)}` : null}`;
}

function renderVerdict(
  { matchedArticle, isChangedElsewhere, status, scheduledAt }: PreviewedArticle,
  zone: string,
): Html {
  const ownStatus = scheduledAt
    ? html` Its frontmatter schedules it for ${renderTime(scheduledAt, zone)}.`
    : status === 'DRAFT'
      ? ' Its frontmatter marks it as a draft.'
      : null;
  if (matchedArticle === null) return html`<div class="notice done"><p>This is a new article.${ownStatus}</p></div>`;
  const link = html`<a href="/desk/articles/${matchedArticle.id}">“<bdi>${matchedArticle.title}</bdi>”</a>`;
  if (isChangedElsewhere) {
    return html`<div class="notice warning"><p>${link} was changed elsewhere after you opened it here. Publishing would replace that change; you must confirm it first.</p></div>`;
  }
  return html`<div class="notice"><p>This updates your article ${link}, which is ${STATES[matchedArticle.status]}.${ownStatus}</p></div>`;
}

const STATES = { DRAFT: 'a draft', SCHEDULED: 'scheduled', PUBLISHED: 'public' } as const;

interface LocatedMessage {
  message: string;
  line?: number;
  column?: number;
}
type Tone = 'bad' | 'warn' | 'info';

function renderList(messages: readonly LocatedMessage[], tone: Tone, word: string): Html {
  const items = messages.map((entry) => renderItem(entry, tone, word));
  return html`<ul class="plain-list write-messages">${items}</ul>`;
}

function renderItem(entry: LocatedMessage, tone: Tone, word: string): Html {
  return html`<li><span class="state ${tone}">${word}</span> <span>${renderLocatedMessage(entry)}</span></li>`;
}

function renderDestinations({ preflights, unconnectedDestinations, status }: PreviewedArticle, where: Where): Html {
  const noDestinationText =
    where === 'here'
      ? 'This site only: the article is not sent to any destination.'
      : 'The article is not sent to any destination: none is connected, or the frontmatter selects none.';
  const unconnectedItems = unconnectedDestinations.map(
    (name) =>
      html`<li><span class="state warn">Not connected</span> <span>The frontmatter selects ${name}. Nothing is sent there until you <a href="/desk/settings/connections">connect it</a>.</span></li>`,
  );
  return html`<h3>Destinations</h3>
${status === 'DRAFT' ? html`<p class="soft small">A draft is not sent. Publishing would have this result:</p>` : null}
${preflights.length === 0 ? html`<p class="soft">${noDestinationText}</p>` : preflights.map(renderDestination)}
${unconnectedItems.length > 0 ? html`<ul class="plain-list write-messages">${unconnectedItems}</ul>` : null}`;
}

function renderDestination({ label, losses, refusal, permanentNotices }: DestinationPreview): Html {
  const [tone, word] = refusal
    ? ['bad', 'Would be rejected']
    : losses.length > 0
      ? ['warn', losses.length === 1 ? '1 change' : `${losses.length} changes`]
      : ['good', 'No changes'];
  const notices: (Notice<string> & { tone: Tone; word: string })[] = [
    ...(refusal ? [{ ...refusal, tone: 'bad', word: 'Rejection' } as const] : []),
    ...losses.map((loss) => ({ ...loss, tone: 'warn', word: 'Lost' }) as const),
    ...permanentNotices.map((notice) => ({ ...notice, tone: 'info', word: 'Cannot be undone' }) as const),
  ];
  const items = notices.map((entry) => renderItem(entry, entry.tone, entry.word));
  return html`<details class="write-destination"${refusal || losses.length > 0 ? html` open` : null}><summary><strong>${label}</strong> <span class="state ${tone}">${word}</span></summary>
${items.length > 0 ? html`<ul class="plain-list write-messages">${items}</ul>` : html`<p class="soft small">Nothing is lost at this destination.</p>`}</details>`;
}

function renderArticle({ title, subtitle, coverImage, rendered }: PreviewedArticle): Html {
  return html`<h3>As readers see it</h3>
<article class="write-article"${renderLanguage(rendered.language)}><header><p class="write-title" dir="auto">${title}</p>${subtitle ? html`<p class="soft" dir="auto">${subtitle}</p>` : null}${coverImage ? html`<img src="${coverImage}" alt="" width="1600" height="900" loading="lazy" decoding="async">` : null}</header>
<div class="prose" data-prose>${trustHtml(rendered.html)}</div></article>`;
}
