import type { Metadata } from "next";
import { listPage } from "@/app/(dashboard)/_shared/index-page";
import { MessageList } from "./_components/message-list";

export const metadata: Metadata = { title: "Messages" };

export default listPage("messages", MessageList);
