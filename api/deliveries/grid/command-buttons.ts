/** Renders command buttons. They share one form, which keeps pages with many buttons small. */

import { type Html, html } from '../../web/html.ts';
import type { Cell, CellCommand } from './cell.ts';

/** Renders the shared form. `back`: the page to show after a command. */
export function renderCommandForm(back: string): Html {
  return html`<form id="command" method="post"><input type="hidden" name="back" value="${back}"></form>`;
}

export function renderButton(path: string, text: Html | string, kind = ''): Html {
  return html`<button class="button compact${kind}" form="command" formaction="${path}">${text}</button>`;
}

/** Names the destination for screen readers. */
export function renderCellButton(articleId: string, cell: Cell, { command, text }: CellCommand): Html {
  const path = `/desk/articles/${articleId}/${cell.destination}/${command}`;
  return renderButton(path, html`${text}<span class="sr-only"> at ${cell.label}</span>`);
}

/** Renders two forms to settle an attempt, because only one of them requires an address. */
export function renderSettleForms(
  articleId: string,
  { destination, label, attempts }: Cell,
  back: string | null,
): Html {
  const path = `/desk/articles/${articleId}/${destination}/settle`;
  const hidden = html`${back === null ? null : html`<input type="hidden" name="back" value="${back}">`}<input type="hidden" name="attempt" value="${attempts}">`;
  return html`<details class="settle"><summary>Resolve<span class="sr-only"> (${label})</span></summary>
<form method="post" action="${path}" data-command>${hidden}<input type="hidden" name="found" value="yes"><label>Address of the copy <input type="url" name="url" required maxlength="2000"></label><button class="button compact">The copy exists</button></form>
<form method="post" action="${path}" data-command>${hidden}<input type="hidden" name="found" value="no"><button class="button compact">No copy exists: send again</button></form>
</details>`;
}
