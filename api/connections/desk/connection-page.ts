/** Renders the settings page of one connected destination: its status, offers and forms. */

import { DESCRIPTORS } from '../../../destinations/registry.ts';
import type { Offer } from '../../../store/deliveries/offers.ts';
import { formatQuantity } from '../../web/desk/format-count.ts';
import { renderConfirmed, renderOtherProblems } from '../../web/desk/settings-page.ts';
import type { FieldProblem } from '../../web/fields.ts';
import { type Html, html } from '../../web/html.ts';
import { buildConnectionPath, renderState, type ShownConnection } from './connections-page.ts';
import { renderCredentialFields, renderSteps } from './credential-fields.ts';

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
  const { label, connection: form } = DESCRIPTORS[connection.platform];
  return html`${renderOtherProblems(
    problems,
    form.fields.map((field) => field.name),
  )}
<section class="card" aria-labelledby="state"><h2 id="state">Status</h2>${renderState(connection, now)}
<form method="post" action="${path}/test"><button class="button">Test it now</button> <span class="hint-inline">Checks the stored credential at ${label}. If it works, waiting deliveries are sent.</span></form></section>
${offers.length > 0 && renderOffers(connection, offers)}
<form method="post" action="${path}/reconnect" class="card"><h2>Replace the credential</h2>
${renderSteps(connection.platform)}
${renderCredentialFields(connection.platform, { typed, problems })}
<button class="button primary">Test and save</button></form>
<section class="card" aria-labelledby="leave"><h2 id="leave">Change or disconnect</h2>
<p><a href="${path}/new">Connect another account or address</a>. It replaces this one.</p>
${renderConfirmed(
  `Disconnect ${label}`,
  html`<form method="post" action="${path}/disconnect"><p>${
    connection.copies === 0
      ? 'It has no copies of your articles.'
      : `${formatQuantity(connection.copies, 'copy stays', 'copies stay')} there. Courant cannot update or withdraw copies while no account is connected.`
  } Due deliveries are held until you reconnect. Courant deletes the credential; revoke it at ${label} too.</p>
<button class="button danger">Disconnect ${label}</button></form>`,
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
