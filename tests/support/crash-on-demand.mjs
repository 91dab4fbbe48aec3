// Preloaded by NODE_OPTIONS: new processes of a server that has several end at once while this file exists.
import cluster from "node:cluster";
import { existsSync } from "node:fs";

if (cluster.isWorker && existsSync(process.env.CRASH_FILE ?? "")) process.exit(3);
