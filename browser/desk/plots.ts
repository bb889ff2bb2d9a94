/** Says the value of a plot under the pointer, and step by step by the arrow keys. The numbers are those of the table that stands under it. */

import { registerScriptContent } from './morph.ts';

/** Those that are new on the page. */
export function explainPlots(): void {
  for (const plot of document.querySelectorAll('[data-plot]')) {
    if (!registerScriptContent(plot)) continue;
    const box = plot.querySelector<HTMLElement>('[data-plot-box]');
    const rows = [...plot.querySelectorAll<HTMLTableRowElement>('tbody tr')].map(({ cells: [step, value] }) => ({
      step: step?.textContent ?? '',
      value: value?.textContent ?? '',
    }));
    if (box && rows.length > 0) explain(box, rows, plot.getAttribute('aria-label') ?? '');
  }
}

/** A slider is what a screen reader knows to read out while arrow keys move it. */
function explain(box: HTMLElement, rows: readonly { step: string; value: string }[], name: string): void {
  const last = rows.length - 1;
  const marker = createPart('plot-marker');
  const tip = createPart('plot-tip');
  let present = last;

  const show = (step: number) => {
    present = Math.min(Math.max(step, 0), last);
    const row = rows[present];
    const text = `${row?.step}: ${row?.value}`;
    box.setAttribute('aria-valuenow', String(present));
    box.setAttribute('aria-valuetext', text);
    tip.textContent = text;
    const at = ((present + 0.5) / rows.length) * box.clientWidth;
    marker.hidden = tip.hidden = false;
    marker.style.left = `${at}px`;
    tip.style.left = `${Math.min(Math.max(at - tip.offsetWidth / 2, 0), box.clientWidth - tip.offsetWidth)}px`;
  };
  const hide = () => {
    marker.hidden = tip.hidden = true;
  };

  box.tabIndex = 0;
  box.setAttribute('role', 'slider');
  box.setAttribute('aria-label', name);
  box.setAttribute('aria-valuemin', '0');
  box.setAttribute('aria-valuemax', String(last));
  box.append(marker, tip);
  show(last);
  hide();

  const follow = ({ clientX }: PointerEvent) => {
    const { left, width } = box.getBoundingClientRect();
    show(Math.floor(((clientX - left) / width) * rows.length));
  };
  box.addEventListener('pointermove', follow);
  box.addEventListener('pointerdown', follow);
  box.addEventListener('pointerleave', () => (document.activeElement === box ? show(present) : hide()));
  box.addEventListener('focus', () => show(present));
  box.addEventListener('blur', hide);
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return hide();
    const next = findStep(event.key, present, last);
    if (next === null || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    show(next);
  });
}

const PAGE = 7;

function findStep(key: string, present: number, last: number): number | null {
  const steps: Record<string, number> = {
    ArrowLeft: present - 1,
    ArrowDown: present - 1,
    ArrowRight: present + 1,
    ArrowUp: present + 1,
    PageDown: present - PAGE,
    PageUp: present + PAGE,
    Home: 0,
    End: last,
  };
  return steps[key] ?? null;
}

function createPart(name: string): HTMLElement {
  const part = document.createElement('div');
  part.className = name;
  part.ariaHidden = 'true';
  part.hidden = true;
  return part;
}
