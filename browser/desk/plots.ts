/**
 * Shows the value of a plot at the pointer or at the step chosen by arrow keys. Reads the numbers
 * from the table below the plot.
 */

/** Adds a slider to each plot that has none. */
export function explainPlots(): void {
  for (const plot of document.querySelectorAll('[data-plot]')) {
    const box = plot.querySelector<HTMLElement>('[data-plot-box]');
    const table = plot.querySelector('tbody');
    if (box && table && !box.querySelector('[role="slider"]'))
      explain(box, table, plot.getAttribute('aria-label') ?? '');
  }
}

/**
 * Adds a slider above the plot, because screen readers read out its value while arrow keys move it.
 * A refresh of the page changes the plot and its table, and keeps the slider.
 */
function explain(box: HTMLElement, table: HTMLTableSectionElement, name: string): void {
  const slider = document.createElement('div');
  slider.className = 'plot-slider';
  slider.dataset.keep = '';
  const marker = createPart('plot-marker');
  const tip = createPart('plot-tip');
  let present = table.rows.length - 1;

  const show = (step: number) => {
    const { length } = table.rows;
    present = Math.min(Math.max(step, 0), length - 1);
    const text = [...(table.rows[present]?.cells ?? [])].map(({ textContent }) => textContent).join(': ');
    slider.setAttribute('aria-valuemax', String(length - 1));
    slider.setAttribute('aria-valuenow', String(present));
    slider.setAttribute('aria-valuetext', text);
    tip.textContent = text;
    const at = ((present + 0.5) / length) * box.clientWidth;
    marker.hidden = tip.hidden = false;
    marker.style.left = `${at}px`;
    tip.style.left = `${Math.min(Math.max(at - tip.offsetWidth / 2, 0), box.clientWidth - tip.offsetWidth)}px`;
  };
  const hide = () => {
    marker.hidden = tip.hidden = true;
  };

  slider.tabIndex = 0;
  slider.setAttribute('role', 'slider');
  slider.setAttribute('aria-label', name);
  slider.setAttribute('aria-valuemin', '0');
  slider.append(marker, tip);
  box.append(slider);
  const update = () => {
    const isHidden = tip.hidden;
    show(present);
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
  slider.addEventListener('pointerleave', () => (document.activeElement === slider ? show(present) : hide()));
  slider.addEventListener('focus', () => show(present));
  slider.addEventListener('blur', hide);
  slider.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return hide();
    const next = findStep(event.key, present, table.rows.length - 1);
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
