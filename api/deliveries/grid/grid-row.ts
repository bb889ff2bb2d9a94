/** Renders a row of the grid: an article with its state, views, cells and menu. */
import type { OwnArticle } from '../../../store/articles/own-articles.ts';
import { renderTime } from '../../web/desk/times.ts';
import { type Html, html } from '../../web/html.ts';
import { renderButton, renderCell, showsCommands } from './grid-cell.ts';
import type { GridRow } from './load-grid.ts';

export function renderRow(row: GridRow, { isBrief, zone }: { isBrief: boolean; zone: string | null }): Html {
  const { article, cells, views } = row;
  const { id, title } = article;
  return html`<tr id="a-${id}" data-title="${title}">
<td><input type="checkbox" name="article" value="${id}" form="bulk" aria-labelledby="t-${id}"></td>
<th scope="row"><a class="title" id="t-${id}" href="/desk/articles/${id}" dir="auto">${title}</a><p class="article-state">${renderArticleState(article, zone)}</p></th>
<td class="menu-cell">${renderMenu(row)}</td>
<td class="number" data-label="Views, 30 days">${views.toLocaleString('en')}</td>
${cells.map((cell) => renderCell(id, cell, isBrief))}
</tr>`;
}

function renderMenu({ article, cells }: GridRow): Html {
  const { id, slug, status } = article;
  const path = `/desk/articles/${id}`;
  const quiet = cells
    .filter((cell) => !showsCommands(cell))
    .flatMap((cell) =>
      cell.commands.map((command) =>
        renderButton(`${path}/${cell.destination}/${command.command}`, `${command.text} (${cell.label})`),
      ),
    );
  return html`<details class="menu"><summary class="button compact quiet" aria-label="Actions">⋯</summary><div>
<a href="/desk/write?article=${id}">Edit</a>${status === 'PUBLISHED' ? html`<a href="/${encodeURIComponent(slug)}">View</a>` : null}${
    status === 'PUBLISHED'
      ? renderButton(`${path}/unpublish`, 'Unpublish')
      : html`${renderButton(`${path}/publish`, 'Publish now')}<a href="${path}#schedule">${status === 'SCHEDULED' ? 'Reschedule' : 'Schedule'}</a>`
  }${status === 'SCHEDULED' ? renderButton(`${path}/cancel`, 'Cancel the schedule') : null}${quiet}<a href="${path}/delete">Delete</a>
</div></details>`;
}

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
