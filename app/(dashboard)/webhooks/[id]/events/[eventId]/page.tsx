import type { Metadata } from "next";
import type { SearchParams } from "@/app/_shared/query";
import { eventAddress } from "@/app/(dashboard)/webhooks/_components/endpoint";
import { EventList } from "@/app/(dashboard)/webhooks/_components/event-list";

interface Props {
  params: Promise<{ id: string; eventId: string }>;
  searchParams: Promise<SearchParams>;
}

export const metadata: Metadata = { title: "Captured request", robots: { index: false } };

/** The list beside an event whose address was opened; one that is opened from the list leaves it as it is. */
export default async function EventPage({ params, searchParams }: Props) {
  const { id, eventId } = await params;
  const search = await searchParams;
  return <EventList id={id} search={search} here={eventAddress(id, eventId, search)} />;
}
