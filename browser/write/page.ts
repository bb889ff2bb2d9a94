/** The elements, hidden fields and messages of the write page. */
import { createElement } from '../create-element.ts';

export interface WritePage {
  root: HTMLElement;
  form: HTMLFormElement;
  textarea: HTMLTextAreaElement;
  frame: HTMLElement;
  /** Status messages; a live region. */
  statusArea: HTMLElement;
  storedTextsArea: HTMLElement;
  preview: HTMLElement;
  confirmation: HTMLElement | null;
  files: HTMLElement;
  user: string;
  /** The id of the article that is edited; empty for a new one. */
  article: string;
  /** Reads and writes the hidden fields of the form. */
  get(name: Field): string;
  set(name: Field, value: string): void;
  /** Clears the confirmation of a doubtful publish, which is for one text only. */
  clearConfirmation(): void;
}

type Field = 'key' | 'seen' | 'fileName' | 'article';

/** Returns null on other pages. */
export function findWritePage(): WritePage | null {
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
    statusArea: find('write-says'),
    storedTextsArea: find('write-stored'),
    preview: find('write-preview'),
    confirmation: document.getElementById('write-sure'),
    files: find('write-files'),
    user: root.dataset.user ?? '',
    article: input('article').value,
    get: (name) => input(name).value,
    set: (name, value) => {
      input(name).value = value;
    },
    clearConfirmation: () => {
      input('sure').checked = false;
    },
  };
}

/** Returns a random idempotency key. All attempts of one publish use the same key. */
export function createKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Replaces the message of a container. Screen readers announce `refused` immediately and the others
 * at the next pause.
 */
export function showWriteMessage(
  container: HTMLElement,
  kind: 'done' | 'refused' | 'warning',
  ...children: (Node | string)[]
): void {
  const role = kind === 'refused' ? { role: 'alert' } : {};
  container.replaceChildren(createElement('div', { className: `notice ${kind}`, ...role }, ...children));
}
