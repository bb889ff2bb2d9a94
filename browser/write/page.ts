/** The elements of the page, as the server made them. */

export interface WritePage {
  root: HTMLElement;
  form: HTMLFormElement;
  textarea: HTMLTextAreaElement;
  /** Where the editor goes. */
  frame: HTMLElement;
  /** What happens, said aloud too. */
  says: HTMLElement;
  kept: HTMLElement;
  preview: HTMLElement;
  sure: HTMLElement | null;
  files: HTMLElement;
  user: string;
  /** Of the article that the text was opened from; empty for a new one. */
  article: string;
  /** What the form sends beside what people see. */
  get(name: Field): string;
  set(name: Field, value: string): void;
}

/** Hidden ones. */
type Field = 'key' | 'seen' | 'fileName' | 'article';

/** Null where this is another page. */
export function readPage(): WritePage | null {
  const root = document.querySelector<HTMLElement>('[data-write]');
  const form = document.querySelector<HTMLFormElement>('#write-form');
  if (!root || !form) return null;
  const find = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
  const input = (name: string) => form.elements.namedItem(name) as HTMLInputElement;
  return {
    root,
    form,
    textarea: find('write-text'),
    frame: find('write-editor'),
    says: find('write-says'),
    kept: find('write-kept'),
    preview: find('write-preview'),
    sure: document.getElementById('write-sure'),
    files: find('write-files'),
    user: root.dataset.user ?? '',
    article: input('article').value,
    get: (name) => input(name).value,
    set: (name, value) => {
      input(name).value = value;
    },
  };
}
