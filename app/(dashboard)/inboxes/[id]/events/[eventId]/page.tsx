import { redirect } from "next/navigation";
import { withQuery } from "@/app/_shared/query";

/** Redirects the event's API path to the inbox with the event open. */
export default async function InboxEventPage(props: {
  params: Promise<{ id: string; eventId: string }>;
}) {
  const { id, eventId } = await props.params;
  redirect(withQuery(`/inboxes/${id}`, { event: eventId }));
}
