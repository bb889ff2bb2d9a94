/** Makes micromark begin a block of HTML only where one may begin: see `html-block-ends.ts`. */
import { htmlFlow } from 'micromark-core-commonmark';
import type { Construct, Effects, State, TokenizeContext } from 'micromark-util-types';
import type { Processor } from 'unified';
import { HtmlBlockEnds } from './html-block-ends.ts';

let ends: HtmlBlockEnds | null = null;

/** Calls `parse`, whose processor has the plugin below, for `source`. */
export function parseWithin<T>(source: string, parse: () => T): T {
  ends = new HtmlBlockEnds(source);
  try {
    return parse();
  } finally {
    ends = null;
  }
}

/** A plugin: blocks of HTML that end. */
export function endHtmlBlocks(this: Processor): void {
  const data = this.data() as { micromarkExtensions?: object[] };
  data.micromarkExtensions ??= [];
  data.micromarkExtensions.push({ disable: { null: ['htmlFlow'] }, flow: { 60: endedHtmlFlow } });
}

const endedHtmlFlow: Construct = {
  ...htmlFlow,
  name: 'endedHtmlFlow',
  tokenize(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
    const start = htmlFlow.tokenize.call(this, effects, ok, nok);
    return (code) => (ends === null || ends.canBegin(this.now().offset) ? start(code) : nok(code));
  },
};
