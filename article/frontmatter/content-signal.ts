/**
 * Reads `ai`: what agents may do with this text. An unreadable value is no error, as the key may be
 * another tool's, but a warning: its author may have meant to forbid something.
 */
import {
  type ContentSignal,
  formatContentSignal,
  parseContentSignal,
  SIGNAL_FORM,
  type SignalUse,
} from '../discovery/content-signal.ts';
import type { Notice } from '../types.ts';
import { foldName, showName } from './field-names.ts';
import type { FieldNode } from './field-node.ts';
import { type FieldReader, readYesNo } from './field-reader.ts';

/** By folded name, so that `ai-train`, `aiTrain` and `train` are equal. */
const USES: Record<string, SignalUse | undefined> = {
  search: 'search',
  input: 'ai-input',
  aiinput: 'ai-input',
  train: 'ai-train',
  aitrain: 'ai-train',
};

export function readContentSignal(reader: FieldReader, warnings: Notice[]): string | null {
  const node = reader.node('ai');
  if (node === undefined) return null;
  const warn = (path: string, at: FieldNode): void => {
    const message = `${path} is ignored: expected ${SIGNAL_FORM}, or a mapping (ai: {search: yes, input: yes, train: no}).`;
    warnings.push({ code: 'content_signal_ignored', path, message, ...at.place });
  };
  if (node.kind === 'scalar' && typeof node.value === 'string') {
    const signal = parseContentSignal(node.value);
    if (signal === null) warn('ai', node);
    return signal && formatOrNull(signal);
  }
  if (node.kind !== 'map') {
    warn('ai', node);
    return null;
  }
  const signal: ContentSignal = {};
  for (const [name, item] of node.entries) {
    const use = USES[foldName(name)];
    const word = readYesNo(item);
    if (use === undefined || word === null) warn(`ai.${showName(name)}`, item);
    // Of two spellings the stricter applies.
    else signal[use] = signal[use] !== false && word;
  }
  return formatOrNull(signal);
}

function formatOrNull(signal: ContentSignal): string | null {
  return formatContentSignal(signal) || null;
}
