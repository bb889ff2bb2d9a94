/** Renders a cell of the grid: one article at one destination. */
import { cutAtWord } from '../../../article/describe/cut-text.ts';
import { renderTime } from '../../web/desk/times.ts';
import { type Html, html } from '../../web/html.ts';
import type { Cell, CellCommand } from './describe-cell.ts';

/** The article's page shows the full reason. */
const MAX_REASON_CHARACTERS = 180;

/** `isBrief`: many cells need attention, so reasons are shorter and commands omitted. */
export function renderCell(articleId: string, cell: Cell, isBrief: boolean): Html {
  const limit = isBrief ? MAX_REASON_CHARACTERS / 3 : MAX_REASON_CHARACTERS;
  const reason = showsReason(cell) ? html`<p class="why" dir="auto">${cutAtWord(cell.reason ?? '', limit)}</p>` : null;
  const commandButtons = isBrief ? null : renderCommands(articleId, cell);
  const state = isNotSelected(cell) ? NOT_SELECTED : renderCellState(cell);
  return html`<td data-label="${cell.label}">${state}${reason}${renderNextAttempt(cell)}${commandButtons}</td>`;
}

/** The most common cell; its style shows a dash. */
const NOT_SELECTED = html`<span class="state none"><span class="sr-only">Not selected</span></span>`;

function isNotSelected({ stateText, commands }: Cell): boolean {
  return stateText === 'Not selected' && commands.length === 0;
}

export function renderCellState({ stateText, tone, url, label }: Cell): Html {
  const name = `state ${tone}`;
  if (url === null) return html`<span class="${name}">${stateText}</span>`;
  return html`<a class="${name}" href="${url}">${stateText}<span class="sr-only"> at ${label}</span></a>`;
}

export function renderNextAttempt({ nextAttemptAt, isUnderWay }: Cell): Html | null {
  return nextAttemptAt && isUnderWay ? html`<p class="why">Next attempt: ${renderTime(nextAttemptAt)}</p>` : null;
}

/** True if the cell shows its commands. Those of other cells are in the menu of the row. */
export function showsCommands({ tone, needsAuthor }: Cell): boolean {
  return needsAuthor || tone === 'warn' || tone === 'bad';
}

function showsReason(cell: Cell): boolean {
  return cell.reason !== null && (showsCommands(cell) || cell.stateText === 'Not sent');
}

function renderCommands(articleId: string, cell: Cell): Html | null {
  const { commands, canSettle, needsConnection } = cell;
  if (!showsCommands(cell) || (commands.length === 0 && !canSettle && !needsConnection)) return null;
  return html`<div class="cell-actions">${renderCellActions(articleId, cell, null)}</div>`;
}

/** Renders all actions of a cell. `back`: the page to show after a settlement. */
export function renderCellActions(articleId: string, cell: Cell, back: string | null): Html {
  const { label, commands, canSettle, needsConnection } = cell;
  const connect =
    needsConnection &&
    html`<a class="button compact" href="/desk/settings">Connect<span class="sr-only"> ${label}</span></a>`;
  return html`${connect}${commands.map((command) => renderCellButton(articleId, cell, command))}${canSettle && renderSettleForms(articleId, cell, back)}`;
}

/** Renders the shared form. `back`: the page to show after a command. */
export function renderCommandForm(back: string): Html {
  return html`<form id="command" method="post"><input type="hidden" name="back" value="${back}"></form>`;
}

export function renderButton(path: string, text: Html | string, kind = ''): Html {
  return html`<button class="button compact${kind}" form="command" formaction="${path}">${text}</button>`;
}

/** Names the destination for screen readers. */
function renderCellButton(articleId: string, cell: Cell, { command, text }: CellCommand): Html {
  const path = `/desk/articles/${articleId}/${cell.destination}/${command}`;
  return renderButton(path, html`${text}<span class="sr-only"> at ${cell.label}</span>`);
}

/** Renders two forms to settle an attempt, because only one of them requires an address. */
function renderSettleForms(articleId: string, { destination, label, attempts }: Cell, back: string | null): Html {
  const path = `/desk/articles/${articleId}/${destination}/settle`;
  const hidden = html`${back === null ? null : html`<input type="hidden" name="back" value="${back}">`}<input type="hidden" name="attempt" value="${attempts}">`;
  return html`<details class="settle"><summary>Resolve<span class="sr-only"> (${label})</span></summary>
<form method="post" action="${path}" data-command>${hidden}<input type="hidden" name="found" value="yes"><label>Address of the copy <input type="url" name="url" required maxlength="2000"></label><button class="button compact">The copy exists</button></form>
<form method="post" action="${path}" data-command>${hidden}<input type="hidden" name="found" value="no"><button class="button compact">No copy exists: send again</button></form>
</details>`;
}
