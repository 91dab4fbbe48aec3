import { downloadRoute } from "@/app/(dashboard)/_shared/body-route";
import { readReplyBody } from "../../../../_components/stored-body";

export const GET = downloadRoute("inbox-reply.bin", readReplyBody);
