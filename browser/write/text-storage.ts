/** Texts in the storage of this browser, a bounded number of each person's; beyond that the oldest make room, and none does for a text that is too large. */

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

/** False where there is no room for it: the other texts are as dear to their author, who is to be told. */
export function storeText(name: string, fields: KeptFields): boolean {
  try {
    localStorage.setItem(name, JSON.stringify(fields));
  } catch {
    return false;
  }
  const [person = ''] = /^courant\.text\.[^.]*\./.exec(name) ?? [];
  const older = listTexts(person).filter((one) => one.name !== name);
  for (const { name: oldest } of older.slice(MOST - 1)) removeText(oldest);
  return true;
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
