/** Renders the attempts at all destinations of an article, newest first. */

import { renderTime } from '../../web/desk/times.ts';
import { type Html, html } from '../../web/html.ts';
import { describeAttempt } from './describe-attempt.ts';
import { type ArticleView, MAX_SHOWN_ATTEMPTS } from './load-article.ts';

export function renderTimeline(attempts: ArticleView['attempts']): Html {
  if (attempts.length === 0) return html`<h2>Delivery history</h2><p class="soft">Nothing sent yet.</p>`;
  const older = attempts.length < MAX_SHOWN_ATTEMPTS ? null : html`<p class="soft">Older attempts are not shown.</p>`;
  return html`<h2>Delivery history</h2><ol class="plain-list timeline">${attempts.map(renderAttempt)}</ol>${older}`;
}

function renderAttempt(row: ArticleView['attempts'][number]): Html {
  const { at, label, account, sent, answer, answeredAt, word, tone, reason, nextAttemptAt } = describeAttempt(row);
  const destination = account === null ? label : html`${label} (<bdi>${account}</bdi>)`;
  return html`<li><p><span class="state ${tone}">${word}</span> <strong>${destination}</strong> <span class="soft small">${renderTime(at)}</span></p>
<p>${sent} ${answer}${answeredAt ? html` <span class="soft small">Response received ${renderTime(answeredAt)}.</span>` : null}</p>
${reason === null ? null : html`<p class="why" dir="auto">${reason}</p>`}${
  nextAttemptAt ? html`<p>Next attempt: ${renderTime(nextAttemptAt)}.</p>` : null
}</li>`;
}
