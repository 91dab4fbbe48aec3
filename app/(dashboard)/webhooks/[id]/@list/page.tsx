import type { SearchParams } from "@/app/_shared/query";
import { EventList } from "../../_components/event-list";

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<SearchParams>;
}

/** A slot of its own, so that the list does not change when an event is opened. */
export default async function EventListSlot({ params, searchParams }: Props) {
  return <EventList id={(await params).id} search={await searchParams} />;
}
