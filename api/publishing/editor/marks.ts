/** Where in a text something is to be said, for the editor. */
import type { TextPreview } from './preview-text.ts';

export interface Mark {
  /** From 1, as is the column. */
  line: number;
  column: number;
  kind: 'error' | 'warning' | 'loss';
  message: string;
}

export function listMarks({ problems, warnings, article }: TextPreview): Mark[] {
  const atDestinations = (article?.sent ?? []).flatMap(({ losses, refusal }) =>
    refusal ? [refusal, ...losses] : losses,
  );
  return [
    ...problems.flatMap((problem) => mark('error', problem)),
    ...warnings.flatMap((warning) => mark('warning', warning)),
    ...atDestinations.flatMap((loss) => mark('loss', loss)),
  ];
}

interface Placed {
  message: string;
  line?: number;
  column?: number;
}

function mark(kind: Mark['kind'], { message, line, column = 1 }: Placed): Mark[] {
  return line === undefined ? [] : [{ line, column, kind, message }];
}
