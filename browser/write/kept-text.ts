/**
 * The text is kept in this browser until the server has it. Each window keeps its own, under a name of its own that it holds a lock on, so that
 * none writes over another's; one whose window is gone, by a crash or a reload, is taken up by the next window for the same article.
 */

import { createKey } from './create-key.ts';
import type { Editor } from './editor.ts';
import { button, element, say } from './elements.ts';
import { holdName, isTaken, lookWhatIsHeld } from './held-names.ts';
import type { WritePage } from './page.ts';
import { listTexts, removeText, type StoredText, storeText } from './text-storage.ts';

export interface KeptText {
  /** The server has this text. False where the editor has another one by now, which is kept. */
  settle(text: string): boolean;
  /** Another text is about to come into the editor: the present one stays in this browser under its own name. */
  setAside(): void;
}

const PAUSE_MS = 400;

export function keepText(page: WritePage, editor: Editor): KeptText {
  const prefix = `courant.text.${page.user}.${page.article || 'new'}.`;
  let name = prefix + createKey();
  let release = holdName(name);
  /** Under which this page has kept anything: nobody else does. */
  const own = new Set([name]);
  /** What the server has, or an empty page. */
  let stored = editor.getText();
  let timer: number | undefined;

  const keep = () => {
    clearTimeout(timer);
    const text = editor.getText();
    if (text === stored || text.trim() === '') return removeText(name);
    const isKept = storeText(name, { text, seen: page.get('seen'), fileName: page.get('fileName'), at: Date.now() });
    if (!isKept) say(page.kept, 'warning', element('p', {}, TOO_LARGE));
  };
  const takeName = (next: string) => {
    release();
    name = next;
    own.add(next);
    release = holdName(next);
  };
  const takeUp = (found: StoredText) => {
    keep();
    takeName(found.name);
    editor.setText(found.text);
    page.set('fileName', found.fileName);
    // What its author was told then: a change since is not written over.
    if (found.seen !== '') page.set('seen', found.seen);
    offer(found);
  };
  const discard = (found: StoredText) => {
    if (found.name !== name) removeText(found.name);
    else editor.setText(stored);
    offer(null);
  };

  /** `taken`: the one that is in the editor now. */
  const offer = (taken: StoredText | null) => {
    const others = listTexts(prefix).filter(
      (one) => one.name !== name && one.text !== stored && (own.has(one.name) || !isTaken(one.name)),
    );
    const lines = [
      ...(taken ? [describe('Restored what the server does not have yet', taken, [['Discard it', discard]])] : []),
      ...others.map((one) =>
        describe('Also kept in this browser', one, [
          ['Take it up', takeUp],
          ['Discard it', discard],
        ]),
      ),
    ];
    if (lines.length === 0) say(page.kept, 'none');
    else say(page.kept, 'warning', ...lines);
  };

  const restore = async () => {
    const found = await findLeft(prefix, name, stored);
    if (found && editor.getText() === stored) takeUp(found);
    else offer(null);
  };

  editor.onChange(() => {
    clearTimeout(timer);
    timer = window.setTimeout(keep, PAUSE_MS);
  });
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && keep());
  window.addEventListener('pagehide', () => {
    keep();
    release();
  });
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) release = holdName(name);
  });
  window.addEventListener('beforeunload', (event) => {
    if (editor.getText() !== stored) event.preventDefault();
  });
  void restore();

  return {
    settle(text) {
      stored = text;
      keep();
      return editor.getText() === text;
    },
    setAside() {
      keep();
      takeName(prefix + createKey());
      offer(null);
    },
  };
}

const TOO_LARGE =
  'This text is too large to be kept in this browser, or there is no room: save it as a draft before you leave.';
/** A page that was left a moment ago may hold its name still. */
const SECOND_LOOK_MS = 300;

/** The newest text whose window is gone. */
async function findLeft(prefix: string, own: string, stored: string): Promise<StoredText | undefined> {
  const candidates = listTexts(prefix).filter(({ name, text }) => name !== own && text !== stored);
  if (candidates.length === 0) return undefined;
  await lookWhatIsHeld();
  const found = candidates.find(({ name }) => !isTaken(name));
  if (found) return found;
  await new Promise((resolve) => setTimeout(resolve, SECOND_LOOK_MS));
  await lookWhatIsHeld();
  return candidates.find(({ name }) => !isTaken(name));
}

function describe(
  what: string,
  found: StoredText,
  choices: [text: string, act: (found: StoredText) => void][],
): HTMLElement {
  const at = new Date(found.at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
  const line = found.text.split('\n').find((one) => /^(title:|#)/.test(one)) ?? found.text.trim().split('\n')[0] ?? '';
  const title = element('bdi', {}, line.replace(/^(title:|#+)\s*/, '').slice(0, 80));
  const buttons = choices.map(([text, act]) => button(text, () => act(found)));
  return element('p', {}, `${what}: “`, title, `”, of ${at}. `, ...buttons.flatMap((one) => [one, ' ']));
}
