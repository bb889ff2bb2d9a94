/** Entry point of the desk script. Every desk page also works without it. */
import { countNotifications } from './desk/badge.ts';
import { moveByDragging } from './desk/calendar.ts';
import { addCopyButtons } from './desk/copy.ts';
import { explainPlots } from './desk/plots.ts';
import { followPage } from './desk/refresh-page.ts';
import { sendCommandsInPlace } from './desk/send-command.ts';
import { offerZone, showLocalTimes, storeZoneCookie } from './desk/times.ts';

showLocalTimes();
storeZoneCookie();
countNotifications();
followPage();
sendCommandsInPlace();
moveByDragging();
explainPlots();
addCopyButtons();
offerZone();
