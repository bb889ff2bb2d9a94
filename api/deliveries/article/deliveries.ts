/** Renders the deliveries of an article with all their commands, and its former copies. */
import { buildDeliveryWorkflowId } from '../../../temporal/names.ts';
import { buildQueryUrl } from '../../../temporal/visibility/saved-queries.ts';
import { type Html, html } from '../../web/html.ts';
import type { Cell } from '../grid/cell.ts';
import { renderCellButton, renderSettleForms } from '../grid/command-buttons.ts';
import { renderCellState, renderNextAttempt } from '../grid/grid-cell.ts';
import type { ArticleView } from './load-article.ts';

export function renderDeliveries({ article, cells, formerCopies, temporalUiUrl }: ArticleView, back: string): Html {
  const former = formerCopies.length === 0 ? null : renderFormerCopies(formerCopies);
  if (cells.length === 0) {
    return html`<h2>Destinations</h2><p class="empty">No destination is connected. <a href="/desk/settings">Connect one</a></p>${former}`;
  }
  return html`<h2>Destinations</h2><ul class="plain-list deliveries">${cells.map((cell) =>
    renderDelivery(article.id, cell, { back, temporalUiUrl }),
  )}</ul>${former}`;
}

function renderDelivery(articleId: string, cell: Cell, page: { back: string; temporalUiUrl: string | null }): Html {
  const { label, reason, commands, needsConnection, canSettle } = cell;
  const connect = needsConnection
    ? html`<a class="button compact" href="/desk/settings">Connect<span class="sr-only"> ${label}</span></a>`
    : null;
  const workflowLink =
    page.temporalUiUrl === null || !cell.hasDelivery ? null : renderWorkflowLink(page.temporalUiUrl, articleId, cell);
  return html`<li id="delivery-${cell.destination}" class="card"><h3>${label}</h3>${renderCellState(cell)}
${reason === null ? null : html`<p dir="auto">${reason}</p>`}${renderNextAttempt(cell)}
<div class="cell-actions">${connect}${commands.map((command) => renderCellButton(articleId, cell, command))}${
    canSettle ? renderSettleForms(articleId, cell, page.back) : null
  }${workflowLink}</div></li>`;
}

function renderWorkflowLink(temporalUiUrl: string, articleId: string, { destination, label }: Cell): Html {
  const link = buildQueryUrl(temporalUiUrl, `WorkflowId="${buildDeliveryWorkflowId(articleId, destination)}"`);
  return html`<a class="small" href="${link}">Open in the Temporal UI<span class="sr-only"> (${label})</span></a>`;
}

function renderFormerCopies(copies: ArticleView['formerCopies']): Html {
  return html`<h3>At former accounts</h3><ul>${copies.map(
    ({ account, message }) =>
      html`<li>${account === null ? null : html`<bdi>${account}</bdi>: `}<span dir="auto">${message}</span></li>`,
  )}</ul>`;
}
