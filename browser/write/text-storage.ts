/**
 * Stores texts in the browser's local storage, up to a number per person; the oldest are removed.
 * A text that is too large removes no other text.
 */

export interface StoredTextFields {
  text: string;
  /** The version of the article that the author saw. */
  seen: string;
  fileName: string;
  /** In milliseconds since 1970. */
  at: number;
}

export interface StoredText extends StoredTextFields {
  name: string;
}

const MAX_TEXTS = 20;

/** Sorted by time, newest first. */
export function listTexts(prefix: string): StoredText[] {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(prefix));
    return names.flatMap(read).sort((a, b) => b.at - a.at);
  } catch {
    // The browser forbids storage.
    return [];
  }
}

/**
 * Returns false if there is no space. Removes no other text to make space, because those are
 * unsaved work as well.
 */
export function storeText(name: string, fields: StoredTextFields): boolean {
  try {
    localStorage.setItem(name, JSON.stringify(fields));
  } catch {
    return false;
  }
  const [person = ''] = /^courant\.text\.[^.]*\./.exec(name) ?? [];
  const older = listTexts(person).filter((candidate) => candidate.name !== name);
  for (const { name: oldest } of older.slice(MAX_TEXTS - 1)) removeText(oldest);
  return true;
}

export function removeText(name: string): void {
  try {
    localStorage.removeItem(name);
  } catch {
    // The browser forbids storage, so nothing is stored.
  }
}

function read(name: string): StoredText[] {
  try {
    const { text, seen, fileName, at } = JSON.parse(localStorage.getItem(name) ?? '') as Partial<StoredTextFields>;
    return typeof text === 'string' ? [{ name, text, seen: seen ?? '', fileName: fileName ?? '', at: at ?? 0 }] : [];
  } catch {
    // The entry has another format.
    return [];
  }
}
