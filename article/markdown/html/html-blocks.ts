/** Makes micromark begin and end HTML blocks as `html-block-ends.ts` allows. */
import { htmlFlow } from 'micromark-core-commonmark';
import type { Construct, Effects, Extension, State, TokenizeContext } from 'micromark-util-types';
import { HtmlBlockEnds } from './html-block-ends.ts';

let ends = new HtmlBlockEnds('');

/** Calls `parse` for `source`. Its processor must use the extension below. */
export function parseWithin<T>(source: string, parse: () => T): T {
  const outer = ends;
  ends = new HtmlBlockEnds(source);
  try {
    return parse();
  } finally {
    ends = outer;
  }
}

const endedHtmlFlow: Construct = {
  ...htmlFlow,
  name: 'endedHtmlFlow',
  tokenize(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
    let begin = 0;
    let blankLine: unknown;
    const check: Effects['check'] = (construct, yes, no) => {
      if (no === undefined || !ends.isEndedByBlankLine(begin)) return effects.check(construct, yes, no);
      // The tokenizer of such a block first checks for a blank line.
      blankLine ??= construct;
      const isEnd = construct !== blankLine || ends.canEnd(begin, this.now().offset);
      return isEnd ? effects.check(construct, yes, no) : no;
    };
    const start = htmlFlow.tokenize.call(this, { ...effects, check }, ok, nok);
    return (code) => {
      begin = this.now().offset;
      return ends.canBegin(begin) ? start(code) : nok(code);
    };
  },
};

/** An extension of micromark that applies `HtmlBlockEnds` to blocks of HTML. */
export const END_HTML_BLOCKS: Extension = { disable: { null: ['htmlFlow'] }, flow: { 60: endedHtmlFlow } };
