/** The script of every page of the desk. Each page works without it. */
import { countNotifications } from './desk/badge.ts';
import { followLiveParts } from './desk/live-parts.ts';
import { explainPlots } from './desk/plots.ts';

countNotifications();
followLiveParts();
explainPlots();
