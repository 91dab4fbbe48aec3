import { downloadRoute } from "@/app/(dashboard)/_shared/body-route";
import { readStoredBody } from "../../_components/stored-body";

export const GET = downloadRoute("message.bin", readStoredBody);
