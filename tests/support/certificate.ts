import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** Writes `cert.pem`, a certificate of this host that is signed by itself, and `key.pem` to a folder, and returns both. */
export function selfSigned(folder: string, host = "localhost") {
  const names = `-subj /CN=${host} -addext subjectAltName=DNS:${host}`;
  const command = `req -x509 -newkey rsa:2048 -nodes -days 2 ${names} -keyout key.pem -out cert.pem`;
  execFileSync("openssl", command.split(" "), { cwd: folder, stdio: "ignore" });
  const read = (name: string) => fs.readFileSync(path.join(folder, name));
  return { key: read("key.pem"), cert: read("cert.pem") };
}
