/**
 * Stands in every reading page and runs before it is drawn: what would move parts of it later, and what fetches the script (`site.ts`) once the page
 * is there with its cover. On a slow line neither waits for the other.
 */
const DRAWN_MS = 100;
/** Something of the page comes late: no longer than this. */
const LATEST_MS = 1_500;

const contents = document.querySelector<HTMLDetailsElement>('.toc details');
// On narrow screens they begin folded up.
if (contents) contents.open = matchMedia('(min-width: 75rem)').matches;

const script = document.createElement('script');
script.src = document.currentScript?.dataset.src ?? '';
/** Added twice it is moved, and runs once. */
const add = () => document.head.append(script);
addEventListener('load', () => setTimeout(add, DRAWN_MS));
setTimeout(add, LATEST_MS);
