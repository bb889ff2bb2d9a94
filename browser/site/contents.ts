/** Marks the section on screen in the table of contents. */

export function followContents(): void {
  const contents = document.querySelector<HTMLElement>('.toc');
  if (!contents) return;
  const links = new Map(
    [...contents.querySelectorAll('a')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
  );
  const headings = [...links.keys()].flatMap((id) => document.getElementById(id) ?? []);
  let marked: HTMLAnchorElement | undefined;
  const mark = () => {
    // The last heading above the upper third of the screen.
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3).at(-1);
    const link = passed && links.get(passed.id);
    if (link === marked) return;
    marked?.removeAttribute('aria-current');
    link?.setAttribute('aria-current', 'location');
    marked = link;
  };
  // Runs only when a heading crosses the line, so scrolling costs nothing.
  const observer = new IntersectionObserver(mark, { rootMargin: '0px 0px -66% 0px' });
  for (const heading of headings) observer.observe(heading);
  mark();
}
