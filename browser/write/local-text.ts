/**
 * Stores the text in this browser until the server has it. Each window writes under its own locked
 * name, so that windows do not overwrite each other. The next window for the same article restores
 * the text of a closed one.
 */

import { createKey } from './create-key.ts';
import type { Editor } from './editor.ts';
import { createButton, createElement, showWriteMessage } from './elements.ts';
import type { WritePage } from './page.ts';
import { isNameLocked, lockTextName, refreshLockedNames } from './text-name-locks.ts';
import { listTexts, removeText, type StoredText, storeText } from './text-storage.ts';

export interface LocalText {
  /**
   * Records that the server has this text. Returns false if the editor has a newer text, which
   * stays stored.
   */
  markSaved(text: string): boolean;
  /** Stores the current text and chooses a new name, before another text is opened. */
  switchText(): void;
}

const SAVE_DELAY_MS = 400;

export function storeTextLocally(page: WritePage, editor: Editor): LocalText {
  const prefix = `courant.text.${page.user}.${page.article || 'new'}.`;
  let name = prefix + createKey();
  let release = lockTextName(name);
  /** The names under which this page has stored texts. */
  const usedNames = new Set([name]);
  /** The text that the server has, or an empty one. */
  let stored = editor.getText();
  let timer: number | undefined;

  const save = () => {
    clearTimeout(timer);
    const text = editor.getText();
    if (text === stored || text.trim() === '') return removeText(name);
    const isStored = storeText(name, { text, seen: page.get('seen'), fileName: page.get('fileName'), at: Date.now() });
    if (!isStored) showWriteMessage(page.storedTextsArea, 'warning', createElement('p', {}, TOO_LARGE));
  };
  const switchName = (next: string) => {
    release();
    name = next;
    usedNames.add(next);
    release = lockTextName(next);
  };
  const restoreText = (found: StoredText) => {
    save();
    switchName(found.name);
    editor.setText(found.text);
    page.clearConfirmation();
    page.set('fileName', found.fileName);
    // Restores the version that the author saw, so that a later change is not overwritten.
    if (found.seen !== '') page.set('seen', found.seen);
    showOffers(found);
  };
  const discard = (found: StoredText) => {
    if (found.name !== name) removeText(found.name);
    else editor.setText(stored);
    showOffers(null);
  };

  /** `restored` is the text that was just put into the editor. */
  const showOffers = (restored: StoredText | null) => {
    const others = listTexts(prefix).filter(
      (candidate) =>
        candidate.name !== name &&
        candidate.text !== stored &&
        (usedNames.has(candidate.name) || !isNameLocked(candidate.name)),
    );
    const lines = [
      ...(restored ? [describe('Restored unsaved text', restored, [['Discard', discard]])] : []),
      ...others.map((candidate) =>
        describe('Also saved in this browser', candidate, [
          ['Restore', restoreText],
          ['Discard', discard],
        ]),
      ),
    ];
    if (lines.length === 0) showWriteMessage(page.storedTextsArea, 'none');
    else showWriteMessage(page.storedTextsArea, 'warning', ...lines);
  };

  const restore = async () => {
    const found = await findAbandonedText(prefix, name, stored);
    if (found && editor.getText() === stored) restoreText(found);
    else showOffers(null);
  };

  editor.onChange(() => {
    clearTimeout(timer);
    timer = window.setTimeout(save, SAVE_DELAY_MS);
  });
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && save());
  window.addEventListener('pagehide', () => {
    save();
    release();
  });
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) release = lockTextName(name);
  });
  window.addEventListener('beforeunload', (event) => {
    if (editor.getText() !== stored) event.preventDefault();
  });
  void restore();

  return {
    markSaved(text) {
      stored = text;
      save();
      return editor.getText() === text;
    },
    switchText() {
      save();
      switchName(prefix + createKey());
      showOffers(null);
    },
  };
}

const TOO_LARGE = 'This text does not fit into the storage of this browser. Save it as a draft before you leave.';
/** A closing page can hold its lock for a moment. */
const LOCK_RELEASE_MS = 300;

/** Returns the newest text of a closed window. */
async function findAbandonedText(prefix: string, ownName: string, stored: string): Promise<StoredText | undefined> {
  const candidates = listTexts(prefix).filter(({ name, text }) => name !== ownName && text !== stored);
  if (candidates.length === 0) return undefined;
  await refreshLockedNames();
  const found = candidates.find(({ name }) => !isNameLocked(name));
  if (found) return found;
  await new Promise((resolve) => setTimeout(resolve, LOCK_RELEASE_MS));
  await refreshLockedNames();
  return candidates.find(({ name }) => !isNameLocked(name));
}

function describe(
  label: string,
  found: StoredText,
  choices: [text: string, act: (found: StoredText) => void][],
): HTMLElement {
  const at = new Date(found.at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
  const line =
    found.text.split('\n').find((candidate) => /^(title:|#)/.test(candidate)) ?? found.text.trim().split('\n')[0] ?? '';
  const title = createElement('bdi', {}, line.replace(/^(title:|#+)\s*/, '').slice(0, 80));
  const buttons = choices.map(([text, onClick]) => createButton(text, () => onClick(found)));
  return createElement(
    'p',
    {},
    `${label}: “`,
    title,
    `”, ${at}. `,
    ...buttons.flatMap((candidate) => [candidate, ' ']),
  );
}
