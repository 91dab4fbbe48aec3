import type { Metadata } from "next";
import { address, one, type SearchParams } from "@/app/_shared/address";
import { signedIn } from "@/app/_shared/session";
import { MessageList } from "./_components/message-list";

export const metadata: Metadata = { title: "Messages" };

export default async function MessagesPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const { caller } = await signedIn(address("/messages", params));
  return <MessageList caller={caller} params={params} creating={one(params, "new") === "1"} />;
}
