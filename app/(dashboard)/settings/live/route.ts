import { accountRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { readLists } from "../_components/lists";

export const GET = accountRoute(async (caller) => liveResponse((await readLists(caller)).version));
