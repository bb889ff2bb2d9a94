/** Parts of a page that are asked for again when anything happened: `data-live`, with an id. */
import { onNotification } from './event-stream.ts';
import { gather } from './gather.ts';
import { refreshPart } from './refresh-part.ts';

export function followLiveParts(): void {
  const ids = [...document.querySelectorAll('[data-live][id]')].map(({ id }) => id);
  if (ids.length === 0) return;
  onNotification(
    gather(() => {
      for (const part of ids.map((id) => document.getElementById(id))) if (part) void refreshPart(part);
    }),
  );
}
