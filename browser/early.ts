/**
 * Inline script of every public page; runs before the first paint. Prevents layout shifts and loads
 * `site.ts` after the page and its cover, so that they do not compete on a slow connection.
 */
const LOAD_DELAY_MS = 100;
/** Loads the script at this time even if parts of the page are still missing. */
const MAX_LOAD_DELAY_MS = 1_500;

const contents = document.querySelector<HTMLDetailsElement>('.toc details');
// Beside the text, where it moves nothing.
if (contents) contents.open = matchMedia('(min-width: 75rem)').matches;

const script = document.createElement('script');
script.src = document.currentScript?.dataset.src ?? '';
/** A second call moves the element; the script still runs once. */
const add = () => document.head.append(script);
addEventListener('load', () => setTimeout(add, LOAD_DELAY_MS));
setTimeout(add, MAX_LOAD_DELAY_MS);
