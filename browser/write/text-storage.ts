/** Texts in the storage of this browser, a bounded number of them; the oldest make room. */

export interface KeptFields {
  text: string;
  /** What its author was told that a publish changes. */
  seen: string;
  fileName: string;
  /** In milliseconds since 1970. */
  at: number;
}

export interface StoredText extends KeptFields {
  name: string;
}

const MOST = 20;
const EVERY = 'courant.text.';

/** The newest first. */
export function listTexts(prefix: string): StoredText[] {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(prefix));
    return names.flatMap(read).sort((a, b) => b.at - a.at);
  } catch {
    // Storage is forbidden here.
    return [];
  }
}

/** False where there is no room for it. */
export function storeText(name: string, fields: KeptFields): boolean {
  const older = listTexts(EVERY).filter((one) => one.name !== name);
  for (const { name: oldest } of older.splice(MOST - 1)) removeText(oldest);
  for (;;) {
    try {
      localStorage.setItem(name, JSON.stringify(fields));
      return true;
    } catch {
      const oldest = older.pop();
      if (!oldest) return false;
      removeText(oldest.name);
    }
  }
}

export function removeText(name: string): void {
  try {
    localStorage.removeItem(name);
  } catch {
    // Storage is forbidden here, so nothing was kept.
  }
}

function read(name: string): StoredText[] {
  try {
    const { text, seen, fileName, at } = JSON.parse(localStorage.getItem(name) ?? '') as Partial<KeptFields>;
    return typeof text === 'string' ? [{ name, text, seen: seen ?? '', fileName: fileName ?? '', at: at ?? 0 }] : [];
  } catch {
    // Written by something else.
    return [];
  }
}
