import { livePage } from "@/app/(dashboard)/_shared/dashboard-route";
import { readLists, versionOf } from "../_components/lists";

export const GET = livePage(async (caller, query) => versionOf(await readLists(caller, query)));
