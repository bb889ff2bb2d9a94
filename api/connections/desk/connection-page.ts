/** Renders the settings page of one connected destination: its status, offers and commands. */

import type { Offer } from '../../../store/deliveries/offers.ts';
import { formatQuantity } from '../../web/desk/format-count.ts';
import { renderConfirmed, renderOtherProblems } from '../../web/desk/settings-page.ts';
import type { FieldProblem } from '../../web/fields.ts';
import { type Html, html } from '../../web/html.ts';
import { buildConnectionPath, renderState, type ShownConnection } from './connections-page.ts';
import { renderCredentialFields, renderSteps } from './credential-fields.ts';
import { PLATFORM_FORMS } from './platform-forms.ts';

export interface ConnectionPage {
  connection: ShownConnection;
  offers: readonly Offer[];
  now: Date;
  /** Submitted values, without secrets. */
  typed: Record<string, string>;
  problems: readonly FieldProblem[];
}

export function renderConnectionPage({ connection, offers, now, typed, problems }: ConnectionPage): Html {
  const path = buildConnectionPath(connection.destination);
  const { name, fields } = PLATFORM_FORMS[connection.platform];
  return html`${renderOtherProblems(
    problems,
    fields.map((field) => field.name),
  )}
<section class="card" aria-labelledby="state"><h2 id="state">How it is</h2>${renderState(connection, now)}
<form method="post" action="${path}/test"><button class="button">Test it now</button> <span class="hint-inline">Asks ${name} with the credential that is kept; what waits is sent if it works.</span></form></section>
${offers.length > 0 && renderOffers(connection, offers)}
<form method="post" action="${path}/reconnect" class="card"><h2>Give it a new credential</h2>
${renderSteps(connection.platform)}
${renderCredentialFields(connection.platform, { typed, problems })}
<button class="button primary">Test and keep it</button></form>
<section class="card" aria-labelledby="leave"><h2 id="leave">Another account, or none</h2>
<p><a href="${path}/new">Connect another account or address</a> in the place of this one.</p>
${renderConfirmed(
  `Disconnect ${name}`,
  html`<form method="post" action="${path}/disconnect"><p>${
    connection.copies === 0
      ? 'Nothing of yours stands there.'
      : `What was delivered stays there: ${formatQuantity(connection.copies, 'copy', 'copies')}. Courant will not update or withdraw it while nothing is connected.`
  } Deliveries that are due are held until you connect again. The credential is deleted here; to end it for good, revoke it at ${name} too.</p>
<button class="button danger">Disconnect ${name}</button></form>`,
)}</section>`;
}

function renderOffers({ account, baseUrl, destination }: ShownConnection, offers: readonly Offer[]): Html {
  return html`<form method="post" action="${buildConnectionPath(destination)}/send" class="card"><h2>Send ${formatQuantity(offers.length, 'article', 'articles')} to <bdi>${account ?? baseUrl}</bdi></h2>
<p>These articles select this destination, but were published while another account, or none, was connected. To send them, select them and press “Send the selected articles”.</p>
<ul class="plain-list">${offers.map(
    ({ articleId, title }) =>
      html`<li><label class="check"><input type="checkbox" name="article" value="${articleId}" checked> <bdi>${title}</bdi></label></li>
`,
  )}</ul>
<p><button class="button primary">Send the selected articles</button></p></form>`;
}
