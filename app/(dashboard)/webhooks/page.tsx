import type { Metadata } from "next";
import { indexPage } from "@/app/(dashboard)/_shared/index-page";
import { versionTag } from "@/lib/platform/http/conditional";
import { EndpointForm } from "./_components/endpoint-form";
import { EndpointTable } from "./_components/endpoint-table";
import { readEndpoints } from "./_components/endpoints";

export const metadata: Metadata = { title: "Webhooks" };

export default indexPage({
  kind: "webhooks",
  searched: "names and descriptions",
  about: "An endpoint is a URL that stores every request sent to it, byte for byte.",
  async read(caller, params, words) {
    const { list, last, inboxes } = await readEndpoints(caller, params, words);
    const table = <EndpointTable endpoints={list.data} lastEvents={last} inboxes={inboxes} />;
    return { list, version: versionTag([list, ...last]), table };
  },
  form: (closeHref) => <EndpointForm closeHref={closeHref} />,
});
