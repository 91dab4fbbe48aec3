import { livePage } from "@/app/(dashboard)/_shared/dashboard-route";
import { rangeOf } from "@/app/(dashboard)/_shared/listing";
import { messageListVersion } from "@/lib/resources/messages/listing";
import { conditionsOf, preservedParams } from "../_components/message-list";

export const GET = livePage((caller, query) => {
  const conditions = conditionsOf(preservedParams(query).state);
  return messageListVersion(caller, { ...conditions, ...rangeOf(query) });
});
