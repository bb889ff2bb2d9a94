/**
 * Collects the licences of the packages in the bundle. MIT and similar licences require their
 * notice. Equal texts are included once.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export function collectLicences(folders: string[]): string {
  const groups = new Map<string, { text: string; packages: string[] }>();
  for (const folder of folders.toSorted()) {
    const { name, notice, text } = readLicence(folder);
    // Ignores line breaks and punctuation, which differ between equal licences.
    const key = text.toLowerCase().replace(/[^a-z0-9]+/g, ' ');
    const group = groups.get(key) ?? { text, packages: [] };
    group.packages.push([name, ...notice].join('\n  '));
    groups.set(key, group);
  }
  return [...groups.values()]
    .map(({ text, packages }) => `${packages.join('\n')}\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** `notice` contains the copyright lines. */
function readLicence(folder: string): { name: string; notice: string[]; text: string } {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
  };
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const lines = file === undefined ? [] : readFileSync(join(folder, file), 'utf8').trim().split(/\r?\n/);
  const isNotice = (line: string) => /^\W*(?:copyright\b|\(c\)\s)(?!\s+(?:notice|holder|owner|license))/i.test(line);
  return {
    name: `${manifest.name} ${manifest.version} (${manifest.license ?? 'see its package'})`,
    notice: lines.filter(isNotice).map((line) => line.trim()),
    text: lines
      .filter((line) => !isNotice(line))
      .join('\n')
      .trim(),
  };
}
