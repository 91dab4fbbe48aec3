import { livePage } from "@/app/(dashboard)/_shared/dashboard-route";
import { readLists } from "../_components/lists";

export const GET = livePage(async (caller) => (await readLists(caller)).version);
