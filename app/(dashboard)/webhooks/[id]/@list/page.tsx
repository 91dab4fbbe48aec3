import type { ResourcePage } from "@/app/_shared/resources";
import { EventList } from "../../_components/event-list";

/** A slot of its own, so that the list does not change when an event is opened. */
export default async function EventListSlot({ params, searchParams }: ResourcePage) {
  return <EventList id={(await params).id} search={await searchParams} />;
}
