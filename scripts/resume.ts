import { resumeDispatch } from "@/lib/db/dispatch-off";
import { openDatabase } from "@/lib/db/open";
import { connectEmbeddedPostgres } from "@/lib/embedded-postgres/start";

// `npm run resume`: lets the server send messages and run schedules again after a restore.
const close = await openDatabase(connectEmbeddedPostgres);
const { wasOff, due } = await resumeDispatch();
console.log(wasOff ? `Dispatch is on again. ${due} messages are due.` : "Dispatch was not off.");
await close();
