/** Renders form fields, each with its label, its hint and the problem of the submitted value. */
import { type Html, html } from './html.ts';

export interface Field {
  name: string;
  label: string;
  hint?: Html | string | null;
  /** The problem of the submitted value. */
  problem?: string | null;
  isOptional?: boolean;
  /** Required where two forms of one page have a field of the same name. */
  id?: string;
}

/** A rejected field; `path` is its name. */
export interface FieldProblem {
  path: string;
  message: string;
}

/** `attributes` start with a space. Secrets are rendered without a `value`. */
export function renderInput(field: Field & { value?: string }, attributes?: Html): Html {
  return renderField(field, html`<input${renderAttributes(field)} value="${field.value ?? ''}"${attributes}>`);
}

export function renderTextarea(field: Field & { value: string }, attributes?: Html): Html {
  // HTML drops the first line break within a textarea.
  return renderField(field, html`<textarea${renderAttributes(field)}${attributes}>\n${field.value}</textarea>`);
}

/** A select always has a value, perhaps an empty one, so it is neither required nor optional. */
export function renderSelect(
  field: Omit<Field, 'isOptional'> & { value: string },
  options: readonly (readonly [string, string])[],
): Html {
  const rendered = options.map(
    ([value, text]) => html`<option value="${value}"${value === field.value && html` selected`}>${text}</option>`,
  );
  return renderField(field, html`<select${renderAttributes({ ...field, isOptional: true })}>${rendered}</select>`);
}

export function renderCheckbox({ name, label, isChecked }: { name: string; label: string; isChecked: boolean }): Html {
  return html`<label class="check"><input type="checkbox" name="${name}"${isChecked && html` checked`}> ${label}</label>`;
}

/** The fields of every sign-in form. */
export function renderSignInFields(email: string): Html {
  return html`<div class="field"><label for="email">E-mail address</label><input id="email" type="email" name="email" value="${email}" required autocomplete="username" maxlength="254"></div>
<div class="field"><label for="password">Password</label><input id="password" type="password" name="password" required autocomplete="current-password" maxlength="1024"></div>`;
}

function renderAttributes({ name, id = name, hint, problem, isOptional }: Field): Html {
  const notes = [problem ? `${id}-help` : '', hint ? `${id}-hint` : ''].filter((note) => note !== '').join(' ');
  return html` id="${id}" name="${name}"${!isOptional && html` required`}${notes !== '' && html` aria-describedby="${notes}"`}${
    problem && html` aria-invalid="true"`
  }`;
}

function renderField({ name, id = name, label, hint, problem, isOptional }: Field, control: Html): Html {
  const optional = isOptional && html` <span class="soft">(optional)</span>`;
  return html`<div class="field"><label for="${id}">${label}${optional}</label>${control}${
    problem && html`<span class="problem" id="${id}-help" role="alert">${problem}</span>`
  }${hint && html`<span class="hint" id="${id}-hint">${hint}</span>`}</div>
`;
}
