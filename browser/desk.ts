/** The script of every page of the desk. Each page works without it. */
import { countNotifications } from './desk/badge.ts';

countNotifications();
