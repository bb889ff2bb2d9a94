/** Renders the page that connects a destination, for the first time or with another account. */
import type { DestinationKey } from '../../../article/types.ts';
import { DESCRIPTORS } from '../../../destinations/registry.ts';
import type { Platform } from '../../../destinations/types.ts';
import { findProblem, renderOtherProblems } from '../../web/desk/settings-page.ts';
import { renderInput } from '../../web/fields.ts';
import { type Html, html } from '../../web/html.ts';
import { buildConnectionPath } from './connections-page.ts';
import { type CredentialFormState, renderCredentialFields, renderSteps } from './credential-fields.ts';

export interface ConnectPage extends CredentialFormState {
  destination: DestinationKey;
  platform: Platform;
  /** All platforms of the destination. */
  platforms: readonly Platform[];
  /** Null where the platform has no default address. */
  defaultBaseUrl: string | null;
  /** Name or address of the account that this connection replaces; null where none is connected. */
  replaces: string | null;
}

export function renderConnectPage(page: ConnectPage): Html {
  const { destination, platform, platforms, replaces, problems } = page;
  const path = `${buildConnectionPath(destination)}/new`;
  const { label, connection } = DESCRIPTORS[platform];
  const choices = platforms.map(
    (option) =>
      html`<li><a class="button compact" href="${path}?platform=${option}"${option === platform && html` aria-current="true"`}>${DESCRIPTORS[option].label}</a></li>`,
  );
  return html`${renderOtherProblems(problems, ['baseUrl', ...connection.fields.map((field) => field.name)])}
${platforms.length > 1 && html`<nav aria-label="Platform"><ul class="choices">${choices}</ul></nav>`}
${replaces !== null && html`<p class="notice warning">This replaces <bdi>${replaces}</bdi>. Copies stay at that account. An article is delivered to the new account when you publish it again.</p>`}
<form method="post" action="${path}" class="card"><h2>Credential</h2>
${renderSteps(platform)}
<input type="hidden" name="platform" value="${platform}">
${page.defaultBaseUrl === null && renderAddress(page)}
${renderCredentialFields(platform, page)}
${page.defaultBaseUrl !== null && renderAddress(page)}
<button class="button primary">Test and connect</button> <span class="hint-inline">Courant reads the account’s name from ${label}, and posts nothing.</span></form>`;
}

function renderAddress({ platform, defaultBaseUrl, typed, problems }: ConnectPage): Html {
  const isOptional = defaultBaseUrl !== null;
  const attributes = html` inputmode="url" autocomplete="off" spellcheck="false" maxlength="2000" dir="ltr"${isOptional && html` placeholder="${defaultBaseUrl}"`}`;
  const field = {
    ...DESCRIPTORS[platform].connection.address,
    ...{ name: 'baseUrl', value: typed.baseUrl ?? '', problem: findProblem(problems, 'baseUrl'), isOptional },
  };
  return renderInput(field, attributes);
}
