import { accountRoute, liveAnswer } from "@/app/(dashboard)/_shared/dashboard-route";
import { readLists } from "../_components/lists";

export const GET = accountRoute(async (caller) => liveAnswer((await readLists(caller)).mark));
