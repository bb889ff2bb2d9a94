/** Renders the credential fields of a platform and the steps to obtain the credential. */

import { DESCRIPTORS } from '../../../destinations/registry.ts';
import type { Platform } from '../../../destinations/types.ts';
import { findProblem } from '../../web/desk/settings-page.ts';
import { type FieldProblem, renderInput } from '../../web/fields.ts';
import { type Html, html } from '../../web/html.ts';

export function renderSteps(platform: Platform): Html {
  const { steps, caution } = DESCRIPTORS[platform].connection;
  return html`<ol class="how-to">${steps.map((step) => html`<li>${renderInline(step)}</li>`)}</ol>${caution && html`<p class="notice warning">${renderInline(caution)}</p>`}`;
}

/** Renders `[links](https://…)` and `` `code` `` in a text of a descriptor. */
function renderInline(text: string): Html {
  const parts = text.split(/(\[[^\]]+\]\(https:[^)]+\)|`[^`]+`)/);
  return html`${parts.map((part) => {
    const [, label, url] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
    if (url !== undefined) return html`<a href="${url}" rel="noreferrer">${label}</a>`;
    return part.startsWith('`') ? html`<code>${part.slice(1, -1)}</code>` : html`${part}`;
  })}`;
}

export interface CredentialFormState {
  /** By field name. Secrets in it are never rendered. */
  typed: Record<string, string>;
  problems: readonly FieldProblem[];
}

export function renderCredentialFields(platform: Platform, { typed, problems }: CredentialFormState): Html {
  const rendered = DESCRIPTORS[platform].connection.fields.map(({ name, kind, ...field }) => {
    const attributes =
      kind === 'secret'
        ? html` type="password" autocomplete="off" spellcheck="false" maxlength="9000"`
        : html` autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="200" dir="ltr"`;
    const value = kind === 'secret' ? '' : (typed[name] ?? '');
    return renderInput({ ...field, name, value, problem: findProblem(problems, name) }, attributes);
  });
  return html`${rendered}`;
}
