import { redirect } from "next/navigation";
import { address } from "@/app/_shared/address";

/** An event's address as the API has it leads to the inbox with the event open. */
export default async function InboxEventPage(props: {
  params: Promise<{ id: string; eventId: string }>;
}) {
  const { id, eventId } = await props.params;
  redirect(address(`/inboxes/${id}`, { event: eventId }));
}
