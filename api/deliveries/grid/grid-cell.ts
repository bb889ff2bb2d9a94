/** Renders a cell of the grid: one article at one destination. */
import { cutAtWord } from '../../../article/describe/cut-text.ts';
import { renderTime } from '../../web/desk/times.ts';
import { type Html, html } from '../../web/html.ts';
import type { Cell } from './cell.ts';
import { renderCellButton, renderSettleForms } from './command-buttons.ts';

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

/** Renders the state as text and colour, linked to the copy. */
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
  if (!showsCommands(cell)) return null;
  const { commands, canSettle, needsConnection } = cell;
  if (commands.length === 0 && !canSettle && !needsConnection) return null;
  return html`<div class="cell-actions">${needsConnection ? html`<a class="button compact" href="/desk/settings">Connect<span class="sr-only"> ${cell.label}</span></a>` : null}${commands.map(
    (command) => renderCellButton(articleId, cell, command),
  )}${canSettle ? renderSettleForms(articleId, cell, null) : null}</div>`;
}
