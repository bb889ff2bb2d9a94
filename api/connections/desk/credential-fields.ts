/** Renders the credential fields of a platform and the steps to obtain the credential. */
import type { Platform } from '../../../destinations/types.ts';
import { findProblem } from '../../web/desk/settings-page.ts';
import { type FieldProblem, renderInput } from '../../web/fields.ts';
import { type Html, html } from '../../web/html.ts';
import { PLATFORM_FORMS } from './platform-forms.ts';

export function renderSteps(platform: Platform): Html {
  const { steps, caution } = PLATFORM_FORMS[platform];
  return html`<ol class="how-to">${steps.map((step) => html`<li>${step}</li>`)}</ol>${caution && html`<p class="notice warning">${caution}</p>`}`;
}

export interface CredentialFormState {
  /** By field name. Secrets in it are never rendered. */
  typed: Record<string, string>;
  problems: readonly FieldProblem[];
}

export function renderCredentialFields(platform: Platform, { typed, problems }: CredentialFormState): Html {
  const rendered = PLATFORM_FORMS[platform].fields.map(({ name, kind, ...field }) => {
    const attributes =
      kind === 'secret'
        ? html` type="password" autocomplete="off" spellcheck="false" maxlength="9000"`
        : html` autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="200" dir="ltr"`;
    const value = kind === 'secret' ? '' : (typed[name] ?? '');
    return renderInput({ ...field, name, value, problem: findProblem(problems, name) }, attributes);
  });
  return html`${rendered}`;
}
