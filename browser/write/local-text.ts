/**
 * Stores the text in this browser until the server has it. Each window writes under its own locked
 * name, so that windows do not overwrite each other. The next window for the same article restores
 * the text of a closed one.
 */
import { createButton, createElement } from '../create-element.ts';
import type { Editor } from './editor.ts';
import { createKey, showWriteMessage, type WritePage } from './page.ts';
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
  let lockedNames = new Set<string>();
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

  /** Texts of closed windows, and earlier ones of this page. Newest first. */
  const listOthers = () =>
    listTexts(prefix).filter(
      (other) =>
        other.name !== name && other.text !== stored && (usedNames.has(other.name) || !lockedNames.has(other.name)),
    );
  /** `restored` is the text that was just put into the editor. */
  const showOffers = (restored: StoredText | null) => {
    const choices: Choice[] = [
      ['Restore', restoreText],
      ['Discard', discard],
    ];
    const lines = [
      ...(restored ? [describe('Restored unsaved text', restored, choices.slice(1))] : []),
      ...listOthers().map((other) => describe('Also saved in this browser', other, choices)),
    ];
    if (lines.length === 0) page.storedTextsArea.replaceChildren();
    else showWriteMessage(page.storedTextsArea, 'warning', ...lines);
  };
  const restore = async () => {
    if (listTexts(prefix).length === 0) return;
    for (const delayMs of [0, LOCK_RELEASE_MS]) {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      lockedNames = await listLockedNames();
      const [newest] = listOthers();
      if (newest && editor.getText() === stored) return restoreText(newest);
    }
    showOffers(null);
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

type Choice = [text: string, act: (found: StoredText) => void];

function describe(label: string, found: StoredText, choices: Choice[]): HTMLElement {
  const at = new Date(found.at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
  const lines = found.text.trim().split('\n');
  const line = lines.find((candidate) => /^(title:|#)/.test(candidate)) ?? lines[0] ?? '';
  const title = createElement('bdi', {}, line.replace(/^(title:|#+)\s*/, '').slice(0, 80));
  const buttons = choices.flatMap(([text, onClick]) => [createButton(text, () => onClick(found)), ' ']);
  return createElement('p', {}, `${label}: “`, title, `”, ${at}. `, ...buttons);
}

/**
 * Locks the name of a text across windows; returns its release. A lock ends with its window.
 * Insecure contexts have no locks: every name seems free there, and two windows may restore the same
 * text.
 */
function lockTextName(name: string): () => void {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Rejects if storage is forbidden; nothing is stored then either.
  navigator.locks?.request(name, () => released).catch(() => undefined);
  return release;
}

async function listLockedNames(): Promise<Set<string>> {
  const found = await navigator.locks?.query().catch(() => undefined);
  return new Set(found?.held?.flatMap(({ name }) => name ?? []));
}
