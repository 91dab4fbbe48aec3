import { access } from "./areas/access";
import { addresses } from "./areas/addresses";
import { deliveries } from "./areas/deliveries";
import { inboxes } from "./areas/inboxes";
import { records } from "./areas/records";
import { sanitizer } from "./areas/sanitizer";
import { tasks } from "./areas/tasks";
import { webhooks } from "./areas/webhooks";
import type { Areas } from "./mutant";

export const AREAS: Areas = {
  addresses,
  inboxes,
  tasks,
  deliveries,
  webhooks,
  records,
  access,
  sanitizer,
};
