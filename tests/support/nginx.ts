import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { freePort, pause, ROOT } from "./servers";

const NGINX = "/usr/sbin/nginx";

/** Where it is not installed, its tests are skipped. */
export function hasNginx(): boolean {
  return fs.existsSync(NGINX);
}

/**
 * Starts nginx with `deploy/nginx.conf` in front of two servers on loopback, and returns its URL.
 * The header `Upstream` of a response has the address of its server.
 */
export async function startNginx(folder: string, ports: [number, number]) {
  const port = await freePort();
  const site = fs
    .readFileSync(path.join(ROOT, "deploy/nginx.conf"), "utf8")
    .replace("location / {", "location / {\n    add_header Upstream $upstream_addr;")
    .replaceAll("app1:3000", `127.0.0.1:${ports[0]}`)
    .replaceAll("app2:3000", `127.0.0.1:${ports[1]}`)
    .replace("listen 80;", `listen 127.0.0.1:${port};`);
  const file = path.join(folder, "nginx.conf");
  fs.writeFileSync(file, mainConfiguration(folder, site));
  const child = spawn(NGINX, ["-c", file, "-p", folder, "-e", "stderr"], {
    stdio: ["ignore", "inherit", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const exited = once(child, "exit");
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(url).catch(() => null))) {
    if (child.exitCode !== null) throw new Error(`nginx did not start:\n${errors}`);
    await pause(50);
  }
  return {
    url,
    errors: () => errors,
    /** The paths that it logged. Complete once it has stopped. */
    logged: () => fs.readFileSync(path.join(folder, "access.log"), "utf8"),
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

function mainConfiguration(folder: string, site: string): string {
  const bodies = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${path.join(folder, name)};`,
  );
  return `daemon off;
user root;
worker_processes 2;
pid ${path.join(folder, "nginx.pid")};
events { worker_connections 512; }
http {
  access_log ${path.join(folder, "access.log")};
  error_log stderr warn;
  ${bodies.join("\n  ")}
${site}
}
`;
}
