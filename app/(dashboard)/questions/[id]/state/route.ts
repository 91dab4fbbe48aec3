import { liveResource } from "@/app/(dashboard)/_shared/dashboard-route";
import * as questions from "@/lib/resources/questions/service";

export const GET = liveResource(async (caller, { id }) => (await questions.get(caller, id)).state);
