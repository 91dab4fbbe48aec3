import { livePage } from "@/app/(dashboard)/_shared/dashboard-route";
import { readArtifacts } from "../_components/listed";

export const GET = livePage(async (caller, query) => (await readArtifacts(caller, query)).version);
