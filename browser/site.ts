/**
 * Entry point of the script of public pages. Those pages are the same for all readers; this script
 * adds the parts for the signed-in reader.
 */
import { addAnchors } from './site/anchors.ts';
import { addCopyButtons } from './site/code.ts';
import { followContents } from './site/contents.ts';
import { previewFootnotes } from './site/footnotes.ts';
import { reportReadings } from './site/readings.ts';
import { easeScrolling } from './site/scrollers.ts';
import { addShare } from './site/share.ts';
import { takePart } from './site/take-part.ts';
import { showViewer } from './site/viewer.ts';

void showViewer();
void takePart();
followContents();
addCopyButtons();
addShare();
addAnchors();
previewFootnotes();
reportReadings();
easeScrolling();
