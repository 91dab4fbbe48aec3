import { access } from "./areas/access";
import { addresses } from "./areas/addresses";
import { deliveries } from "./areas/deliveries";
import { inboxes } from "./areas/inboxes";
import { limits } from "./areas/limits";
import { oauth } from "./areas/oauth";
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
  limits,
  access,
  oauth,
  shares,
  sanitizer,
};
