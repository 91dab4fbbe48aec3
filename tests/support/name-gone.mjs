// Load with --import: the name database.test leads to this machine for as long as the file NAME_FILE exists.
import dns from "node:dns";
import { existsSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const lookup = dns.lookup;
dns.lookup = (name, ...rest) => {
  if (name !== "database.test") return lookup(name, ...rest);
  if (existsSync(process.env.NAME_FILE)) return lookup("127.0.0.1", ...rest);
  const error = new Error(`getaddrinfo ENOTFOUND ${name}`);
  process.nextTick(
    rest.at(-1),
    Object.assign(error, { code: "ENOTFOUND", syscall: "getaddrinfo" }),
  );
};
syncBuiltinESMExports();
