/** Collects the losses of an article's text: each kind once, with its first line. */
import type { Nodes } from 'hast';
import type { Notice, NoticeCode } from '../../article/types.ts';

export class LossList {
  readonly #lines = new Map<NoticeCode, { message: string; line: number | undefined }>();

  /** Nodes that the renderer added have no line: `around` is the closest one that has. */
  add(code: NoticeCode, message: string, node: Nodes, around?: Nodes): void {
    const line = readLine(node) ?? (around && readLine(around));
    const known = this.#lines.get(code);
    const isEarlier = line !== undefined && line < (known?.line ?? Number.POSITIVE_INFINITY);
    if (!known || isEarlier) this.#lines.set(code, { message, line });
  }

  list(): Notice[] {
    return [...this.#lines].map(([code, { message, line }]) => ({
      ...{ code, message },
      ...(line === undefined ? {} : { line }),
    }));
  }
}

/** Unlike its type, the position of a text that an HTML parser joined may have one end or none. */
export function readLine({ position }: Nodes): number | undefined {
  const { start, end }: Partial<NonNullable<Nodes['position']>> = position ?? {};
  return (start ?? end)?.line;
}
