/** The script of every page of the desk. Each page works without it. */
import { countNotifications } from './desk/badge.ts';
import { addCopyButtons } from './desk/copy.ts';
import { offerZone } from './desk/zone.ts';

countNotifications();
addCopyButtons();
offerZone();
