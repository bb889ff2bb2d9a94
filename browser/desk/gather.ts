/** Many things may happen at once: they are one question. */

const GATHER_MS = 150;

/** A function that has `act` done shortly after, once for all that called it until then. */
export function gather(act: () => void): () => void {
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(() => {
      isPlanned = false;
      act();
    }, GATHER_MS);
  };
}
