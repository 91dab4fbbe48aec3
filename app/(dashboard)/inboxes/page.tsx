import type { Metadata } from "next";
import { indexPage } from "@/app/(dashboard)/_shared/index-page";
import { rangeOf } from "@/app/(dashboard)/_shared/listing";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import { depths, inboxListVersion } from "@/lib/resources/inboxes/depths";
import * as inboxes from "@/lib/resources/inboxes/service";
import { InboxForm } from "./_components/inbox-form";
import { InboxTable } from "./_components/inbox-table";

export const metadata: Metadata = { title: "Inboxes" };

export default indexPage({
  kind: "inboxes",
  searched: "names and descriptions",
  about:
    "An inbox is a queue behind one URL: anyone sends events to it, and each event is leased to one worker at a time until it is acknowledged.",
  async read(caller, params, words) {
    // Read first, so that no later change is missed.
    const version = await inboxListVersion(caller, rangeOf(params));
    const list = await readShown(caller, params, (part) => inboxes.list(caller, part, words));
    const ids = list.data.map(({ id }) => id);
    const counts = await depths(caller, ids);
    return { list, version, table: <InboxTable inboxes={list.data} depths={counts} /> };
  },
  form: (closeHref) => <InboxForm closeHref={closeHref} />,
});
