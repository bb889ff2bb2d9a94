/**
 * Shows the value of a plot at the pointer or at the step chosen by arrow keys. Reads the numbers
 * from the table below the plot.
 */
import { createElement } from '../create-element.ts';

/** Adds a slider to each plot that has none. */
export function explainPlots(): void {
  for (const plot of document.querySelectorAll('[data-plot]')) {
    const box = plot.querySelector<HTMLElement>('[data-plot-box]');
    const table = plot.querySelector('tbody');
    if (box && table && !box.querySelector('[role="slider"]'))
      addSlider(box, table, plot.getAttribute('aria-label') ?? '');
  }
}

/**
 * Adds a slider above the plot, because screen readers read out its value while arrow keys move it.
 * A refresh of the page changes the plot and its table, but not the slider.
 */
function addSlider(box: HTMLElement, table: HTMLTableSectionElement, name: string): void {
  const hidden = { hidden: true, 'aria-hidden': 'true' };
  const marker = createElement('div', { className: 'plot-marker', ...hidden });
  const tip = createElement('div', { className: 'plot-tip', ...hidden });
  const aria = { role: 'slider', 'aria-label': name, 'aria-valuemin': '0' };
  const slider = createElement('div', { className: 'plot-slider', tabIndex: 0, ...aria }, marker, tip);
  slider.dataset.keep = '';
  let current = table.rows.length - 1;

  const show = (step: number) => {
    const { length } = table.rows;
    current = Math.min(Math.max(step, 0), length - 1);
    const text = [...(table.rows[current]?.cells ?? [])].map(({ textContent }) => textContent).join(': ');
    slider.setAttribute('aria-valuemax', String(length - 1));
    slider.setAttribute('aria-valuenow', String(current));
    slider.setAttribute('aria-valuetext', text);
    tip.textContent = text;
    const x = ((current + 0.5) / length) * box.clientWidth;
    marker.hidden = tip.hidden = false;
    marker.style.left = `${x}px`;
    tip.style.left = `${Math.min(Math.max(x - tip.offsetWidth / 2, 0), box.clientWidth - tip.offsetWidth)}px`;
  };
  const hide = () => {
    marker.hidden = tip.hidden = true;
  };

  box.append(slider);
  const update = () => {
    const isHidden = tip.hidden;
    show(current);
    if (isHidden) hide();
  };
  update();
  new MutationObserver(update).observe(table, { subtree: true, childList: true, characterData: true });

  const follow = ({ clientX }: PointerEvent) => {
    const { left, width } = slider.getBoundingClientRect();
    show(Math.floor(((clientX - left) / width) * table.rows.length));
  };
  slider.addEventListener('pointermove', follow);
  slider.addEventListener('pointerdown', follow);
  slider.addEventListener('pointerleave', () => (document.activeElement === slider ? show(current) : hide()));
  slider.addEventListener('focus', () => show(current));
  slider.addEventListener('blur', hide);
  slider.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return hide();
    const next = findStep(event.key, current, table.rows.length - 1);
    if (next === null || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    show(next);
  });
}

const PAGE = 7;

function findStep(key: string, current: number, last: number): number | null {
  const steps: Record<string, number> = {
    ArrowLeft: current - 1,
    ArrowDown: current - 1,
    ArrowRight: current + 1,
    ArrowUp: current + 1,
    PageDown: current - PAGE,
    PageUp: current + PAGE,
    Home: 0,
    End: last,
  };
  return steps[key] ?? null;
}
