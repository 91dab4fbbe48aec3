import { downloadRoute } from "@/app/(dashboard)/_shared/body-route";
import { readEventBody } from "../../../../_components/stored-body";

export const GET = downloadRoute("inbox-event.bin", readEventBody);
