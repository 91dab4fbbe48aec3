import type { Metadata } from "next";
import { address, type SearchParams } from "@/app/address";
import { signedIn } from "@/app/session";
import { MessageList } from "./message-list";

export const metadata: Metadata = { title: "Messages" };

export default async function MessagesPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const { caller } = await signedIn(address("/messages", { ...params }));
  return <MessageList caller={caller} params={params} />;
}
