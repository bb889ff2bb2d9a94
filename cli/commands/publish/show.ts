/** `--show <destination>`: prints the payload for each platform of the destination. Offline. */
import type { DestinationKey } from '../../../article/types.ts';
import { PLATFORMS_BY_KEY } from '../../../destinations/platforms.ts';
import { findDescriptor } from '../../../destinations/registry.ts';
import { toDeliverable } from '../../document/deliverable.ts';
import type { PreparedDocument } from '../../document/prepare-document.ts';
import { neutraliseText, type Terminal } from '../../terminal/output.ts';

export interface DestinationPayload {
  platform: string;
  label: string;
  payload: unknown;
}

export function listPayloads(destination: DestinationKey, { draft }: PreparedDocument): DestinationPayload[] {
  const article = toDeliverable(draft);
  return PLATFORMS_BY_KEY[destination].flatMap((platform) => {
    const format = findDescriptor(platform);
    return format === null ? [] : [{ platform, label: format.label, payload: format.format(article).payload }];
  });
}

/** Prints short fields first, one per line, then each long text unchanged. */
export function showPayloads(destination: DestinationKey, payloads: DestinationPayload[], terminal: Terminal): void {
  const { out, outPaint: paint } = terminal;
  for (const { label, payload } of payloads) {
    const fields = listFields(payload, '');
    out(paint.bold(`${label} (${destination})`));
    for (const { name, value } of fields) if (!isText(value)) out(`  ${paint.dim(`${name}:`)} ${paint.plain(value)}`);
    for (const { name, value } of fields)
      if (isText(value)) out(`  ${paint.dim(`${name}:`)}\n${neutraliseText(value)}`);
  }
}

const MAX_FIELD_CHARACTERS = 300;

function isText(value: string): boolean {
  return value.includes('\n') || value.length > MAX_FIELD_CHARACTERS;
}

interface Field {
  name: string;
  value: string;
}

function listFields(value: unknown, name: string): Field[] {
  if (typeof value === 'string') return [{ name, value }];
  if (typeof value !== 'object' || value === null) return [{ name, value: String(value) }];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return [{ name, value: value.join(', ') }];
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .flatMap(([key, inner]) => listFields(inner, name === '' ? key : `${name}.${key}`));
}
