/** Lists the marks that the editor shows in the text. */
import type { TextPreview } from './preview-text.ts';

export interface Mark {
  /** Lines and columns count from 1. */
  line: number;
  column: number;
  kind: 'error' | 'warning' | 'loss';
  message: string;
}

export function listMarks({ problems, warnings, article }: TextPreview): Mark[] {
  const destinationNotices = (article?.preflights ?? []).flatMap(({ losses, refusal }) =>
    refusal ? [refusal, ...losses] : losses,
  );
  return [
    ...problems.flatMap((problem) => mark('error', problem)),
    ...warnings.flatMap((warning) => mark('warning', warning)),
    ...destinationNotices.flatMap((loss) => mark('loss', loss)),
  ];
}

interface PositionedMessage {
  message: string;
  line?: number;
  column?: number;
}

function mark(kind: Mark['kind'], { message, line, column = 1 }: PositionedMessage): Mark[] {
  return line === undefined ? [] : [{ line, column, kind, message }];
}
