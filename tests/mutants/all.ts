import { access } from "./areas/access";
import { addresses } from "./areas/addresses";
import { deliveries } from "./areas/deliveries";
import { inboxes } from "./areas/inboxes";
import { limits } from "./areas/limits";
import { oauth } from "./areas/oauth";
import { pages } from "./areas/pages";
import { people } from "./areas/people";
import { questions } from "./areas/questions";
import { records } from "./areas/records";
import { sanitizer } from "./areas/sanitizer";
import { schedules } from "./areas/schedules";
import { shares } from "./areas/shares";
import { tasks } from "./areas/tasks";
import { webhooks } from "./areas/webhooks";
import type { Areas } from "./mutant";

export const AREAS: Areas = {
  addresses,
  inboxes,
  tasks,
  deliveries,
  schedules,
  webhooks,
  records,
  questions,
  limits,
  access,
  people,
  oauth,
  shares,
  sanitizer,
  pages,
};
